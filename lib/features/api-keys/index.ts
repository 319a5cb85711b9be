/**
 * `server-auth/api-keys`: the guard of routes that scripts call with an API key, and the types of `auth.apiKeys`.
 *
 * @example
 * ```ts
 * import { requireApiKey } from 'server-auth/api-keys'
 * ```
 */
export { type ApiKeyGuard, requireApiKey } from './require-api-key.js'
export type * from './types.js'
