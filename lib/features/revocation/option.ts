/** The option `session.revocation`: where it is noted which sessions have ended before their time. */
import { isRecord } from '../../base/guards.js'
import type { Logger } from '../../base/logger.js'
import { describe, refuse } from '../../config/refusal.js'
import { adapterContract, contractOf, requiredContract, storeOption } from '../../config/resolve-store.js'
import { boolean, type Check, oneOf, seconds, shape } from '../../config/shape.js'
import { defaultMaxStale } from '../../config/site.js'
import type { ResolvedConfig, UsedTokens } from '../../contracts/index.js'
import { InvalidConfiguration, UnsupportedStrategy } from '../../errors.js'
import type { LogStore } from '../../types/store.js'
import { createRevocations } from './revocations.js'
import { createUsedTokens } from './store.js'

/** What was set, checked as far as that goes without the adapter. */
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

/** `true`, a store, or options. */
export const revocationSetting: Check<RevocationSetting | undefined> = (name, value) => {
  if (value === undefined || value === false) return undefined
  if (value === true) return {}
  if (isRecord(value) && 'log' in value) return { store: contractOf(name, 'log', value) }
  if (!isRecord(value)) {
    return refuse(
      name,
      `must be true, a store such as \`redisStore(client)\`, or { store, maxStale, onOutage }, not ${describe(value)}.`,
    )
  }
  const { store, ...rest } = options(name, value)
  return { ...rest, ...(store && store !== true && { store }) }
}

/**
 * Resolves the setting. Where it is off and the adapter has a store of its own, the security stamps of users are kept there all the same.
 *
 * @param adapter As the developer gave it.
 */
export function resolveRevocation(
  setting: RevocationSetting | undefined,
  adapter: unknown,
  given: Pick<ResolvedConfig, 'session' | 'providers'> & { timeout: number; logger: Logger },
): Pick<ResolvedConfig['session'], 'revocation' | 'stamps'> {
  const { session, providers, ...rest } = given
  const store = setting
    ? requiredContract('session.revocation', 'log', { store: setting.store, adapter })
    : adapterContract(adapter, 'log')
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

/** Seconds that a session lives at the most without being renewed. */
function longestSession({ rememberMaxAge, maxAge, absoluteMaxAge }: ResolvedConfig['session']): number {
  return Math.min(rememberMaxAge ?? maxAge, absoluteMaxAge ?? Number.POSITIVE_INFINITY)
}

/** Seconds. A mailed link that the end of all sessions made void would be good again once that end were forgotten. */
function linkLifetimes(providers: ResolvedConfig['providers']): number[] {
  return [...providers.values()].flatMap((provider) => (provider.kind === 'email' ? [provider.maxAge] : []))
}

/**
 * Where it is noted which logout tokens were used: where ended sessions are, or would be with this adapter. `undefined` where
 * there is no such place, and where no provider sends any.
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
  const store = session.revocation?.store ?? adapterContract(adapter, 'log')
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
