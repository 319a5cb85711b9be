/**
 * `server-auth/client`: sign-in, sign-out and the session in a browser, without a framework and without dependencies.
 *
 * @example
 * ```ts
 * import { getSession, signIn, signOut } from 'server-auth/client'
 *
 * const session = await getSession()
 * button.onclick = () => (session ? signOut() : signIn('github'))
 * ```
 */
export type { AppProvider } from '../types/provider.js'
export type { Session } from '../types/session.js'
export { ClientError, type ClientOptions, configureClient, getCsrfToken } from './request.js'
export { getSession, update } from './session.js'
export {
  getProviders,
  type ProviderId,
  type SignInAuthorizationParams,
  type SignInOptions,
  type SignInResponse,
  signIn,
} from './sign-in.js'
export { type SignOutParams, type SignOutResponse, signOut } from './sign-out.js'
