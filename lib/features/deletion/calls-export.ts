/** The export of a user's data. It follows the descriptions of tables, and withholds what they do not name. Loaded with the administration of users. */
import { describeSignInMethods, findStoredUser, listOpenSessions } from '../../account/stored-user.js'
import type { AnyCall } from '../../functions/run.js'
import type { RecordTable, StoredRecord } from '../../types/store.js'
import { invitationsTable } from '../members/description.js'
import { invitationsTo } from '../members/store.js'
import { requireDeletion, type UserRecords, userRecordsOf } from './store.js'
import type { UserExport, WithheldData } from './types.js'

const userColumns = ['id', 'name', 'email', 'emailVerified', 'image']
const accountColumns = ['provider', 'providerAccountId', 'type', 'scope']

const secretReason = 'It is a secret, a hash, or of use to the library only.'
const unknownReason = 'The library does not know what the column contains.'

/** The data without a place of its own in the export. */
const otherData: readonly WithheldData[] = [
  { name: 'verification tokens', why: 'They are hashes of email links, and expire.' },
  { name: 'counts of attempts', why: 'They are stored under keyed hashes, and expire.' },
  { name: 'ended sessions', why: 'They are stored under hashes, and expire.' },
]

/** Returns the stored data of a user; `null` if no stored user has the id. */
export async function exportUser(call: AnyCall, userId: string): Promise<UserExport | null> {
  const { userColumns: declared } = requireDeletion(call.auth.config)
  const owner = await findStoredUser(call, userId, 'users.export')
  if (!owner) return null
  const { resolved: config, store, user } = owner
  const [sessions, { passkeys }, accounts, invitations, own] = await Promise.all([
    listOpenSessions(owner),
    describeSignInMethods(owner),
    store.abilities.listAccounts ? store.listAccounts(user.id) : [],
    config.organizations?.stored ? invitationsTo(config.organizations.stored, user) : [],
    Promise.all(userRecordsOf(config, user.id).map(readTable)),
  ])
  const tables = [...own, toExported(invitationsTable, invitations)]
  const ofUser = splitColumns('users', { ...user }, [...userColumns, ...declared])
  const ofAccounts = accounts.map((account) => splitColumns('accounts', { ...account }, accountColumns, ['userId']))
  const withheld = [...ofUser.withheld, ...ofAccounts.flatMap((each) => each.withheld)].map((name) => ({
    name,
    why: unknownReason,
  }))
  const secrets = tables.flatMap((each) => each.withheld).map((name) => ({ name, why: secretReason }))
  return {
    user: ofUser.shown,
    accounts: ofAccounts.map(({ shown }) => shown),
    passkeys: passkeys.map(({ isLast: _isLast, ...passkey }) => passkey),
    sessions: sessions.map(({ current: _current, ...session }) => session),
    records: joinTables(tables),
    withheld: [...new Map([...withheld, ...secrets].map((each) => [each.name, each])).values(), ...otherData],
  }
}

interface ExportedTable {
  readonly name: string
  readonly rows: readonly StoredRecord[]
  readonly withheld: readonly string[]
}

async function readTable({ table, records, names }: UserRecords): Promise<ExportedTable> {
  return toExported(table, (await Promise.all(names.map((owner) => records.list(owner)))).flat())
}

function toExported({ name, columns, exported = [] }: RecordTable, rows: readonly StoredRecord[]): ExportedTable {
  const shown = rows.map((row) => Object.fromEntries(exported.map((column) => [column, row[column] ?? null])))
  const hidden = Object.keys(columns).filter((column) => column !== 'userId' && !exported.includes(column))
  return { name, rows: shown, withheld: rows.length > 0 ? hidden.map((column) => `${name}.${column}`) : [] }
}

/** Joins the records of all stores. Tables without records are left out. */
function joinTables(tables: readonly ExportedTable[]): UserExport['records'] {
  const joined: Record<string, StoredRecord[]> = {}
  for (const { name, rows } of tables) if (rows.length > 0) joined[name] = [...(joined[name] ?? []), ...rows]
  return joined
}

/** Divides a record into the columns that are exported, and the names of the others. Columns without a value are left out. */
function splitColumns(
  table: string,
  record: Readonly<Record<string, unknown>>,
  exported: readonly string[],
  known: readonly string[] = [],
) {
  const entries = Object.entries(record).filter(([name, value]) => value != null && !known.includes(name))
  return {
    shown: Object.fromEntries(entries.filter(([name]) => exported.includes(name))),
    withheld: entries.filter(([name]) => !exported.includes(name)).map(([name]) => `${table}.${name}`),
  }
}
