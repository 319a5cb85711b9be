/** Resolves a proved identity to a user: decides which one, calls the `signIn` callback and writes the result. */
import { foldAddress } from '../base/email-address.js'
import { KeyedLock, perOwner, type SiteMemory } from '../base/memory.js'
import { callSignInCallback, emitEvent, publicAccount } from '../callbacks/index.js'
import type { AuthContext, Identity, ResolvedConfig, SignInResult } from '../contracts/index.js'
import { AccountNotLinked, AdapterError } from '../errors.js'
import { guardFactors } from '../features/factors/store.js'
import { countAttempt } from '../features/limits/attempts.js'
import { passCaptcha } from '../features/limits/captcha.js'
import { passwordProviderOf } from '../features/passwords/store.js'
import { guardTokens } from '../features/tokens/guard.js'
import type { SafeRedirect } from '../http/message.js'
import type { Awaitable, User } from '../types/identity.js'
import { type AppliedResolution, applyResolution, endFormerClaimants } from './apply-resolution.js'
import { hasSecondFactors, namedAccount } from './records.js'
import { type AccountResolution, isSameResolution, type ProvedSignIn, resolveAccount } from './resolve-account.js'

/** The user that a sign-in resolves to, before anything is written. */
export interface SignInTarget {
  /** The id of the user. Absent for a new user. */
  readonly userId: string | undefined
  /** True if the user is signed in and gets another sign-in method. */
  readonly isAttached: boolean
}

/** Throws when the sign-in may not resolve to this user. A URL: the user goes there instead, and nothing is written. */
export type CheckTarget = (found: SignInTarget) => Awaitable<SafeRedirect | undefined>

/** The number of decisions, when other processes write in between. */
const maxDecisions = 4

/**
 * Returns the user for the session, with whom the `signIn` callback was called; or the URL to which the callback
 * redirects instead.
 */
export async function resolveUser(
  context: AuthContext,
  identity: Identity,
  checkTarget: CheckTarget = () => undefined,
): Promise<SignInResult | SafeRedirect> {
  const { config } = context
  const { account, profile } = identity
  const rest = { account, ...(profile && { profile }) }
  const { store } = config
  // JWT sessions need no stored user: `authorize` returned the user.
  if (!store || (account.type === 'credentials' && !identity.stored && config.session.strategy === 'jwt')) {
    const elsewhere = await checkTarget({ userId: identity.user.id, isAttached: false })
    if (elsewhere !== undefined) return elsewhere
    const verdict = await callSignIn(context, identity, identity.user)
    return verdict === true ? { user: identity.user, ...rest } : verdict
  }
  const hasFactors = await namesUserWithFactors(config, identity)
  const found = await findOrCreateUser(
    { context, store, identity, hasTransactions: store.abilities.transact, isRecheck: false, hasFactors },
    checkTarget,
  )
  if (typeof found === 'string') return found
  if (found.isReusedId) await removeDeletedUserData(config, found.user.id)
  await emitUserEvents(context, identity, found)
  // The application may have removed the attacker's access in its events. This ends sessions that started before that.
  await endFormerClaimants(context, found.strangers, true)
  const { user, isNewUser } = found
  await identity.settle?.(user)
  return { ...rest, user, account: { ...namedAccount(identity, user.id), userId: user.id }, isNewUser }
}

/** Checks whether an identity with a verified address names a user who has second factors. */
async function namesUserWithFactors(
  config: ResolvedConfig,
  { stored, addressProved, user: { id } }: Identity,
): Promise<boolean> {
  return stored === true && addressProved === true && id !== undefined && hasSecondFactors(config, { id })
}

async function findOrCreateUser(
  signIn: ProvedSignIn,
  checkTarget: CheckTarget,
): Promise<AppliedResolution | SafeRedirect> {
  const { context, identity } = signIn
  let asked: string | null = null
  let isCounted = false
  let failed: { readonly resolution: AccountResolution; readonly error: AdapterError } | undefined
  for (let count = 0; count < maxDecisions; count++) {
    const resolution = await resolveAccount(signIn)
    const elsewhere = await checkTarget(targetOf(resolution, identity))
    if (elsewhere !== undefined) return elsewhere
    // The account may have been unlinked before `checkTarget` read the stamp of its user.
    if (resolution.kind === 'known' && !isSameResolution(await resolveAccount(signIn), resolution)) continue
    // The same decision again: no other process interfered, so the database failed for another reason.
    if (failed && isSameResolution(resolution, failed.resolution)) throw failed.error
    const whom = resolution.user?.id ?? ''
    const verdict = asked === whom || (await callSignIn(context, identity, reportedUser(identity, resolution)))
    if (verdict !== true) return verdict
    asked = whom
    if (resolution.kind === 'new' && !isCounted) {
      await countSignUp(context, identity)
      isCounted = true
    }
    try {
      const outcome = await serializeByAccount(context.config, identity, () => applyResolution(signIn, resolution))
      if (outcome) return outcome
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      failed = { resolution, error }
    }
  }
  throw (
    failed?.error ??
    new AccountNotLinked('The user of the sign-in changed repeatedly while it was looked up. Try again.')
  )
}

