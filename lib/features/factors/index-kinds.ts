/** The kinds of second factors, for the option `factors`. */
import type { EmailCodeConfig, PasskeyFactorConfig, RecoveryCodesConfig, TotpConfig } from './types.js'

/**
 * Codes of an authenticator app (RFC 6238): six digits, a new one each 30 seconds. The QR code is drawn where `uqr` is installed; the key is
 * shown as text in any case.
 *
 * @example
 * ```ts
 * const config = { providers, adapter, factors: [Totp({ issuer: 'Example' }), RecoveryCodes()] }
 * ```
 */
export function Totp(options: Omit<TotpConfig, 'type'> = {}): TotpConfig {
  return { ...options, type: 'totp' }
}

/** The passkeys that a person has with a provider of passkeys, as their second factor after another way to sign in. */
export function PasskeyFactor(options: Omit<PasskeyFactorConfig, 'type'> = {}): PasskeyFactorConfig {
  return { ...options, type: 'passkey' }
}

/** Codes on paper, each good once: the way in when a phone is lost. A person gets them with their first factor. */
export function RecoveryCodes(options: Omit<RecoveryCodesConfig, 'type'> = {}): RecoveryCodesConfig {
  return { ...options, type: 'recovery' }
}

/** A code that is mailed to the person's address. It is no second factor for who has signed in by a mailed link. */
export function EmailCode(options: Omit<EmailCodeConfig, 'type'> = {}): EmailCodeConfig {
  return { ...options, type: 'email' }
}
