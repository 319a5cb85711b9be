/**
 * Known browsers. A browser that has signed in to an account gets a cookie that says so, and its attempts at that account have a
 * count of their own: whoever guesses the account's password elsewhere slows down strangers, and not its owner (OWASP, "Slow Down
 * Online Guessing Attacks with Device Cookies").
 *
 * The cookie lists a few accounts, the latest first: `nonce.mac` for each, where the mac is a keyed hash of nonce and account.
 * It proves nothing else, and whoever copies it gets the guesses of one browser.
 */
import type { CookieContext } from '../contracts/index.js'
import { equalText, shortHmac } from '../crypto/hash.js'
import { deriveKey } from '../crypto/keys.js'
import { randomText } from '../crypto/random.js'

/** Seconds: the longest that browsers keep a cookie (RFC 6265bis §5.5). */
const maxAge = 400 * 24 * 60 * 60
/** Accounts that a browser is known for, such as those of a family. */
const mostAccounts = 5

/** What tells this browser from others that are known for the account; `undefined` where it is not known for it. */
export function deviceOf(context: CookieContext, account: string): string | undefined {
  return entryOf(context, account)?.slice(0, nonceLength)
}

/** From now on this browser is known for the account. */
export function rememberDevice(context: CookieContext, account: string): void {
  const { cookies, cookiePolicy, config } = context
  const nonce = deviceOf(context, account) ?? randomText(16)
  const known = entryOf(context, account)
  const others = entriesOf(context).filter((entry) => entry !== known)
  const entry = `${nonce}.${macOf(config.secrets[0], nonce, account)}`
  const { name, options } = cookiePolicy.device
  const expires = new Date(Date.now() + maxAge * 1000)
  const value = [entry, ...others].slice(0, mostAccounts).join('~')
  cookies.set({ name, options: { ...options, maxAge, expires } }, value)
}

/** Characters: 16 bytes. */
const nonceLength = 22

function entryOf(context: CookieContext, account: string): string | undefined {
  const { secrets } = context.config
  return entriesOf(context).find((entry) => {
    const [nonce = '', mac = ''] = entry.split('.')
    return secrets.some((secret) => equalText(macOf(secret, nonce, account), mac))
  })
}

function entriesOf({ cookies, cookiePolicy }: CookieContext): string[] {
  const value = cookies.get(cookiePolicy.device.name) ?? ''
  return value.split('~', mostAccounts).filter((entry) => /^[\w-]{22}\.[\w-]{22}$/.test(entry))
}

function macOf(secret: string, nonce: string, account: string): string {
  return shortHmac(deriveKey(secret, 'server-auth device key', { length: 32 }).bytes, JSON.stringify([nonce, account]))
}
