/**
 * Counts failures of clients at routes of the application, such as unknown API keys. Successful requests count nothing, so that they
 * need no query of the store of counts.
 */
import { BoundedMap, perOwner, type SiteMemory } from '../../base/memory.js'
import type { ResolvedConfig } from '../../contracts/index.js'
import { TooManyRequests } from '../../errors.js'
import type { AuthRequest } from '../../http/message.js'
import { emitDenied, limitStoreOf } from './attempts.js'
import { clientNetworkOf, limitKey } from './client-identity.js'
import type { Rule, RuleName } from './types.js'

/** The failures of one client. */
export interface ClientFailures {
  /** Rejects a client that this process has seen at its limit. Queries nothing. @throws {@link TooManyRequests} */
  assertAllowed(): void
  /** Counts a failure. @throws {@link TooManyRequests} at the limit. {@link AdapterError} if the store of counts fails. */
  count(): Promise<void>
}

/** The clients at their limit, with the time in milliseconds since the epoch at which they may try again. */
const limitedClientsOf = perOwner((_site: SiteMemory) => new BoundedMap<string, number>(10_000))

const uncounted: ClientFailures = { assertAllowed() {}, count: async () => {} }

/** Returns the failures of the client of a request. They are not counted without the rule, or if the client is unknown. */
export function clientFailures(
  config: ResolvedConfig,
  request: Pick<AuthRequest, 'ip' | 'headers'>,
  name: Exclude<RuleName, 'mail'>,
): ClientFailures {
  const rule: Rule | undefined = config.rateLimit?.rules[name]
  const { perClient: limit, window = 0 } = rule ?? {}
  const client = limit === undefined ? undefined : clientNetworkOf({ config, request })
  if (limit === undefined || client === undefined) return uncounted
  const limited = limitedClientsOf(config.memory)
  const key = limitKey(config, [name, 'client', client])
  return {
    assertAllowed() {
      const left = Math.ceil(((limited.get(key) ?? 0) - Date.now()) / 1000)
      if (left > 0) throw new TooManyRequests(left)
    },
    async count() {
      const [answer] = await limitStoreOf(config).consume([{ key, cost: 1, limit, window }])
      if (answer?.allowed) return
      const retryAfter = Math.max(answer?.retryAfter ?? 0, 1)
      limited.set(key, Date.now() + retryAfter * 1000)
      await emitDenied({ config, request }, { rule: name, by: 'client', key, retryAfter })
      throw new TooManyRequests(retryAfter)
    },
  }
}
