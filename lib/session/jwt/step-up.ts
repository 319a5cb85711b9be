/** More was proved in a session: another token takes its place. */
import type { CookieContext, IssuedSession, StepUp } from '../../contracts/index.js'
import { hasEnded } from '../ended-sessions.js'
import { readStamp } from '../security-stamp.js'
import { assertSure } from '../session-callback.js'
import { sessionIdOf } from '../session-id.js'
import { beginHere } from './beginning.js'
import { nowInSeconds, proofsOf, steppedUp, withEpoch } from './engine-claims.js'
import { heldTokens, toKnown } from './held-token.js'
import { askJwt, choose } from './sealed.js'

/** Another token under another name: who has a copy of the old one gets nothing by what is proved now. */
export async function stepUp(context: CookieContext, step: StepUp): Promise<IssuedSession | null> {
  const { config } = context
  const { revocation } = config.session
  const held = await heldTokens(context)
  const { found, isUnsure } = await choose(context, held)
  assertSure(isUnsure)
  // The one in which it was proved may have ended a moment ago, and the request carry somebody else's as well.
  if (!found || sessionIdOf(found.claims.sid) !== step.of) return null
  const { userId } = toKnown(found)
  const { auth_op: op, auth_epoch: epoch } = found.claims
  const link = op && { ...op, at: Number.POSITIVE_INFINITY }
  // Before the session is looked up again: an end that comes later changes the stamp.
  const { sid } = found.claims
  const stamp = userId === undefined ? undefined : await readStamp(config, { userId, link, sid })
  if (await revocation?.ask(toKnown(found))) return null
  const token = await askJwt(config, { token: found.token })
  if (!token) return null
  const known = userId === undefined ? undefined : await revocation?.admit(userId)
  const begun = steppedUp(found.claims, step)
  const from = Math.max(known?.from ?? 0, known?.now ?? nowInSeconds())
  const claims = revocation ? withEpoch(begun, { user: epoch?.user ?? userId, from }) : begun
  // A sign-out in this process, where no store knows of it.
  if (hasEnded(config, [sid])) return null
  return beginHere(context, { token, claims, userId, began: { proofs: proofsOf(claims) }, stamp, held })
}
