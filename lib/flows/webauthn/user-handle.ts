/**
 * The user handle (WebAuthn Level 3 §4): random, the same for all passkeys of a user, and stored as the id of their
 * account at the passkey provider. It is not derived from the user's id or email address, because authenticators may
 * show it to anyone.
 */

import type { AdapterStore, ResolvedWebAuthnProvider } from '../../contracts/index.js'
import { randomText } from '../../crypto/random.js'
import type { AdapterAuthenticator } from '../../types/adapter.js'
import { toStoredId, utf8 } from './encoding.js'

/**
 * Creates a handle. It is ASCII, so that browser libraries that read handles as UTF-8 and those that read bytes agree.
 */
export function createHandle(): string {
  return randomText(24)
}

/** Returns the handle of the user's existing passkeys at this provider. */
export async function existingHandle(
  store: AdapterStore,
  provider: ResolvedWebAuthnProvider,
  passkeys: readonly AdapterAuthenticator[],
): Promise<string | undefined> {
  const handles = new Set(passkeys.filter(hasHandle).map(({ providerAccountId }) => providerAccountId))
  for (const handle of handles) if (await store.getAccount(handle, provider.id)) return handle
  return undefined
}

/**
 * Checks whether the handle in a response is the passkey's (§7.2, step 6). Some browser libraries wrote our text into
 * the authenticator, and some read bytes as text.
 */
export function isHandleOf(passkey: AdapterAuthenticator, answered: string): boolean {
  // Auth.js created handles and did not store them.
  if (!hasHandle(passkey)) return true
  const handle = passkey.providerAccountId
  const sent = Buffer.from(utf8(handle)).toString('base64url')
  return [handle, sent, Buffer.from(utf8(sent)).toString('base64url')].includes(answered)
}

function hasHandle({ credentialID, providerAccountId }: AdapterAuthenticator): boolean {
  return toStoredId(providerAccountId) !== credentialID
}
