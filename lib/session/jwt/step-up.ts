/** More was proved in a session: another token takes its place. */
import type { CookieContext, IssuedSession, StepUp } from '../../contracts/index.js'
import { writeProof } from '../browser.js'
import { noteEnded } from '../ended-sessions.js'
import { assertSure } from '../session-callback.js'
import { assertFits, writeSessionCookie } from '../session-cookie.js'
import { sessionIdOf } from '../session-id.js'
import { nowInSeconds, pinClaims, proofsOf, steppedUp, withEpoch } from './engine-claims.js'
import { heldTokens, toKnown, toLost } from './held-token.js'
import { noteLinked, noteListed } from './noted.js'
import { askJwt, choose, seal, sessionsIn } from './sealed.js'

/** Another token under another name: who has a copy of the old one gets nothing by what is proved now. */
export async function stepUp(context: CookieContext, step: StepUp): Promise<IssuedSession | null> {
  const { config } = context
  const { revocation } = config.session
  const held = await heldTokens(context)
  const { found, isUnsure } = await choose(context, held)
  assertSure(isUnsure)
  // The one in which it was proved may have ended a moment ago, and the request carry somebody else's as well.
  if (!found || sessionIdOf(found.claims.sid) !== step.of) return null
  if (await revocation?.ask(toKnown(found))) return null
  const asked = await askJwt(config, { token: found.token })
  if (!asked) return null
  const { userId } = toKnown(found)
  const known = userId === undefined ? undefined : await revocation?.admit(userId)
  const begun = steppedUp(found.claims, step)
  const { user } = found.claims.auth_epoch ?? {}
  const claims = revocation
    ? withEpoch(begun, { user: user ?? userId, from: Math.max(known?.from ?? 0, known?.now ?? nowInSeconds()) })
    : begun
  const sealed = await seal(context, pinClaims(asked, claims))
  assertFits(sealed.token)
  await noteLinked(config, claims)
  const replaced = held.names()
  await revocation?.retire(sessionsIn(replaced))
  writeSessionCookie(context, sealed)
  await writeProof(context, claims.sid)
  await noteListed(config, claims, { userId, began: { proofs: proofsOf(claims) } })
  noteEnded(config, replaced)
  return { sid: sessionIdOf(claims.sid), replaced: held.valid.map(toLost) }
}
