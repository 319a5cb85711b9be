/** Browsers that people called theirs, where sessions of theirs are ended elsewhere. */
import { loadFactors } from '../actions/index.js'
import type { ResolvedConfig } from '../contracts/index.js'

/** Forgets the browsers that a user called theirs. Without `assurance.remember` there are none. */
export async function forgetTrusted(config: ResolvedConfig, userId: string): Promise<void> {
  if (config.factors?.remember === undefined) return
  const { forgetDevices, guardedStore } = await loadFactors()
  const store = guardedStore(config.factors)
  await forgetDevices(store, userId)
}
