/** Finds the session tokens of a request. */

import { after, inTurn, isPromiseLike, rescue } from '../../base/after.js'
import { copyOfJson } from '../../base/json.js'
import { flat, OldestFirstMap, perName, perOwner } from '../../base/memory.js'
import { nowInSeconds } from '../../base/recent.js'
import type { CookieContext, KnownSession, LostSession, ResolvedConfig } from '../../contracts/index.js'
import { type KeyChoice, openSessionToken } from '../../crypto/jwe.js'
import { legacySessionKey, sessionKeys } from '../../crypto/keys.js'
import { hasNodeCrypto } from '../../crypto/platform.js'
import { JWTSessionError, toError } from '../../errors.js'
import { readChunked } from '../../http/chunks.js'
import type { ReceivedCookies } from '../../http/cookies.js'
import { decode } from '../../jwt.js'
import type { Awaitable } from '../../types/identity.js'
import type { JWT } from '../../types/jwt.js'
import { type Choice, chooseSession, formerName, hasEnded, sessionIdOf, unknownName } from '../browser.js'
import { endOf, isOfTheFuture } from '../session-cookie.js'
import { countedStart, type EngineClaims, lifespanOf, readClaims } from './claims.js'

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

type Sent = Pick<FoundToken, 'text' | 'source'>

/** The session tokens of a request. */
export interface HeldTokens {
  /** The valid tokens of sessions that have not ended, in the order of the request; tokens of Auth.js last. */
  readonly valid: readonly FoundToken[]
  /**
   * Returns a name for each cookie, and whether its token could be decrypted. Tokens of ended sessions are included.
   */
  names(): ReadonlyMap<string, boolean>
}

/**
 * Returns the tokens in a request's cookies: those of this library, or, if there are none, those of Auth.js if
 * accepted.
 *
 * @param learns Whether to wait for the ends of sessions elsewhere. Not inside a transaction, whose database may have
 *   only one connection, nor when the session ends anyway.
 */
export function heldTokens({ config, cookies, cookiePolicy }: CookieContext, learns = true): Awaitable<HeldTokens> {
  const { name } = cookiePolicy.sessionToken
  const texts = readChunked(cookies.received, name)
  const opened = inTurn(texts, (text) => openOwn(config, name, { text, source: 'cookie' }))
  return after(opened, (own) => {
    const found = own.filter((token) => token !== null)
    return after(found.length > 0 ? found : findLegacy(config, cookies.received), (all) => {
      const names = () =>
        new Map([
          ...texts.filter((_text, at) => own[at] === null).map((text) => [unknownName(text), false] as const),
          ...all.map(({ claims }) => [claims.sid, true] as const),
        ])
      const learning = learns ? learn(config, all) : undefined
      if (isPromiseLike(learning))
        return learning.then(() => ({ valid: all.filter((each) => isValid(config, each)), names }))
      return { valid: all.filter((each) => isValid(config, each)), names }
    })
  })
}

/** Chooses the session that is used, of those of a request. */
export function choose(context: CookieContext, { valid }: HeldTokens): Awaitable<Choice<FoundToken>> {
  return chooseSession(context, valid, ({ claims }) => claims.sid)
}

/** Returns the names that belong to sessions. */
export function sessionsIn(names: ReadonlyMap<string, boolean>): string[] {
  return [...names].flatMap(([name, isSession]) => (isSession ? [name] : []))
}

/** Returns the data by which ended sessions are found. Without a start, a token is older than any end. */
export function toKnown({ token, claims }: Pick<FoundToken, 'token' | 'claims'>): KnownSession {
  const saysWhen = typeof token.auth_began === 'number' || typeof token.auth_time === 'number'
  return {
    sid: claims.sid,
    formerSid: formerName(claims.sid),
    userId: userOf(token, claims),
    startedAt: saysWhen ? countedStart(claims) : 0,
    provider: claims.auth_op,
  }
}

/** Returns the data that is reported about an ended session. */
export function toLost({ token, claims }: FoundToken): LostSession {
  const userId = userOf(token, claims)
  return { sid: sessionIdOf(claims.sid), ...(userId !== undefined && { userId }) }
}

