/** `server-auth/providers`: the types of providers. The providers themselves are imported one by one. */
export type * from './types.js'
