/** The authentication methods of a passkey. */

/** The signed flags of an authenticator (WebAuthn Level 3 §6.1). */
export interface SignedFlags {
  readonly userVerified: boolean
  readonly credentialDeviceType: 'singleDevice' | 'multiDevice'
}

/**
 * Returns the methods (RFC 8176 §2): a key in hardware, or a synchronised one in software; user presence; and two
 * factors if the authenticator verified a PIN or biometrics before it signed.
 */
export function passkeyMethods({ userVerified, credentialDeviceType }: SignedFlags): readonly string[] {
  const key = credentialDeviceType === 'singleDevice' ? 'hwk' : 'swk'
  return userVerified ? [key, 'user', 'mfa'] : [key, 'user']
}
