/** Changes the password of the signed-in user, or sets the first one. */
import type { AuthContext, ChangeStep, PasswordProvider } from '../../contracts/index.js'
import { CredentialsSignin } from '../../errors.js'
import type { RejectionReason, SessionAction, StoredPrincipal } from '../../principal/index.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { linkableUser } from '../../users/linking.js'
import { isUnverifiedAddress } from '../../users/records.js'
import { foldName, withRateLimit } from '../limits/attempts.js'
import type { StoredPassword } from './description.js'
import { hashNewPassword, verifyPassword } from './hashes.js'
import { ensurePasswordAccount, setPassword, type TypedSecrets, typedSecret } from './set-password.js'

interface ChangeState {
  readonly step: ChangeStep
  readonly owner?: StoredPrincipal
  readonly user?: AdapterUser
  readonly stored?: StoredPassword | null
}

/** Returns the reason why the signed-in user may not do something; `undefined` if they may. */
type RejectionCheck = (userId: string, action: SessionAction) => Promise<RejectionReason | undefined>

/** Returns the content of `GET password/change`. */
export async function readChangePage(
  context: AuthContext,
  provider: PasswordProvider,
  refusals: RejectionCheck,
): Promise<{ readonly step: ChangeStep; readonly email?: string | undefined }> {
  const { step, user, stored } = await readChangeState(context, provider, refusals)
  // A form that sent a wrong current password is shown with that field again.
  const isAsked = step === 'fresh' && isCurrentSent(context.request.body, stored)
  return { step: isAsked ? 'current' : step, email: user?.email || undefined }
}

/** Checks whether a user with a password typed the current one. */
function isCurrentSent({ current }: TypedSecrets, stored: StoredPassword | null | undefined): boolean {
  return current !== undefined && Boolean(stored)
}

async function readChangeState(
  context: AuthContext,
  { password }: PasswordProvider,
  refusals: RejectionCheck,
): Promise<ChangeState> {
  const { config } = context
  const owner = await linkableUser(context)
  const user = owner && (await requireStore(config).getUser(owner.userId))
  if (!owner || !user) return { step: 'signedOut' }
  const stored = await password.store.find(user.id)
  const found = { owner, user, stored }
  const isFresh = (await refusals(user.id, 'changePassword')) === undefined
  if (stored) return { step: isFresh ? 'fresh' : 'current', ...found }
  if (!user.email || isUnverifiedAddress(config, user)) return { step: 'unverified', ...found }
  return { step: isFresh ? 'first' : 'stale', ...found }
}

/** The result of a change, or the {@link ChangeStep} that prevents it. */
export type ChangeResult = 'changed' | Extract<ChangeStep, 'signedOut' | 'stale' | 'unverified'>

/**
 * Answers `POST password/change`.
 *
 * @throws {@link CredentialsSignin} if the current password is wrong. {@link PasswordRejected} {@link TooManyRequests}
 */
export async function changePassword(
  context: AuthContext,
  provider: PasswordProvider,
  { typed, refusals }: { readonly typed: TypedSecrets; readonly refusals: RejectionCheck },
): Promise<ChangeResult> {
  const { step, owner, user, stored = null } = await readChangeState(context, provider, refusals)
  if (!owner || !user || step === 'signedOut') return 'signedOut'
  if (step === 'stale' || step === 'unverified') return step
  const password = typedSecret(typed)
  // A form with a wrong current password must fail, even if it is not required.
  if (step === 'current' || isCurrentSent(typed, stored))
    await assertCurrentPassword(context, provider, { typed, user, stored })
  const hash = await hashNewPassword(context, provider, { password, email: user.email })
  const isWritten = await setPassword(context, provider, {
    ...{ user, hash, owner, reason: 'change' },
    replaces: stored?.changedAt ?? null,
    keepsSessions: provider.password.changeRevokes === 'none',
  })
  if (!isWritten && !(await context.sessions.isLive(context, owner.id))) return 'signedOut'
  if (!isWritten) throw new CredentialsSignin('The password was changed in the meantime.')
  await ensurePasswordAccount(context, provider, user)
  return 'changed'
}

/** Verifies the current password. Counted like a sign-in, so that it cannot be guessed at an unlocked screen. */
function assertCurrentPassword(
  context: AuthContext,
  provider: PasswordProvider,
  { typed, user, stored }: { typed: TypedSecrets; user: AdapterUser; stored: StoredPassword | null },
): Promise<void> {
  const accounts = user.email ? [foldName(user.email)] : []
  return withRateLimit(context, { rule: 'credentials', accounts }, async () => {
    const current = typedSecret(typed, 'current')
    if (await verifyPassword(context, provider, { stored, password: current })) return
    throw new CredentialsSignin('The current password is wrong.')
  })
}
