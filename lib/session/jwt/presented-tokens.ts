/** Finds the session tokens of a request. */

import { jsonBytes } from '../../base/json.js'
import { catchMaybePromise, mapMaybePromise, mapSeries } from '../../base/maybe-promise.js'
import { perName, perOwner } from '../../base/memory.js'
import { nowInSeconds } from '../../base/time.js'
import { warnEachMinute } from '../../base/warn-once.js'
import type { CookieContext, EndedSession, KnownSession, ResolvedConfig } from '../../contracts/index.js'
import { type KeyResolver, namesOtherSecret, openSessionToken } from '../../crypto/jwe.js'
import { legacySessionKey, sessionKeys } from '../../crypto/keys.js'
import { hasNodeCrypto } from '../../crypto/platform.js'
import { JWTSessionError, toError } from '../../errors.js'
import { readChunked } from '../../http/chunks.js'
import type { ReceivedCookies } from '../../http/cookies.js'
import { decode } from '../../jwt.js'
import type { Awaitable } from '../../types/identity.js'
import type { JWT } from '../../types/jwt.js'
import {
  chooseSession,
  endedInThisProcess,
  type SessionChoice,
  sessionIdOf,
  undecodableCookieName,
} from '../browser.js'
import { isFromFuture } from '../session-cookie.js'
import { type EngineClaims, restoreClaims } from './claims.js'
import { VerifiedToken } from './verified-token.js'
import { SeenTokens, VerifiedTokens } from './verified-tokens.js'

/** A token as a request sent it. */
interface SentToken {
  readonly text: string
  readonly source: 'cookie' | 'legacy' | 'bearer'
}

/** A valid token, and its source. One is created for each request: it may have other claims than its token. */
export class FoundToken implements SentToken {
  readonly text: string
  readonly source: SentToken['source']
  #token: JWT | undefined

  /**
   * @param expires The end, in milliseconds since the epoch.
   * @param token The token, if it is this request's alone. Default: a copy.
   */
  constructor(
    readonly verified: VerifiedToken,
    { text, source }: SentToken,
    readonly expires: number,
    readonly claims: EngineClaims,
    token?: JWT,
  ) {
    this.text = text
    this.source = source
    this.#token = token
  }

  /** The token, for this request alone. */
  get token(): JWT {
    this.#token ??= this.verified.copyPayload()
    return this.#token
  }

  /** The data by which the end of the session is found. Callbacks cannot change it. */
  get known(): KnownSession {
    return this.verified.known
  }
}

/** Returns the same session with other claims of the engine. */
export function withClaims(found: FoundToken, claims: EngineClaims): FoundToken {
  return new FoundToken(found.verified, found, found.expires, claims, restoreClaims(found.token, claims))
}

/** The session tokens of a request. */
export class PresentedTokens {
  /**
   * @param valid The valid tokens of sessions that have not ended, in the order of the request; tokens of Auth.js last.
   * @param all The same with those of ended sessions.
   * @param undecodable The texts of the others.
   */
  constructor(
    readonly valid: readonly FoundToken[],
    private readonly all: readonly FoundToken[],
    private readonly undecodable: readonly string[],
  ) {}

  /** Returns a name for each cookie, and whether its token could be decrypted. */
  names(): ReadonlyMap<string, boolean> {
    return new Map([
      ...this.undecodable.map((text) => [undecodableCookieName(text), false] as const),
      ...this.all.map(({ claims }) => [claims.sid, true] as const),
    ])
  }
}

/**
 * Returns the tokens in a request's cookies: those of this library, or, if there are none, those of Auth.js if accepted.
 *
 * @param learns Whether to wait for the ends of sessions elsewhere. Not inside a transaction, whose database may have only one
 *   connection, nor when the session ends anyway.
 */
