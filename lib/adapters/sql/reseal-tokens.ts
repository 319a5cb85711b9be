/** Re-encrypts stored provider tokens after a change of the secret, for `npx server-auth migrate --seal-tokens`. */
import { randomBytes } from 'node:crypto'
import { providerTokensTable, type StoredTokens } from '../../features/tokens/description.js'
import type { AccountKey } from '../../types/adapter.js'
import type { RecordStore } from '../../types/store.js'
import { type AnyKysely, detectDialect, toDatabase } from './database.js'
import { type LayoutOptions, readDialect } from './layout.js'
import { findTokens, nextKeys } from './move-tokens.js'
import { createSqlRecords } from './record-store.js'

/** The options of {@link resealTokens}. */
export interface ResealOptions extends Pick<LayoutOptions, 'dialect'> {
  /** Returns the text of a row under the newest secret; `null` if it already is, `undefined` if no secret opens it. */
  reseal(row: StoredTokens): Promise<string | null | undefined>
}

/** The result of {@link resealTokens}: numbers of accounts. */
export interface Resealed {
  readonly resealed: number
  /** Accounts whose tokens another process was renewing. */
  readonly busy: number
  readonly unreadable: number
}

const tokensTable = providerTokensTable

/** More seconds than one row takes. */
const leaseSeconds = 30

/**
 * Reseals all rows that are not under the newest secret. Applications may run meanwhile, and an interrupted run can be
 * repeated.
 */
export async function resealTokens(db: AnyKysely, { dialect, reseal }: ResealOptions): Promise<Resealed> {
  const database = toDatabase(db)
  const records = createSqlRecords(database, readDialect(dialect) ?? detectDialect(database))
  const counts = { resealed: 0, busy: 0, unreadable: 0, current: 0 }
  let last: AccountKey | undefined
  for (;;) {
    const keys = await nextKeys(database.selectFrom(tokensTable.name), last)
    last = keys.at(-1)
    if (!last) return counts
    for (const key of keys) {
      const row = await findTokens(records, key)
      if (row) counts[await resealRow(records, row, reseal)] += 1
    }
  }
}

/** Reseals a row under a lease: a concurrent renewal would lose the provider's new tokens. */
async function resealRow(
  records: RecordStore,
  row: StoredTokens,
  reseal: ResealOptions['reseal'],
): Promise<keyof Resealed | 'current'> {
  const sealed = await reseal(row)
  if (sealed === undefined) return 'unreadable'
  if (sealed === null) return 'current'
  const { version, ...rest } = row
  const key = { provider: row.provider, providerAccountId: row.providerAccountId }
  const leaseId = randomBytes(16).toString('base64url')
  if (!(await records.lease(tokensTable, key, { version, leaseId, seconds: leaseSeconds }))) return 'busy'
  const isWritten = await records.write(tokensTable, { ...rest, sealed }, version)
  await records.release(tokensTable, key, leaseId)
  return isWritten ? 'resealed' : 'busy'
}
