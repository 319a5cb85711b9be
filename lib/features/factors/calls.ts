/** The functions of `auth.factors`. */
import { confirmFactor, loadFactors } from '../../actions/index.js'
import type { Call } from '../../calls/call.js'
import type { AuthContext } from '../../contracts/index.js'
import { InvalidCode, InvalidConfiguration } from '../../errors.js'
import type { Runs } from '../../functions/run.js'
import { resetFactors } from './calls-any-user.js'
import type { FactorFunctions, factorRules } from './functions.js'

type Factors = Awaited<ReturnType<typeof loadFactors>>

/** The functions of `auth.factors`. */
export const factorFunctions: Runs<FactorFunctions, typeof factorRules> = {
  enrolTotp: (call) => change(call, (context, { enrolTotp }) => enrolTotp(context)),
  enrolEmail: (call) => change(call, (context, { enrolEmail }) => enrolEmail(context)),

  async confirm(call, confirmation) {
    try {
      const recoveryCodes = await change(call, (context) => confirmFactor(context, confirmation))
      return { ok: true, ...(recoveryCodes && { recoveryCodes }) }
    } catch (error) {
      if (error instanceof InvalidCode) return { ok: false, reason: 'wrong' }
      throw error
    }
  },

  async remove(call, id) {
    const isRemoved = await change(call, (context, { remove }) => remove(context, id))
    return isRemoved ? { ok: true } : { ok: false, reason: 'unknown' }
  },

  newRecoveryCodes: (call) => change(call, (context, { newCodes }) => newCodes(context)),
  reset: resetFactors,
}

/** Changes second factors of the signed-in user. @throws {@link InvalidConfiguration} without `factors`. */
function change<T>(call: Call, work: (context: AuthContext, factors: Factors) => Promise<T>): Promise<T> {
  if (!call.config.factors) {
    throw new InvalidConfiguration('There are no second factors: set `factors: [Totp(), RecoveryCodes()]`.')
  }
  return call.run({ action: 'two-factor' }, async (context) => work(context, await loadFactors()))
}
