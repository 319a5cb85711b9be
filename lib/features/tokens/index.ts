/**
 * `server-auth/tokens`: the errors and types of `auth.tokens`, which gives applications access to the APIs of
 * providers.
 *
 * @example
 * ```ts
 * import { ConsentRequired } from 'server-auth/tokens'
 * ```
 */
export { ConsentRequired, NotConnected, RefreshError } from '../../errors.js'
export type * from './types.js'
