/** More was proved in a session: another row takes its place. */
import type { IssuedSession, StepUp } from '../../contracts/index.js'
import { withProof } from '../../principal/index.js'
import { writeProof } from '../browser.js'
import { hasEnded } from '../ended-sessions.js'
import { assertSure } from '../session-callback.js'
import { sessionIdOf } from '../session-id.js'
import { begin, endHeld, write } from './beginning.js'
import { valuesOf } from './data.js'
import { lostOf } from './lost.js'
import { linkOf, linkSession } from './provider-link.js'
import { findRow, proofsOf, type StoreContext } from './row.js'

/** Another row, and so another token: who has a copy of the old one gets nothing by what is proved now. */
export async function stepUp(context: StoreContext, { of, proof }: StepUp): Promise<IssuedSession | null> {
  const { config, store } = context
  const { found, isUnsure } = await findRow(context)
  assertSure(isUnsure)
  if (!found || found.source === 'legacy' || hasEnded(config, [found.stored])) return null
  // The one in which it was proved may have ended a moment ago, and the request carry somebody else's as well.
  if (sessionIdOf(found.stored) !== of) return null
  const { facts, row } = found
  const { aal: _level, amr: _methods, proofs: _proofs, ...kept } = facts
  const proofs = withProof(proofsOf(found), proof)
  const began = { ...kept, proofs, userId: row.user.id, data: config.session.data ? valuesOf(row) : undefined }
  const { token, stored, expires, ended } = await begin(context, began, async (begun) => {
    await config.session.revocation?.admit(row.user.id)
    const link = facts.link === undefined ? undefined : linkOf(facts.link)
    await linkSession(config, store, { sessionToken: begun, link })
    return endHeld(context)
  })
  // A sign-out at the same moment must not be undone.
  if (!ended.some(({ sessionToken }) => sessionToken === found.stored)) {
    await store.deleteSession(stored)
    return null
  }
  write(context, { token, expires, remembered: facts.remembered })
  await writeProof(context, stored)
  return { sid: sessionIdOf(stored), replaced: lostOf(ended) }
}
