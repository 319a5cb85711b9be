/** How a session in a token begins in a browser. */
import type { Beginning, CookieContext, IssuedSession, SecurityStamp } from '../../contracts/index.js'
import type { JWT } from '../../types/jwt.js'
import { writeProof } from '../browser.js'
import { noteEnded } from '../ended-sessions.js'
import { assertUnchanged } from '../security-stamp.js'
import { assertFits, writeSessionCookie } from '../session-cookie.js'
import { sessionIdOf } from '../session-id.js'
import { type EngineClaims, pinClaims } from './engine-claims.js'
import { type HeldTokens, toLost } from './held-token.js'
import { noteLinked, noteListed } from './noted.js'
import { seal, sessionsIn } from './sealed.js'

/** A session that begins. */
export interface NewSession {
  /** As the `jwt` callback returned it. */
  readonly token: JWT
  readonly claims: EngineClaims
  readonly userId: string | undefined
  readonly began: Beginning
  readonly stamp: SecurityStamp | undefined
  /** The tokens that the browser has. Their sessions end. */
  readonly held: HeldTokens
}

/** Begins a session. Nothing has ended, and the browser keeps what it has, where this rejects before the cookie is written. */
export async function beginHere(
  context: CookieContext,
  { token, claims, userId, began, stamp, held }: NewSession,
): Promise<IssuedSession> {
  const { config } = context
  const sealed = await seal(context, pinClaims(token, claims))
  assertFits(context, sealed.token)
  await noteLinked(config, claims)
  await assertUnchanged(config, stamp)
  const replaced = held.names()
  await config.session.revocation?.retire(sessionsIn(replaced))
  writeSessionCookie(context, sealed)
  await writeProof(context, claims.sid)
  await noteListed(config, claims, { userId, began })
  noteEnded(config, replaced)
  return { sid: sessionIdOf(claims.sid), replaced: held.valid.map(toLost) }
}
