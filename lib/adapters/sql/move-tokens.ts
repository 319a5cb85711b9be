/**
 * Moves the tokens of providers from the accounts' table to `auth_provider_tokens`, for `npx server-auth migrate
 * --seal-tokens`. Each batch is one transaction: a token is in one table or the other, and an interrupted run can be
 * continued.
 */
import { type SelectQueryBuilder, sql } from 'kysely'
import { providerTokensTable, type StoredTokens } from '../../features/tokens/description.js'
import type { AccountKey, AdapterAccount } from '../../types/adapter.js'
import type { RecordStore } from '../../types/store.js'
import { type AnyKysely, type Database, detectDialect, toDatabase } from './database.js'
import { type Layout, type LayoutOptions, readDialect, resolveLayout } from './layout.js'
import { createSqlRecords } from './record-store.js'
import { decodeRow, keysEqual, readAll, toKeys } from './rows.js'
import { tableExists } from './schema.js'
import { runTransaction } from './transaction.js'
import { isStorableId } from './values.js'

/** The stored tokens of an account. */
export type SealedTokens = Pick<StoredTokens, 'sealed' | 'expiresAt' | 'scope'>

/** The options of {@link moveTokens}. */
export interface MoveTokensOptions extends Pick<LayoutOptions, 'dialect' | 'preset'> {
  /**
   * Seals the tokens of an account.
   *
   * `stored` is the existing record of the account. It is newer, because an application with a token store writes no
   * tokens into accounts. Returns `null` to keep it.
   */
  seal(account: AdapterAccount, stored: StoredTokens | null): Promise<SealedTokens | null>
}

/** The result of {@link moveTokens}: numbers of accounts. */
export interface MovedTokens {
  readonly moved: number
  /** Accounts with ids that the table cannot store. They are not changed. */
  readonly skipped: number
}

/** The number of accounts in one transaction. */
const accountBatchSize = 100

const tokenColumns = ['access_token', 'refresh_token', 'id_token'] as const
const cleared = {
  access_token: null,
  refresh_token: null,
  id_token: null,
  expires_at: null,
  scope: null,
  token_type: null,
}

/**
 * Moves the tokens of all accounts of the types `oauth` and `oidc`. It can be run repeatedly, and in several processes
 * at once.
 *
 * @throws {TypeError} When an option is invalid.
 */
export async function moveTokens(db: AnyKysely, options: MoveTokensOptions): Promise<MovedTokens> {
  const { database, layout } = openDatabase(db, options)
  let [moved, skipped] = [0, 0]
  let last: AccountKey | undefined
  for (;;) {
    const keys = await nextKeys(withTokens(database, layout), last)
    last = keys.at(-1)
    if (!last) return { moved, skipped }
    const storable = keys.filter(({ provider, providerAccountId }) => [provider, providerAccountId].every(isStorableId))
    skipped += keys.length - storable.length
    if (storable.length > 0) moved += await moveBatch(database, layout, storable, options)
  }
}

/** Returns the number of accounts with unencrypted tokens; 0 when there is no table of accounts. */
export async function countOpenTokens(db: AnyKysely, options: Omit<MoveTokensOptions, 'seal'>): Promise<number> {
  const { database, layout } = openDatabase(db, options)
  if (!(await tableExists(database, layout.dialect, layout.tables.accounts))) return 0
  const query = withTokens(database, layout).select(sql`count(*)`.as('count'))
  return Number((await query.executeTakeFirst())?.count ?? 0)
}

/**
 * Returns any record of the token table. The caller checks that its secrets open it before it seals others with them.
 */
export async function anyStoredTokens(
  db: AnyKysely,
  options: Omit<MoveTokensOptions, 'seal'>,
): Promise<StoredTokens | null> {
  const { database, layout } = openDatabase(db, options)
  if (!(await tableExists(database, layout.dialect, providerTokensTable.name))) return null
  const row = await database
    .selectFrom(providerTokensTable.name)
    .select(['provider', 'providerAccountId'])
    .limit(1)
    .executeTakeFirst()
  return row ? findTokens(createSqlRecords(database, layout.dialect), toAccountKey(row)) : null
}

