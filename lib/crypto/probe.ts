/**
 * The doctor's question to a running site: a header that only who has the secret can make. It is good for a minute and for one answer, and
 * its key is for nothing else, so that whoever reads it in a proxy's log has nothing.
 */
import { equalText, hmac } from './hash.js'
import { deriveKey } from './keys.js'
import { randomText } from './random.js'

/** The header, in lower case. */
export const probeHeader = 'x-server-auth-doctor'

/** What is asked for. */
export interface Probe {
  /** Says which question is answered, and that it was asked before. */
  readonly nonce: string
  /** Kilobytes of cookies that the answer sets: 0 to 9. */
  readonly kilobytes: number
  /** Which of the secrets has signed it. */
  readonly secretAt: number
}

/** Milliseconds by which the clocks of both may differ. */
export const probeLifetime = 60_000

/** The header's value. */
export function signProbe(secret: string, kilobytes = 0): { readonly header: string; readonly nonce: string } {
  const nonce = randomText(16)
  const said = `${Date.now()}.${nonce}.${kilobytes}`
  return { header: `${said}.${macOf(secret, said)}`, nonce }
}

/** What a header asks; `undefined` where none of the secrets has signed it, or it is too old. */
export function openProbe(header: string, secrets: readonly string[]): Probe | undefined {
  const [, said = '', at, nonce = '', kilobytes, mac = ''] =
    /^((\d{13})\.([\w-]{20,44})\.(\d))\.([0-9a-f]{64})$/.exec(header) ?? []
  if (said === '' || Math.abs(Date.now() - Number(at)) > probeLifetime) return undefined
  const secretAt = secrets.findIndex((secret) => equalText(mac, macOf(secret, said)))
  return secretAt < 0 ? undefined : { nonce, kilobytes: Number(kilobytes), secretAt }
}

function macOf(secret: string, said: string): string {
  return hmac(deriveKey(secret, 'server-auth doctor probe', { length: 32 }).bytes, said)
}
