/** Opens session tokens, given the keys that may have sealed them. */
import type { Awaitable } from '../types/identity.js'
import { type ContentEncryption, decryptJson, isCurrent, readHeader } from './jwe.js'
import type { DerivedKey } from './keys.js'

/** The key of a secret for an encryption; `undefined` where that encryption is not accepted. */
export type KeyChoice = (secret: string, encryption: ContentEncryption) => Awaitable<DerivedKey> | undefined

/**
 * The payload of a current token under one of the secrets, else `null`. A token that names its key (`kid`) is tried with
 * that key only; one that names none with all.
 */
export async function openSessionToken(
  token: string,
  secrets: readonly string[],
  keyOf: KeyChoice,
): Promise<Record<string, unknown> | null> {
  const header = readHeader(token)
  if (!header) return null
  for (const secret of secrets) {
    const key = await keyOf(secret, header.enc)
    if (!key || (header.kid !== undefined && header.kid !== (await key.thumbprint))) continue
    const payload = await decryptJson(token, key.bytes, header.enc)
    if (payload) return isCurrent(payload) ? payload : null
  }
  return null
}
