/**
 * Encrypts and authenticates values that pass through a browser or a provider. Each purpose has its own key, so a value
 * that one endpoint sealed cannot be used at another.
 */
import { decryptJson, encryptJson, isCurrent, readHeader } from './jwe.js'
import { deriveKey } from './keys.js'

/** The purposes of sealed attempts (`flows/attempt`). */
export type AttemptPurpose =
  | 'transaction'
  | 'email-attempt'
  | 'passkey-challenge'
  | 'logout'
  | 'pending-factor'
  | 'reauthentication'
  | 'factor-setup'
  | 'password-link'
  | 'mailed-address'

/** The purposes of sealed values. */
export type SealPurpose =
  | AttemptPurpose
  | 'form-post'
  | 'redirect-proxy'
  | 'email-change'
  | 'typed-fields'
  | 'provider-session'
  | 'connection'
  | 'password-reset'
  | 'impersonator'
  | 'user-list'

/**
 * The purposes of sealed values without expiry. They are stored by the application and deleted with their record. The
 * names differ from those of {@link SealPurpose}.
 */
export type PersistentPurpose = 'provider-tokens' | 'token-cookie' | 'factor' | 'held-sign-in' | 'connection-secret'

/** Seals a payload for `maxAge` seconds under the first secret. */
export async function seal(
  purpose: SealPurpose,
  payload: Record<string, unknown>,
  options: { secrets: readonly string[]; maxAge: number },
): Promise<string> {
  const [secret = ''] = options.secrets
  const exp = Math.floor(Date.now() / 1000) + options.maxAge
  return encryptJson({ ...payload, exp }, sealingKey(secret, purpose), { enc: 'A256GCM' })
}

/**
 * Opens a sealed value. Returns `null` when it was not sealed for this purpose, or has expired. Rejects only when jose
 * cannot be loaded.
 */
export async function unseal(
  purpose: SealPurpose,
  sealed: string,
  secrets: readonly string[],
): Promise<Record<string, unknown> | null> {
  const payload = await openSealed(purpose, sealed, secrets)
  return payload && isCurrent(payload) ? payload : null
}

/** Seals a payload under the first secret without expiry. It can be opened while that secret is configured. */
export async function sealPersistent(
  purpose: PersistentPurpose,
  payload: Record<string, unknown>,
  secrets: readonly string[],
): Promise<string> {
  const [secret = ''] = secrets
  return encryptJson(payload, sealingKey(secret, purpose), { enc: 'A256GCM' })
}

/**
 * Opens a value of {@link sealPersistent}. Returns `null` when it was not sealed for this purpose. Rejects only when jose
 * cannot be loaded.
 */
export function unsealPersistent(
  purpose: PersistentPurpose,
  sealed: string,
  secrets: readonly string[],
): Promise<Record<string, unknown> | null> {
  return openSealed(purpose, sealed, secrets)
}

async function openSealed(
  purpose: SealPurpose | PersistentPurpose,
  sealed: string,
  secrets: readonly string[],
): Promise<Record<string, unknown> | null> {
  if (readHeader(sealed)?.enc !== 'A256GCM') return null
  for (const secret of secrets) {
    const payload = await decryptJson(sealed, sealingKey(secret, purpose), 'A256GCM')
    if (payload) return payload
  }
  return null
}

function sealingKey(secret: string, purpose: SealPurpose | PersistentPurpose): Uint8Array {
  return deriveKey(secret, `server-auth ${purpose} key`, { length: 32 }).bytes
}
