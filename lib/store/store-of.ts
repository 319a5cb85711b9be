/** The adapter of a configuration that has one for sure. */
import type { ResolvedConfig, Store } from '../contracts/index.js'
import { MissingAdapter } from '../errors.js'

/**
 * The adapter. Providers of e-mail and of passkeys are not resolved without one.
 *
 * @throws {@link MissingAdapter}
 */
export function storeOf({ store }: ResolvedConfig): Store {
  if (store) return store
  throw new MissingAdapter('Sign-in by e-mail and passkeys need an `adapter`.')
}
