/**
 * Writes the decision in one transaction. Without transactions, it writes in an order in which a crash between two
 * writes locks no user out. An address is marked as verified only when its user has an account with which to return.
 */
import { foldAddress } from '../base/address.js'
import { tellEnded } from '../callbacks/index.js'
import type { AuthContext, Store } from '../contracts/index.js'
import { randomUuid } from '../crypto/random.js'
import { toError } from '../errors.js'
import { passwordProviderOf } from '../features/passwords/store.js'
import { requestInfo } from '../http/message.js'
import { markOf } from '../session/security-stamp.js'
import type { AdapterAuthenticator, AdapterUser } from '../types/adapter.js'
import type { EventCallbacks } from '../types/config.js'
import { addressOf, claimOf, decide, type Ending, isSameEnding, type PendingSignIn } from './decide.js'
import {
  accountKey,
  hasRow,
  lockUser,
  namedAccount,
  noAddress,
  oauthAccount,
  ownerOf,
  releaseAddress,
} from './records.js'

/** A found or created user, and the events to emit once it is stored. */
export interface Outcome {
  readonly user: AdapterUser
  readonly isNewUser: boolean
  readonly updates: ReadonlyArray<Parameters<EventCallbacks['updateUser']>[0]>
  readonly isLinked: boolean
  /** Whether the database chose the id of a new user: a deleted user may have had it. */
  readonly isReusedId?: boolean
  /** The users whose sessions are to be ended again. */
  readonly strangers: Strangers
}

/**
 * Locks the row of the user of the sign-in, or of the user who loses the address, decides again, and writes.
 *
 * @returns `undefined` when the second decision differs. Nothing is written then.
 */
export async function applyEnding(signIn: PendingSignIn, decided: Ending): Promise<Outcome | undefined> {
  const work = async (store: Store): Promise<Outcome | undefined> => {
    const second = { ...signIn, store, isSecondLook: true }
    const row = decided.user ?? claimOf(decided)
    if (row && signIn.atomic && needsTransaction(signIn, decided)) await lockUser(store, row)
    const ending = await decide(second)
    return isSameEnding(ending, decided) ? write(second, ending) : undefined
  }
  await endStrangers(signIn.context, strangersOf(signIn, decided))
  return needsTransaction(signIn, decided) ? signIn.store.transaction(work) : work(signIn.store)
}

/**
 * Returns the users who claimed the address that this sign-in verifies for the first time, other than the one who signs
 * in.
 */
function strangersOf({ identity }: PendingSignIn, ending: Ending): Strangers {
  if (ending.kind === 'new') return { loser: ending.claimant }
  const isProof = ending.kind === 'prove' || bringsProof(identity, ending.user)
  return ending.isFirstProof && isProof ? { merged: ending.user } : {}
}

/** Checks whether a transaction is needed: for several writes, and for one that depends on what was read. */
function needsTransaction({ identity }: PendingSignIn, ending: Ending): boolean {
  if (ending.kind === 'known') return bringsProof(identity, ending.user)
  return ending.kind !== 'new' || ending.claimant !== undefined || hasRow(identity.account)
}

/** Checks whether an account that the user already has verifies the address that they already have. */
function bringsProof(
  { addressProved, user }: PendingSignIn['identity'],
  { email, emailVerified }: AdapterUser,
): boolean {
  return addressProved === true && !emailVerified && Boolean(email) && user.email === foldAddress(email)
}

async function write(signIn: PendingSignIn, ending: Ending): Promise<Outcome> {
  const { identity, store } = signIn
  const strangers = strangersOf(signIn, ending)
  if (ending.kind === 'new') return { ...(await create(signIn, ending.claimant)), strangers }
  const { kind, user } = ending
  if (kind === 'link') await attach(signIn, user)
  const found = { user, isNewUser: false, updates: [], isLinked: kind === 'link', strangers }
  if (kind !== 'prove' && !bringsProof(identity, user)) return found
  const proved = await store.updateUser({ id: user.id, emailVerified: new Date() })
  return { ...found, user: proved, updates: [{ user: proved, ...(ending.isFirstProof && { firstProof: true }) }] }
}

/* ---- new users ---------------------------------------------------------------------------------------------- */

async function create(signIn: PendingSignIn, claimant: AdapterUser | undefined): Promise<Omit<Outcome, 'strangers'>> {
  const { identity, store, atomic } = signIn
  const email = addressOf(identity)
  // The provider's `account` is a function of the application. If it throws, it does so before anything is stored.
  if (isOAuth(signIn)) oauthAccount(signIn, '')
  const updates = claimant ? [{ user: await releaseAddress(store, claimant), lostAddress: true }] : []
  const isLinked = hasRow(identity.account)
  const emailVerified = identity.addressProved && email ? new Date() : null
  // Without a transaction, the address is marked as verified after the account is attached. Otherwise, if attaching
  // failed, no sign-in could reach this user, and the address would stay taken.
  const isProvedLater = isLinked && !atomic && emailVerified !== null
  const id = randomUuid()
  const made = await store.createUser({
    ...proposal(signIn),
    id,
    email: (email ?? null) as string,
    emailVerified: isProvedLater ? null : emailVerified,
  })
  if (isLinked) await (atomic ? attach(signIn, made) : attachOrGiveUp(signIn, made))
  const user = isProvedLater ? await noteProof(signIn, made) : made
  const isReusedId = made.id !== id
  return { user, isNewUser: true, isReusedId, updates, isLinked: isLinked && identity.account.type !== 'credentials' }
}

