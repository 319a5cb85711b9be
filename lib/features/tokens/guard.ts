/** The guard of the store of provider tokens. */
import { guardRecords } from '../../store/guard.js'
import type { AccountKey } from '../../types/adapter.js'
import type { Records } from '../../types/records.js'
import type { RecordStore } from '../../types/store.js'
import { providerTokensTable } from './description.js'
import type { KeptTokens } from './seal.js'

/** The records of provider tokens. */
export interface GuardedTokens extends Omit<Records<typeof providerTokensTable>, 'take' | 'page'> {
  /**
   * Checks whether the tokens of the next refresh will fit, if room is limited.
   *
   * @param purpose At a `renewal` the refresh token must fit afterwards; at a `connection` all tokens.
   * @throws {@link SessionTooLarge}
   */
  assertRoom?(key: AccountKey, tokens: KeptTokens, purpose: 'connection' | 'renewal'): Promise<void>
}

/** Guards the store. @param timeout Milliseconds that a method may take. */
export function guardTokens(store: RecordStore, timeout: number): GuardedTokens {
  return guardRecords(store, providerTokensTable, { keeps: 'provider tokens', timeout })
}
