/** What is told of rows that were deleted. */
import type { LostSession } from '../../contracts/index.js'
import type { AdapterSession } from '../../types/adapter.js'
import { sessionIdOf } from '../session-id.js'

/** Of those that went on. Rows of sessions that have ended stay for a while. */
export function lostOf(rows: readonly AdapterSession[]): LostSession[] {
  return rows.filter(({ expires }) => expires.getTime() > Date.now()).map(toLost)
}

/** Of one. */
export function toLost({ sessionToken, userId }: AdapterSession): LostSession {
  return { sid: sessionIdOf(sessionToken), userId }
}