export function presentedJwtTokens(
  { config, cookies, cookiePolicy }: CookieContext,
  learns = true,
): Awaitable<PresentedTokens> {
  const { name } = cookiePolicy.sessionToken
  const texts = readChunked(cookies.received, name)
  const opened = mapSeries(texts, (text) => decodePresented(config, name, { text, source: 'cookie' }))
  return mapMaybePromise(opened, (own) => {
    const found = keep(own, (token) => token !== null)
    const undecodable = found.length < texts.length ? texts.filter((_text, at) => own[at] === null) : []
    if (undecodable.length > 0) reportOtherSecret(config, name, undecodable)
    return mapMaybePromise(found.length > 0 ? found : findLegacy(config, cookies.received), (all) =>
      mapMaybePromise(learns ? loadEndedSessions(config, all) : undefined, () => {
        const valid = keep(all, (each): each is FoundToken => isLiveToken(config, each))
        return new PresentedTokens(valid, all, undecodable)
      }),
    )
  })
}

/** Returns the items that pass a test: mostly all, which is the list itself. A new list would take more memory than its items. */
function keep<T, Kept extends T>(items: readonly T[], isKept: (item: T) => item is Kept): readonly Kept[] {
  return items.every(isKept) ? items : items.filter(isKept)
}

/** Chooses the session that is used, of those of a request. */
export function chooseToken(context: CookieContext, { valid }: PresentedTokens): Awaitable<SessionChoice<FoundToken>> {
  return chooseSession(context, valid, ({ claims }) => claims.sid)
}

/** Returns the names that belong to sessions. */
export function sessionNamesIn(names: ReadonlyMap<string, boolean>): string[] {
  return [...names].flatMap(([name, isSession]) => (isSession ? [name] : []))
}

/** Returns the data that is reported about an ended session. */
export function tokenToEndedSession({ known: { userId }, claims }: FoundToken): EndedSession {
  return { sid: sessionIdOf(claims.sid), ...(userId !== undefined && { userId }) }
}

/** Keeps the user's id if the `jwt` callback removed `sub`, because the session always names its user. */
export function withRemovedSubject(claims: EngineClaims, { sub }: JWT, id: string | undefined): EngineClaims {
  if (claims.auth_owner || id === undefined || typeof sub === 'string') return claims
  return { ...claims, auth_epoch: { ...claims.auth_epoch, user: id } }
}

/** Loads the ends of these sessions. Invalid cookies cause no query. */
function loadEndedSessions(
  { session: { revocation } }: ResolvedConfig,
  found: readonly FoundToken[],
): Awaitable<unknown> {
  return revocation && found.length > 0 ? revocation.refreshSessions(found.map(({ known }) => known)) : undefined
}

function isLiveToken(config: ResolvedConfig, found: FoundToken): boolean {
  // Without the option, nothing would restrict an impersonated session.
  if (found.claims.auth_act !== undefined && !(config.impersonation && found.verified.actor)) return false
  return !endedInThisProcess(config, [found.claims.sid]) && !config.session.revocation?.hasEnded(found.known)
}

/** Returns the token of an `Authorization` header. It is used only when there is no session cookie at all. */
export function presentedBearer(context: CookieContext, text: string | undefined): Awaitable<FoundToken | null> {
  const { config, cookies, cookiePolicy } = context
  const { name } = cookiePolicy.sessionToken
  if (text === undefined || readChunked(cookies.received, name).length > 0) return null
  return mapMaybePromise(decodePresented(config, name, { text, source: 'bearer' }), (found) =>
    mapMaybePromise(found && loadEndedSessions(config, [found]), () =>
      found && isLiveToken(config, found) ? found : null,
    ),
  )
}

/** Checks whether a request has a session cookie, valid or not. */
export function hasSessionCookie({ config, cookies, cookiePolicy }: CookieContext): boolean {
  const names = [cookiePolicy.sessionToken.name, config.jwt.legacy?.cookieName]
  return names.some((name) => name !== undefined && readChunked(cookies.received, name).length > 0)
}

