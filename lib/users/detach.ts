/** Takes back a sign-in method whose sign-in failed after it was attached, such as one during which the sessions of the user ended. */
import type { AuthContext, Identity } from '../contracts/index.js'
import { storeOf } from '../store/store-of.js'
import { accountKey, hasRow, isPasskeyAccount } from './accounts.js'

/** Removes the account or passkey that the sign-in has attached, where the adapter can. A passkey account stays: it is of no use without its passkey. */
export async function detach({ config }: AuthContext, identity: Identity): Promise<void> {
  const store = storeOf(config)
  const { account, newPasskey } = identity
  if (newPasskey && store.can.deletePasskeys) await store.deleteAuthenticator(newPasskey.credentialID)
  if (!hasRow(account) || isPasskeyAccount({ ...account, userId: '' })) return
  if (store.can.unlinkAccounts) await store.unlinkAccount(accountKey(identity))
}
