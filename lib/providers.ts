/** `server-auth/providers`: the types of providers. The providers themselves are imported one by one. */
export type * from './types/passkey.js'
export type * from './types/provider.js'
export type * from './types/provider-ids.js'
export type * from './types/provider-parts.js'
