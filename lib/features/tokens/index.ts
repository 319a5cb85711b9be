/**
 * `server-auth/tokens`: the errors and types of `auth.tokens`, by which an application calls the APIs of providers.
 *
 * @example
 * ```ts
 * import { ConsentRequired } from 'server-auth/tokens'
 * ```
 */
export { ConsentRequired, NotConnected, RefreshError } from '../../errors.js'
export type * from './types.js'
