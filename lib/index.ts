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
  type AccountOverview,
  type ChangeEmailOptions,
  type ChangeEmailResult,
  changeEmail,
  deletePasskey,
  endOtherSessions,
  endSession,
  getAccount,
  type LinkedAccount,
  type LinkedPasskey,
  type OpenSession,
  renamePasskey,
  unlinkAccount,
} from './account/index.js'
export type * from './adapters/types.js'
export { type DefinedAuth, defineAuth } from './define-auth.js'
export { AuthError, CredentialsSignin } from './errors.js'
export { type FormRequest, getCsrfToken, hasCsrfToken } from './get-csrf-token.js'
export { getSession, type SessionOf, type SessionRequest } from './get-session.js'
export type { DefaultJWT, JWT, JWTOptions } from './jwt.js'
export type { LoggerInstance, WarningCode } from './logger.js'
export type * from './providers/types.js'
export { type RequireSessionOptions, requireSession } from './require-session.js'
export type { ServerAuthRouter } from './router/index.js'
export { ServerAuth } from './server-auth.js'
export { customFetch, skipCSRFCheck } from './symbols.js'
export type * from './types.js'
