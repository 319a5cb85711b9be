/** The second factor as a step of the sign-in, between the user lookup and the session. */

import type { StepOf } from '../../actions/sign-in-stages.js'
import { createLazyLoader } from '../../base/lazy-loader.js'
import { SessionTokenError } from '../../errors.js'

/** Loads second factors, if `factors` is set. */
export const loadFactors = createLazyLoader('Second factors', () => import('./entry.js'))

/**
 * Suspends a sign-in that needs a second factor. The owner is the id of a stored user; other users have a name of their own
 * (`features/factors/owner`).
 */
export const secondFactorStep: StepOf<'level'> = {
  name: 'second factor',
  stage: 'level',
  async run({ context, identity, signedIn, wish, to }) {
    const { id } = signedIn.user
    if (typeof id !== 'string' || id === '') {
      throw new SessionTokenError(
        'The second factors of a user without an `id` cannot be found. Return an `id` for the user.',
      )
    }
    const { suspendSignIn, factorOwnerOf } = await loadFactors()
    const owner = await factorOwnerOf(context, { identity, signedIn }, id)
    return { owner, suspendedTo: await suspendSignIn(context, { userId: owner, identity, signedIn, wish, to }) }
  },
}
