/** Finds the session tokens of a request. */

import { catchMaybePromise, isPromiseLike, mapMaybePromise, mapSeries } from '../../base/maybe-promise.js'
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
  previousSessionName,
  type SessionChoice,
  sessionIdOf,
  undecodableCookieName,
} from '../browser.js'
import { isFromFuture, sessionExpiry } from '../session-cookie.js'
import { claimsLifespan, type EngineClaims, effectiveStart, readClaims } from './claims.js'
import { SeenTokens, VerifiedTokens } from './verified-tokens.js'

/** A valid token, and its source. */
export interface FoundToken {
  readonly token: JWT
  readonly claims: EngineClaims
  /** The token as it was sent. */
  readonly text: string
  readonly source: 'cookie' | 'legacy' | 'bearer'
  /** The end, in milliseconds since the epoch. */
  readonly expires: number
}

type PresentedText = Pick<FoundToken, 'text' | 'source'>

/** The session tokens of a request. */
export interface PresentedTokens {
  /** The valid tokens of sessions that have not ended, in the order of the request; tokens of Auth.js last. */
  readonly valid: readonly FoundToken[]
  /** Returns a name for each cookie, and whether its token could be decrypted. Tokens of ended sessions are included. */
  names(): ReadonlyMap<string, boolean>
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
    const found = own.filter((token) => token !== null)
    if (found.length < texts.length) {
      reportOtherSecret(
        config,
        name,
        texts.filter((_text, at) => own[at] === null),
      )
    }
    return mapMaybePromise(found.length > 0 ? found : findLegacy(config, cookies.received), (all) => {
      const names = () =>
        new Map([
          ...texts.filter((_text, at) => own[at] === null).map((text) => [undecodableCookieName(text), false] as const),
          ...all.map(({ claims }) => [claims.sid, true] as const),
        ])
      const learning = learns ? loadEndedSessions(config, all) : undefined
      if (isPromiseLike(learning))
        return learning.then(() => ({ valid: all.filter((each) => isLiveToken(config, each)), names }))
      return { valid: all.filter((each) => isLiveToken(config, each)), names }
    })
  })
}

/** Chooses the session that is used, of those of a request. */
export function chooseToken(context: CookieContext, { valid }: PresentedTokens): Awaitable<SessionChoice<FoundToken>> {
  return chooseSession(context, valid, ({ claims }) => claims.sid)
}

/** Returns the names that belong to sessions. */
export function sessionNamesIn(names: ReadonlyMap<string, boolean>): string[] {
  return [...names].flatMap(([name, isSession]) => (isSession ? [name] : []))
}

/** Returns the data by which ended sessions are found. Without a start, a token is older than any end. */
export function toKnownSession({ token, claims }: Pick<FoundToken, 'token' | 'claims'>): KnownSession {
  const saysWhen = typeof token.auth_began === 'number' || typeof token.auth_time === 'number'
  return {
    sid: claims.sid,
    formerSid: previousSessionName(claims.sid),
    userId: tokenUserOf(token, claims),
    startedAt: saysWhen ? effectiveStart(claims) : 0,
    provider: claims.auth_op,
  }
}

/** Returns the data that is reported about an ended session. */
export function tokenToEndedSession({ token, claims }: FoundToken): EndedSession {
  const userId = tokenUserOf(token, claims)
  return { sid: sessionIdOf(claims.sid), ...(userId !== undefined && { userId }) }
}

/** Returns the owner: by the engine's claim, or by `sub` in sessions of earlier versions. */
export function tokenUserOf({ sub }: JWT, { auth_owner: owner, auth_epoch: epoch }: EngineClaims): string | undefined {
  return owner?.id ?? epoch?.user ?? (typeof sub === 'string' ? sub : undefined)
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
  return revocation && found.length > 0 ? revocation.refreshSessions(found.map(toKnownSession)) : undefined
}

function isLiveToken(config: ResolvedConfig, found: FoundToken): boolean {
  return !endedInThisProcess(config, [found.claims.sid]) && !config.session.revocation?.hasEnded(toKnownSession(found))
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
function decodePresented(config: ResolvedConfig, salt: string, sent: PresentedText): Awaitable<FoundToken | null> {
  return catchMaybePromise(
    () =>
      mapMaybePromise(tokenOpenerOf(config)(sent.text, salt), (token) => token && toFoundToken(config, token, sent)),
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

/** The decryption of each configuration, because secrets may differ. */
const tokenOpenerOf = perOwner((config: ResolvedConfig): OpenToken => {
  const { secrets, jwt } = config
  // An application's `decode` may differ from one call to the next, so it is not cached.
  if (jwt.decode !== decode) return (text, salt) => jwt.decode({ token: text, secret: [...secrets], salt })
  const keysOf = keysOfConfig(config)
  const open: OpenToken = (text, salt) => openSessionToken(text, secrets, keysOf(salt))
  // Edge runtimes are short-lived, so a cache is of little use.
  return hasNodeCrypto ? withTokenCache(open) : open
})

function withTokenCache(open: OpenToken): OpenToken {
  const verified = new VerifiedTokens()
  const sightings = new SeenTokens()
  return (text, salt) =>
    verified.get(text, salt) ??
    mapMaybePromise(open(text, salt), (token) => {
      if (token && sightings.note(text)) verified.add(text, salt, token)
      return token
    })
}

/** Finds sessions of Auth.js, which have another cookie and another key. */
function findLegacy(config: ResolvedConfig, received: ReceivedCookies): Awaitable<readonly FoundToken[]> {
  const { legacy } = config.jwt
  if (!legacy || legacy.until <= Date.now()) return []
  const { cookieName } = legacy
  const keyOf: KeyResolver = (secret, encryption) => legacySessionKey(secret, cookieName, encryption)
  const opened = mapSeries(readChunked(received, cookieName), (text) =>
    mapMaybePromise(
      openSessionToken(text, config.secrets, keyOf),
      (token) => token && toFoundToken(config, token, { text, source: 'legacy' }),
    ),
  )
  return mapMaybePromise(opened, (tokens) => tokens.filter((found) => found !== null))
}

/** Returns the token if it has not ended: by its own `exp`, or earlier if the configured lifetime was reduced since. */
function toFoundToken(config: ResolvedConfig, token: JWT, { text, source }: PresentedText): FoundToken | null {
  const { exp, iat } = token
  // The `sid` of an Auth.js token does not name a session of this library.
  const claims = readClaims(source === 'legacy' ? { ...token, sid: undefined } : token, text, config.session.data)
  const writtenAt = typeof iat === 'number' && !isFromFuture(iat) ? iat : nowInSeconds()
  const end = sessionExpiry(config, writtenAt * 1000, claimsLifespan(claims))
  const expires = typeof exp === 'number' ? Math.min(end, exp * 1000) : end
  return expires > Date.now() ? { token, claims, text, source, expires } : null
}
