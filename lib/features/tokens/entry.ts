/**
 * The vault: the tokens of users' accounts at providers, stored and refreshed. Loaded at the first use, if `tokens` is
 * set.
 */
import type { ConsentReason } from '../../errors.js'
import type { StoredTokens } from './description.js'
import type { KeptTokens } from './seal.js'
import { grantedScope, type TokenRequirement, tokenNeedOf } from './token-sets.js'
import { openTokenRecord, type Vault } from './vault.js'

export { openConnection, sealConnection } from './connection.js'
export { CookieTokens, clearTokens } from './cookie.js'
export { RefreshFault, type RefreshPermission } from './refresh-fault.js'
export type { Refresh } from './renew.js'
export type { KeptTokens, TokenOwner } from './seal.js'
export { storeSignInTokens, takeTokens } from './store-tokens.js'
export type { TokenRequirement } from './token-sets.js'
export { type TokenUse, useTokens } from './usable-tokens.js'
export { type TokenQuery, tokenRecordsOf, type Vault, vaultOf } from './vault.js'

/** Returns the scope of a record's grant, as far as known. */
export async function grantedScopeOf(vault: Vault, row: StoredTokens): Promise<string | undefined> {
  const { tokens } = await openTokenRecord(vault, row)
  return tokens ? grantedScope(tokens) : undefined
}

/** Returns the reason why the user has to consent again; `undefined` if the tokens suffice, or can be refreshed. */
export function consentReasonFor(tokens: KeptTokens, requirement: TokenRequirement): ConsentReason | undefined {
  const need = tokenNeedOf({ record: { needsConsent: false }, tokens }, requirement)
  return need.kind === 'consent' ? need.reason : undefined
}
