/** Changes the password of the signed-in user, or sets the first one. */
import type { AuthContext, ChangeStep, PasswordProvider } from '../../contracts/index.js'
import { CredentialsSignin } from '../../errors.js'
import type { Action, Refusal, StoredPrincipal } from '../../principal/index.js'
import { storeOf } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { liveOwner } from '../../users/linking.js'
import { isClaim } from '../../users/records.js'
import { foldName, limited } from '../limits/attempts.js'
import type { StoredPassword } from './description.js'
import { hashNew, isRight } from './hashes.js'
import { keepAccount, setPassword, type TypedSecrets, typedSecret } from './set.js'

interface Standing {
  readonly step: ChangeStep
  readonly owner?: StoredPrincipal
  readonly user?: AdapterUser
  readonly stored?: StoredPassword | null
}

/** Returns the reason why the signed-in user may not do something; `undefined` if they may. */
type Refusals = (userId: string, action: Action) => Promise<Refusal | undefined>

/** Returns the content of `GET password/change`. */
export async function showChange(
  context: AuthContext,
  provider: PasswordProvider,
  refusals: Refusals,
): Promise<{ readonly step: ChangeStep; readonly email?: string | undefined }> {
  const { step, user, stored } = await standingOf(context, provider, refusals)
  // A form that sent a wrong current password is shown with that field again.
  const isAsked = step === 'fresh' && isCurrentSent(context.request.body, stored)
  return { step: isAsked ? 'current' : step, email: user?.email || undefined }
}

/** Checks whether a user with a password typed the current one. */
function isCurrentSent({ current }: TypedSecrets, stored: StoredPassword | null | undefined): boolean {
  return current !== undefined && Boolean(stored)
}

async function standingOf(context: AuthContext, { password }: PasswordProvider, refusals: Refusals): Promise<Standing> {
  const { config } = context
  const owner = await liveOwner(context)
  const user = owner && (await storeOf(config).getUser(owner.userId))
  if (!owner || !user) return { step: 'signedOut' }
  const stored = await password.store.find(user.id)
  const found = { owner, user, stored }
  const isFresh = (await refusals(user.id, 'changePassword')) === undefined
  if (stored) return { step: isFresh ? 'fresh' : 'current', ...found }
  if (!user.email || isClaim(config, user)) return { step: 'unverified', ...found }
  return { step: isFresh ? 'first' : 'stale', ...found }
}

/** The result of a change, or the {@link ChangeStep} that prevents it. */
export type Changed = 'changed' | Extract<ChangeStep, 'signedOut' | 'stale' | 'unverified'>

/**
 * Answers `POST password/change`.
 *
 * @throws {@link CredentialsSignin} if the current password is wrong. {@link PasswordRejected} {@link TooManyRequests}
 */
export async function change(
  context: AuthContext,
  provider: PasswordProvider,
  { typed, refusals }: { readonly typed: TypedSecrets; readonly refusals: Refusals },
): Promise<Changed> {
  const { step, owner, user, stored = null } = await standingOf(context, provider, refusals)
  if (!owner || !user || step === 'signedOut') return 'signedOut'
  if (step === 'stale' || step === 'unverified') return step
  const password = typedSecret(typed)
  // A form with a wrong current password must fail, even if it is not required.
  if (step === 'current' || isCurrentSent(typed, stored))
    await assertCurrent(context, provider, { typed, user, stored })
  const hash = await hashNew(context, provider, { password, email: user.email })
  const isWritten = await setPassword(context, provider, {
    ...{ user, hash, owner, reason: 'change' },
    replaces: stored?.changedAt ?? null,
    keepsSessions: provider.password.changeRevokes === 'none',
  })
  if (!isWritten && !(await context.sessions.isLive(context))) return 'signedOut'
  if (!isWritten) throw new CredentialsSignin('The password was changed in the meantime.')
  await keepAccount(context, provider, user)
  return 'changed'
}

/** Verifies the current password. Counted like a sign-in, so that it cannot be guessed at an unlocked screen. */
function assertCurrent(
  context: AuthContext,
  provider: PasswordProvider,
  { typed, user, stored }: { typed: TypedSecrets; user: AdapterUser; stored: StoredPassword | null },
): Promise<void> {
  const accounts = user.email ? [foldName(user.email)] : []
  return limited(context, { rule: 'credentials', accounts }, async () => {
    const current = typedSecret(typed, 'current')
    if (await isRight(context, provider, { stored, password: current })) return
    throw new CredentialsSignin('The current password is wrong.')
  })
}
