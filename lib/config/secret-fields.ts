/** Which fields of a credentials form prove something, and which say who or where somebody is. */
import type { CredentialInput } from '../types/provider-parts.js'

const secretNames =
  /pass|pwd|secret|otp|^(?:pin|code|token)$|(?:auth\w*|verif\w*|sms|mfa|2fa|factor|backup|recovery|security|login)[-_]?(?:code|pin|token)$/i

/**
 * Whether what is typed into a field proves something, and is another one each time. A name that may as well be that of a tenant
 * (`companyCode`) is none: a browser that is known without it would be known for the namesake in each company.
 */
export function isSecretField(name: string, { type }: CredentialInput = {}): boolean {
  return type === 'password' || secretNames.test(name)
}
