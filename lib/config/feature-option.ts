/** The shape of the option of a capability: how it is checked, and completed. */
import type { Logger } from '../base/logger.js'
import type { SiteMemory } from '../base/memory.js'
import type { ResolvedConfig } from '../contracts/index.js'
import type { Check } from './shape.js'

/** An option of the configuration that belongs to a capability. */
export interface FeatureOption<Setting, Resolved> {
  /** Checks the option, as far as that is possible without other options. */
  readonly check: Check<Setting | undefined>
  /** Completes the option. Returns `undefined` where the capability is off. */
  resolve(setting: Setting | undefined, surroundings: OptionSurroundings): Resolved | undefined
}

/** The parts of the configuration that the option of a capability may depend on. */
export interface OptionSurroundings {
  /** As the developer gave it. */
  readonly adapter: unknown
  readonly providers: ResolvedConfig['providers']
  readonly session: Pick<ResolvedConfig['session'], 'strategy' | 'bearer'>
  readonly revocation: ResolvedConfig['session']['revocation']
  /** The option `organizations`, as far as other options depend on it. `undefined` if it is not set. */
  readonly organizations: { readonly roles: readonly string[]; readonly areStored: boolean } | undefined
  /** Milliseconds that a method of a store may take. */
  readonly timeout: number
  readonly production: boolean
  readonly logger: Logger
  readonly memory: SiteMemory
}
