/** The actions by name. */

import { assertTrusted } from '../config/resolve-site.js'
import type { AuthContext, ResolvedConfig } from '../contracts/index.js'
import { twoFactor } from '../features/factors/action.js'
import { backchannelLogout, frontchannelLogout } from '../features/logout/action-receive.js'
import { password, signUp } from '../features/passwords/action.js'
import { passwordProviderOf } from '../features/passwords/provider-option.js'
import type { AuthResponse } from '../http/message.js'
import { type Action, type Route, routeRow } from '../http/routes.js'
import { callback } from './callback.js'
import { csrf, error, jwks, providers, verifyRequest, webauthnOptions } from './information.js'
import { session } from './session.js'
import { signIn } from './sign-in.js'
import { signOut } from './sign-out.js'

export { confirmFactor } from '../features/factors/action.js'
export { loadFactors } from '../features/factors/steps.js'
export { forgetTokens } from '../features/tokens/steps.js'
export { assertCall, type CallEffect, csrfTokenFor, isOwnForm } from '../session/csrf.js'
export { refusals } from './attach.js'
export { type ChangeEmailOutcome, changeEmail, mailerOf } from './change-email.js'
export { failure, outcomeOf, toAuthError } from './failure.js'
export { fitCookies, headersBeside, toReply } from './reply.js'
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

/** Checks whether a configuration has the route. Otherwise the path is the application's. */
export function isServed({ action }: Route, config: Pick<ResolvedConfig, 'providers'>): boolean {
  return routeRow(action).needs !== 'passwords' || passwordProviderOf(config) !== undefined
}

/** Runs the action that a request names. HEAD never has an effect: `callback` sees to that by itself. */
export async function act(context: AuthContext): Promise<AuthResponse> {
  const { action, method, origin } = context.request
  assertTrusted(context.config, origin)
  if (method === 'HEAD' && routeRow(action).getHasEffects) return { kind: 'empty', status: 200 }
  return actions[action](context)
}
