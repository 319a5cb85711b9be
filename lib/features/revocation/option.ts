/** The option `session.revocation`: the store of sessions that were ended early. */
import { isRecord } from '../../base/guards.js'
import type { Logger } from '../../base/logger.js'
import { describeValue, rejectOption } from '../../config/reject-option.js'
import { adapterStoreContract, requiredContract, storeContract, storeOption } from '../../config/resolve-store.js'
import { boolean, type Check, oneOf, seconds, shape } from '../../config/shape.js'
import { defaultMaxStale } from '../../config/site.js'
import type { ResolvedConfig, UsedTokens } from '../../contracts/index.js'
import { InvalidConfiguration, UnsupportedStrategy } from '../../errors.js'
import type { LogStore } from '../../types/store.js'
import { createRevocations } from './revocations.js'
import { createUsedTokens } from './store.js'

/** The option as it was set, checked as far as that is possible without the adapter. */
export interface RevocationSetting {
  /** Absent: the adapter's. */
  readonly store?: LogStore
  readonly maxStale?: number
  readonly onOutage?: 'deny' | 'allow'
  readonly list?: boolean
}

const options = shape({
  store: storeOption('log'),
  maxStale: seconds(1),
  onOutage: oneOf('deny', 'allow'),
  list: boolean,
})

/** Checks the option: `true`, a store, or an object. */
export const revocationSetting: Check<RevocationSetting | undefined> = (name, value) => {
  if (value === undefined || value === false) return undefined
  if (value === true) return {}
  if (isRecord(value) && 'log' in value) return { store: storeContract(name, 'log', value) }
  if (!isRecord(value)) {
    return rejectOption(
      name,
      `must be true, a store such as \`redisStore(client)\`, or { store, maxStale, onOutage, list }, not ${describeValue(value)}.`,
    )
  }
  const { store, ...rest } = options(name, value)
  return { ...rest, ...(store && store !== true && { store }) }
}

/**
 * Resolves the setting. If it is off and the adapter has a store, the security stamps of users are stored there anyway.
 *
 * @param adapter The adapter from the configuration.
 */
export function resolveRevocation(
  setting: RevocationSetting | undefined,
  adapter: unknown,
  given: Pick<ResolvedConfig, 'session' | 'providers'> & { timeout: number; logger: Logger },
): Pick<ResolvedConfig['session'], 'revocation' | 'stamps'> {
  const { session, providers, ...rest } = given
  const store = setting
    ? requiredContract('session.revocation', 'log', { store: setting.store, adapter })
    : adapterStoreContract(adapter, 'log')
  if (!store) return {}
  const list = setting?.list ?? false
  if (list) assertLists(store, session.strategy)
  const revocation = createRevocations(store, {
    list,
    ...rest,
    maxStale: (setting?.maxStale ?? defaultMaxStale) * 1000,
    onOutage: setting?.onOutage ?? 'deny',
    lifetime: Math.max(longestSession(session), ...linkLifetimes(providers)),
  })
  return { ...(setting && { revocation }), stamps: revocation.stamps }
}

/** Returns the longest life of a session that is not renewed, in seconds. */
function longestSession({ rememberMaxAge, maxAge, absoluteMaxAge }: ResolvedConfig['session']): number {
  return Math.min(rememberMaxAge ?? maxAge, absoluteMaxAge ?? Number.POSITIVE_INFINITY)
}

/**
 * Returns the lifetimes of email links, in seconds. The end of all sessions invalidates links, so it must be stored
 * until they expire.
 */
function linkLifetimes(providers: ResolvedConfig['providers']): number[] {
  return [...providers.values()].flatMap((provider) => (provider.kind === 'email' ? [provider.maxAge] : []))
}

/**
 * Resolves the store of used logout tokens: the store of ended sessions, or the adapter's. `undefined` if there is
 * none, or no provider sends logout tokens.
 */
export function resolveLogoutTokens(
  {
    adapter,
    session,
  }: { readonly adapter?: unknown; readonly session: { readonly revocation?: RevocationSetting | undefined } },
  { providers, timeout }: { readonly providers: ResolvedConfig['providers']; readonly timeout: number },
): UsedTokens | undefined {
  if (![...providers.values()].some((provider) => provider.kind === 'oauth' && provider.logout.backchannel)) {
    return undefined
  }
  const store = session.revocation?.store ?? adapterStoreContract(adapter, 'log')
  return store && createUsedTokens(store, timeout)
}

function assertLists(store: LogStore, strategy: ResolvedConfig['session']['strategy']): void {
  if (strategy === 'database') {
    throw new UnsupportedStrategy(
      '`session.revocation.list` is for JWT sessions: database sessions are listed by the adapter. Remove it.',
    )
  }
  const missing = (['list', 'listed', 'unlist'] as const).filter((name) => typeof store[name] !== 'function')
  if (missing.length > 0) {
    throw new InvalidConfiguration(
      `\`session.revocation.list\` needs a store with ${missing.join(', ')}. Remove it, or add them.`,
    )
  }
}
