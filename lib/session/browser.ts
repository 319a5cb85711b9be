/**
 * Identifies the browser by a `__Host-` cookie, which no sibling subdomain can set (RFC 6265bis §4.1.3.2).
 *
 * A sibling can plant all other cookies: a session of the attacker, so that the victim links an account to it, or an
 * attempt that the attacker started. So an attempt is bound to the browser that started it, and the browser has a proof
 * of the session that started in it.
 *
 * The cookie's value is `id` or `id.proof`. On http origins its name has no prefix, and a sibling can plant it as well.
 */
import { mapMaybePromise, mapSeries } from '../base/maybe-promise.js'
import { copyText, ExpiringSet, perOwner, type SiteMemory } from '../base/memory.js'
import type { CookieContext, ResolvedConfig } from '../contracts/index.js'
import { equalText, hmac, shortHash } from '../crypto/hash.js'
import { macKeys, sessionProofKey } from '../crypto/keys.js'
import { hmacBase64url } from '../crypto/platform.js'
import { randomText } from '../crypto/random.js'
import type { Awaitable } from '../types/identity.js'
import { presentedCsrfToken } from './csrf.js'

/** Seconds: the longest that browsers keep a cookie (RFC 6265bis §5.5), so that no session outlives its proof. */
const browserCookieMaxAge = 400 * 24 * 60 * 60

const browserIdKey = macKeys('browser id')

/** Returns a value to seal into an attempt, for {@link isBoundToBrowser}. Sets the cookie if there is none. */
export function bindBrowser(context: CookieContext): string {
  const id = browserId(context) ?? randomText(16)
  if (presentedBrowserCookie(context).id === undefined) writeBrowserCookie(context, id)
  return browserBinding(id)
}

/** Checks whether an attempt was bound to this browser. */
export function isBoundToBrowser(context: CookieContext, binding: unknown): boolean {
  const { id } = presentedBrowserCookie(context)
  return id !== undefined && typeof binding === 'string' && equalText(browserBinding(id), binding)
}

/**
 * Returns the id of this browser. Before it has its cookie, the id is derived from the CSRF token: two tabs that start
 * to sign in at once would otherwise each set an id, and one of the attempts would fail.
 */
export function browserId(context: CookieContext): string | undefined {
  const { id } = presentedBrowserCookie(context)
  if (id !== undefined) return id
  const token = presentedCsrfToken(context)
  if (token === null) return undefined
  return shortHash(hmac(browserIdKey(context.config.secrets[0]), token)).slice(0, idLength)
}

/**
 * Writes the proof that a session started in this browser.
 *
 * @param name Identifies the session.
 */
export function writeSessionProof(context: CookieContext, name: string): Awaitable<void> {
  const id = browserId(context) ?? randomText(16)
  return mapMaybePromise(sessionProof(context.config.secrets[0], name), (proof) =>
    writeBrowserCookie(context, `${id}.${proof}`),
  )
}

/** Checks whether a session started in this browser. Runs on edge runtimes too. */
export async function startedInThisBrowser(context: CookieContext, name: string): Promise<boolean> {
  const { proof } = presentedBrowserCookie(context)
  if (proof === undefined) return false
  const expected = await Promise.all(context.config.secrets.map((secret) => sessionProof(secret, name)))
  return expected.includes(proof)
}

/** The session that is used, of those in the request's cookies. */
export interface SessionChoice<S> {
  readonly found: S | null
  /**
   * True if there are several, and none is proved to have started here. One may be planted, so nothing is written or
   * cleared.
   */
  readonly isAmbiguous: boolean
}

/**
 * Chooses the session that started in this browser, else the first.
 *
 * @param nameOf Identifies a session.
 */
export function chooseSession<S>(
  context: CookieContext,
  sessions: readonly S[],
  nameOf: (session: S) => string,
): Awaitable<SessionChoice<S>> {
  const [first = null] = sessions
  if (sessions.length < 2 || new Set(sessions.map(nameOf)).size < 2) return { found: first, isAmbiguous: false }
  return mapMaybePromise(
    mapSeries(sessions, (session) => startedInThisBrowser(context, nameOf(session))),
    (began) => {
      const own = sessions[began.indexOf(true)]
      return own === undefined ? { found: first, isAmbiguous: true } : { found: own, isAmbiguous: false }
    },
  )
}

/**
 * Returns the sessions that may be this browser's: the chosen one, or all of them if the choice is ambiguous.
 *
 * @param sessions The sessions of the choice.
 */
export function sessionsInUse<S>(sessions: readonly S[], { found, isAmbiguous }: SessionChoice<S>): readonly S[] {
  if (isAmbiguous) return sessions
  return found === null ? [] : [found]
}

/** The length in characters: 16 bytes. */
const idLength = 22

