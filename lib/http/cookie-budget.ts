/**
 * The budget of all cookies together: Node refuses requests with more than 16 KiB of headers, and then a user cannot even sign out. A
 * value that does not fit is refused before anything is written. What is under way gives way to it.
 */
import { TooManyCookies } from '../errors.js'
import type { CookieOption } from '../types/cookies.js'
import { isShapeOf, splitChunks } from './chunks.js'
import type { CookieJar } from './cookies.js'

/** Bytes of the `Cookie` header. 3 KiB are left for the URL, with a provider's code in it, and for all other headers. */
export const cookieBudget = 13 * 1024

/** Bytes for the small cookies: the CSRF token, the browser, known and trusted devices, "Keep me signed in". */
const smallCookies = 600

/** Bytes by which a value that is renewed may exceed the budget: a token that got a little longer must not be lost. */
const renewalSlack = 512

/** The ends of the names of cookies for attempts. The browser sends them to our routes only, so other answers clear them unseen. */
export const attemptSlots = [0, 1, 2, 3, 4, 'pending', 'reauth', 'email', 'password-verify', 'password-reset'] as const

/** The end of the name of a cookie for attempts. */
export type AttemptSlot = (typeof attemptSlots)[number]

/** The cookies that a budget needs to tell from others. */
type Policy = Readonly<Record<SmallCookie | 'callbackUrl' | 'logout' | 'transaction' | 'typedFields', CookieOption>>
type SmallCookie = 'browser' | 'csrfToken' | 'device' | 'remember' | 'trustedDevice'

/** Drops cookies, the first ones first, until the next request fits. */
export function makeRoom(jar: CookieJar, giveWay: readonly CookieOption[]): void {
  for (const cookie of giveWay) {
    if (jar.size() <= cookieBudget) return
    jar.clear(cookie)
  }
}

/** Whether a cookie gives way where there is no room: attempts, and what is only a convenience. */
function givesWay({ callbackUrl, logout, transaction, typedFields }: Policy, name: string): boolean {
  return (
    name === callbackUrl.name ||
    name === logout.name ||
    name === typedFields.name ||
    name.startsWith(`${transaction.name}.`)
  )
}

function isSmall({ browser, csrfToken, device, remember, trustedDevice }: Policy, name: string): boolean {
  return [browser, csrfToken, device, remember, trustedDevice].some((cookie) => cookie.name === name)
}

/** A value that is about to be written. `name`: of its cookie, or of the first part of the names of its chunks. */
export interface LargeValue {
  readonly name: string
  readonly value: string
  /** Whether it takes the place of a value that was accepted before. */
  readonly isRenewal?: boolean
}

/**
 * Checks whether a value fits beside the other cookies of the browser, as far as the request shows them; those of the application count, too.
 *
 * @throws {@link TooManyCookies} that names the sizes. A value that makes the cookies no larger is always accepted.
 */
export function assertRoom(jar: CookieJar, policy: Policy, { name, value, isRenewal = false }: LargeValue): void {
  const isLarge = (each: string) => !givesWay(policy, each) && !isSmall(policy, each)
  const others = jar.size((each) => isLarge(each) && !isShapeOf(each, name))
  const own = chunkedSize(name, value)
  const limit = cookieBudget - smallCookies + (isRenewal ? renewalSlack : 0)
  if (others + own <= Math.max(limit, jar.sentSize(isLarge))) return
  throw new TooManyCookies(
    `\`${name}\` takes ${own} bytes, and the other cookies of the browser ${others}; together ${limit} fit into the requests that servers accept. Put less into the token or into \`session.data\`, keep provider tokens in a store (\`tokens.store\`), or set fewer cookies in the application.`,
  )
}

/** Bytes that a value takes in the `Cookie` header, in one cookie or in chunks. */
export function chunkedSize(name: string, value: string): number {
  const chunks = splitChunks(name, value)
  return chunks.reduce((bytes, [chunk, part]) => bytes + chunk.length + encodeURIComponent(part).length + 3, 0)
}

/** Bytes from which on an attempt that begins elsewhere takes the place of all others. */
const crowded = 2 * 1024
/** Bytes from which on the cookie for signing out at the provider gives way as well. It has 3 KiB at the most. */
const full = 9 * 1024
const step = 1024

/**
 * Makes room on an answer of the application, at a path where cookies for our routes are not seen: attempts are cleared where the
 * other cookies have grown by a step, or where an attempt begins beside many others.
 *
 * @param path The path of our routes.
 */
export function makeRoomUnseen(jar: CookieJar, policy: Policy, path: string): void {
  if (jar.written.size === 0) return
  const { transaction, logout } = policy
  const stays = (name: string) => !givesWay(policy, name)
  const [before, after] = [jar.sentSize(stays), jar.size(stays)]
  const hasGrown = Math.floor(after / step) > Math.floor(before / step)
  const begins = attemptSlots.some((slot) => jar.sets(`${transaction.name}.${slot}`))
  if (!hasGrown && !(begins && after > crowded)) return
  const unseen = attemptSlots.map((slot) => ({ ...transaction, name: `${transaction.name}.${slot}` }))
  for (const { name, options } of after > full ? [...unseen, logout] : unseen) {
    if (!jar.sets(name)) jar.clear({ name, options: { ...options, path } })
  }
}
