/** Resolves a proved identity to a user: decides which one, calls the `signIn` callback and writes the result. */
import { foldAddress } from '../base/address.js'
import { KeyedLock, perOwner, type SiteMemory } from '../base/memory.js'
import { askSignIn, emit, toldAccount } from '../callbacks/index.js'
import type { AuthContext, Identity, ResolvedConfig, SignedIn } from '../contracts/index.js'
import { AccountNotLinked, AdapterError } from '../errors.js'
import { guardedStore } from '../features/factors/store.js'
import { counted } from '../features/limits/attempts.js'
import { passCaptcha } from '../features/limits/captcha.js'
import { passwordProviderOf } from '../features/passwords/store.js'
import { guardTokens } from '../features/tokens/guard.js'
import type { SafeRedirect } from '../http/message.js'
import type { User } from '../types/identity.js'
import { applyEnding, endStrangers, type Outcome } from './apply-ending.js'
import { decide, type Ending, isSameEnding, type PendingSignIn } from './decide.js'
import { hasSecondFactors, namedAccount } from './records.js'

/** The user that a sign-in resolves to, before anything is written. */
export interface Found {
  /** The id of the user. Absent for a new user. */
  readonly userId: string | undefined
  /** Whether the user is signed in and gets another sign-in method. */
  readonly isAttached: boolean
}

/** Throws when the sign-in may not resolve to this user. */
export type Judge = (found: Found) => Promise<void> | void

/** The number of decisions, when other processes write in between. */
const mostDecisions = 4

/**
 * Returns the user for the session, with whom the `signIn` callback was called; or the URL to which the callback
 * redirects instead.
 */
export async function resolveUser(
  context: AuthContext,
  identity: Identity,
  judge: Judge = () => {},
): Promise<SignedIn | SafeRedirect> {
  const { config } = context
  const { account, profile } = identity
  const rest = { account, ...(profile && { profile }) }
  const { store } = config
  // JWT sessions need no stored user: `authorize` returned the user.
  if (!store || (account.type === 'credentials' && !identity.stored && config.session.strategy === 'jwt')) {
    await judge({ userId: identity.user.id, isAttached: false })
    const verdict = await ask(context, identity, identity.user)
    return verdict === true ? { user: identity.user, ...rest } : verdict
  }
  const hasFactors = await namesFactors(config, identity)
  const found = await find(
    { context, store, identity, atomic: store.can.transact, isSecondLook: false, hasFactors },
    judge,
  )
  if (typeof found === 'string') return found
  if (found.isReusedId) await removeLeftovers(config, found.user.id)
  await tell(context, identity, found)
  // The application may have removed the attacker's access in its events. This ends sessions that started before that.
  await endStrangers(context, found.strangers, true)
  const { user, isNewUser } = found
  await identity.settle?.(user)
  return { ...rest, user, account: { ...namedAccount(identity, user.id), userId: user.id }, isNewUser }
}

/** Checks whether an identity with a verified address names a user who has second factors. */
async function namesFactors(
  config: ResolvedConfig,
  { stored, addressProved, user: { id } }: Identity,
): Promise<boolean> {
  return stored === true && addressProved === true && id !== undefined && hasSecondFactors(config, { id })
}

