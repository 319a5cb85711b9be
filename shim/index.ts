/**
 * The integration for full-stack frameworks and all Fetch servers (`server-auth/shim`).
 * @example
 * ```ts
 * import initAuth, { withRequest } from 'server-auth/shim'
 * import GitHub from 'server-auth/providers/github'
 * export const { handlers, auth, signIn, signOut } = initAuth({ providers: [GitHub] })
 * ```
 */
import { createLogger } from '../lib/base/logger.js'
import { perOwner } from '../lib/base/memory.js'
import { reportConfiguration } from '../lib/config/configuration-listener.js'
import { getFullStackEngine } from '../lib/engine/index.js'
import type { ApiKeyScopeOf } from '../lib/features/api-keys/types.js'
import type { OrganizationRolesOf } from '../lib/features/organizations/types.js'
import type { SessionOf, StoredUserOf } from '../lib/get-session.js'
import type { FullStackAuthConfig } from '../lib/types/config.js'
import { isConfigurationSource } from '../lib/types/configuration-source.js'
import { createAuthFunction } from './auth.js'
import { createCors } from './cors.js'
import { createCsrf } from './csrf.js'
import { createEngineResolver } from './engine.js'
import { createFunctions } from './functions.js'
import { createGuards } from './guards.js'
import { createHandler } from './handlers.js'
import type { AuthHost } from './host.js'
import { createReceiver } from './received-request.js'
import { requestHost } from './request-context.js'
import { createServerActions } from './server-actions.js'
import type { ConfigArgument, FullStackAuthResult } from './types.js'

export { AuthError, CredentialsSignin } from '../lib/errors.js'
export type * from '../lib/features/api-keys/types.js'
export type * from '../lib/features/limits/types.js'
export type * from '../lib/features/organizations/types.js'
export type * from '../lib/features/passwords/provider-types.js'
export type * from '../lib/features/passwords/types.js'
export type * from '../lib/features/tokens/types.js'
export type * from '../lib/features/watch/types.js'
export type {
  AccountFunctions,
  ApiKeyFunctions,
  AuthFunctions,
  FactorFunctions,
  OrganizationFunctions,
  PasswordFunctions,
  SessionFunctions,
  TokenFunctions,
  UserFunctions,
} from '../lib/functions/index.js'
export type { SessionOf } from '../lib/get-session.js'
export type * from '../lib/types/account.js'
export type * from '../lib/types/adapter.js'
export type * from '../lib/types/calls.js'
export type * from '../lib/types/config.js'
export type * from '../lib/types/cookies.js'
export type * from '../lib/types/guards.js'
export type * from '../lib/types/i18n.js'
export type * from '../lib/types/identity.js'
export type { DefaultJWT, JWT, JWTOptions } from '../lib/types/jwt.js'
export type { DeclaredFields, FieldsSource, KnownOptions } from '../lib/types/known-options.js'
export type * from '../lib/types/logger.js'
export type * from '../lib/types/outcome.js'
export type * from '../lib/types/pages.js'
export type * from '../lib/types/passkey.js'
export type * from '../lib/types/provider.js'
export type * from '../lib/types/provider-ids.js'
export type * from '../lib/types/provider-parts.js'
export type * from '../lib/types/session.js'
export type * from '../lib/types/store.js'
export { customFetch, skipCSRFCheck } from '../lib/types/symbols.js'
export type * from '../lib/types/telemetry.js'
export type * from '../lib/types/theme.js'
export type * from '../lib/types/users.js'
export type { AuthFunction, Handler } from './auth.js'
export { type HostCookie, withCookies } from './cookies.js'
export type { CorsFunction } from './cors.js'
export type { CsrfFunctions } from './csrf.js'
export type { AuthGuards, RequireHereOptions, RequireOptions, RequireOrKeyOptions } from './guards.js'
export type { RouteHandler } from './handlers.js'
export type { AmbientRequest, AuthHost, NodeResponse } from './host.js'
export type { RequestWithSession } from './middleware.js'
export { type RequestContextOptions, requestHost, withRequest } from './request-context.js'
export type { NodeRequest } from './session-reader.js'
export type * from './types.js'

/**
 * Sets up authentication for a full-stack framework.
 * The configuration's type is checked now. Secret, environment and providers are checked at the first use, because
 * builds load modules without them. If they are invalid, the routes answer 500 and `auth` throws, so no request is
 * authenticated.
 * The result of `tenants` has a configuration for each request.
 * A function is called for the configuration of each request, if there is one. It should return the same object for the
 * same settings, because each object is resolved once.
 * @param host The framework. Default: any Fetch server, through {@link withRequest}.
 * @throws {@link AuthError} for a value that is not a configuration.
 * @example
 * ```ts
 * export const { handlers, auth, signIn, signOut, unstable_update } = initAuth({
 *  providers: [GitHub],
 *  callbacks: { authorized: ({ auth }) => auth !== null },
 * })
 * ```
 */
export default function initAuth<
  const C extends FullStackAuthConfig<Fields, Shown>,
  R extends Request = Request,
  Fields = unknown,
  Shown extends string = never,
>(
  config: ConfigArgument<C, Fields, Shown>,
  host: AuthHost<R> = requestHost,
): FullStackAuthResult<SessionOf<C>, R, StoredUserOf<C>, OrganizationRolesOf<C>, ApiKeyScopeOf<C>> {
  type Result = FullStackAuthResult<SessionOf<C>, R, StoredUserOf<C>, OrganizationRolesOf<C>, ApiKeyScopeOf<C>>
  // A function and `tenants` have a configuration for each request.
  const fixed = typeof config === 'function' || isConfigurationSource(config) ? undefined : config
  if (fixed) reportConfiguration(fixed, true)
  const open = (own: FullStackAuthConfig) => {
    const auth = getFullStackEngine(own)
    auth.onBackgroundWork(backgroundListener(host))
    return auth
  }
  const engineOf = createEngineResolver(config, open, createReceiver(host))
  const early = createLogger(fixed?.logger, false)
  const handler = createHandler(engineOf, host, early)
  const { signIn, signOut, update, startSession } = createServerActions(engineOf, host)
  return {
    handlers: { GET: handler, POST: handler, OPTIONS: handler },
    // The types of sessions come from the `session` callback of this configuration.
    auth: Object.assign(createAuthFunction(engineOf, host), {
      ...createGuards(engineOf, host, early),
      cors: createCors(engineOf),
      csrf: createCsrf(engineOf, host, early),
    }) as Result['auth'],
    signIn: signIn as Result['signIn'],
    signOut: signOut as Result['signOut'],
    unstable_update: update as Result['unstable_update'],
    startSession,
    ...createFunctions<SessionOf<C>, StoredUserOf<C>>(engineOf, host, early),
  }
}

/**
 * Returns one listener for each host, for work such as the sending of mails. An engine calls it once, even if several
 * `initAuth` share its configuration.
 */
const backgroundListener = perOwner((host: AuthHost) => (work: Promise<unknown>) => {
  host.waitUntil?.(work)
})
