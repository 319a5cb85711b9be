/** Stores a new, verified email address, and notifies the application, the old address and the session. */

import { foldAddress } from '../../base/email-address.js'
import { emitEvent } from '../../callbacks/index.js'
import type { AdapterStore, AuthContext, ResolvedEmailProvider, SecurityStamp } from '../../contracts/index.js'
import { AccountNotLinked, InvalidCheck, SessionTokenError, toError, Verification } from '../../errors.js'
import type { StoredPrincipal } from '../../principal/index.js'
import { assertStampUnchanged } from '../../session/security-stamp.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { endFormerClaimants } from '../../users/apply-resolution.js'
import { findByAddress, lockUser, releaseAddress } from '../../users/records.js'
import { addressLockName, runSerialized } from '../../users/resolve-user.js'
import { sendNotice } from './send.js'

/** A change that the user has confirmed. */
export interface ConfirmedEmailChange {
  /** The session in which the user confirmed. */
  readonly owner: StoredPrincipal
  readonly user: AdapterUser
  /** The address that the user must still have. */
  readonly from: string | null
  readonly to: string
  /** The security stamp of the user, read before the session was looked up. */
  readonly stamp: SecurityStamp | undefined
}

/**
 * Stores the address as verified. Another user with the same unverified address loses it. An email notifies the old
 * address, if it was verified.
 *
 * @throws {@link Verification} if the user's address is no longer `from`.
 * @throws {@link AccountNotLinked} if another user has verified the address.
 * @throws {@link InvalidCheck} if the session has ended in the meantime.
 */
export async function moveAddress(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  move: ConfirmedEmailChange,
): Promise<void> {
  const { config } = context
  const { from, to } = move
  const { before, after, formerClaimant } = await runSerialized(config, [addressLockName(to)], () =>
    storeVerifiedAddress(context, move),
  )
  const isOther = from !== null && foldAddress(from) !== foldAddress(to)
  if (formerClaimant) await emitEvent(config, 'updateUser', { user: formerClaimant, lostAddress: true })
  await emitEvent(config, 'updateUser', { user: after, ...(isOther && { previousEmail: from }) })
  if (isOther && before.emailVerified) sendNotice(context, provider, from)
  await updateSessionEmail(context, after)
  await endFormerClaimants(context, { formerClaimant }, true)
}

interface Moved {
  readonly before: AdapterUser
  readonly after: AdapterUser
  /** The user who had the address unverified, and lost it. */
  readonly formerClaimant?: AdapterUser
}

async function storeVerifiedAddress(context: AuthContext, move: ConfirmedEmailChange): Promise<Moved> {
  const { config } = context
  const outside = requireStore(config)
  const { user, to } = move
  const namesake = await findByAddress(config, outside, to)
  // Rows are locked in the order of their ids: two users who take each other's address would deadlock otherwise.
  const other = namesake.user && namesake.user.id !== user.id ? namesake.user : undefined
  const rows = other ? [user, other] : [user]
  if (other && namesake.status === 'claimant') await endFormerClaimants(context, { formerClaimant: other })
  // It is not called inside the transaction, because the store of stamps may need its own connection.
  await assertStampUnchanged(config, move.stamp)
  const ordered = rows.sort((one, other) => (one.id < other.id ? -1 : 1))
  return outside.transaction(async (tx) => {
    if (outside.abilities.transact) for (const row of ordered) await lockUser(tx, row)
    const before = await assertSameUser(context, tx, move)
    const now = await findByAddress(config, tx, to)
    const claimant = now.user && now.user.id !== user.id ? now.user : undefined
    // A user who got the address after the first query is not locked, and may be verifying it at the moment.
    if (claimant && (claimant.id !== other?.id || now.status !== 'claimant')) {
      throw new AccountNotLinked('The new email address belongs to another user.')
    }
    const formerClaimant = claimant && (await releaseAddress(tx, claimant))
    const after = await tx.updateUser({ id: user.id, email: to, emailVerified: new Date() })
    return formerClaimant ? { before, after, formerClaimant } : { before, after }
  })
}

/** Checks, behind the lock, that the session has not ended and the user still has the address that the link names. */
async function assertSameUser(
  context: AuthContext,
  tx: AdapterStore,
  { owner, user, from }: ConfirmedEmailChange,
): Promise<AdapterUser> {
  const now = await context.sessions.principal(context, tx)
  if (now?.key !== owner.key || now.userId !== user.id) throw new InvalidCheck('The session has ended meanwhile.')
  const row = await tx.getUser(user.id)
  if (!row || (row.email || null) !== from)
    throw new Verification('The email address of the user has changed since the link was sent.')
  return row
}

/**
 * Puts the address into an encrypted session. If a callback throws, the error is only logged, because the address is
 * stored already.
 */
async function updateSessionEmail(context: AuthContext, { email }: AdapterUser) {
  const { config, sessions } = context
  if (config.session.strategy !== 'jwt') return
  try {
    await sessions.read(context, { writable: true, newEmail: email })
  } catch (error) {
    config.logger.error(
      new SessionTokenError('The session could not be updated with the new email address.', toError(error)),
    )
  }
}
