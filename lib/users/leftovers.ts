/**
 * Removes what a deleted user has left in stores beside the adapter's, where the database gives the same id to a new user. Such a user must not
 * inherit a password, second factors or provider tokens of somebody else.
 */

import type { ResolvedConfig } from '../contracts/index.js'
import { guardedStore } from '../features/factors/store.js'
import { passwordProviderOf } from '../features/passwords/provider-option.js'
import { guardTokens } from '../features/tokens/guard.js'

/** Called before anything is stored for the new user there. @throws {@link AdapterError} */
export async function removeLeftovers(config: ResolvedConfig, userId: string): Promise<void> {
  const { factors, tokens, timeout } = config
  await passwordProviderOf(config)?.password.store.remove(userId)
  if (factors) await guardedStore(factors).remove({ userId })
  if (!tokens || tokens.store === 'cookie') return
  await guardTokens(tokens.store, tokens.timeout ?? timeout).remove({ userId })
}