function openDatabase(db: unknown, { dialect, preset = 'default' }: Omit<MoveTokensOptions, 'seal'>) {
  const database = toDatabase(db)
  const layout = resolveLayout(readDialect(dialect) ?? detectDialect(database), { preset })
  return { database, layout }
}

function withTokens(db: Database, { tables }: Layout) {
  return db
    .selectFrom(tables.accounts)
    .where('type', 'in', ['oauth', 'oidc'])
    .where(({ or, eb }) => or(tokenColumns.map((column) => eb(column, 'is not', null))))
}

/** Returns the keys of the next records after the last one, in key order. It takes no lock, so sign-ins continue. */
export async function nextKeys(
  query: SelectQueryBuilder<Record<string, Record<string, unknown>>, string, object>,
  last: AccountKey | undefined,
): Promise<readonly AccountKey[]> {
  const keys = query.select(['provider', 'providerAccountId'])
  const rest = last
    ? keys.where(({ or, and, eb }) =>
        or([
          eb('provider', '>', last.provider),
          and([eb('provider', '=', last.provider), eb('providerAccountId', '>', last.providerAccountId)]),
        ]),
      )
    : keys
  return (await rest.orderBy('provider').orderBy('providerAccountId').limit(accountBatchSize).execute()).map(
    toAccountKey,
  )
}

function toAccountKey({ provider, providerAccountId }: Readonly<Record<string, unknown>>): AccountKey {
  return { provider: String(provider), providerAccountId: String(providerAccountId) }
}

/** Moves a batch. Returns the number of accounts that still had tokens. */
async function moveBatch(
  db: Database,
  layout: Layout,
  keys: readonly AccountKey[],
  { seal }: Pick<MoveTokensOptions, 'seal'>,
): Promise<number> {
  return inTransaction(db, layout, async (inside) => {
    let moved = 0
    for (const key of keys) {
      const account = await lockAccount(inside, layout, key)
      if (!account) continue
      await storeSealedTokens(inside, layout, account, seal)
      await inside.updateTable(layout.tables.accounts).set(cleared).where(isAccountRow(layout, key)).execute()
      moved += 1
    }
    return moved
  })
}

/**
 * Runs a transaction in which each statement sees what others have committed, so that a row that was just written is
 * seen.
 */
function inTransaction<T>(db: Database, { dialect }: Layout, work: (db: Database) => Promise<T>): Promise<T> {
  if (dialect === 'sqlite') return runTransaction(db, dialect, work)
  return db.transaction().setIsolationLevel('read committed').execute(work)
}

function isAccountRow(layout: Layout, { provider, providerAccountId }: AccountKey) {
  return keysEqual(layout, toKeys(layout, 'accounts', { provider, providerAccountId }) ?? [])
}

/** Locks the account until the end of the transaction and returns it, if it still has tokens. */
async function lockAccount(db: Database, layout: Layout, key: AccountKey): Promise<AdapterAccount | null> {
  const query = withTokens(db, layout).select(readAll(layout, 'accounts')).where(isAccountRow(layout, key))
  // SQLite's transactions lock the whole database.
  const row = await (layout.dialect === 'sqlite' ? query : query.forUpdate()).executeTakeFirst()
  return row ? decodeRow(layout, 'accounts', row) : null
}

/** The number of attempts. A sign-in with the same account in between is rare. */
const maxStoreAttempts = 5

async function storeSealedTokens(
  db: Database,
  layout: Layout,
  account: AdapterAccount,
  seal: MoveTokensOptions['seal'],
): Promise<void> {
  const { provider, providerAccountId, userId } = account
  const records = createSqlRecords(db, layout.dialect)
  for (let count = 0; count < maxStoreAttempts; count += 1) {
    const stored = await findTokens(records, { provider, providerAccountId })
    const sealed = await seal(account, stored)
    if (!sealed) return
    const row = { provider, providerAccountId, userId, ...sealed, needsConsent: false }
    if (await records.write(providerTokensTable, row, stored?.version ?? 0)) return
  }
  throw new Error('The tokens of an account changed repeatedly, so its batch was not moved. Try again.')
}

/** Reads the tokens of an account. */
export async function findTokens(records: RecordStore, key: AccountKey): Promise<StoredTokens | null> {
  // The driver returns the columns of the description.
  return (await records.find(providerTokensTable, { ...key })) as StoredTokens | null
}
