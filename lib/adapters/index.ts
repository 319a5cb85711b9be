/** `server-auth/adapters`: the interface that a database adapter implements, and `combine` for two stores in one. */

export type * from '../types/adapter.js'
export type * from '../types/factors.js'
export type * from '../types/passwords.js'
export type * from '../types/revocation.js'
export type * from '../types/tokens.js'
export { combine, type SessionStore } from './combine.js'
