/**
 * The browser itself, known by a `__Host-` cookie, which no sibling subdomain can set (RFC 6265bis §4.1.3.2). Every other
 * cookie a sibling can plant: a session of the attacker's own, so that the victim links an account to it, or an attempt to
 * sign in that the attacker began. So an attempt is bound to the browser that began it, and the browser holds a proof of the
 * session that began in it.
 *
 * The cookie's value is `id`, or `id.proof`. On http origins its name has no prefix, and a sibling can plant it as well.
 */
import { after, inTurn } from '../base/after.js'
import { ExpiringSet, flat, perOwner, type SiteMemory } from '../base/memory.js'
import type { CookieContext, ResolvedConfig } from '../contracts/index.js'
import { equalText, hmac, shortHash } from '../crypto/hash.js'
import { deriveKey, sessionProofKey } from '../crypto/keys.js'
import { macOf } from '../crypto/platform.js'
import { randomText } from '../crypto/random.js'
import type { Awaitable } from '../types/identity.js'
import { csrfTokenOf } from './csrf.js'

/** Seconds: the longest that browsers keep a cookie (RFC 6265bis §5.5). No session outlives its proof then. */
const maxAge = 400 * 24 * 60 * 60

/** A value to seal into an attempt, for {@link isBoundHere} when it comes back. Sets the cookie where there is none. */
export function bindBrowser(context: CookieContext): string {
  const id = browserId(context) ?? randomText(16)
  if (held(context).id === undefined) write(context, id)
  return bindingOf(id)
}

/** Whether this is the browser that an attempt was bound to. */
export function isBoundHere(context: CookieContext, binding: unknown): boolean {
  const { id } = held(context)
  return id !== undefined && typeof binding === 'string' && equalText(bindingOf(id), binding)
}

/**
 * What tells this browser from others. Before it has its cookie, the id is made of the CSRF token, which the browser holds by
 * then: two tabs that begin to sign in at once would otherwise each set an id, and one of the two attempts would fail.
 */
export function browserId(context: CookieContext): string | undefined {
  const { id } = held(context)
  if (id !== undefined) return id
  const token = csrfTokenOf(context)
  if (token === null) return undefined
  const key = deriveKey(context.config.secrets[0], 'server-auth browser id key', { length: 32 })
  return shortHash(hmac(key.bytes, token)).slice(0, idLength)
}

/** Notes that a session began in this browser. @param name What tells the session from others. */
export async function writeProof(context: CookieContext, name: string): Promise<void> {
  const id = browserId(context) ?? randomText(16)
  write(context, `${id}.${await proofOf(context.config.secrets[0], name)}`)
}

/** Whether a session began in this browser. Runs on an edge runtime, too. */
export async function beganHere(context: CookieContext, name: string): Promise<boolean> {
  const { proof } = held(context)
  if (proof === undefined) return false
  const expected = await Promise.all(context.config.secrets.map((secret) => proofOf(secret, name)))
  return expected.includes(proof)
}

/** The session that counts, of those whose cookies a request carries. */
export interface Choice<S> {
  readonly found: S | null
  /** There are several, and none is proved to have begun here: one may be planted, so nothing is written or cleared. */
  readonly isUnsure: boolean
}

/** Of several sessions the one that began in this browser, else the first. @param nameOf What tells a session from others. */
export function chooseSession<S>(
  context: CookieContext,
  sessions: readonly S[],
  nameOf: (session: S) => string,
): Awaitable<Choice<S>> {
  const [first = null] = sessions
  if (sessions.length < 2 || new Set(sessions.map(nameOf)).size < 2) return { found: first, isUnsure: false }
  return after(
    inTurn(sessions, (session) => beganHere(context, nameOf(session))),
    (began) => {
      const own = sessions[began.indexOf(true)]
      return own === undefined ? { found: first, isUnsure: true } : { found: own, isUnsure: false }
    },
  )
}

/** Characters: 16 bytes. */
const idLength = 22

function held({ cookies, cookiePolicy }: CookieContext): { id?: string | undefined; proof?: string | undefined } {
  const [, id, proof] = /^([\w-]{22})(?:\.([\w-]{22}))?$/.exec(cookies.get(cookiePolicy.browser.name) ?? '') ?? []
  return { id, proof }
}