/** Returns the owner: by the engine's claim, or by `sub` in sessions of earlier versions. */
export function userOf({ sub }: JWT, { auth_owner: owner, auth_epoch: epoch }: EngineClaims): string | undefined {
  return owner?.id ?? epoch?.user ?? (typeof sub === 'string' ? sub : undefined)
}

/** Loads the ends of these sessions. Invalid cookies cause no query. */
function learn({ session: { revocation } }: ResolvedConfig, found: readonly FoundToken[]): Awaitable<unknown> {
  return revocation && found.length > 0 ? revocation.learn(found.map(toKnown)) : undefined
}

function isValid(config: ResolvedConfig, found: FoundToken): boolean {
  return !hasEnded(config, [found.claims.sid]) && !config.session.revocation?.hasEnded(toKnown(found))
}

/** Returns the token of an `Authorization` header. It is used only when there is no session cookie at all. */
export function heldBearer(context: CookieContext, text: string | undefined): Awaitable<FoundToken | null> {
  const { config, cookies, cookiePolicy } = context
  const { name } = cookiePolicy.sessionToken
  if (text === undefined || readChunked(cookies.received, name).length > 0) return null
  return after(openOwn(config, name, { text, source: 'bearer' }), (found) =>
    after(found && learn(config, [found]), () => (found && isValid(config, found) ? found : null)),
  )
}

/** Checks whether a request has a session cookie, valid or not. */
export function holdsSession({ config, cookies, cookiePolicy }: CookieContext): boolean {
  const names = [cookiePolicy.sessionToken.name, config.jwt.legacy?.cookieName]
  return names.some((name) => name !== undefined && readChunked(cookies.received, name).length > 0)
}

/** Decodes a token, by the application's `decode` if there is one. */
function openOwn(config: ResolvedConfig, salt: string, sent: Sent): Awaitable<FoundToken | null> {
  return rescue(
    () => after(openerOf(config)(sent.text, salt), (token) => token && toFound(config, token, sent)),
    (thrown) => {
      config.logger.error(new JWTSessionError('The session token could not be decoded.', toError(thrown)))
      return null
    },
  )
}

/** Decrypts a token of the cookie with this name. */
type OpenToken = (text: string, salt: string) => Awaitable<JWT | null>

/** The decryption of each configuration, because secrets may differ. */
const openerOf = perOwner((config: ResolvedConfig): OpenToken => {
  const { secrets, jwt } = config
  // An application's `decode` may differ from one call to the next, so it is not cached.
  if (jwt.decode !== decode) return (text, salt) => jwt.decode({ token: text, secret: [...secrets], salt })
  const keysOf = perName(sessionKeys)
  const open: OpenToken = (text, salt) => openSessionToken(text, secrets, keysOf(salt))
  // Edge runtimes are short-lived, so a cache is of little use.
  return hasNodeCrypto ? remembering(open) : open
})

function remembering(open: OpenToken): OpenToken {
  const verified = new VerifiedTokens()
  const sightings = new Sightings()
  return (text, salt) =>
    verified.get(text, salt) ??
    after(open(text, salt), (token) => {
      if (token && sightings.note(text)) verified.add(text, salt, token)
      return token
    })
}

/** Finds sessions of Auth.js, which have another cookie and another key. */
function findLegacy(config: ResolvedConfig, received: ReceivedCookies): Awaitable<readonly FoundToken[]> {
  const { legacy } = config.jwt
  if (!legacy || legacy.until <= Date.now()) return []
  const { cookieName } = legacy
  const keyOf: KeyChoice = (secret, encryption) => legacySessionKey(secret, cookieName, encryption)
  const opened = inTurn(readChunked(received, cookieName), (text) =>
    after(
      openSessionToken(text, config.secrets, keyOf),
      (token) => token && toFound(config, token, { text, source: 'legacy' }),
    ),
  )
  return after(opened, (tokens) => tokens.filter((found) => found !== null))
}

