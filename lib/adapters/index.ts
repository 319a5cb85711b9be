/**
 * `server-auth/adapters`: the interface of database adapters, the interfaces of stores, and `combine` for two stores in
 * one.
 */

export { recordTables } from '../store/tables.js'
export type * from '../types/adapter.js'
export type * from '../types/store.js'
export type * from '../types/user-fields.js'
export { combine, type SessionStore } from './combine.js'
export { removeRecordsOf } from './remove-records.js'
export { withUserFields } from './user-fields.js'
