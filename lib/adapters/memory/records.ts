/** Records in the memory of one process. */
import type { RecordChange, RecordKey, RecordLease, RecordStore, RecordTable, StoredRecord } from '../../types/store.js'
import { Table } from './tables.js'

/** The holder of a lease, and its end by `performance.now()`, a clock that is never set back. */
interface LeaseHolder {
  readonly leaseId: string
  readonly end: number
}

/** The records of a table, and the leases on them. */
interface TableState {
  readonly rows: Table<StoredRecord>
  readonly leases: Map<string, LeaseHolder>
}

/** Creates the store, with a function that removes expired records. */
export function createMemoryRecords(capacity: number, hasUser?: (id: string) => boolean) {
  const tables = new Map<string, TableState>()
  const tableOf = (table: RecordTable): TableState => {
    const kept = tables.get(table.name) ?? createTable(table, capacity)
    tables.set(table.name, kept)
    return kept
  }
  const records: RecordStore = {
    find: (table, key) => structuredClone(tableOf(table).rows.get(recordName(table, key))),
    ...(hasUser && {
      findOfUser(table: RecordTable, key: RecordKey) {
        const row = tableOf(table).rows.get(recordName(table, key))
        return row && hasUser(String(row.userId)) ? structuredClone(row) : null
      },
    }),
    list: (table, by) => structuredClone(tableOf(table).rows.in(by)),
    write(table, record, previous) {
      const { rows } = tableOf(table)
      const before = rows.get(recordName(table, record))
      if ((before ? versionOf(before) : 0) !== previous) return false
      const next = nextVersion(table, record, previous)
      if (before) rows.put(next)
      else rows.insert(next)
      return true
    },
    take: (table, key) => tableOf(table).rows.remove(recordName(table, key)),
    remove(table, where) {
      const { rows } = tableOf(table)
      const chosen = chooseRows(table, rows, where)
      for (const row of chosen) rows.remove(recordName(table, row))
      return chosen.length
    },
    lease(table, key, { version, leaseId, seconds }: RecordLease) {
      const { rows, leases } = tableOf(table)
      const name = recordName(table, key)
      const now = performance.now()
      const known = leases.get(name)
      const isBusy = known !== undefined && known.leaseId !== leaseId && known.end > now
      if (isBusy || rows.get(name)?.version !== version) return false
      leases.set(name, { leaseId, end: now + seconds * 1000 })
      return true
    },
    release(table, key, leaseId) {
      const { leases } = tableOf(table)
      const name = recordName(table, key)
      if (leases.get(name)?.leaseId === leaseId) leases.delete(name)
    },
    ...groupMethods(tableOf),
  }
  return { records, prune: () => [...tables.values()].forEach(({ rows }) => void rows.prune()) }
}

/** Returns the methods for records of several tables, and for pages. */
function groupMethods(tableOf: (table: RecordTable) => TableState): Pick<RecordStore, 'writeAll' | 'page'> {
  return {
    writeAll: (changes) => changeAll(changes, tableOf),
    page(table, value, { after, limit }) {
      const [first = '', second = ''] = table.key
      const isAfter = (row: StoredRecord) => after === undefined || String(row[second]) > after
      const found = tableOf(table)
        .rows.all()
        .filter((row) => row[first] === value && isAfter(row))
      return structuredClone(
        found.sort((one, other) => (String(one[second]) < String(other[second]) ? -1 : 1)).slice(0, limit),
      )
    },
  }
}

/** Makes all changes, or none. */
function changeAll(changes: readonly RecordChange[], tableOf: (table: RecordTable) => TableState): boolean {
  const versions = changes.map((change) => {
    if (!('record' in change)) return true
    const before = tableOf(change.table).rows.get(recordName(change.table, change.record))
    return (before ? versionOf(before) : 0) === change.previous
  })
  if (versions.includes(false)) return false
  const undo: Array<() => unknown> = []
  try {
    for (const change of changes) {
      const { rows } = tableOf(change.table)
      const next = 'record' in change ? nextVersion(change.table, change.record, change.previous) : undefined
      const removed = 'remove' in change ? rows.all().filter((row) => matches(row, change.remove)) : []
      for (const row of removed) {
        rows.remove(recordName(change.table, row))
        undo.push(() => rows.put(row))
      }
      if (!next) continue
      const before = rows.get(recordName(change.table, next))
      if (before) rows.put(next)
      else rows.insert(next)
      undo.push(() => (before ? rows.put(before) : rows.remove(recordName(change.table, next))))
    }
    return true
  } catch (error) {
    // The table is full.
    for (const takeBack of undo.reverse()) takeBack()
    throw error
  }
}

/** Returns a copy of the record with its version. */
function nextVersion(table: RecordTable, record: StoredRecord, previous: number): StoredRecord {
  const columns = Object.keys(table.columns).map((column) => [column, record[column] ?? null] as const)
  return structuredClone({ ...Object.fromEntries(columns), ...(table.version && { version: previous + 1 }) })
}

function matches(row: StoredRecord, where: RecordKey): boolean {
  return Object.entries(where).every(([column, value]) => row[column] === value)
}

function createTable(table: RecordTable, capacity: number): TableState {
  const { by, evict, expires } = table
  const leases = new Map<string, LeaseHolder>()
  const rows = new Table<StoredRecord>(table.name, {
    capacity,
    keyOf: (row) => recordName(table, row),
    groupOf: (row) => String(row[by ?? evict ?? ''] ?? ''),
    endOf: (row) => expiryOf(expires === undefined ? null : row[expires]),
    keepsLiveRows: evict === undefined,
    onRemove: (row) => void leases.delete(recordName(table, row)),
  })
  return { rows, leases }
}

function expiryOf(expires: StoredRecord[string] | undefined): number {
  return expires instanceof Date ? expires.getTime() : Number.POSITIVE_INFINITY
}

/** Returns one text for the values of a key. The quotes of JSON keep them apart. */
function recordName({ key }: RecordTable, row: StoredRecord): string {
  return JSON.stringify(key.map((column) => row[column]))
}

/** Returns the version. Records without versions are written once. */
function versionOf({ version = Number.NaN }: StoredRecord): number {
  return Number(version)
}

function chooseRows({ key, by = '' }: RecordTable, rows: Table<StoredRecord>, where: RecordKey): StoredRecord[] {
  const isWhole = key.every((column) => where[column] !== undefined)
  const found = isWhole ? [rows.get(JSON.stringify(key.map((column) => where[column])))] : rows.in(where[by] ?? '')
  return found.flatMap((row) => (row && matches(row, where) ? [row] : []))
}
