/**
 * Sealed values: encrypted and authenticated, for what we hand to a browser or a provider and want back unread and unchanged.
 * Each purpose has a key of its own, so a value that one endpoint seals for a stranger does not open at another.
 */
import { decryptJson, encryptJson, isCurrent, readHeader } from './jwe.js'
import { deriveKey } from './keys.js'

/** What attempts (`flows/attempt`) are sealed for. */
export type AttemptPurpose =
  | 'transaction'
  | 'email-attempt'
  | 'passkey-challenge'
  | 'logout'
  | 'pending-factor'
  | 'reauthentication'
  | 'factor-setup'
  | 'password-link'

/** What values are sealed for. */
export type SealPurpose =
  | AttemptPurpose
  | 'form-post'
  | 'redirect-proxy'
  | 'email-change'
  | 'typed-fields'
  | 'provider-session'
  | 'connection'
  | 'password-reset'

/** What is sealed without an end: it is kept with us, and goes when its row goes. No {@link SealPurpose} has the same name. */
export type LastingPurpose = 'provider-tokens' | 'token-cookie' | 'factor' | 'held-sign-in'

/** Seals a payload for `maxAge` seconds under the first secret. */
export async function seal(
  purpose: SealPurpose,
  payload: Record<string, unknown>,
  options: { secrets: readonly string[]; maxAge: number },
): Promise<string> {
  const [secret = ''] = options.secrets
  const exp = Math.floor(Date.now() / 1000) + options.maxAge
  return encryptJson({ ...payload, exp }, keyOf(secret, purpose), { enc: 'A256GCM' })
}

/**
 * Opens a sealed value; `null` when it was not sealed by us for this purpose, or is too old. Rejects only where jose cannot be
 * loaded.
 */
export async function unseal(
  purpose: SealPurpose,
  sealed: string,
  secrets: readonly string[],
): Promise<Record<string, unknown> | null> {
  const payload = await open(purpose, sealed, secrets)
  return payload && isCurrent(payload) ? payload : null
}

/** Seals a payload under the first secret, for as long as one of the secrets opens it. */
export async function sealLasting(
  purpose: LastingPurpose,
  payload: Record<string, unknown>,
  secrets: readonly string[],
): Promise<string> {
  const [secret = ''] = secrets
  return encryptJson(payload, keyOf(secret, purpose), { enc: 'A256GCM' })
}

/** Opens what {@link sealLasting} made; `null` when it was not sealed by us for this purpose. Rejects as {@link unseal} does. */
export function unsealLasting(
  purpose: LastingPurpose,
  sealed: string,
  secrets: readonly string[],
): Promise<Record<string, unknown> | null> {
  return open(purpose, sealed, secrets)
}

async function open(
  purpose: SealPurpose | LastingPurpose,
  sealed: string,
  secrets: readonly string[],
): Promise<Record<string, unknown> | null> {
  if (readHeader(sealed)?.enc !== 'A256GCM') return null
  for (const secret of secrets) {
    const payload = await decryptJson(sealed, keyOf(secret, purpose), 'A256GCM')
    if (payload) return payload
  }
  return null
}

function keyOf(secret: string, purpose: SealPurpose | LastingPurpose): Uint8Array {
  return deriveKey(secret, `server-auth ${purpose} key`, { length: 32 }).bytes
}
