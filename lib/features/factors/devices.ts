/**
 * Browsers that a user remembers, if `factors.remember` is set.
 *
 * The cookie is a random value and grants no access. It replaces the second factor after the first factor of the same
 * user is verified. A hash of it is stored with the user's factors.
 */
import { shortHash } from '../../crypto/hash.js'
import { randomText } from '../../crypto/random.js'
import { type FactorContext, removeOldestRecords, writeFactorRecord } from './factor-context.js'
import { trustedBrowserType } from './store.js'

/** The most browsers of one user. The one that was created first is removed to make room. */
const maxTrustedBrowsers = 20

/** Checks whether this browser is remembered by the user. */
export function isTrustedBrowser({ context, options, records }: FactorContext): boolean {
  const token = context.cookies.get(context.cookiePolicy.trustedDevice.name)
  if (options.remember === undefined || token === undefined || !/^[\w-]{43}$/.test(token)) return false
  const id = trustedBrowserRecordId(token)
  return records.some((row) => row.type === trustedBrowserType && row.id === id)
}

/**
 * Remembers this browser. @returns A function that forgets it again, for a sign-in that is rejected later; `undefined`
 * if the option is off.
 */
export async function trustBrowser(factorContext: FactorContext): Promise<(() => Promise<void>) | undefined> {
  const { context, options, store, subject } = factorContext
  const { remember } = options
  if (remember === undefined) return undefined
  await removeOldestRecords(factorContext, { type: trustedBrowserType, most: maxTrustedBrowsers })
  const token = randomText(32)
  const expires = new Date(Date.now() + remember * 1000)
  const id = trustedBrowserRecordId(token)
  await writeFactorRecord(factorContext, { id, type: trustedBrowserType, expiresAt: expires })
  const { name, options: attributes } = context.cookiePolicy.trustedDevice
  context.cookies.set({ name, options: { ...attributes, maxAge: remember, expires } }, token)
  return async () => {
    context.cookies.clear(context.cookiePolicy.trustedDevice)
    await store.remove({ userId: subject.userId, id })
  }
}

function trustedBrowserRecordId(token: string): string {
  return `device:${shortHash(token)}`
}
