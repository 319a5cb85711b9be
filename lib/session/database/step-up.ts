/** More was proved in a session: another row takes its place. */
import type { IssuedSession, StepUp } from '../../contracts/index.js'
import { withProof } from '../../principal/index.js'
import { hasEnded } from '../ended-sessions.js'
import { readStamp } from '../security-stamp.js'
import { assertSure } from '../session-callback.js'
import { sessionIdOf } from '../session-id.js'
import { beginHere } from './beginning.js'
import { valuesOf } from './data.js'
import { linkOf } from './provider-link.js'
import { findRow, proofsOf, type StoreContext, storedSessionKey } from './row.js'

/** Another row, and so another token: who has a copy of the old one gets nothing by what is proved now. */
export async function stepUp(context: StoreContext, { of, proof }: StepUp): Promise<IssuedSession | null> {
  const { config } = context
  const { found, isUnsure } = await findRow(context)
  assertSure(isUnsure)
  if (!found || found.source === 'legacy' || hasEnded(config, [found.stored])) return null
  // The one in which it was proved may have ended a moment ago, and the request carry somebody else's as well.
  if (sessionIdOf(found.stored) !== of) return null
  const { facts, row, stored } = found
  const replaces = storedSessionKey(stored)
  const userId = row.user.id
  const link = facts.link === undefined ? undefined : linkOf(facts.link)
  // Before the session is looked up again: an end that comes later changes the stamp.
  const stamp = await readStamp(config, { userId, link })
  const { aal: _level, amr: _methods, ...kept } = facts
  const proofs = withProof(proofsOf(found), proof)
  const data = config.session.data ? valuesOf(row) : undefined
  return beginHere(context, { ...kept, userId, link, proofs, stamp, data, replaces })
}
