/** The store of provider tokens, guarded. */
import { recordsOf } from '../../store/guard.js'
import { providerTokensTable, type Records } from '../../store/tables.js'
import type { AccountKey } from '../../types/adapter.js'
import type { RecordStore } from '../../types/store.js'
import type { KeptTokens } from './seal.js'

/** The records of provider tokens. */
export interface GuardedTokens extends Omit<Records<typeof providerTokensTable>, 'take'> {
  /**
   * Checks whether there is room for what the provider may send at the next renewal, where room is short.
   *
   * @param purpose Before a `renewal` the refresh token must be sure to fit afterwards; at a `connection` all of the tokens.
   * @throws {@link SessionTooLarge}
   */
  assertRoom?(key: AccountKey, tokens: KeptTokens, purpose: 'connection' | 'renewal'): Promise<void>
}

/** Guards the store. @param timeout Milliseconds that a method may take. */
export function guardTokens(store: RecordStore, timeout: number): GuardedTokens {
  return recordsOf(store, providerTokensTable, { keeps: 'provider tokens', timeout })
}
