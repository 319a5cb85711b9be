/** The session tokens that a request carries. */
import { after, inTurn, isPromiseLike, rescue } from '../../base/after.js'
import { copyOfJson } from '../../base/json.js'
import { flat, OldestFirstMap, perName, perOwner } from '../../base/memory.js'
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
import { endOf, isOfTheFuture, nowInSeconds } from '../session-cookie.js'
import { countedStart, type EngineClaims, lifespanOf, readClaims } from './claims.js'

/** A valid token, and where it was found. */
export interface FoundToken {
  readonly token: JWT
  readonly claims: EngineClaims
  /** As it was sent. */
  readonly text: string
  readonly source: 'cookie' | 'legacy' | 'bearer'
  /** When it ends, in milliseconds since the epoch. */
  readonly expires: number
}

type Sent = Pick<FoundToken, 'text' | 'source'>

/** What a request carries. */
export interface HeldTokens {
  /** Valid, of sessions that have not ended; of ours those that came first, then those of Auth.js. */
  readonly valid: readonly FoundToken[]
  /** What tells each cookie from others: whether its token could be opened. Tokens of ended sessions are among them. */
  names(): ReadonlyMap<string, boolean>
}

/**
 * The tokens in a request's cookies: ours, else those of Auth.js where they are accepted.
 *
 * @param learns Whether to wait until it is known what ended elsewhere. Not inside a transaction, whose database may have one
 * connection only, nor where a session ends anyway.
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

/** The session that counts, of those that a request carries. */
export function choose(context: CookieContext, { valid }: HeldTokens): Awaitable<Choice<FoundToken>> {
  return chooseSession(context, valid, ({ claims }) => claims.sid)
}

/** Of these names those that belong to sessions. */
export function sessionsIn(names: ReadonlyMap<string, boolean>): string[] {
  return [...names].flatMap(([name, isSession]) => (isSession ? [name] : []))
}

/** By what it is known which sessions have ended. A token that does not say when it began is older than any end of all. */
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

/** What is told of a session that ended, and was held. */
export function toLost({ token, claims }: FoundToken): LostSession {
  const userId = userOf(token, claims)
  return { sid: sessionIdOf(claims.sid), ...(userId !== undefined && { userId }) }
}

/** The user whose sessions it ends with: the engine's word; in sessions from before it was written what `sub` says. */
export function userOf({ sub }: JWT, { auth_owner: owner, auth_epoch: epoch }: EngineClaims): string | undefined {
  return owner?.id ?? epoch?.user ?? (typeof sub === 'string' ? sub : undefined)
}

/** Strangers' junk makes nobody ask. */
function learn({ session: { revocation } }: ResolvedConfig, found: readonly FoundToken[]): Awaitable<unknown> {
  return revocation && found.length > 0 ? revocation.learn(found.map(toKnown)) : undefined
}

function isValid(config: ResolvedConfig, found: FoundToken): boolean {
  return !hasEnded(config, [found.claims.sid]) && !config.session.revocation?.hasEnded(toKnown(found))
}

/** The token of an `Authorization` header, which counts only where there is no session cookie at all. */
export function heldBearer(context: CookieContext, text: string | undefined): Awaitable<FoundToken | null> {
  const { config, cookies, cookiePolicy } = context
  const { name } = cookiePolicy.sessionToken
  if (text === undefined || readChunked(cookies.received, name).length > 0) return null
  return after(openOwn(config, name, { text, source: 'bearer' }), (found) =>
    after(found && learn(config, [found]), () => (found && isValid(config, found) ? found : null)),
  )
}

/** Whether a request carries a session cookie, genuine or not. */
export function holdsSession({ config, cookies, cookiePolicy }: CookieContext): boolean {
  const names = [cookiePolicy.sessionToken.name, config.jwt.legacy?.cookieName]
  return names.some((name) => name !== undefined && readChunked(cookies.received, name).length > 0)
}

/** Decodes, with the developer's `decode` where there is one. */
function openOwn(config: ResolvedConfig, salt: string, sent: Sent): Awaitable<FoundToken | null> {
  return rescue(
    () => after(openerOf(config)(sent.text, salt), (token) => token && toFound(config, token, sent)),
    (thrown) => {
      config.logger.error(new JWTSessionError('The session token could not be decoded.', toError(thrown)))
      return null
    },
  )
}