/** Decodes a token, by the application's `decode` if there is one. */
function decodePresented(config: ResolvedConfig, salt: string, sent: SentToken): Awaitable<FoundToken | null> {
  const { cache, open } = tokenOpenerOf(config)
  const known = cache?.verified.get(sent.text, salt)
  if (known) return toFoundToken(config, known, sent)
  return catchMaybePromise(
    () =>
      mapMaybePromise(open(sent.text, salt), (token) => {
        if (!token) return null
        // An application's `decode` may return more than JSON, so callbacks get its token. They must not change the facts of the session.
        if (!cache) return toFoundToken(config, new VerifiedToken(config, { ...token }, sent.text), sent, token)
        const verified = new VerifiedToken(config, token, sent.text)
        if (cache.seen.note(sent.text)) cache.verified.add(sent.text, salt, verified, jsonBytes(token))
        return toFoundToken(config, verified, sent)
      }),
    (thrown) => {
      config.logger.error(new JWTSessionError('The session token could not be decoded.', toError(thrown)))
      return null
    },
  )
}

/**
 * Warns that a cookie was encrypted with another secret, such as that of another instance of the site. Once a minute,
 * because strangers can send such cookies.
 */
function reportOtherSecret(config: ResolvedConfig, salt: string, texts: readonly string[]): void {
  if (config.jwt.decode !== decode) return
  for (const text of texts) {
    void mapMaybePromise(namesOtherSecret(text, config.secrets, keysOfConfig(config)(salt)), (isOther) => {
      if (isOther) warnEachMinute(config, 'other-secret', otherSecretMessage)
    })
  }
}

const otherSecretMessage =
  'A session cookie was encrypted with another secret, so its user is not signed in. Give all instances of the site the same AUTH_SECRET. To change it, add the new one as AUTH_SECRET_1. If another application on this host uses the same cookie name, rename it in `cookies.sessionToken`.'

/** The keys of each configuration, by the name of the cookie. */
const keysOfConfig = perOwner((_config: ResolvedConfig) => perName(sessionKeys))

/** Decrypts a token of the cookie with this name. */
type OpenToken = (text: string, salt: string) => Awaitable<JWT | null>

/** The decryption of a configuration, and its cache. */
interface TokenOpener {
  readonly open: OpenToken
  readonly cache?: { readonly verified: VerifiedTokens; readonly seen: SeenTokens }
}

/** The decryption of each configuration, because secrets may differ. */
const tokenOpenerOf = perOwner((config: ResolvedConfig): TokenOpener => {
  const { secrets, jwt } = config
  // An application's `decode` may differ from one call to the next, so it is not cached.
  if (jwt.decode !== decode) return { open: (text, salt) => jwt.decode({ token: text, secret: [...secrets], salt }) }
  const keysOf = keysOfConfig(config)
  const open: OpenToken = (text, salt) => openSessionToken(text, secrets, keysOf(salt))
  // Edge runtimes are short-lived, so a cache is of little use.
  return hasNodeCrypto ? { open, cache: { verified: new VerifiedTokens(), seen: new SeenTokens() } } : { open }
})

/** Finds sessions of Auth.js, which have another cookie and another key. */
function findLegacy(config: ResolvedConfig, received: ReceivedCookies): Awaitable<readonly FoundToken[]> {
  const { legacy } = config.jwt
  if (!legacy || legacy.until <= Date.now()) return []
  const { cookieName } = legacy
  const keyOf: KeyResolver = (secret, encryption) => legacySessionKey(secret, cookieName, encryption)
  const opened = mapSeries(readChunked(received, cookieName), (text) =>
    mapMaybePromise(openSessionToken(text, config.secrets, keyOf), (token) => {
      if (!token) return null
      // The `sid` of an Auth.js token does not name a session of this library.
      const verified = new VerifiedToken(config, { ...token, sid: undefined }, text)
      return toFoundToken(config, verified, { text, source: 'legacy' }, token)
    }),
  )
  return mapMaybePromise(opened, (tokens) => tokens.filter((found) => found !== null))
}

/**
 * Returns the token if it has not ended: by its own `exp`, or earlier if the configured lifetime was reduced since.
 *
 * @param token As in {@link FoundToken}.
 */
function toFoundToken(
  config: ResolvedConfig,
  verified: VerifiedToken,
  sent: SentToken,
  token?: JWT,
): FoundToken | null {
  const { iat } = verified
  const isPast = iat !== undefined && !isFromFuture(iat)
  const expires = isPast ? verified.expires : verified.expiryFrom(config, nowInSeconds())
  return expires > Date.now() ? new FoundToken(verified, sent, expires, verified.claims, token) : null
}
