/** The two types that providers of passkeys have: `passkey` finds them without a name. */
import type { WebAuthnProviderType } from './types.js'

/** Whether a provider, or an account, is one of passkeys. */
export function isPasskeyType(type: string | undefined): type is WebAuthnProviderType {
  return type === 'webauthn' || type === 'passkey'
}
