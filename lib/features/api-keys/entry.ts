/** API keys: their checks and their creation. Loaded at the first use, if `apiKeys` is set. */
import { perOwner } from '../../base/memory.js'
import type { ResolvedConfig } from '../../contracts/index.js'
import { ApiKeyChecks } from './checks.js'
import { requireApiKeysOption } from './store.js'

export { createKey } from './key-format.js'

/** Returns the checks of a configuration. @throws {@link InvalidConfiguration} without `apiKeys`. */
export const apiKeyChecksOf = perOwner(
  (config: ResolvedConfig) => new ApiKeyChecks(config, requireApiKeysOption(config, '`auth.apiKeys`')),
)
