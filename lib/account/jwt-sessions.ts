/** JWT sessions on an account page, and their end. */

import { tellEnded } from '../callbacks/index.js'
import { sessionIdOf } from '../session/browser.js'
import type { OpenSession } from '../types/account.js'
import type { Person } from './person.js'
import { describeBeginning } from './sessions.js'

/** Returns the listed sessions: the current one first, then by last use. Empty without a list. */
export async function openTokens({ resolved, owner }: Person): Promise<OpenSession[]> {
  const listed = (await resolved.session.revocation?.lists?.of(owner.userId)) ?? []
  return listed
    .map(({ sid, signedInAt, usedAt, expires, began }) => ({
      id: sessionIdOf(sid),
      current: sid === owner.sid,
      ...describeBeginning(resolved, { ...began, startedAt: signedInAt }),
      usedAt: new Date(usedAt),
      expires: new Date(expires),
    }))
    .sort((a, b) => Number(b.current) - Number(a.current) || b.usedAt.getTime() - a.usedAt.getTime())
}

/** Ends the session with this id. @returns `false` if the user has no such session. */
export async function endToken({ resolved, owner, facts }: Person, id: string): Promise<boolean> {
  const { revocation } = resolved.session
  if (!revocation?.lists) return false
  const found = (await revocation.lists.of(owner.userId)).find(({ sid }) => sessionIdOf(sid) === id)
  if (!found) return false
  await revocation.end([found.sid])
  const { sid: endedBy, request } = facts
  await tellEnded(resolved, [{ sid: id, userId: owner.userId }], { reason: 'endSession', endedBy, request })
  return true
}

/** Ends the other sessions. @returns Their number; 1 without a list. */
export async function endOtherTokens({ resolved, owner, facts }: Person): Promise<number> {
  const { userId, sid } = owner
  const { revocation } = resolved.session
  if (!revocation || sid === undefined) return 0
  const listed = await revocation.lists?.of(userId)
  await revocation.endAllOf(userId, sid)
  const { sid: endedBy, request } = facts
  await tellEnded(resolved, [{ userId }], { reason: 'endOtherSessions', endedBy, request })
  return listed ? listed.filter((each) => each.sid !== sid).length : 1
}
