/** The user of a sign-in that was pending: as they are now, and with the sign-in method by which it began. */
import { foldAddress } from '../base/address.js'
import { keepsPasswords } from '../config/password-provider.js'
import type { ResolvedConfig, SignedIn } from '../contracts/index.js'
import { ReauthenticationRequired } from '../errors.js'
import { storeOf } from '../store/store-of.js'
import { ownerOf } from './accounts.js'

/**
 * Returns a sign-in with the user as they are now. Users whom an `authorize` returned stay as they were.
 *
 * @param userId The id of the user, where the user is stored.
 * @throws {@link ReauthenticationRequired} when the user or the sign-in method was removed. Security stamps end the sign-in as well, where a
 * store has them.
 */
export async function withCurrentUser(
  config: ResolvedConfig,
  { signedIn, userId }: { readonly signedIn: SignedIn; readonly userId: string },
): Promise<SignedIn> {
  if (!config.store || signedIn.isNewUser === undefined) return signedIn
  const user = await config.store.getUser(userId)
  if (!user) throw new ReauthenticationRequired('The user was removed while their second factor was asked for.')
  if (await isStillTheirs(config, { ...signedIn, user })) return { ...signedIn, user }
  throw new ReauthenticationRequired('The sign-in method was removed while the second factor was asked for.')
}

/** Checks whether the user still has the sign-in method. Own proofs of the application, and those of an `authorize`, cannot be removed. */
async function isStillTheirs(config: ResolvedConfig, { account, user: { id, email } }: SignedIn): Promise<boolean> {
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
