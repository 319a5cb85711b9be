/**
 * The browser itself, known by a `__Host-` cookie, which no sibling subdomain can set (RFC 6265bis §4.1.3.2). Every other
 * cookie a sibling can plant: a session of the attacker's own, so that the victim links an account to it, or an attempt to
 * sign in that the attacker began. So an attempt is bound to the browser that began it, and the browser holds a proof of the
 * session that began in it.
 *
 * The cookie's value is `id`, or `id.proof`. On http origins its name has no prefix, and a sibling can plant it as well.
 */
import { after, inTurn } from '../base/after.js'
import type { CookieContext } from '../contracts/index.js'
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