/** Returns the token if it has not ended: by its own `exp`, or earlier if the configured lifetime was reduced since. */
function toFound(config: ResolvedConfig, token: JWT, { text, source }: Sent): FoundToken | null {
  const { exp, iat } = token
  // The `sid` of an Auth.js token does not name a session of this library.
  const claims = readClaims(source === 'legacy' ? { ...token, sid: undefined } : token, text, config.session.data)
  const writtenAt = typeof iat === 'number' && !isOfTheFuture(iat) ? iat : nowInSeconds()
  const end = endOf(config, writtenAt * 1000, lifespanOf(claims))
  const expires = typeof exp === 'number' ? Math.min(end, exp * 1000) : end
  return expires > Date.now() ? { token, claims, text, source, expires } : null
}

/**
 * A cache of decrypted session tokens in this process: a browser sends the same cookie with each request of a page.
 *
 * Only decrypted tokens are stored, so invalid ones evict nothing. Memory is limited in number and in bytes; the oldest
 * token that was not used since the last eviction is evicted. Each request gets its own payload, which its callbacks
 * may change.
 */
export class VerifiedTokens {
  /** By the end of the token: looking up a long text takes as long as decrypting it. */
  readonly #entries = new OldestFirstMap<string, Verified>()
  #bytes = 0

  constructor(private readonly limits = { entries: 10_000, bytes: 8 * 1024 * 1024 }) {}

  /** The approximate size in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Returns a copy of the payload; `undefined` for a token that is unknown or has expired.
   *
   * @param salt The name of the cookie: a token belongs to one.
   */
  get(token: string, salt: string): Record<string, unknown> | undefined {
    const name = nameOf(token)
    const known = this.#entries.get(name)
    // A modified token can have the same end.
    if (known?.token !== token || known.salt !== salt) return undefined
    if (known.exp <= Date.now() / 1000) {
      this.#delete(name)
      return undefined
    }
    known.isUsed = true
    return copyOfJson(known.payload)
  }

  /** Stores a decrypted token. One without an end, or a large one, is decrypted each time. */
  add(token: string, salt: string, payload: Record<string, unknown>): void {
    const { exp } = payload
    // The text, the payload as values, and overhead.
    const bytes = 2 * token.length + 500
    if (typeof exp !== 'number' || bytes > this.limits.bytes / 16) return
    const name = flat(nameOf(token))
    this.#delete(name)
    this.#put(name, { token: flat(token), salt, payload: copyOfJson(payload), exp, bytes, isUsed: false })
    while (this.#bytes > this.limits.bytes || this.#entries.size > this.limits.entries) this.#makeRoom()
  }

  #makeRoom(): void {
    const { key = '' } = this.#entries.oldest() ?? {}
    const entry = this.#delete(key)
    // Used since: moved to the end, like a new one.
    if (entry?.isUsed) this.#put(key, { ...entry, isUsed: false })
  }

  #put(name: string, entry: Verified): void {
    this.#entries.set(name, entry)
    this.#bytes += entry.bytes
  }

  #delete(name: string): Verified | undefined {
    const entry = this.#entries.get(name)
    if (this.#entries.delete(name)) this.#bytes -= entry?.bytes ?? 0
    return entry
  }
}

/**
 * A table of fixed size with fingerprints of decrypted tokens. Only a token that is seen twice is cached: otherwise a
 * server that sees each token once would fill its memory in vain.
 */
export class Sightings {
  readonly #fingerprints = new Int32Array(16_384)

  /** Notes a token. Returns whether the table already had it. */
  note(token: string): boolean {
    const end = nameOf(token)
    const slot = mix(end, 0, 8) & (this.#fingerprints.length - 1)
    const fingerprint = mix(end, 8, 16)
    const isKnown = this.#fingerprints[slot] === fingerprint
    this.#fingerprints[slot] = fingerprint
    return isKnown
  }
}

/** Returns 32 bits of these characters, which are as good as random in a tag. */
function mix(text: string, from: number, to: number): number {
  let bits = 1
  for (let at = from; at < to; at += 1) bits = Math.imul(bits, 31) + text.charCodeAt(at)
  return bits | 0
}

interface Verified {
  readonly token: string
  readonly salt: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Seconds since the epoch. */
  readonly exp: number
  readonly bytes: number
  isUsed: boolean
}

/** Returns the tag: 32 bytes, which are unique to a token. */
function nameOf(token: string): string {
  return token.slice(-43)
}