/** Opens a token that came in the cookie of this name. */
type OpenToken = (text: string, salt: string) => Awaitable<JWT | null>

/** By configuration: another one may have other secrets. */
const openerOf = perOwner((config: ResolvedConfig): OpenToken => {
  const { secrets, jwt } = config
  // A `decode` of the application's, which may differ from one call to the next.
  if (jwt.decode !== decode) return (text, salt) => jwt.decode({ token: text, secret: [...secrets], salt })
  const keysOf = perName(sessionKeys)
  const open: OpenToken = (text, salt) => openSessionToken(text, secrets, keysOf(salt))
  // An edge runtime does not live long.
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

/** Sessions of Auth.js: another cookie and another key. */
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

/** The token, if it has not ended: by its own `exp`, or sooner where the lifetime has been lowered since. */
function toFound(config: ResolvedConfig, token: JWT, { text, source }: Sent): FoundToken | null {
  const { exp, iat } = token
  // What a token of Auth.js calls `sid` names no session of ours.
  const claims = readClaims(source === 'legacy' ? { ...token, sid: undefined } : token, text, config.session.data)
  const writtenAt = typeof iat === 'number' && !isOfTheFuture(iat) ? iat : nowInSeconds()
  const end = endOf(config, writtenAt * 1000, lifespanOf(claims))
  const expires = typeof exp === 'number' ? Math.min(end, exp * 1000) : end
  return expires > Date.now() ? { token, claims, text, source, expires } : null
}

/**
 * Session tokens that were opened before, in this process: a browser sends the same cookie with each request of a page.
 *
 * Only what was opened enters, so that strangers' junk pushes nothing out. Memory is bounded in number and in bytes; of the
 * tokens that were not used since room was last made, the oldest makes room. Nothing is handed out that another request has:
 * each gets a payload of its own, which its callbacks may change.
 */
export class VerifiedTokens {
  /** By the end of the token: a long text takes as long to look up as to decrypt. */
  readonly #entries = new OldestFirstMap<string, Verified>()
  #bytes = 0

  constructor(private readonly limits = { entries: 10_000, bytes: 8 * 1024 * 1024 }) {}

  /** Bytes that are kept, about. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * A payload of one's own; `undefined` for a token that is not known, or has ended.
   *
   * @param salt The name of the cookie: a token belongs to one.
   */
  get(token: string, salt: string): Record<string, unknown> | undefined {
    const name = nameOf(token)
    const known = this.#entries.get(name)
    // Whoever changes a token can keep its end.
    if (known?.token !== token || known.salt !== salt) return undefined
    if (known.exp <= Date.now() / 1000) {
      this.#delete(name)
      return undefined
    }
    known.isUsed = true
    return copyOfJson(known.payload)
  }

  /** Remembers a token that was opened. One without an end, or too large to be worth it, is opened each time. */
  add(token: string, salt: string, payload: Record<string, unknown>): void {
    const { exp } = payload
    // The text, the payload that was in it as values, and what is around them.
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
    // Used since: once more at the end, for as long as a new one.
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
 * Tokens that were opened once, as fingerprints in a table that never grows. Only one that comes a second time is worth a place
 * in the memory: a server that sees each token once would fill it for nothing.
 */
export class Sightings {
  readonly #fingerprints = new Int32Array(16_384)

  /** Whether the token was noted before, as far as the table still knows. It is noted now. */
  note(token: string): boolean {
    const end = nameOf(token)
    const slot = mix(end, 0, 8) & (this.#fingerprints.length - 1)
    const fingerprint = mix(end, 8, 16)
    const isKnown = this.#fingerprints[slot] === fingerprint
    this.#fingerprints[slot] = fingerprint
    return isKnown
  }
}

/** 32 bits of these characters. Of a tag they are as good as random. */
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

/** Its tag: 32 bytes, which no two tokens of ours have in common. */
function nameOf(token: string): string {
  return token.slice(-43)
}
