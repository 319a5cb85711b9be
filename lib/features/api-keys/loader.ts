/** Loads API keys at the first use. */
import { createLazyLoader } from '../../base/lazy-loader.js'
import { perOwner } from '../../base/memory.js'
import type { ResolvedConfig } from '../../contracts/index.js'
import type { Awaitable } from '../../types/identity.js'
import type { ApiKeyChecks } from './entry.js'

/** Loads the code. */
export const loadApiKeys = createLazyLoader('API keys', () => import('./entry.js'))

const loadedOf = perOwner((_config: ResolvedConfig): { checks?: ApiKeyChecks } => ({}))

/** Loads the checks of keys. Synchronous after the first time, so that a guard with an earlier check creates no promise. */
export function loadChecks(config: ResolvedConfig): Awaitable<ApiKeyChecks> {
  const loaded = loadedOf(config)
  if (loaded.checks) return loaded.checks
  return loadApiKeys().then(({ apiKeyChecksOf }) => {
    loaded.checks = apiKeyChecksOf(config)
    return loaded.checks
  })
}
