/**
 * Sessions that ended in this process a moment ago. An answer that was under way meanwhile must not bring one back, nor clear
 * the cookie of whoever signed in after it.
 */

import { ExpiringSet, perOwner, type SiteMemory } from '../base/memory.js'
import type { ResolvedConfig } from '../contracts/index.js'

/** Milliseconds: as long as a request can last. */
const lifetime = 10 * 60 * 1000

/** Names are short, and no secrets. What strangers make up has a place of its own, where it pushes out nothing else. */
const endedOf = perOwner((_site: SiteMemory) => {
  const hashOf = (name: string) => name
  return {
    sessions: new ExpiringSet({ lifetime, capacity: 100_000, hashOf }),
    unknown: new ExpiringSet({ lifetime, capacity: 10_000, hashOf }),
  }
})

/** Sessions have ended. @param names What tells each from others, as both strategies know it. */
export function noteEnded({ memory }: ResolvedConfig, names: Iterable<string>): void {
  const { sessions } = endedOf(memory)
  for (const name of names) sessions.add(name)
}

/** Cookies that held no session were replaced or cleared. @param names As above. */
export function noteReplaced({ memory }: ResolvedConfig, names: Iterable<string>): void {
  const { unknown } = endedOf(memory)
  for (const name of names) unknown.add(name)
}

/** Whether one of these sessions has ended. */
export function hasEnded({ memory }: ResolvedConfig, names: readonly string[]): boolean {
  const { sessions, unknown } = endedOf(memory)
  return names.some((name) => sessions.has(name) || unknown.has(name))
}
