/** The functions of `auth.impersonation`. Their code is loaded at the first call. */
import { createLazyLoader } from '../../base/lazy-loader.js'
import type { Call } from '../../calls/call.js'
import type { ResolvedImpersonation } from '../../contracts/index.js'
import { InvalidConfiguration } from '../../errors.js'
import type { Runs } from '../../functions/run.js'
import type { ImpersonationFunctions, impersonationRules } from './functions.js'

const loadFunctions = createLazyLoader('Impersonation', () => import('./calls-all.js'))

/** The functions of `auth.impersonation`. */
export const impersonationFunctions: Runs<ImpersonationFunctions, typeof impersonationRules> = {
  async begin(call, options) {
    const option = requireOption(call)
    const { beginImpersonation, readOptions } = await loadFunctions()
    const checked = readOptions(options)
    return call.run({ action: 'session', name: 'impersonation-begin' }, (context) =>
      beginImpersonation(context, option, checked),
    )
  },

  async end(call) {
    const option = requireOption(call)
    const { endImpersonation } = await loadFunctions()
    const task = { action: 'signout', name: 'impersonation-end', impersonated: true } as const
    return call.run(task, (context) => endImpersonation(context, option))
  },
}

/** Returns the option. @throws {@link InvalidConfiguration} if it is off. */
function requireOption({ config }: Call): ResolvedImpersonation {
  if (config.impersonation) return config.impersonation
  throw new InvalidConfiguration(
    '`auth.impersonation` needs the option `impersonation`. Set `impersonation: { allow: (admin, user) => … }`.',
  )
}
