/**
 * The vault: the tokens of users' accounts at providers, stored and refreshed. Loaded at the first use, if `tokens` is
 * set.
 */
import type { ConsentReason } from '../../errors.js'
import type { StoredTokens } from './description.js'
import type { KeptTokens } from './seal.js'
import { grantedTo, needOf, type Wish } from './token-sets.js'
import { open, type Vault } from './vault.js'

export { openConnection, sealConnection } from './connection.js'
export { CookieTokens, clearTokens } from './cookie.js'
export { keepTokens, takeTokens } from './keep.js'
export { type AskedUnder, RefreshFault } from './refresh-fault.js'
export type { Refresh } from './renew.js'
export type { KeptTokens, TokenOwner } from './seal.js'
export type { Wish } from './token-sets.js'
export { type Use, useTokens } from './use.js'
export { rowsOf, type Vault, vaultOf, type Whose } from './vault.js'

/** Returns the scope of a record's grant, as far as known. */
export async function grantOf(vault: Vault, row: StoredTokens): Promise<string | undefined> {
  const { tokens } = await open(vault, row)
  return tokens ? grantedTo(tokens) : undefined
}

/** Returns the reason why the user has to consent again; `undefined` if the tokens suffice, or can be refreshed. */
export function consentFor(tokens: KeptTokens, wish: Wish): ConsentReason | undefined {
  const need = needOf({ row: { needsConsent: false }, tokens }, wish)
  return need.kind === 'consent' ? need.reason : undefined
}
