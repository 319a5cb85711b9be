/**
 * Known browsers. A browser that has signed in to an account gets a cookie that says so, and its attempts at that account have a
 * count of their own: whoever guesses the account's password elsewhere slows down strangers, and not its owner (OWASP, "Slow Down
 * Online Guessing Attacks with Device Cookies").
 *
 * The cookie lists a few sign-ins, the latest first: `nonce.mac` for each, where the mac is a keyed hash of the nonce and of what was
 * typed. It proves nothing else, and whoever copies it gets the guesses of one browser.
 *
 * A browser is known for exactly what was typed: provider, fields and each letter. Counts take names together that are alike, and fields
 * and providers, too; if browsers were known for all of those, whoever has an account of such a name (`ánn` for `ann`), or
 * writes somebody else's into a second field, would get known browsers for the other account, as many as wanted, each with guesses of its own.
 */
import type { CookieContext } from '../../contracts/index.js'
import { equalText, shortHmac } from '../../crypto/hash.js'
import { deriveKey } from '../../crypto/keys.js'
import { randomText } from '../../crypto/random.js'

/** Seconds: the longest that browsers keep a cookie (RFC 6265bis §5.5). */
const maxAge = 400 * 24 * 60 * 60
/** Sign-ins that a browser is known for, such as those of a family. */
const mostSignIns = 5

/** What tells this browser from others that are known for what was typed; `undefined` where it is not known for it. */
export function deviceOf(context: CookieContext, typed: string): string | undefined {
  return entryOf(context, typed)?.slice(0, nonceLength)
}

/** From now on this browser is known for what was typed. */
export function rememberDevice(context: CookieContext, typed: string): void {
  const { cookies, cookiePolicy, config } = context
  const nonce = deviceOf(context, typed) ?? randomText(16)
  const known = entryOf(context, typed)
  const others = entriesOf(context).filter((entry) => entry !== known)
  const entry = `${nonce}.${macOf(config.secrets[0], nonce, typed)}`
  const { name, options } = cookiePolicy.device
  const expires = new Date(Date.now() + maxAge * 1000)
  const value = [entry, ...others].slice(0, mostSignIns).join('~')
  cookies.set({ name, options: { ...options, maxAge, expires } }, value)
}

/** What a browser is known for that has followed a mailed link, to the address as it was written to. */
export function mailboxOf(address: string): string {
  return JSON.stringify(['mailbox', address])
}

/** Characters: 16 bytes. */
const nonceLength = 22

function entryOf(context: CookieContext, typed: string): string | undefined {
  const { secrets } = context.config
  return entriesOf(context).find((entry) => {
    const [nonce = '', mac = ''] = entry.split('.')
    return secrets.some((secret) => equalText(macOf(secret, nonce, typed), mac))
  })
}

function entriesOf({ cookies, cookiePolicy }: CookieContext): string[] {
  const value = cookies.get(cookiePolicy.device.name) ?? ''
  return value.split('~', mostSignIns).filter((entry) => /^[\w-]{22}\.[\w-]{22}$/.test(entry))
}

function macOf(secret: string, nonce: string, typed: string): string {
  return shortHmac(deriveKey(secret, 'server-auth device key', { length: 32 }).bytes, JSON.stringify([nonce, typed]))
}
