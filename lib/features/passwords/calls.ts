/** The functions of `auth.passwords`, for pages and code of the application. */

import { signedInUserOf } from '../../account/signed-in-user.js'
import { rejectionReasons } from '../../actions/index.js'
import type { AuthContext } from '../../contracts/index.js'
import { AccountNotLinked, CredentialsSignin, PasswordRejected, TooManyRequests } from '../../errors.js'
import { loadPasswords } from '../../flows/index.js'
import type { Runs } from '../../functions/run.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { hasSecondFactors, mayBelongToAttacker } from '../../users/records.js'
import { passwordCallContext, requirePasswordProvider } from './calls-any-user.js'
import type { PasswordFunctions, passwordRules } from './functions.js'

/** The functions of `auth.passwords`. */
export const passwordFunctions: Runs<PasswordFunctions, typeof passwordRules> = {
  async has(call) {
    const { password } = requirePasswordProvider(call.auth)
    const person = await signedInUserOf(call)
    return person !== null && (await password.store.find(person.user.id)) !== null
  },

  async change({ auth, req }, { current, password }) {
    const { context, provider } = passwordCallContext(auth, req)
    const { changePassword } = await loadPasswords()
    try {
      const changed = await changePassword(context, provider, {
        typed: { current, password },
        refusals: rejectionReasons(context),
      })
      if (changed === 'changed') return { ok: true }
      return { ok: false, reason: changed === 'signedOut' ? 'unknown' : changed }
    } catch (error) {
      if (error instanceof PasswordRejected) return { ok: false, reason: error.code }
      if (error instanceof TooManyRequests) return { ok: false, reason: 'limited' }
      if (error instanceof CredentialsSignin) return { ok: false, reason: 'wrong' }
      throw error
    }
  },

  async set({ auth, request }, { userId, password }) {
    if (typeof password !== 'string') throw new TypeError('`passwords.set` needs a `password` that is text.')
    const req = await request()
    const { context, provider } = passwordCallContext(auth, req)
    const { hashNewPassword, ensurePasswordAccount, setPassword } = await loadPasswords()
    const user = await requireUser(context, userId)
    try {
      const hash = await hashNewPassword(context, provider, { password, email: user.email })
      await setPassword(context, provider, { user, hash, reason: 'set', isWithoutRequest: req === undefined })
    } catch (error) {
      if (error instanceof PasswordRejected) return { ok: false, reason: error.code }
      throw error
    }
    await ensurePasswordAccount(context, provider, user)
    return { ok: true }
  },

  async import({ auth }, { userId, hash }) {
    const provider = requirePasswordProvider(auth)
    if (typeof hash !== 'string' || !/^[^\p{C}]{1,1024}$/u.test(hash)) {
      throw new TypeError('`hash` must be one line of 1 to 1024 characters.')
    }
    const { assertImportable, ensurePasswordAccount } = await loadPasswords()
    await assertImportable(provider, hash)
    const user = await requireUser(auth, userId)
    if (await mayBelongToStranger(auth, user)) return { ok: false, reason: 'unverified' }
    const isWritten = await provider.password.store.write({ userId: user.id, hash, changedAt: new Date() }, 0)
    await ensurePasswordAccount(auth, provider, user)
    return isWritten ? { ok: true } : { ok: false, reason: 'exists' }
  },

  async sendLink({ auth, request }, { userId }) {
    const { context, provider } = passwordCallContext(auth, await request())
    const user = await requireUser(context, userId)
    if (!user.email) throw new AccountNotLinked('The user has no email address, so no link can be sent.')
    const { mailResetLink } = await loadPasswords()
    await mailResetLink(context, provider, { user, isCounted: false })
  },
}

async function mayBelongToStranger({ config }: Pick<AuthContext, 'config'>, user: AdapterUser): Promise<boolean> {
  const hasFactors = await hasSecondFactors(config, user)
  if (!(await mayBelongToAttacker(config, requireStore(config), { user, hasFactors }))) return false
  config.logger.warn(
    'password-not-imported',
    'A password was not imported: the email address of the user is unverified, and the user has, or may have, sign-in methods of their own. Set `emailVerified` if the address is known to be theirs.',
  )
  return true
}

async function requireUser({ config }: Pick<AuthContext, 'config'>, userId: string): Promise<AdapterUser> {
  const user = await requireStore(config).getUser(userId)
  if (user) return user
  throw new AccountNotLinked('No stored user has this id.')
}
