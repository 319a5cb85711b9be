/** CSRF tokens that a sign-in has just replaced. A form that was submitted twice comes with one, and means no harm. */
import type { ResolvedConfig } from '../context.js'
import { shortHash } from '../crypto/hash.js'
import { ExpiringSet, perOwner, type SiteMemory } from '../memory.js'

/** For as long as a double click takes, on a slow line. */
const retiredOf = perOwner(
  (_site: SiteMemory) => new ExpiringSet({ lifetime: 10_000, capacity: 10_000, hashOf: shortHash }),
)

/** Remembers a token for a moment. */
export function retireToken(config: ResolvedConfig, token: string): void {
  retiredOf(config.memory).add(token)
}

/** Whether a form's token was replaced by a sign-in a moment ago. */
export function isRetired(config: ResolvedConfig, token: unknown): boolean {
  return typeof token === 'string' && retiredOf(config.memory).has(token)
}
