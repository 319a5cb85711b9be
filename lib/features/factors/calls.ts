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
  enrolTotp: (call) => runFactorChange(call, (context, { enrolTotp }) => enrolTotp(context)),
  enrolEmail: (call) => runFactorChange(call, (context, { enrolEmail }) => enrolEmail(context)),

  async confirm(call, confirmation) {
    try {
      const recoveryCodes = await runFactorChange(call, (context) => confirmFactor(context, confirmation))
      return { ok: true, ...(recoveryCodes && { recoveryCodes }) }
    } catch (error) {
      if (error instanceof InvalidCode) return { ok: false, reason: 'wrong' }
      throw error
    }
  },

  async remove(call, id) {
    const isRemoved = await runFactorChange(call, (context, { removeOwnFactor }) => removeOwnFactor(context, id))
    return isRemoved ? { ok: true } : { ok: false, reason: 'unknown' }
  },

  newRecoveryCodes: (call) => runFactorChange(call, (context, { renewOwnCodes }) => renewOwnCodes(context)),
  reset: resetFactors,
}

/** Changes second factors of the signed-in user. @throws {@link InvalidConfiguration} without `factors`. */
function runFactorChange<T>(call: Call, work: (context: AuthContext, factors: Factors) => Promise<T>): Promise<T> {
  if (!call.config.factors) {
    throw new InvalidConfiguration('There are no second factors: set `factors: [Totp(), RecoveryCodes()]`.')
  }
  return call.run({ action: 'two-factor' }, async (context) => work(context, await loadFactors()))
}
