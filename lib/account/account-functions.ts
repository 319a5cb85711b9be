/** The functions of `auth.account`. */
import { removeStoredTokens } from '../actions/index.js'
import { emitEvent } from '../callbacks/index.js'
import { passwordProviderOf } from '../features/passwords/store.js'
import type { AccountFunctions, accountRules } from '../functions/account.js'
import type { Runs } from '../functions/run.js'
import type { AccountKey } from '../types/adapter.js'
import type { Outcome } from '../types/outcome.js'
import { isPasskeyAccount } from '../users/records.js'
import { changeEmail } from './change-email.js'
import { removePasskey, renamePasskey } from './passkeys.js'
import {
  accountManagerOf,
  canStillSignIn,
  readSignInMethods,
  runRemoval,
  type SignedInUser,
  signedInUserOf,
} from './signed-in-user.js'
import { describeSignInMethods, isSameAccount, languageOf, listOpenSessions, withoutAccount } from './stored-user.js'

/** The functions of `auth.account`. */
export const accountFunctions: Runs<AccountFunctions, typeof accountRules> = {
  async get(call) {
    const signedIn = await signedInUserOf(call)
    if (!signedIn) return null
    const listed = { ...signedIn, language: languageOf(call.auth, call.req) }
    const [sessions, methods] = await Promise.all([listOpenSessions(listed), describeSignInMethods(signedIn)])
    return { user: signedIn.user, sessions, ...methods }
  },

  async unlink(call, account) {
    const signedIn = await accountManagerOf(call)
    if (!signedIn) return { ok: false, reason: 'unknown' }
    await removePassword(signedIn, account)
    const unlinked = await runRemoval(signedIn, (locked) => unlinkAccount(locked, account))
    if (!unlinked.ok) return unlinked
    const { resolved, user, facts } = signedIn
    const { provider, providerAccountId } = account
    const key = { provider, providerAccountId }
    // Ends pending sign-ins with the account.
    await resolved.session.stamps?.changeMethod(key)
    await removeStoredTokens(resolved, { ...key, userId: user.id })
    await emitEvent(resolved, 'unlinkAccount', { user, account: key, ...facts })
    return { ok: true }
  },

  changeEmail,
  renamePasskey,
  removePasskey,
}

/**
 * Removes the password together with its account.
 *
 * It is removed first, because a password without an account would stay valid, while an account without a password can
 * get a new one. It is removed before the transaction, because some databases allow no other query during one.
 */
async function removePassword(signedIn: SignedInUser, account: AccountKey): Promise<void> {
  const provider = passwordProviderOf(signedIn.resolved)
  if (provider?.id !== account.provider) return
  const methods = await readSignInMethods(signedIn)
  const isOwn = methods.accounts.some((each) => isSameAccount(each, account))
  if (isOwn && canStillSignIn(signedIn, withoutAccount(methods, account)))
    await provider.password.store.remove(signedIn.user.id)
}

async function unlinkAccount(signedIn: SignedInUser, account: AccountKey): Promise<Outcome<'unknown' | 'last'>> {
  const methods = await readSignInMethods(signedIn)
  // Accounts of passkeys are removed with the last passkey.
  const found = methods.accounts.find((each) => isSameAccount(each, account) && !isPasskeyAccount(each))
  if (!found) return { ok: false, reason: 'unknown' }
  if (!canStillSignIn(signedIn, withoutAccount(methods, found))) return { ok: false, reason: 'last' }
  const { provider, providerAccountId } = found
  await signedIn.store.unlinkAccount({ provider, providerAccountId })
  return { ok: true }
}
