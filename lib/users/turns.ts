/** Who decides whose an account or an address is waits for their turn in this process: two at once would each make a user. */
import { foldAddress } from '../base/address.js'
import { KeyedLock, perOwner, type SiteMemory } from '../base/memory.js'
import type { ResolvedConfig } from '../contracts/index.js'

/** Time-outs that finding a user may take: a transaction, and a look before and after it. */
const turnsOfPatience = 5

const locksOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** The name of an address's turn. The prefix keeps an address that somebody chose from being the name of another turn. */
export function addressTurn(email: string): string {
  return `address ${foldAddress(email)}`
}

/**
 * Waits for the turn of each name, in this order, and works. Callers name an account before an address: taken in different
 * orders, two requests would wait for each other.
 */
export function inTurns<T>(config: ResolvedConfig, names: readonly string[], work: () => Promise<T>): Promise<T> {
  const [name, ...others] = names
  if (name === undefined) return work()
  // After that the next one goes on: a database that never answers must not lock everybody else out of the account.
  const hold = config.timeout * turnsOfPatience
  return locksOf(config.memory).run(name, () => inTurns(config, others, work), hold)
}
