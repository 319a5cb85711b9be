/** From a proved identity to a user: decides who it is, asks the `signIn` callback, and has it written. */
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

/** At whom a sign-in ends, before anything is written. */
export interface Found {
  /** Absent: at a new user. */
  readonly userId: string | undefined
  /** The user is signed in, and gets another way to sign in. */
  readonly isAttached: boolean
}

/** Throws where the sign-in may not end there. */
export type Judge = (found: Found) => Promise<void> | void

/** How often it is decided anew because another process wrote in between. */
const mostDecisions = 4

/**
 * The user that the session is for, the one about whom the `signIn` callback was asked; or the URL to which the callback sends
 * the person instead.
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
  // JWT sessions need no user row: what `authorize` returned is the user.
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
  // The application has shut what was the stranger's to come in by: what began before that ends.
  await endStrangers(context, found.strangers, true)
  const { user, isNewUser } = found
  await identity.settle?.(user)
  return { ...rest, user, account: { ...namedAccount(identity, user.id), userId: user.id }, isNewUser }
}

/** Whether an identity names a user, by whom it was proved that the address is theirs, who has second factors. */
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
    // The account may have been unlinked before the judge read the stamp of its user.
    if (ending.kind === 'known' && !isSameEnding(await decide(signIn), ending)) continue
    // The same decision again: no other process was in the way, the database refused for a reason of its own.
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
  throw failed?.error ?? new AccountNotLinked('Whose sign-in this is changed again and again while it was looked for.')
}

/** Linked by the address nobody is signed in: whoever has it is the user. */
function foundBy(ending: Ending, { startedBy }: Identity): Found {
  return { userId: ending.user?.id, isAttached: ending.kind === 'link' && startedBy !== undefined }
}

/** New users cost a row. The application's own proof (`startSession`) is not counted: no stranger brings it. */
async function countSignUp(context: AuthContext, { account, stored }: Identity): Promise<void> {
  if (account.type === 'application') return
  // Other kinds come back from elsewhere, and bring no form with a captcha in it.
  if (account.type === 'credentials' && !stored) await passCaptcha(context, { rule: 'signUp' })
  await counted(context, { rule: 'signUp' })
}

/** The user for callbacks and events. With credentials it is what `authorize` returned. */
function whomToTell({ account, user, stored }: Identity, ending: Ending): User {
  if (account.type === 'credentials' && !stored) return user
  if (ending.user || !stored) return ending.user ?? user
  // The id of whoever loses the address is not the new user's.
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

/** Lets sign-ins with the same account or address go one after the other, in this process. */
function inTurn<T>(config: ResolvedConfig, { account, user }: Identity, work: () => Promise<T>): Promise<T> {
  const ofAccount = `account ${JSON.stringify([account.provider, account.providerAccountId])}`
  return inTurns(config, [ofAccount, ...(user.email ? [addressTurn(user.email)] : [])], work)
}

/* ---- turns ------------------------------------------------------------------------------------------------------- */

// Who decides whose an account or an address is waits for their turn in this process: two at once would each make a user.

/** Time-outs that finding a user may take: a transaction, and a look before and after it. */
const turnsOfPatience = 5

const locksOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** The name of an address's turn. The prefix keeps an address that somebody chose from being the name of another turn. */
export function addressTurn(email: string): string {
  return `address ${foldAddress(email)}`
}

/**
 * Waits for the turn of each name, in this order, and works. Callers name an account before an address: taken in different
 * orders, two requests would wait for each other.
 */
export function inTurns<T>(config: ResolvedConfig, names: readonly string[], work: () => Promise<T>): Promise<T> {
  const [name, ...others] = names
  if (name === undefined) return work()
  // After that the next one goes on: a database that never answers must not lock everybody else out of the account.
  const hold = config.timeout * turnsOfPatience
  return locksOf(config.memory).run(name, () => inTurns(config, others, work), hold)
}

/* ---- leftovers --------------------------------------------------------------------------------------------------- */

// Removes what a deleted user has left in stores beside the adapter's, where the database gives the same id to a new user. Such a user
// must not inherit a password, second factors or provider tokens of somebody else.

/** Called before anything is stored for the new user there. @throws {@link AdapterError} */
export async function removeLeftovers(config: ResolvedConfig, userId: string): Promise<void> {
  const { factors, tokens, timeout } = config
  await passwordProviderOf(config)?.password.store.remove(userId)
  if (factors) await guardedStore(factors).remove({ userId })
  if (!tokens || tokens.store === 'cookie') return
  await guardTokens(tokens.store, tokens.timeout ?? timeout).remove({ userId })
}
