/**
 * The ends of watched JWT sessions after renewals. A watch outlasts its request, and the token of that request does
 * not say that a later one extended the session.
 */
import { perOwner, type SiteMemory } from '../base/memory.js'
import type { ResolvedConfig, WatchedSession } from '../contracts/index.js'

/** The end of a watched session. */
interface Renewal {
  /** Milliseconds since the epoch. */
  expires: number
  /** The number of queues that follow it. */
  uses: number
}

/** Watched sessions only, by name. */
const renewalsOf = perOwner((_site: SiteMemory) => new Map<string, Renewal>())

/** Follows the end of a session, until the returned function is called. */
export function followRenewals({ memory }: ResolvedConfig, { name, expires }: WatchedSession): () => void {
  const renewals = renewalsOf(memory)
  const renewal = renewals.get(name) ?? { expires, uses: 0 }
  renewal.uses += 1
  renewals.set(name, renewal)
  return () => {
    renewal.uses -= 1
    if (renewal.uses === 0) renewals.delete(name)
  }
}

/** Returns the end of a session, after the renewals that are known. */
export function renewedEnd({ memory }: ResolvedConfig, { name, expires }: WatchedSession): number {
  return Math.max(expires, renewalsOf(memory).get(name)?.expires ?? 0)
}

/** Notes the end of a session that was renewed, in this process or another one, if it is watched. */
export function noteRenewal({ memory }: ResolvedConfig, sid: string, expires: number): void {
  const renewal = renewalsOf(memory).get(sid)
  if (renewal) renewal.expires = Math.max(renewal.expires, expires)
}
