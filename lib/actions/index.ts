/** The actions by name. */

import { assertTrusted } from '../config/resolve-site.js'
import type { AuthContext } from '../contracts/index.js'
import type { Action, AuthResponse } from '../http/message.js'
import { callback } from './callback.js'
import { csrf, jwks, providers, webauthnOptions } from './information.js'
import { error, verifyRequest } from './notice.js'
import { password, signUp } from './password.js'
import { backchannelLogout, frontchannelLogout } from './provider-logout.js'
import { session } from './session.js'
import { signIn } from './sign-in.js'
import { signOut } from './sign-out.js'
import { twoFactor } from './two-factor.js'

export { assertCall, type CallEffect, csrfTokenFor, isOwnForm } from '../session/csrf.js'
export { type ChangeEmailOutcome, changeEmail, mailerOf } from './change-email.js'
export { failure, outcomeOf, toAuthError } from './failure.js'
export { forgetTokens } from './provider-tokens.js'
export { fitCookies, headersBeside, toReply } from './reply.js'
export { loadFactors, refusals } from './second-factor.js'
export { setSessionData } from './session.js'
export { type OwnProof, startSession } from './start-session.js'

const actions: { readonly [A in Action]: (context: AuthContext) => Promise<AuthResponse> } = {
  providers,
  session,
  csrf,
  signin: signIn,
  signout: signOut,
  callback,
  'verify-request': verifyRequest,
  error,
  'two-factor': twoFactor,
  'webauthn-options': webauthnOptions,
  jwks,
  'backchannel-logout': backchannelLogout,
  'frontchannel-logout': frontchannelLogout,
  signup: signUp,
  password,
}

/** Actions whose GET changes something, or runs code of the developer's. `callback` sees to it by itself. */
const withEffects = new Set<Action>(['session', 'webauthn-options', 'frontchannel-logout', 'signup', 'password'])

/** Runs the action that a request names. HEAD never has an effect. */
export async function act(context: AuthContext): Promise<AuthResponse> {
  const { action, method, origin } = context.request
  assertTrusted(context.config, origin)
  if (method === 'HEAD' && withEffects.has(action)) return { kind: 'empty', status: 200 }
  return actions[action](context)
}
