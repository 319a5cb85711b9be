/** The double-submit CSRF token: random, and signed so that only we can plant one (OWASP "signed double-submit cookie"). */
import { equalText, hmac } from './hash.js'
import { deriveKey } from './keys.js'
import { randomHex } from './random.js'

/** A token for forms and its cookie's value. */
export interface CsrfPair {
  /** 64 hexadecimal characters; goes into the form. */
  readonly token: string
  /** `token|signature`; goes into the cookie. */
  readonly cookie: string
}

/** A new pair under the first secret. */
export function createCsrf(secrets: readonly string[]): CsrfPair {
  const token = randomHex(32)
  return { token, cookie: `${token}|${sign(secrets[0] ?? '', token)}` }
}

/** The token of a cookie that we signed, under any of the secrets; `null` otherwise. */
export function readCsrf(cookie: string | undefined, secrets: readonly string[]): string | null {
  const [token = '', signature = '', ...rest] = cookie?.split('|') ?? []
  if (rest.length > 0 || !/^[0-9a-f]{64}$/.test(token)) return null
  return secrets.some((secret) => equalText(sign(secret, token), signature)) ? token : null
}

function sign(secret: string, token: string): string {
  return hmac(deriveKey(secret, 'server-auth csrf key', { length: 32 }).bytes, token)
}
