/**
 * The browser itself, known by a `__Host-` cookie, which no sibling subdomain can set (RFC 6265bis §4.1.3.2). All other cookies
 * a sibling can plant, genuine ones of its own too. So an attempt to sign in is bound to the browser that began it, and of a
 * session the browser holds a proof that it began here.
 *
 * Its value is `id`, or `id.proof`. On http origins there is no such prefix, and no such promise.
 */
import type { AuthContext, CookiePolicy } from '../contracts/index.js'
import { equalText, hmac, shortHash } from '../crypto/hash.js'
import { deriveKey } from '../crypto/keys.js'
import { hkdf, macOf } from '../crypto/platform.js'
import { randomText } from '../crypto/random.js'
import type { CookieJar } from '../http/cookies.js'
import { readCsrf } from './csrf.js'

/** Seconds: the longest that browsers keep a cookie (RFC 6265bis §5.5). No session outlives its proof then. */
const maxAge = 400 * 24 * 60 * 60

/** Where a browser is known. */
type Place = Pick<AuthContext, 'config' | 'cookies' | 'cookiePolicy'>

/** Binds an attempt to this browser: what comes back, sealed, is compared by {@link isBoundHere}. Sets the cookie where there is none. */
export function bindBrowser(place: Place): string {
  const id = browserId(place) ?? randomText(16)
  if (held(place.cookies, place.cookiePolicy).id === undefined) write(place.cookies, place.cookiePolicy, id)
  return bindingOf(id)
}

/** Whether this is the browser that an attempt was bound to. */
export function isBoundHere({ cookies, cookiePolicy }: Place, binding: unknown): boolean {
  const { id } = held(cookies, cookiePolicy)
  return id !== undefined && typeof binding === 'string' && equalText(bindingOf(id), binding)
}

/**
 * What tells this browser from others. Before it has its cookie, the CSRF cookie says it, which its forms need: tabs that begin
 * in the same moment agree then.
 */
export function browserId({ config, cookies, cookiePolicy }: Place): string | undefined {
  const { id } = held(cookies, cookiePolicy)
  if (id !== undefined) return id
  const { secrets } = config
  const token = readCsrf(cookies.get(cookiePolicy.csrfToken.name), secrets)
  if (token === null) return undefined
  const key = deriveKey(secrets[0], 'server-auth browser id key', { length: 32 })
  return shortHash(hmac(key.bytes, token)).slice(0, idLength)
}

/** Notes that a session began in this browser. @param name What tells the session from others. */
export async function writeProof({ config, cookies, cookiePolicy }: Place, name: string): Promise<void> {
  const id = browserId({ config, cookies, cookiePolicy }) ?? randomText(16)
  write(cookies, cookiePolicy, `${id}.${await proofOf(config.secrets[0], name)}`)
}

/** Whether a session began in this browser. Runs on an edge runtime, too. */
export async function beganHere({ config, cookies, cookiePolicy }: Place, name: string): Promise<boolean> {
  const { proof } = held(cookies, cookiePolicy)
  if (proof === undefined) return false
  const expected = await Promise.all(config.secrets.map((secret) => proofOf(secret, name)))
  return expected.includes(proof)
}

/** A session that counts, and whether it is known to be the browser's. */
export interface Choice<S> {
  readonly found: S | null
  /** There are others, and none is known to have begun here: nothing is written or cleared. */
  readonly isUnsure: boolean
}

/** Of several sessions the one that began in this browser, else the first. @param nameOf What tells a session from others. */
export async function chooseSession<S>(
  place: Place,
  sessions: readonly S[],
  nameOf: (session: S) => string,
): Promise<Choice<S>> {
  const [first = null] = sessions
  if (new Set(sessions.map(nameOf)).size < 2) return { found: first, isUnsure: false }
  for (const session of sessions) {
    if (await beganHere(place, nameOf(session))) return { found: session, isUnsure: false }
  }
  return { found: first, isUnsure: true }
}

/** Characters: 16 bytes. */
const idLength = 22

function held(jar: CookieJar, { browser }: CookiePolicy): { id?: string; proof?: string } {
  const [, id, proof] = /^([\w-]{22})(?:\.([\w-]{22}))?$/.exec(jar.get(browser.name) ?? '') ?? []
  return { ...(id !== undefined && { id }), ...(proof !== undefined && { proof }) }
}

function write(jar: CookieJar, { browser }: CookiePolicy, value: string): void {
  const expires = new Date(Date.now() + maxAge * 1000)
  jar.set({ name: browser.name, options: { ...browser.options, maxAge, expires } }, value)
}

/** Sealed values are read by nobody; even so the cookie itself stands in none. */
function bindingOf(id: string): string {
  return shortHash(`browser ${id}`).slice(0, idLength)
}

/** 128 bits of a keyed hash. */
async function proofOf(secret: string, name: string): Promise<string> {
  const key = await hkdf(secret, '', 'server-auth session proof key', 32)
  return (await macOf(key, name)).slice(0, idLength)
}
