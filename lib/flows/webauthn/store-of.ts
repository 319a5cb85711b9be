/** The adapter of a configuration with passkeys. */
import type { ResolvedConfig, Store } from '../../context.js'
import { MissingAdapter } from '../../errors.js'

/** Providers of passkeys are not resolved without one. */
export function storeOf({ store }: ResolvedConfig): Store {
  if (store) return store
  throw new MissingAdapter('Passkeys need an `adapter`.')
}