function write({ cookies, cookiePolicy: { browser } }: CookieContext, value: string): void {
  const expires = new Date(Date.now() + maxAge * 1000)
  cookies.set({ name: browser.name, options: { ...browser.options, maxAge, expires } }, value)
}

/** A hash, so that whoever has the secret and a sealed value still does not have the cookie. */
function bindingOf(id: string): string {
  return shortHash(`browser ${id}`).slice(0, idLength)
}

/** 128 bits of a keyed hash of the session's name: only we can say of a session that it began here. */
async function proofOf(secret: string, name: string): Promise<string> {
  return (await macOf(await sessionProofKey(secret), name)).slice(0, idLength)
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

// The names by which a process tells JWT sessions, and cookies without one, from each other. There are three namespaces, and no name is
// in two of them: whatever a client sends, it never bears the name of a session that began here.  - 22 characters of base64url: a
// session that began here. The name is random. Earlier versions gave such names to foreign tokens as well. - `t-` and 22 characters: the
// session of a token that has no name of ours. The name is made of the token. - `x-` and 22 characters: a cookie that could not be
// decoded. Anybody can choose it. It never names a session.

const prefixOfForeign = 't-'
const prefixOfUnknown = 'x-'
const pattern = /^(?:t-)?[\w-]{22}$/

/** Checks whether a claim is the name of a session, as this version or an earlier one wrote it. */
export function isSessionName(name: unknown): name is string {
  return typeof name === 'string' && pattern.test(name)
}

/**
 * Returns the name of the session of a foreign token: part of the token's id, or of its tag or signature where there is no id. Two
 * requests which renew one token at once give the session the same name.
 *
 * @param jti The id of the token; empty where it has none.
 * @param text The token as it was sent.
 */
export function foreignName(jti: string, text: string): string {
  return prefixOfForeign + (/[\w-]{22}/.exec(jti.replaceAll('-', ''))?.[0] ?? endOfText(text))
}

/** Returns the name that earlier versions gave to the session of a foreign token; `undefined` for the names of other sessions. */
export function formerName(name: string): string | undefined {
  return name.length > 22 && name.startsWith(prefixOfForeign) ? name.slice(prefixOfForeign.length) : undefined
}

/** Returns the name of a cookie that could not be decoded. */
export function unknownName(text: string): string {
  return prefixOfUnknown + endOfText(text)
}

/** Returns 22 characters that tell a token from all others: the end of its tag, or of its signature. */
function endOfText(text: string): string {
  const end = text.slice(-22).replace(/[^\w-]/g, '_')
  return flat(end.padStart(22, '_'))
}

/* ---- session id -------------------------------------------------------------------------------------------------- */

// What a session is called outside: in lists, in events.

/**
 * Names a session from its beginning to its end, and opens nothing.
 *
 * @param name The `sid` of a JWT session, or the token of a database session as it is stored.
 */
export function sessionIdOf(name: string): string {
  return shortHash(`session id ${name}`)
}

/* ---- ended sessions ---------------------------------------------------------------------------------------------- */

// Sessions that ended in this process a moment ago, by sign-out or by a sign-in in their place. An answer that was under way meanwhile
// would otherwise write the cookie of an ended session anew, or clear the cookie of whoever signed in after it.

/** Milliseconds: as long as a request can last. */
const lifetime = 10 * 60 * 1000

/** Clients can send any number of made-up cookies; those are noted apart, so that they push no session out. */
const endedOf = perOwner((_site: SiteMemory) => {
  const hashOf = (name: string) => name
  return {
    sessions: new ExpiringSet({ lifetime, capacity: 100_000, hashOf }),
    unknown: new ExpiringSet({ lifetime, capacity: 10_000, hashOf }),
  }
})

/**
 * Notes what a sign-in or a sign-out replaced.
 *
 * @param names By what each cookie's content is told from others (short, and no secret): whether it belonged to a session.
 */
export function noteEnded({ memory }: ResolvedConfig, names: ReadonlyMap<string, boolean>): void {
  const { sessions, unknown } = endedOf(memory)
  for (const [name, isSession] of names) (isSession ? sessions : unknown).add(name)
}

/** Whether one of these has ended. */
export function hasEnded({ memory }: ResolvedConfig, names: Iterable<string>): boolean {
  const { sessions, unknown } = endedOf(memory)
  for (const name of names) if (sessions.has(name) || unknown.has(name)) return true
  return false
}
