/**
 * Sessions that ended in this process a moment ago, by sign-out or by a sign-in in their place. An answer that was under way
 * meanwhile would otherwise write the cookie of an ended session anew, or clear the cookie of whoever signed in after it.
 */
import { ExpiringSet, perOwner, type SiteMemory } from '../base/memory.js'
import type { ResolvedConfig } from '../contracts/index.js'

/** Milliseconds: as long as a request can last. */
const lifetime = 10 * 60 * 1000

/** Clients can send any number of made-up cookies; those are noted apart, so that they push no session out. */
const endedOf = perOwner((_site: SiteMemory) => {
  const hashOf = (name: string) => name
  return {
    sessions: new ExpiringSet({ lifetime, capacity: 100_000, hashOf }),
    unknown: new ExpiringSet({ lifetime, capacity: 10_000, hashOf }),
  }
})

/**
 * Notes what a sign-in or a sign-out replaced.
 *
 * @param names By what each cookie's content is told from others (short, and no secret): whether it belonged to a session.
 */
export function noteEnded({ memory }: ResolvedConfig, names: ReadonlyMap<string, boolean>): void {
  const { sessions, unknown } = endedOf(memory)
  for (const [name, isSession] of names) (isSession ? sessions : unknown).add(name)
}

/** Whether one of these has ended. */
export function hasEnded({ memory }: ResolvedConfig, names: Iterable<string>): boolean {
  const { sessions, unknown } = endedOf(memory)
  for (const name of names) if (sessions.has(name) || unknown.has(name)) return true
  return false
}
