/**
 * The size limit of all cookies together. Node rejects requests with more than 16 KiB of headers, and then users cannot
 * even sign out. A value that does not fit is rejected before anything is written. Pending attempts are dropped to make
 * room for it.
 */
import { TooManyCookies } from '../errors.js'
import type { CookieOption } from '../types/cookies.js'
import { chunkSize, isCookieOrChunkOf, splitChunks } from './chunks.js'
import type { CookieJar } from './cookies.js'

/**
 * The limit of the `Cookie` header, in bytes. It leaves 3 KiB for the other headers and for the URL with a provider's
 * code.
 */
export const cookieBudget = 13 * 1024

/** The bytes reserved for small cookies: CSRF token, browser, known and trusted devices, "Keep me signed in". */
const smallCookies = 600

/** The bytes by which a renewed value may exceed the limit, so that a slightly longer token is not lost. */
const renewalSlack = 512

/**
 * The name suffixes of attempt cookies. Browsers send them to the library's routes only, so other responses clear them
 * unseen.
 */
export const attemptSlots = [
  0,
  1,
  2,
  3,
  4,
  'pending',
  'reauth',
  'email',
  'mailed',
  'password-verify',
  'password-reset',
] as const

/** The name suffix of an attempt cookie. */
export type AttemptSlot = (typeof attemptSlots)[number]

/** The cookies that the budget treats specially. */
type BudgetPolicy = Readonly<
  Record<
    SmallCookie | 'callbackUrl' | 'lastMethod' | 'logout' | 'passkeyOffer' | 'transaction' | 'typedFields',
    CookieOption
  >
>
type SmallCookie = 'browser' | 'csrfToken' | 'device' | 'remember' | 'trustedDevice'

/** Clears cookies in the given order until the next request fits. */
export function clearUntilFits(jar: CookieJar, droppable: readonly CookieOption[]): void {
  for (const cookie of droppable) {
    if (jar.sizeAtMost <= cookieBudget || jar.size() <= cookieBudget) return
    jar.clear(cookie)
  }
}

/** Checks whether a cookie is dropped when space is short: attempts and cookies that are only a convenience. */
function isDroppable(
  { callbackUrl, lastMethod, logout, passkeyOffer, transaction, typedFields }: BudgetPolicy,
  name: string,
): boolean {
  return (
    name === callbackUrl.name ||
    name === lastMethod.name ||
    name === passkeyOffer.name ||
    name === logout.name ||
    name === typedFields.name ||
    name.startsWith(`${transaction.name}.`)
  )
}

function isSmallCookie({ browser, csrfToken, device, remember, trustedDevice }: BudgetPolicy, name: string): boolean {
  return [browser, csrfToken, device, remember, trustedDevice].some((cookie) => cookie.name === name)
}

/** A value about to be written. `name` is the name of its cookie, or the prefix of the names of its chunks. */
export interface LargeValue {
  readonly name: string
  readonly value: string
  /** True if it replaces a value that was accepted earlier. */
  readonly isRenewal?: boolean
}

/**
 * Checks whether a value fits beside the other cookies of the request, including those of the application.
 *
 * @throws {@link TooManyCookies} with the sizes. A value that does not increase the size of the cookies is always
 *   accepted.
 */
export function assertCookieBudget(
  jar: CookieJar,
  policy: BudgetPolicy,
  { name, value, isRenewal = false }: LargeValue,
): void {
  const limit = cookieBudget - smallCookies + (isRenewal ? renewalSlack : 0)
  if (jar.sizeAtMost + chunkedSizeAtMost(name, value) <= limit) return
  const isLarge = (each: string) => !isDroppable(policy, each) && !isSmallCookie(policy, each)
  const others = jar.size((each) => isLarge(each) && !isCookieOrChunkOf(each, name))
  const own = chunkedSize(name, value)
  if (others + own <= Math.max(limit, jar.sentSize(isLarge))) return
  throw new TooManyCookies(
    `\`${name}\` takes ${own} bytes, and the other cookies of the browser ${others}; together ${limit} fit into the requests that servers accept. Put less into the token or into \`session.data\`, keep provider tokens in a store (\`tokens.store\`), or set fewer cookies in the application.`,
  )
}

/** Returns the bytes that a value takes in the `Cookie` header, in one cookie or in chunks. */
export function chunkedSize(name: string, value: string): number {
  const chunks = splitChunks(name, value)
  return chunks.reduce((bytes, [chunk, part]) => bytes + chunk.length + encodeURIComponent(part).length + 3, 0)
}

/** Returns bytes that {@link chunkedSize} does not exceed: a character is sent as nine at most. */
function chunkedSizeAtMost(name: string, value: string): number {
  const chunks = Math.ceil(value.length / chunkSize) || 1
  return chunks * (name.length + '.00'.length + 3) + value.length * 9
}

/** The size in bytes from which an attempt that starts elsewhere replaces all others. */
const attemptDropSize = 2 * 1024
/**
 * The size in bytes from which the cookie for signing out at the provider is dropped too. That cookie has 3 KiB at
 * most.
 */
const logoutDropSize = 9 * 1024
const growthStep = 1024

/**
 * Makes room on a response of the application, whose path does not receive the cookies of the library's routes.
 *
 * Clears the attempts when the other cookies have grown by a step, or when an attempt starts beside many other cookies.
 *
 * @param path The path of the library's routes.
 */
export function clearAttemptsUnseen(jar: CookieJar, policy: BudgetPolicy, path: string): void {
  if (jar.written.size === 0) return
  const { transaction, logout } = policy
  const stays = (name: string) => !isDroppable(policy, name)
  const [before, after] = [jar.sentSize(stays), jar.size(stays)]
  const hasGrown = Math.floor(after / growthStep) > Math.floor(before / growthStep)
  const begins = attemptSlots.some((slot) => jar.sets(`${transaction.name}.${slot}`))
  if (!hasGrown && !(begins && after > attemptDropSize)) return
  const unseen = attemptSlots.map((slot) => ({ ...transaction, name: `${transaction.name}.${slot}` }))
  for (const { name, options } of after > logoutDropSize ? [...unseen, logout] : unseen) {
    if (!jar.sets(name)) jar.clear({ name, options: { ...options, path } })
  }
}
