/**
 * `server-auth`: authentication for Express.
 *
 * @example
 * ```ts
 * import { getSession, ServerAuth } from 'server-auth'
 * import Google from 'server-auth/providers/google'
 *
 * const config = { providers: [Google] }
 * app.set('trust proxy', 1)
 * app.use('/auth', ServerAuth(config))
 * ```
 */
export {
  type CallRequest,
  type CallResponse,
  signIn,
  signOut,
  startSession,
  update,
} from './calls/index.js'
export { cors } from './cors.js'
export { type DefinedAuth, defineAuth, type ExpressCsrfFunctions } from './define-auth.js'
export { AuthError, CredentialsSignin } from './errors.js'
export type * from './features/api-keys/types.js'
export type * from './features/limits/types.js'
export type * from './features/organizations/types.js'
export type * from './features/passwords/provider-types.js'
export type * from './features/passwords/types.js'
export type * from './features/tokens/types.js'
export type * from './features/watch/types.js'
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
} from './functions/index.js'
export { csrfField, type FormRequest, getCsrfToken, hasCsrfToken } from './get-csrf-token.js'
export { getSession, type SessionOf, type SessionRequest, type UserFieldsOf } from './get-session.js'
export type { GuardedSession, GuardHandler, SessionGuard, SessionOrKeyGuard } from './guard.js'
export { requireCsrf } from './require-csrf.js'
export {
  type RequireOrganizationOptions,
  type RequireOrganizationOrKeyOptions,
  type RequireSessionOptions,
  type RequireSessionOrKeyOptions,
  requireSession,
} from './require-session.js'
export type { ServerAuthRouter } from './router/index.js'
export { ServerAuth } from './server-auth.js'
export type * from './types/account.js'
export type * from './types/adapter.js'
export type * from './types/calls.js'
export type * from './types/config.js'
export type * from './types/cookies.js'
export type * from './types/guards.js'
export type * from './types/i18n.js'
export type * from './types/identity.js'
export type { DefaultJWT, JWT, JWTOptions } from './types/jwt.js'
export type * from './types/logger.js'
export type * from './types/outcome.js'
export type * from './types/pages.js'
export type * from './types/passkey.js'
export type * from './types/provider.js'
export type * from './types/provider-ids.js'
export type * from './types/provider-parts.js'
export type * from './types/session.js'
export type * from './types/store.js'
export { customFetch, skipCSRFCheck } from './types/symbols.js'
export type * from './types/telemetry.js'
export type * from './types/theme.js'
export type * from './types/users.js'
