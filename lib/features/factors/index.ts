/**
 * `server-auth/factors`: second factors for all sign-in methods.
 *
 * @example
 * ```ts
 * import { RecoveryCodes, Totp } from 'server-auth/factors'
 *
 * const config = { providers: [Google], adapter, factors: [Totp(), RecoveryCodes()] }
 * app.get('/payments', requireSession(config, { aal: 2, maxAge: 300 }), payments)
 * ```
 */
export { AccountMismatch, InvalidCode, ReauthenticationRequired, SecondFactorFailed } from '../../errors.js'
export { EmailCode, PasskeyFactor, RecoveryCodes, Totp } from './index-kinds.js'
export type * from './types.js'
