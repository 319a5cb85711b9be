/** Accounts that stand for a user's passkeys. */
import type { AdapterAccount } from '../types/adapter.js'

/** Whether an account is one. Both types of providers make them. */
export function isPasskeyAccount({ type }: AdapterAccount): boolean {
  return type === 'webauthn' || type === 'passkey'
}
