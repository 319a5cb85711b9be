/** A store whose keys have a tenant in front, for all three contracts. */
import { mapMaybePromise } from '../base/maybe-promise.js'
import type { LogStore, RecordStore, RecordTable, Revocation, Store, StoredRecord } from '../types/store.js'
import type { TenantScope } from './scope.js'

/** Returns the store of a tenant. The keys of counts are derived from the tenant's secret already. */
export function scopeStore(store: Partial<Store>, scope: TenantScope): Partial<Store> {
  const { records, counter, log } = store
  return {
    ...(records && { records: scopeRecords(records, scope) }),
    ...(counter && { counter }),
    ...(log && { log: scopeLog(log, scope) }),
    ...(store.inspect && { inspect: () => store.inspect?.() ?? [] }),
  }
}

/** Scopes the columns by which records are found: those of the key, and the one by which they are listed. */
function scopeRecords(store: RecordStore, scope: TenantScope): RecordStore {
  const isName = ({ key, by }: RecordTable, column: string) => column === by || key.includes(column)
  const into = <T extends StoredRecord>(table: RecordTable, row: T): T =>
    mapColumns(row, (column, text) => (isName(table, column) ? scope.name(text) : text))
  const own = (table: RecordTable, row: StoredRecord): StoredRecord =>
    mapColumns(row, (column, text) => (isName(table, column) ? (scope.value(text) ?? text) : text))
  const scoped: RecordStore = {
    find: (table, key) => mapMaybePromise(store.find(table, into(table, key)), (row) => row && own(table, row)),
    list: (table, by) =>
      mapMaybePromise(store.list(table, scope.name(by)), (rows) => rows.map((row) => own(table, row))),
    write: (table, record, previous) => store.write(table, into(table, record), previous),
    take: (table, key) => mapMaybePromise(store.take(table, into(table, key)), (row) => row && own(table, row)),
    remove: (table, where) => store.remove(table, into(table, where)),
    lease: (table, key, lease) => store.lease(table, into(table, key), lease),
    release: (table, key, leaseId) => store.release(table, into(table, key), leaseId),
    writeAll: (changes) =>
      (store as Required<RecordStore>).writeAll(
        changes.map((change) =>
          'record' in change
            ? { ...change, record: into(change.table, change.record) }
            : { ...change, remove: into(change.table, change.remove) },
        ),
      ),
    page: (table, first, { after, limit }) =>
      mapMaybePromise(
        (store as Required<RecordStore>).page(table, scope.name(first), {
          after: after === undefined ? undefined : scope.name(after),
          limit,
        }),
        (rows) => rows.map((row) => own(table, row)),
      ),
  }
  return presentMethods(store, scoped)
}

/** Returns the record with its texts mapped. */
function mapColumns<T extends StoredRecord>(row: T, map: (column: string, text: string) => string): T {
  const entries = Object.entries(row).map(([column, value]) => [
    column,
    typeof value === 'string' ? map(column, value) : value,
  ])
  return Object.fromEntries(entries) as T
}

/** Scopes the keys of ended sessions, users and used tokens. Changes of other tenants are left out. */
function scopeLog(log: LogStore, { name, value }: TenantScope): LogStore {
  const own = <Found extends { readonly revocations: readonly Revocation[] }>(found: Found): Found => {
    const named = found.revocations.map((each) => ({ ...each, key: value(each.key) }))
    return { ...found, revocations: named.filter(({ key }) => key !== undefined) }
  }
  const into = <T extends { readonly key: string }>(each: T): T => ({ ...each, key: name(each.key) })
  const scoped: Required<LogStore> = {
    add: (revocations) => log.add(revocations.map(into)),
    replace: (revocation) => log.replace(into(revocation)),
    find: (keys) => mapMaybePromise(log.find(keys.map(name)), own),
    changes: (cursor) => mapMaybePromise((log as Required<LogStore>).changes(cursor), own),
    list: (session) => log.list?.({ ...session, sid: name(session.sid), userKey: name(session.userKey) }),
    listed: (userKey) =>
      mapMaybePromise((log as Required<LogStore>).listed(name(userKey)), (sessions) =>
        sessions.map((each) => ({ ...each, sid: value(each.sid) ?? '', userKey })),
      ),
    unlist: (userKey, sids) => log.unlist?.(name(userKey), sids.map(name)),
  }
  return presentMethods(log, scoped)
}

/**
 * Returns the scoped methods that a contract has. The configuration finds out by the others what a store can do, and
 * rejects one that lacks methods.
 */
function presentMethods<Contract extends object>(contract: Contract, scoped: Contract): Contract {
  const present = Object.entries(scoped).filter(([name]) => typeof Reflect.get(Object(contract), name) === 'function')
  return Object.fromEntries(present) as Contract
}
