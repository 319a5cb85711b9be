/** Notices that very many attempts fail, of whomever: one password tried at many accounts, by many clients. */
import { perOwner, type SiteMemory } from '../base/memory.js'
import type { RuleName } from '../types/limits.js'

/** Failures within the time, in this process, after which it is told. */
const many = 500
/** Milliseconds. */
const window = 15 * 60_000

/** When a rule's count began, how far it is. */
const countsOf = perOwner((_site: SiteMemory) => new Map<RuleName, { since: number; failures: number }>())

/** Counts a failure. @returns Whether it is the one that makes them very many: once in a window. */
export function isSpray(memory: SiteMemory, rule: RuleName): boolean {
  const counts = countsOf(memory)
  const known = counts.get(rule)
  const now = Date.now()
  const count = known && known.since + window > now ? known : { since: now, failures: 0 }
  count.failures += 1
  counts.set(rule, count)
  return count.failures === many
}
