/** What the keys of revocations mean. A session is named by its `sid`, a user by a hash of their id. */
import { BoundedMap } from '../base/memory.js'
import type { KnownSession } from '../contracts/index.js'
import { shortHash } from '../crypto/hash.js'

/** In the place of a time: whenever the sessions began, and whenever they will begin. The last second of the year 9999. */
export const always = 253_402_300_799

/** Hashing takes longer than a read of a session may: of users who were here lately it is remembered. */
const known = new BoundedMap<string, string>(10_000)

/** The key of a user. Ids may be addresses, and of any length. */
export function userKey(userId: string): string {
  const found = known.get(userId)
  if (found !== undefined) return found
  const key = `u.${shortHash(`revoked user ${userId}`)}`
  known.set(userId, key)
  return key
}

/** The keys under which a session may have ended. */
export function keysOf({ sid, userId }: KnownSession): string[] {
  const keys = sid === undefined ? [] : [sid]
  return userId === undefined ? keys : [...keys, userKey(userId)]
}