/**
 * Returns the user of a decision. When linked by address, no user is signed in, so the method is not treated as
 * attached.
 */
function targetOf(resolution: AccountResolution, { startedBy }: Identity): SignInTarget {
  return { userId: resolution.user?.id, isAttached: resolution.kind === 'link' && startedBy !== undefined }
}

/**
 * Limits sign-ups, because new users need storage. The application's own proofs (`startSession`) are not limited:
 * attackers cannot send them.
 */
async function countSignUp(context: AuthContext, { account, stored }: Identity): Promise<void> {
  if (account.type === 'application') return
  // Other sign-ins return from elsewhere, without a form that contains a captcha.
  if (account.type === 'credentials' && !stored) await passCaptcha(context, { rule: 'signUp' })
  await countAttempt(context, { rule: 'signUp' })
}

/** Returns the user for callbacks and events. With credentials it is the user that `authorize` returned. */
function reportedUser({ account, user, stored }: Identity, resolution: AccountResolution): User {
  if (account.type === 'credentials' && !stored) return user
  if (resolution.user || !stored) return resolution.user ?? user
  // The id of the user who loses the address is not that of the new user.
  const { id: _id, ...newcomer } = user
  return newcomer
}

function callSignIn(context: AuthContext, identity: Identity, user: User) {
  const { profile, credentials } = identity
  const account = publicAccount(identity)
  return callSignInCallback(context, {
    user,
    account,
    ...(profile && { profile }),
    ...(credentials && { credentials }),
  })
}

async function emitUserEvents(
  { config }: AuthContext,
  identity: Identity,
  { user, ...found }: AppliedResolution,
): Promise<void> {
  for (const update of found.updates) await emitEvent(config, 'updateUser', update)
  if (found.isNewUser) await emitEvent(config, 'createUser', { user })
  const account = publicAccount(identity)
  if (!found.isLinked || !account) return
  await emitEvent(config, 'linkAccount', { user, account: { ...account, userId: user.id }, profile: identity.user })
}

/** Serialises sign-ins with the same account or address in this process. */
function serializeByAccount<T>(
  config: ResolvedConfig,
  { account, user }: Identity,
  work: () => Promise<T>,
): Promise<T> {
  const ofAccount = `account ${JSON.stringify([account.provider, account.providerAccountId])}`
  return runSerialized(config, [ofAccount, ...(user.email ? [addressLockName(user.email)] : [])], work)
}

/* ---- serialised work -------------------------------------------------------------------------------------------- */

// Decisions about the same account or address run one after the other in this process: two at once would each create a
// user.

/** The timeouts that finding a user may take: a transaction, and a read before and after it. */
const lockTimeouts = 5

const signInLocksOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** Returns the lock name of an address. The prefix prevents a chosen address from being the name of another lock. */
export function addressLockName(email: string): string {
  return `address ${foldAddress(email)}`
}

/**
 * Takes the lock of each name in order, and runs the work. Callers name an account before an address: with different
 * orders, two requests would wait for each other.
 */
export function runSerialized<T>(config: ResolvedConfig, names: readonly string[], work: () => Promise<T>): Promise<T> {
  const [name, ...others] = names
  if (name === undefined) return work()
  // Then the next work runs: a database that never responds must not block other sign-ins with the account.
  const hold = config.timeout * lockTimeouts
  return signInLocksOf(config.memory).run(name, () => runSerialized(config, others, work), hold)
}

/* ---- data of deleted users -------------------------------------------------------------------------------------- */

// Removes what a deleted user has left in stores besides the adapter's, when the database gives the same id to a new
// user. A new user must not inherit a password, second factors or provider tokens.

/**
 * Removes the data of a deleted user. Call it before anything is stored for the new user.
 *
 * @throws {@link AdapterError}
 */
export async function removeDeletedUserData(config: ResolvedConfig, userId: string): Promise<void> {
  const { factors, tokens, timeout } = config
  await passwordProviderOf(config)?.password.store.remove(userId)
  if (factors) await guardFactors(factors).remove({ userId })
  if (!tokens || tokens.store === 'cookie') return
  await guardTokens(tokens.store, tokens.timeout ?? timeout).remove({ userId })
}
