/** The kinds of second factors, for the option `factors`. */
import type { EmailCodeConfig, PasskeyFactorConfig, RecoveryCodesConfig, TotpConfig } from './types.js'

/**
 * Returns the factor of an authenticator app (RFC 6238): six digits, a new code every 30 seconds.
 *
 * The QR code is drawn if `uqr` is installed. The key is always shown as text.
 *
 * @example
 * ```ts
 * const config = { providers, adapter, factors: [Totp({ issuer: 'Example' }), RecoveryCodes()] }
 * ```
 */
export function Totp(options: Omit<TotpConfig, 'type'> = {}): TotpConfig {
  return { ...options, type: 'totp' }
}

/** Returns the factor of a user's passkeys, as a second factor after another sign-in method. */
export function PasskeyFactor(options: Omit<PasskeyFactorConfig, 'type'> = {}): PasskeyFactorConfig {
  return { ...options, type: 'passkey' }
}

/**
 * Returns the factor of recovery codes, each valid once, for users who lost their phone. Users get them with their
 * first factor.
 */
export function RecoveryCodes(options: Omit<RecoveryCodesConfig, 'type'> = {}): RecoveryCodesConfig {
  return { ...options, type: 'recovery' }
}

/** Returns the factor of codes sent to the user's email address. It is not available after a sign-in by email link. */
export function EmailCode(options: Omit<EmailCodeConfig, 'type'> = {}): EmailCodeConfig {
  return { ...options, type: 'email' }
}
