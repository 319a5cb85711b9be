/** Takes back a sign-in method whose sign-in failed after it was attached, such as one during which the sessions of the user ended. */
import type { AuthContext, Identity } from '../contracts/index.js'
import { toError } from '../errors.js'
import { storeOf } from '../store/store-of.js'
import { accountKey, hasRow, isPasskeyAccount } from './accounts.js'

/** Removes the account or passkey that the sign-in has attached, where the adapter can. Logs a failure: the error of the sign-in is thrown. */
export async function detach(context: AuthContext, identity: Identity): Promise<void> {
  try {
    await remove(context, identity)
  } catch (error) {
    context.config.logger.error(toError(error))
  }
}

/** A passkey account stays: without its passkey it lets nobody in. */
async function remove({ config }: AuthContext, identity: Identity): Promise<void> {
  const store = storeOf(config)
  const { account, newPasskey } = identity
  if (newPasskey && store.can.deletePasskeys) await store.deleteAuthenticator(newPasskey.credentialID)
  if (!hasRow(account) || isPasskeyAccount({ ...account, userId: '' })) return
  if (store.can.unlinkAccounts) await store.unlinkAccount(accountKey(identity))
}
