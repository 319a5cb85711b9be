/** The option `impersonation`. */

import { isRecord } from '../../base/guards.js'
import type { FeatureOption } from '../../config/feature-option.js'
import { describeValue, rejectOption } from '../../config/reject-option.js'
import { type Check, functionOf, shape, wholeNumber } from '../../config/shape.js'
import type { ResolvedImpersonation } from '../../contracts/index.js'
import type { ImpersonationOptions } from './types.js'

/** Seconds: the longest impersonated session. */
const longest = 900

const options = shape({
  allow: functionOf<ImpersonationOptions['allow']>(),
  maxAge: wholeNumber('of seconds', 60, longest),
} satisfies Record<keyof ImpersonationOptions, Check<unknown>>)

const check: Check<ResolvedImpersonation | undefined> = (name, value) => {
  if (value === undefined) return undefined
  if (!isRecord(value)) return rejectOption(name, `must be { allow, maxAge }, not ${describeValue(value)}.`)
  const { allow, maxAge = longest } = options(name, value)
  if (allow) return { allow, maxAge }
  return rejectOption(
    `${name}.allow`,
    'is missing. Set a function that decides who may use the session of which user, such as `(admin, user) => admin.user?.role === "admin" && user.role !== "admin"`.',
  )
}

/** The option `impersonation`. It needs sessions that end at once, because other users are in them. */
export const impersonationOption: FeatureOption<ResolvedImpersonation, ResolvedImpersonation> = {
  check,
  resolve(setting, { adapter, session, revocation }) {
    if (!setting) return undefined
    if (adapter === undefined) {
      rejectOption('impersonation', 'needs stored users. Set an `adapter`, such as `sqlAdapter(db)`.')
    }
    if (session.strategy === 'jwt' && !revocation) {
      rejectOption(
        'impersonation',
        'needs sessions that can be ended by the server. Set `session.revocation`, or `session: { strategy: "database" }`.',
      )
    }
    return Object.freeze(setting)
  },
}
