/** What the keys of revocations mean. A session is named by its `sid`, a user by a hash of their id. */
import { BoundedMap } from '../../base/memory.js'
import type { KnownSession } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'

/** In the place of a time: whenever the sessions began, and whenever they will begin. The last second of the year 9999. */
export const always = 253_402_300_799

/** The keys of a user. */
export interface UserKeys {
  /** When all their sessions ended. */
  readonly ended: string
  /** Whether they are disabled. Apart from the other, which says as before what has ended when they are let in again. */
  readonly disabled: string
  /** The security stamp changes by these entries, and no session of a token ends by them. */
  readonly stamp: string
}

/** Hashing takes longer than a read of a session may: of users who were here lately it is remembered. */
const known = new BoundedMap<string, UserKeys>(10_000)

/** The keys of a user. Ids may be addresses, and of any length. */
export function userKeys(userId: string): UserKeys {
  const found = known.get(userId)
  if (found !== undefined) return found
  // 128 bits.
  const hash = shortHash(`revoked user ${userId}`).slice(0, 22)
  const keys = { ended: `u.${hash}`, disabled: `d.${hash}`, stamp: `s.${hash}` }
  known.set(userId, keys)
  return keys
}

/**
 * A person at a provider, in the place of a user: all sessions that they began with it; and those whose sign-in did not say by
 * which session there it was.
 */
export function personAt(subject: string, isNameless = false): string {
  return `${isNameless ? 'nameless ' : ''}person at a provider ${subject}`
}

/** Under which the name of a session at a provider is noted, which frames may end. */
export function frameKey(session: string): string {
  return `f.${session}`
}

/** The keys under which a session may have ended. */
export function keysOf({ sid, formerSid, userId, provider }: KnownSession): string[] {
  const keys = sid === undefined ? [] : [sid]
  if (formerSid !== undefined) keys.push(formerSid)
  if (userId !== undefined) {
    const { ended, disabled } = userKeys(userId)
    keys.push(ended, disabled)
  }
  if (provider) {
    keys.push(userKeys(personAt(provider.subject)).ended)
    keys.push(provider.session ?? userKeys(personAt(provider.subject, true)).ended)
  }
  return keys
}
