/** The developer's store of provider tokens, with a time-out around each method and errors that name it. */
import { isRecord } from '../base/guards.js'
import { guardedCalls, toAnswer } from '../store/guarded-calls.js'
import type { AccountKey } from '../types/adapter.js'
import type { StoredTokens, TokenStore } from '../types/tokens.js'
import type { KeptTokens } from './seal.js'

/** A store whose methods answer in time, or reject with {@link AdapterError}. What it returns is what the types say. */
export interface GuardedTokens {
  find(key: AccountKey): Promise<StoredTokens | null>
  findByUser(userId: string, provider: string): Promise<readonly StoredTokens[]>
  write(row: Omit<StoredTokens, 'version'>, previous: number): Promise<boolean>
  lease(key: AccountKey, lease: Parameters<TokenStore['lease']>[1]): Promise<boolean>
  release(key: AccountKey, leaseId: string): Promise<void>
  remove(key: AccountKey, userId: string): Promise<void>
  /**
   * Checks whether there is room for what the provider may send at the next renewal, where room is short.
   *
   * @param purpose Before a `renewal` the refresh token must be sure to fit afterwards; at a `connection` all of the tokens.
   * @throws {@link SessionTooLarge}
   */
  assertRoom?(key: AccountKey, tokens: KeptTokens, purpose: 'connection' | 'renewal'): Promise<void>
}

/** @param timeout Milliseconds that a method may take. */
export function guardTokens(store: TokenStore, timeout: number): GuardedTokens {
  const call = guardedCalls(store, { keeps: 'provider tokens', timeout })
  return {
    find: (key) => call('find', [key], (value) => (value ? toRow(value, key) : null)),
    findByUser: (userId, provider) =>
      call('findByUser', [userId, provider], (value) => toRows(value, userId, provider)),
    write: (row, previous) => call('write', [row, previous], toAnswer),
    lease: (key, lease) => call('lease', [key, lease], toAnswer),
    release: (key, leaseId) => call('release', [key, leaseId], () => undefined),
    remove: (key, userId) => call('remove', [key, userId], () => undefined),
  }
}

function toRows(value: unknown, userId: string, provider: string): readonly StoredTokens[] {
  if (!Array.isArray(value)) throw new TypeError('It returned no list of rows.')
  // Some databases take ids that differ in case only for the same: such a row is somebody else's.
  return value.map((row) => toRow(row)).filter((row) => row.userId === userId && row.provider === provider)
}

function toRow(value: unknown): StoredTokens
function toRow(value: unknown, key: AccountKey): StoredTokens | null
function toRow(value: unknown, key?: AccountKey): StoredTokens | null {
  if (!isRow(value)) throw new TypeError('It returned no row of provider tokens.')
  if (key && (value.provider !== key.provider || value.providerAccountId !== key.providerAccountId)) return null
  return value
}

function isRow(value: unknown): value is StoredTokens {
  if (!isRecord(value)) return false
  const { provider, providerAccountId, userId, sealed, version } = value
  const texts = [provider, providerAccountId, userId, sealed].every((text) => typeof text === 'string')
  return texts && typeof version === 'number' && Number.isSafeInteger(version)
}
