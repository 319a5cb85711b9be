/** The vault of a request or a job: where provider tokens are kept, and how they are sealed. */
import type { CookieContext, ResolvedConfig, TokenHolder } from '../../contracts/index.js'
import { InvalidConfiguration } from '../../errors.js'
import type { RecordStore } from '../../types/store.js'
import { CookieTokens, plainSealer } from './cookie.js'
import { type GuardedTokens, guardTokens } from './guard.js'
import { openTokens, type Sealer, sealTokens } from './seal.js'
import { tokensOption } from './settings.js'

/** Rows, and how they are sealed. */
export interface Vault {
  readonly config: ResolvedConfig
  readonly rows: GuardedTokens
  readonly sealer: Sealer
  /** Whether what changes can be kept: a cookie cannot be set once the headers are out. */
  readonly writable: boolean
  /** Tells apart the browsers that keep tokens of the same account; empty with a store. */
  readonly browser: readonly string[]
}

/** The vault of a request; without one, that of jobs. @throws {@link InvalidConfiguration} where there is none. */
export function vaultOf(
  config: ResolvedConfig,
  browser?: { readonly context: CookieContext; readonly holder: TokenHolder; readonly writable: boolean },
): Vault {
  const { secrets } = config
  const tokens = tokensOption(config)
  if (tokens.store !== 'cookie') {
    const sealer: Sealer = {
      seal: (set, owner) => sealTokens(set, owner, secrets),
      open: (sealed, owner) => openTokens(sealed, owner, secrets),
    }
    return { config, rows: guardedOf(config, tokens.store), sealer, writable: true, browser: [] }
  }
  if (!browser) {
    throw new InvalidConfiguration(
      'Tokens in cookies are there while their browser asks only. Set `tokens.store` to a store such as `sqlStore(db)`.',
    )
  }
  const { context, holder, writable } = browser
  const rows = new CookieTokens(context, holder)
  return { config, rows, sealer: plainSealer, writable, browser: [holder.userId, holder.id] }
}

const guards = new WeakMap<ResolvedConfig, GuardedTokens>()

function guardedOf(config: ResolvedConfig, store: RecordStore): GuardedTokens {
  const known = guards.get(config) ?? guardTokens(store, config.tokens?.timeout ?? config.timeout)
  guards.set(config, known)
  return known
}
