/** The functions of `auth.passwords`, for pages and code of the application. */

import { personOf } from '../../account/person.js'
import { refusals } from '../../actions/index.js'
import { ownRequest, sourceOf } from '../../calls/call.js'
import type { AuthContext, PasswordProvider } from '../../contracts/index.js'
import type { Auth } from '../../engine/auth.js'
import {
  AccountNotLinked,
  CredentialsSignin,
  InvalidProvider,
  PasswordRejected,
  TooManyRequests,
} from '../../errors.js'
import { loadPasswords } from '../../flows/index.js'
import type { Runs } from '../../functions/run.js'
import type { SessionRequest } from '../../session/reader.js'
import { storeOf } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { hasSecondFactors, isStrangers } from '../../users/records.js'
import type { PasswordFunctions, passwordRules } from './functions.js'
import { passwordProviderOf } from './store.js'

/** The functions of `auth.passwords`. */
export const passwordFunctions: Runs<PasswordFunctions, typeof passwordRules> = {
  async has(call) {
    const { password } = providerOf(call.auth)
    const person = await personOf(call)
    return person !== null && (await password.store.find(person.user.id)) !== null
  },

  async change({ auth, req }, { current, password }) {
    const { context, provider } = placeOf(auth, req)
    const { change } = await loadPasswords()
    try {
      const changed = await change(context, provider, { typed: { current, password }, refusals: refusals(context) })
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
    const { context, provider } = placeOf(auth, req)
    const { hashNew, keepAccount, setPassword } = await loadPasswords()
    const user = await userOf(context, userId)
    try {
      const hash = await hashNew(context, provider, { password, email: user.email })
      await setPassword(context, provider, { user, hash, reason: 'set', isUnasked: req === undefined })
    } catch (error) {
      if (error instanceof PasswordRejected) return { ok: false, reason: error.code }
      throw error
    }
    await keepAccount(context, provider, user)
    return { ok: true }
  },

  async import({ auth }, { userId, hash }) {
    const provider = providerOf(auth)
    if (typeof hash !== 'string' || !/^[^\p{C}]{1,1024}$/u.test(hash)) {
      throw new TypeError('`hash` must be one line of 1 to 1024 characters.')
    }
    const { assertImportable, keepAccount } = await loadPasswords()
    await assertImportable(provider, hash)
    const user = await userOf(auth, userId)
    if (await mayBeStrangers(auth, user)) return { ok: false, reason: 'unverified' }
    const isWritten = await provider.password.store.write({ userId: user.id, hash, changedAt: new Date() }, 0)
    await keepAccount(auth, provider, user)
    return isWritten ? { ok: true } : { ok: false, reason: 'exists' }
  },

  async sendLink({ auth, request }, { userId }) {
    const { context, provider } = placeOf(auth, await request())
    const user = await userOf(context, userId)
    if (!user.email) throw new AccountNotLinked('The user has no email address, so no link can be sent.')
    const { mailReset } = await loadPasswords()
    await mailReset(context, provider, { user, isCounted: false })
  },
}

function placeOf(auth: Auth, req: SessionRequest | undefined): { context: AuthContext; provider: PasswordProvider } {
  const provider = providerOf(auth)
  const request = ownRequest(auth.config, sourceOf(req), { action: 'password', providerId: 'change' })
  return { context: auth.ownContext(request), provider }
}

function providerOf({ config }: Pick<Auth, 'config'>): PasswordProvider {
  const provider = passwordProviderOf(config)
  if (provider) return provider
  throw new InvalidProvider('The functions of `passwords` need the provider `Password`. Add it to `providers`.')
}

async function mayBeStrangers({ config }: Pick<AuthContext, 'config'>, user: AdapterUser): Promise<boolean> {
  const hasFactors = await hasSecondFactors(config, user)
  if (!(await isStrangers(config, storeOf(config), { user, hasFactors }))) return false
  config.logger.warn(
    'password-not-imported',
    'A password was not imported: the email address of the user is unverified, and the user has, or may have, sign-in methods of their own. Set `emailVerified` if the address is known to be theirs.',
  )
  return true
}

async function userOf({ config }: Pick<AuthContext, 'config'>, userId: string): Promise<AdapterUser> {
  const user = await storeOf(config).getUser(userId)
  if (user) return user
  throw new AccountNotLinked('No stored user has this id.')
}
