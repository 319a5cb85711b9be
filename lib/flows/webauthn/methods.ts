/** What a session says of a passkey. */

/** What the data that an authenticator signed says (WebAuthn Level 3 §6.1). */
export interface SignedFlags {
  readonly userVerified: boolean
  readonly credentialDeviceType: 'singleDevice' | 'multiDevice'
}

/**
 * The methods (RFC 8176 §2): a key in hardware, or one that is synchronised and so in software; somebody was there; and two
 * factors where the authenticator asked for a PIN or a finger before it signed.
 */
export function passkeyMethods({ userVerified, credentialDeviceType }: SignedFlags): readonly string[] {
  const key = credentialDeviceType === 'singleDevice' ? 'hwk' : 'swk'
  return userVerified ? [key, 'user', 'mfa'] : [key, 'user']
}