async function find(signIn: PendingSignIn, judge: Judge): Promise<Outcome | SafeRedirect> {
  const { context, identity } = signIn
  let asked: string | null = null
  let isCounted = false
  let failed: { readonly ending: Ending; readonly error: AdapterError } | undefined
  for (let count = 0; count < mostDecisions; count++) {
    const ending = await decide(signIn)
    await judge(foundBy(ending, identity))
    // The account may have been unlinked before `judge` read the stamp of its user.
    if (ending.kind === 'known' && !isSameEnding(await decide(signIn), ending)) continue
    // The same decision again: no other process interfered, so the database failed for another reason.
    if (failed && isSameEnding(ending, failed.ending)) throw failed.error
    const whom = ending.user?.id ?? ''
    const verdict = asked === whom || (await ask(context, identity, whomToTell(identity, ending)))
    if (verdict !== true) return verdict
    asked = whom
    if (ending.kind === 'new' && !isCounted) {
      await countSignUp(context, identity)
      isCounted = true
    }
    try {
      const outcome = await inTurn(context.config, identity, () => applyEnding(signIn, ending))
      if (outcome) return outcome
    } catch (error) {
      if (!(error instanceof AdapterError)) throw error
      failed = { ending, error }
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
function foundBy(ending: Ending, { startedBy }: Identity): Found {
  return { userId: ending.user?.id, isAttached: ending.kind === 'link' && startedBy !== undefined }
}

/**
 * Limits sign-ups, because new users need storage. The application's own proofs (`startSession`) are not limited:
 * attackers cannot send them.
 */
async function countSignUp(context: AuthContext, { account, stored }: Identity): Promise<void> {
  if (account.type === 'application') return
  // Other sign-ins return from elsewhere, without a form that contains a captcha.
  if (account.type === 'credentials' && !stored) await passCaptcha(context, { rule: 'signUp' })
  await counted(context, { rule: 'signUp' })
}

/** Returns the user for callbacks and events. With credentials it is the user that `authorize` returned. */
function whomToTell({ account, user, stored }: Identity, ending: Ending): User {
  if (account.type === 'credentials' && !stored) return user
  if (ending.user || !stored) return ending.user ?? user
  // The id of the user who loses the address is not that of the new user.
  const { id: _id, ...newcomer } = user
  return newcomer
}

function ask(context: AuthContext, identity: Identity, user: User) {
  const { profile, credentials } = identity
  const account = toldAccount(identity)
  return askSignIn(context, { user, account, ...(profile && { profile }), ...(credentials && { credentials }) })
}

async function tell({ config }: AuthContext, identity: Identity, { user, ...found }: Outcome): Promise<void> {
  for (const update of found.updates) await emit(config, 'updateUser', update)
  if (found.isNewUser) await emit(config, 'createUser', { user })
  const account = toldAccount(identity)
  if (!found.isLinked || !account) return
  await emit(config, 'linkAccount', { user, account: { ...account, userId: user.id }, profile: identity.user })
}

/** Serialises sign-ins with the same account or address in this process. */
function inTurn<T>(config: ResolvedConfig, { account, user }: Identity, work: () => Promise<T>): Promise<T> {
  const ofAccount = `account ${JSON.stringify([account.provider, account.providerAccountId])}`
  return inTurns(config, [ofAccount, ...(user.email ? [addressTurn(user.email)] : [])], work)
}

/* ---- serialised work -------------------------------------------------------------------------------------------- */

// Decisions about the same account or address run one after the other in this process: two at once would each create a
// user.

/** The timeouts that finding a user may take: a transaction, and a read before and after it. */
const turnsOfPatience = 5

const locksOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** Returns the lock name of an address. The prefix prevents a chosen address from being the name of another lock. */
export function addressTurn(email: string): string {
  return `address ${foldAddress(email)}`
}

/**
 * Takes the lock of each name in order, and runs the work. Callers name an account before an address: with different
 * orders, two requests would wait for each other.
 */
export function inTurns<T>(config: ResolvedConfig, names: readonly string[], work: () => Promise<T>): Promise<T> {
  const [name, ...others] = names
  if (name === undefined) return work()
  // Then the next work runs: a database that never responds must not block other sign-ins with the account.
  const hold = config.timeout * turnsOfPatience
  return locksOf(config.memory).run(name, () => inTurns(config, others, work), hold)
}

/* ---- data of deleted users -------------------------------------------------------------------------------------- */

// Removes what a deleted user has left in stores besides the adapter's, when the database gives the same id to a new
// user. A new user must not inherit a password, second factors or provider tokens.

/**
 * Removes the data of a deleted user. Call it before anything is stored for the new user.
 *
 * @throws {@link AdapterError}
 */
export async function removeLeftovers(config: ResolvedConfig, userId: string): Promise<void> {
  const { factors, tokens, timeout } = config
  await passwordProviderOf(config)?.password.store.remove(userId)
  if (factors) await guardedStore(factors).remove({ userId })
  if (!tokens || tokens.store === 'cookie') return
  await guardTokens(tokens.store, tokens.timeout ?? timeout).remove({ userId })
}
