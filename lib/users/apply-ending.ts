/**
 * Writes what was decided: in one transaction, or where the adapter has none, in an order in which a crash between two writes
 * keeps nobody out. An address counts as proved only when its user has an account to come back with.
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

/** A user, found or made, and what the application's events are told once it is stored. */
export interface Outcome {
  readonly user: AdapterUser
  readonly isNewUser: boolean
  readonly updates: ReadonlyArray<Parameters<EventCallbacks['updateUser']>[0]>
  readonly isLinked: boolean
  /** Whether the database chose the id of a new user: a user who was deleted may have had it. */
  readonly isReusedId?: boolean
  /** Whose sessions are to be ended once more. */
  readonly strangers: Strangers
}

/**
 * Locks the row of the user at whom the sign-in ends, or who loses the address, decides again, and writes.
 *
 * @returns `undefined` where the second decision is another one. Nothing is written then.
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

/** Who claimed the address that this sign-in proves for the first time, and is not who signs in. */
function strangersOf({ identity }: PendingSignIn, ending: Ending): Strangers {
  if (ending.kind === 'new') return { loser: ending.claimant }
  const isProof = ending.kind === 'prove' || bringsProof(identity, ending.user)
  return ending.isFirstProof && isProof ? { merged: ending.user } : {}
}

/** Whether a transaction is needed: for more than one write, and for one that depends on what was read. */
function needsTransaction({ identity }: PendingSignIn, ending: Ending): boolean {
  if (ending.kind === 'known') return bringsProof(identity, ending.user)
  return ending.kind !== 'new' || ending.claimant !== undefined || hasRow(identity.account)
}

/** Whether an account that the user has already proves the address that they have already. */
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
  // The provider's `account` is the developer's function. If it throws, it does so before anything is stored.
  if (isOAuth(signIn)) oauthAccount(signIn, '')
  const updates = claimant ? [{ user: await releaseAddress(store, claimant), lostAddress: true }] : []
  const isLinked = hasRow(identity.account)
  const emailVerified = identity.addressProved && email ? new Date() : null
  // Without a transaction, the address is marked as proved after the account is attached: if that failed before, nobody
  // could sign in as this user, and the address would be taken for ever.
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

/** The new user's columns. Of credentials name and picture only: `authorize` may return a row with the password's hash. */
function proposal(signIn: PendingSignIn): Record<string, unknown> {
  const { user, account } = signIn.identity
  if (isOAuth(signIn)) return { ...user }
  if (account.type === 'email') return {}
  const isPasskey = account.type === 'passkey' || account.type === 'webauthn'
  return { name: user.name ?? null, ...(!isPasskey && { image: user.image ?? null }) }
}

/** Without a transaction: if the account cannot be attached, the new user releases the address for the next sign-in. */
async function attachOrGiveUp(signIn: PendingSignIn, user: AdapterUser): Promise<void> {
  try {
    await attach(signIn, user)
  } catch (error) {
    if (user.email) await signIn.store.updateUser({ id: user.id, email: noAddress }).catch(() => {})
    throw error
  }
}

/** Marks the address as proved. If that fails, the next sign-in does it. */
async function noteProof({ store, context }: PendingSignIn, made: AdapterUser): Promise<AdapterUser> {
  try {
    // Somebody else may have proved the address since, and taken it.
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

/* ---- strangers sessions ------------------------------------------------------------------------------------------ */

// Ends sessions of whoever claimed an address, when somebody else proves it, and takes their password away.  Twice: before the proof is
// written, and after the application was told of it. If the first fails nothing is written, and the next attempt begins anew: written
// first, a proof would never be a first one again, and a stranger's sessions would go on. The second ends what began in between. No
// store of ended sessions takes part in a transaction, so neither can do without the other.

/** Whose sessions end, and why. */
export interface Strangers {
  /** Who loses the address to somebody else. Their sessions are theirs, but a JWT goes on saying the address. */
  readonly loser?: { readonly id: string } | undefined
  /** A user whom somebody else comes to have, by `allowDangerousUnprovedAddressMerge`. */
  readonly merged?: { readonly id: string } | undefined
}

/**
 * Ends them, and tells of it. Rejects with AdapterError where they cannot be ended: nobody may be signed in then.
 *
 * @param isAgain The second time. Of tokens nobody knows which there are: they are told of once.
 */
export async function endStrangers(context: AuthContext, { loser, merged }: Strangers, isAgain = false): Promise<void> {
  const { config, sessions, request } = context
  const own = { mark: markOf(context) }
  const isJwt = config.session.strategy === 'jwt'
  const passwords = passwordProviderOf(config)?.password.store
  for (const user of passwords ? [merged, loser] : []) if (user) await passwords?.remove(user.id)
  const ended = merged ? await sessions.endAllOf(config, merged.id, own) : []
  // A row has no address: it is read with its user.
  if (loser && isJwt) ended.push(...(await sessions.endAllOf(config, loser.id, own)))
  if (isAgain && isJwt) return
  await tellEnded(config, ended, { reason: 'addressProved', request: requestInfo(request) })
}
