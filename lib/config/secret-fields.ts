/** The distinction of secret fields of a credentials form from those that identify the user or tenant. */
import type { CredentialInput } from '../types/provider-parts.js'

const secretNames =
  /pass|pwd|secret|otp|^(?:pin|code|token)$|(?:auth\w*|verif\w*|sms|mfa|2fa|factor|backup|recovery|security|login)[-_]?(?:code|pin|token)$/i

/**
 * Checks whether a field contains a secret. A name that may be a tenant's (`companyCode`) is not secret: otherwise a
 * browser that is known to one tenant would be known for the same user name in all.
 */
export function isSecretField(name: string, { type }: CredentialInput = {}): boolean {
  return type === 'password' || secretNames.test(name)
}
