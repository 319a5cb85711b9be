/**
 * `server-auth/tokens`: the APIs of providers, called for the people who have connected their accounts.
 *
 * @example
 * ```ts
 * import { getAccessToken, providerFetch } from 'server-auth/tokens'
 * ```
 */
export { ConsentRequired, NotConnected, RefreshError } from '../errors.js'
export type * from '../types/tokens.js'
export { connectUrl, disconnect, exchangeToken, getAccessToken, providerFetch } from './functions.js'
export { requireConnection } from './require-connection.js'
