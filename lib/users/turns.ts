/** Turns in this process among all that decides whose an account or an address is. */
import { foldAddress } from '../base/address.js'
import { KeyedLock, perOwner, type SiteMemory } from '../base/memory.js'
import type { ResolvedConfig } from '../contracts/index.js'

/** Time-outs that finding a user may take: a transaction, and a look before and after it. */
const turnsOfPatience = 5

const locksOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** The name of an address's turn. Told apart by its beginning from all others: people choose their addresses. */
export function addressTurn(email: string): string {
  return `address ${foldAddress(email)}`
}

/**
 * Waits for the turn of each name, in this order, and works. An account's comes before an address's, always, so that nobody
 * waits for each other.
 */
export function inTurns<T>(config: ResolvedConfig, names: readonly string[], work: () => Promise<T>): Promise<T> {
  const [name, ...others] = names
  if (name === undefined) return work()
  // A database that never answers keeps one request waiting, and not the person out for ever.
  const hold = config.timeout * turnsOfPatience
  return locksOf(config.memory).run(name, () => inTurns(config, others, work), hold)
}
