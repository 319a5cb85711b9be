/** `server-auth/adapters`: the interface that a database adapter implements, and `combine` for two stores in one. */
export { combine, type SessionStore } from './combine.js'
export type * from './types.js'