function presentedBrowserCookie({ cookies, cookiePolicy }: CookieContext): {
  id?: string | undefined
  proof?: string | undefined
} {
  const [, id, proof] = /^([\w-]{22})(?:\.([\w-]{22}))?$/.exec(cookies.get(cookiePolicy.browser.name) ?? '') ?? []
  return { id, proof }
}

function writeBrowserCookie({ cookies, cookiePolicy: { browser } }: CookieContext, value: string): void {
  const expires = new Date(Date.now() + browserCookieMaxAge * 1000)
  cookies.set({ name: browser.name, options: { ...browser.options, maxAge: browserCookieMaxAge, expires } }, value)
}

/** Returns a hash, so that the secret and a sealed value do not reveal the cookie. */
function browserBinding(id: string): string {
  return shortHash(`browser ${id}`).slice(0, idLength)
}

/** Returns 128 bits of a keyed hash of the session's name. Without the secret, no proof can be made. */
function sessionProof(secret: string, name: string): Awaitable<string> {
  const mac = mapMaybePromise(sessionProofKey(secret), (key) => hmacBase64url(key, name))
  return mapMaybePromise(mac, (text) => text.slice(0, idLength))
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

// The names by which a process identifies JWT sessions and undecodable cookies. No name is in two of the three
// namespaces: a client cannot send a value that has the name of a session that started here.
//
// - 22 characters of base64url: a session that started here. The name is random. Earlier versions gave such names to
//   foreign tokens too.
// - `t-` and 22 characters: the session of a token without such a name. It is derived from the token.
// - `x-` and 22 characters: a cookie that could not be decoded. Clients can choose it. It never names a session.

const foreignPrefix = 't-'
const undecodablePrefix = 'x-'
const sessionNamePattern = /^(?:t-)?[\w-]{22}$/

/** Checks whether a claim is the name of a session, as this or an earlier version wrote it. */
export function isSessionName(name: unknown): name is string {
  return typeof name === 'string' && sessionNamePattern.test(name)
}

/**
 * Returns the name of the session of a foreign token: part of the token's id, or of its tag or signature. Two requests
 * that renew one token at once give the session the same name.
 *
 * @param jti The id of the token; empty when it has none.
 * @param text The token as it was sent.
 */
export function foreignSessionName(jti: string, text: string): string {
  return foreignPrefix + (/[\w-]{22}/.exec(jti.replaceAll('-', ''))?.[0] ?? lastCharacters(text))
}

/** Returns the name that earlier versions gave to the session of a foreign token; `undefined` for the names of other sessions. */
export function previousSessionName(name: string): string | undefined {
  return name.length > 22 && name.startsWith(foreignPrefix) ? name.slice(foreignPrefix.length) : undefined
}

/** Returns the name of an undecodable cookie. */
export function undecodableCookieName(text: string): string {
  return undecodablePrefix + lastCharacters(text)
}

/** Returns 22 characters that identify a token: the end of its tag or signature. */
function lastCharacters(text: string): string {
  const end = text.slice(-22).replace(/[^\w-]/g, '_')
  return copyText(end.padStart(22, '_'))
}

/* ---- session id -------------------------------------------------------------------------------------------------- */

// The public id of a session, in lists and events.

/**
 * Returns the public id of a session. It stays the same for the life of the session and grants no access.
 *
 * @param name The `sid` of a JWT session, or the stored token of a database session.
 */
export function sessionIdOf(name: string): string {
  return shortHash(`session id ${name}`)
}

/* ---- ended sessions ---------------------------------------------------------------------------------------------- */

// Sessions that recently ended in this process, by sign-out or by a sign-in that replaced them. A response in progress
// would otherwise set the cookie of an ended session again, or clear the cookie of the next user.

/** Milliseconds: the longest duration of a request. */
const endedSessionLifetime = 10 * 60 * 1000

/**
 * The ended names. Invented cookies, of which clients can send any number, are stored separately, so that they evict no
 * session.
 */
const endedSessionsOf = perOwner((_site: SiteMemory) => {
  const hashOf = (name: string) => name
  return {
    sessions: new ExpiringSet({ lifetime: endedSessionLifetime, capacity: 100_000, hashOf }),
    unknown: new ExpiringSet({ lifetime: endedSessionLifetime, capacity: 10_000, hashOf }),
  }
})

/**
 * Notes the cookies that a sign-in or a sign-out replaced.
 *
 * @param names Whether each cookie belonged to a session, by a short name of its content that is not secret.
 */
export function recordEndedSessions({ memory }: ResolvedConfig, names: ReadonlyMap<string, boolean>): void {
  const { sessions, unknown } = endedSessionsOf(memory)
  for (const [name, isSession] of names) (isSession ? sessions : unknown).add(name)
}

/** Checks whether one of these has ended. */
export function endedInThisProcess({ memory }: ResolvedConfig, names: readonly string[]): boolean {
  const { sessions, unknown } = endedSessionsOf(memory)
  // No closure, which would take memory at each read.
  for (const name of names) if (sessions.has(name) || unknown.has(name)) return true
  return false
}
