/** JWT sessions on an account page, and their end. */

import { emitSessionsEnded } from '../callbacks/index.js'
import { sessionIdOf } from '../session/browser.js'
import type { OpenSession } from '../types/account.js'
import { describeSignIn } from './database-sessions.js'
import type { ListedUser, SignedInUser } from './signed-in-user.js'

/** Returns the listed sessions: that of `owner` first, then by last use. Empty without a list. */
export async function listJwtSessions({ resolved, user, owner, language }: ListedUser): Promise<OpenSession[]> {
  const listed = (await resolved.session.revocation?.lists?.listSessions(user.id)) ?? []
  return listed
    .map(({ sid, signedInAt, usedAt, expires, metadata }) => ({
      id: sessionIdOf(sid),
      current: sid === owner?.sid,
      ...describeSignIn(resolved, { ...metadata, startedAt: signedInAt }, language),
      usedAt: new Date(usedAt),
      expires: new Date(expires),
    }))
    .sort((a, b) => Number(b.current) - Number(a.current) || b.usedAt.getTime() - a.usedAt.getTime())
}

/** Ends the session with this id. @returns `false` if the user has no such session. */
export async function endJwtSession({ resolved, owner, facts }: SignedInUser, id: string): Promise<boolean> {
  const { revocation } = resolved.session
  if (!revocation?.lists) return false
  const found = (await revocation.lists.listSessions(owner.userId)).find(({ sid }) => sessionIdOf(sid) === id)
  if (!found) return false
  await revocation.end([found.sid])
  const { sid: endedBy, request } = facts
  await emitSessionsEnded(resolved, [{ sid: id, userId: owner.userId }], { reason: 'endSession', endedBy, request })
  return true
}

/** Ends the other sessions. @returns Their number; 1 without a list. */
export async function endOtherJwtSessions({ resolved, owner, facts }: SignedInUser): Promise<number> {
  const { userId, sid } = owner
  const { revocation } = resolved.session
  if (!revocation || sid === undefined) return 0
  const listed = await revocation.lists?.listSessions(userId)
  await revocation.endAllOf(userId, sid)
  const { sid: endedBy, request } = facts
  await emitSessionsEnded(resolved, [{ userId }], { reason: 'endOtherSessions', endedBy, request })
  return listed ? listed.filter((each) => each.sid !== sid).length : 1
}
