/** Checks whether a user still has the sign-in method by which a sign-in began that waited since. */
import { foldAddress } from '../base/address.js'
import { keepsPasswords } from '../config/password-provider.js'
import type { ResolvedConfig, SignedIn } from '../contracts/index.js'
import { storeOf } from '../store/store-of.js'
import { ownerOf } from './accounts.js'

/** The application's own word, and what an `authorize` checks, leave nothing that could be removed: those are always theirs. */
export async function isStillTheirs(
  config: ResolvedConfig,
  { account, user: { id, email } }: SignedIn,
): Promise<boolean> {
  switch (account.type) {
    case 'email':
      return foldAddress(email ?? '') === foldAddress(account.providerAccountId)
    case 'oauth':
    case 'oidc':
      return (await ownerOf(storeOf(config), account))?.id === id
    case 'passkey':
    case 'webauthn':
      return (await storeOf(config).getAuthenticator(String(account.credentialID)))?.userId === id
    case 'credentials': {
      const provider = config.providers.get(account.provider)
      return !keepsPasswords(provider) || (await provider.password.store.find(id ?? '')) !== null
    }
    default:
      return true
  }
}
