/** The types of providers (`server-auth/providers`). The providers are imported one by one. */
export type * from './types/passkey.js'
export type * from './types/provider.js'
export type * from './types/provider-ids.js'
export type * from './types/provider-parts.js'
