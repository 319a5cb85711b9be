/** Loads API keys at the first use. */
import { createLazyLoader, lazyPerOwner } from '../../base/lazy-loader.js'
import type { ResolvedConfig } from '../../contracts/index.js'

/** Loads the code. */
export const loadApiKeys = createLazyLoader('API keys', () => import('./entry.js'))

/** Loads the checks of keys. */
export const loadChecks = lazyPerOwner(async (config: ResolvedConfig) => (await loadApiKeys()).apiKeyChecksOf(config))
