/** `server-auth/adapters`: the interface that a database adapter implements. */
export type * from './types.js'
