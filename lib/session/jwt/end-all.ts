/** Ends JWT sessions from elsewhere: all of a user, and those that began by a session at a provider. */
import type { ExceptSession, LostSession, ProviderLogout, ResolvedConfig } from '../../contracts/index.js'
import { JWTSessionError } from '../../errors.js'

/** Nobody knows which tokens there are: that they have ended is noted where they are read. */
export async function endLinked(
  { session: { revocation, stamps } }: ResolvedConfig,
  logout: ProviderLogout,
): Promise<LostSession[]> {
  // The configuration refuses what would ask for it without a store.
  if (!revocation) throw new JWTSessionError('JWT sessions without `session.revocation` cannot be ended by a provider.')
  const ended = await revocation.endLinked(logout)
  await stamps?.changeLinked(logout)
  return ended ? [{}] : []
}

export async function endAllOf(
  { session: { revocation, stamps } }: ResolvedConfig,
  userId: string,
  { sid, mark }: ExceptSession = {},
): Promise<LostSession[]> {
  // The end of all sessions is part of the stamp.
  await (revocation ? revocation.endAllOf(userId, sid ?? mark) : stamps?.change(userId, mark))
  return revocation ? [{ userId }] : []
}