/**
 * Returns the new user's columns. For credentials only name and picture: `authorize` may return a row with the password
 * hash.
 */
function proposal(signIn: PendingSignIn): Record<string, unknown> {
  const { user, account } = signIn.identity
  if (isOAuth(signIn)) return { ...user }
  if (account.type === 'email') return {}
  const isPasskey = account.type === 'passkey' || account.type === 'webauthn'
  return { name: user.name ?? null, ...(!isPasskey && { image: user.image ?? null }) }
}

/** Attaches without a transaction. On failure, the new user releases the address for the next sign-in. */
async function attachOrGiveUp(signIn: PendingSignIn, user: AdapterUser): Promise<void> {
  try {
    await attach(signIn, user)
  } catch (error) {
    if (user.email) await signIn.store.updateUser({ id: user.id, email: noAddress }).catch(() => {})
    throw error
  }
}

/** Marks the address as verified. If that fails, the next sign-in does it. */
async function noteProof({ store, context }: PendingSignIn, made: AdapterUser): Promise<AdapterUser> {
  try {
    // Another user may have verified and taken the address since.
    const { email } = (await store.getUser(made.id)) ?? made
    return email === made.email ? await store.updateUser({ id: made.id, emailVerified: new Date() }) : made
  } catch (error) {
    context.config.logger.error(toError(error))
    return made
  }
}

/* ---- accounts and passkeys ---------------------------------------------------------------------------------- */

function isOAuth({ identity: { account } }: PendingSignIn): boolean {
  return account.type === 'oauth' || account.type === 'oidc'
}

async function attach(signIn: PendingSignIn, { id: userId }: AdapterUser): Promise<void> {
  const { identity, store } = signIn
  const { account } = identity
  const key = accountKey(identity)
  if (!hasRow(account)) return
  if (isOAuth(signIn)) return store.linkAccount(oauthAccount(signIn, userId))
  // All passkeys of a user share one account, which is removed with the last of them.
  const isThere = identity.newPasskey !== undefined && (await ownerOf(store, key)) !== null
  const { provider, providerAccountId } = namedAccount(identity, userId)
  if (!isThere) await store.linkAccount({ provider, providerAccountId, type: account.type, userId })
  if (!identity.newPasskey) return
  const passkey: AdapterAuthenticator = { ...identity.newPasskey, providerAccountId: key.providerAccountId, userId }
  await store.createAuthenticator(passkey)
}

/* ---- sessions of former claimants ------------------------------------------------------------------------------- */

// Ends the sessions of users who claimed an address when another user verifies it, and removes their password. This
// happens twice: before the verification is written, and after the application's events.
//
// If the first fails, nothing is written, and the next attempt starts again. If the verification were written first,
// the next attempt would not be a first one, and an attacker's sessions would continue. The second ends sessions that
// started in between. Stores of ended sessions take no part in transactions, so both are needed.

/** The users whose sessions end, and the reason. */
export interface Strangers {
  /**
   * The user who loses the address to another user. The sessions are their own, but a JWT continues to contain the
   * address.
   */
  readonly loser?: { readonly id: string } | undefined
  /** The user who is taken over by the owner of the address, with `allowDangerousUnprovedAddressMerge`. */
  readonly merged?: { readonly id: string } | undefined
}

/**
 * Ends the sessions and reports them. Rejects with `AdapterError` when they cannot be ended; no user may be signed in
 * then.
 *
 * @param isAgain The second time. JWT sessions cannot be listed, so they are reported only once.
 */
export async function endStrangers(context: AuthContext, { loser, merged }: Strangers, isAgain = false): Promise<void> {
  const { config, sessions, request } = context
  const own = { mark: markOf(context) }
  const isJwt = config.session.strategy === 'jwt'
  const passwords = passwordProviderOf(config)?.password.store
  for (const user of passwords ? [merged, loser] : []) if (user) await passwords?.remove(user.id)
  const ended = merged ? await sessions.endAllOf(config, merged.id, own) : []
  // A database row contains no address: it is read with its user.
  if (loser && isJwt) ended.push(...(await sessions.endAllOf(config, loser.id, own)))
  if (isAgain && isJwt) return
  await tellEnded(config, ended, { reason: 'addressProved', request: requestInfo(request) })
}
