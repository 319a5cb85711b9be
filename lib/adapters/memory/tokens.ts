/** Provider tokens in the memory of one process. */
import type { AccountKey } from '../../types/adapter.js'
import type { StoredTokens, TokenLease, TokenStore } from '../../types/tokens.js'
import { accountKey, Table } from './tables.js'

/** Options of {@link memoryTokens}. */
export interface MemoryTokensOptions {
  /** How many rows are held. Default 100,000. When it is full, storing one more rejects: a row is never dropped. */
  maxRecords?: number
}

/** Who renews the tokens of a row, and until when by `performance.now()`, which nobody sets back. */
interface Lease {
  readonly leaseId: string
  readonly end: number
}

/**
 * Keeps provider tokens in this process, for `tokens.store`: for tests, demos and applications of one process. Who restarts it has
 * to ask people to connect again. Make it once.
 *
 * @throws {RangeError} When `maxRecords` is not a whole number above 0.
 * @example
 * ```ts
 * const config = { providers: [Google], adapter: memoryAdapter(), tokens: { store: memoryTokens() } }
 * ```
 */
export function memoryTokens({ maxRecords = 100_000 }: MemoryTokensOptions = {}): TokenStore {
  if (!Number.isSafeInteger(maxRecords) || maxRecords < 1)
    throw new RangeError('`maxRecords` is a whole number above 0.')
  const leases = new Map<string, Lease>()
  const rows = new Table<StoredTokens>('row of provider tokens', {
    capacity: maxRecords,
    keyOf: accountKey,
    groupOf: ({ userId }) => userId,
    onRemove: (row) => void leases.delete(accountKey(row)),
  })
  return {
    find(key: AccountKey) {
      const row = rows.get(accountKey(key))
      return row && { ...row }
    },
    findByUser: (userId, provider) =>
      rows
        .in(userId)
        .filter((row) => provider === undefined || row.provider === provider)
        .map((row) => ({ ...row })),
    write(row, previous) {
      const key = accountKey(row)
      const before = rows.get(key)
      if ((before?.version ?? 0) !== previous) return false
      const { provider, providerAccountId, userId, sealed, expiresAt, scope, needsConsent } = row
      const next = {
        provider,
        providerAccountId,
        userId,
        sealed,
        expiresAt,
        scope,
        needsConsent,
        version: previous + 1,
      }
      if (before) rows.put(next)
      else rows.insert(next)
      return true
    },
    lease(key, { version, leaseId, seconds }: TokenLease) {
      const name = accountKey(key)
      const now = performance.now()
      const known = leases.get(name)
      const isBusy = known !== undefined && known.leaseId !== leaseId && known.end > now
      if (isBusy || rows.get(name)?.version !== version) return false
      leases.set(name, { leaseId, end: now + seconds * 1000 })
      return true
    },
    release(key, leaseId) {
      const name = accountKey(key)
      if (leases.get(name)?.leaseId === leaseId) leases.delete(name)
    },
    remove(key, userId) {
      const name = accountKey(key)
      if (rows.get(name)?.userId === userId) rows.remove(name)
    },
  }
}
