/** `server-auth/adapters`: the interface that a database adapter implements, the contracts of stores, and `combine` for two stores in one. */

export { recordTables } from '../store/tables.js'
export type * from '../types/adapter.js'
export type * from '../types/store.js'
export { combine, type SessionStore } from './combine.js'
export { removeRecordsOf } from './remove-records.js'
