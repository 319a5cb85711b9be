/**
 * Writes the decision in one transaction. Without transactions, it writes in an order in which a crash between two
 * writes locks no user out. An address is marked as verified only when its user has an account with which to return.
 */
import { foldAddress } from '../base/email-address.js'
import { emitSessionsEnded } from '../callbacks/index.js'
import type { AdapterStore, AuthContext } from '../contracts/index.js'
import { randomUuid } from '../crypto/random.js'
import { toError } from '../errors.js'
import { passwordProviderOf } from '../features/passwords/store.js'
import { requestInfo } from '../http/message.js'
import { requestMark } from '../session/security-stamp.js'
import type { AdapterAuthenticator, AdapterUser } from '../types/adapter.js'
import type { EventCallbacks } from '../types/config.js'
import {
  accountKeyOf,
  accountOwner,
  isStoredAccount,
  lockUser,
  namedAccount,
  noAddress,
  oauthAccount,
  releaseAddress,
} from './records.js'
import {
  type AccountResolution,
  claimantOf,
  isSameResolution,
  newUserAddress,
  type ProvedSignIn,
  resolveAccount,
} from './resolve-account.js'

/** A found or created user, and the events to emit once it is stored. */
export interface AppliedResolution {
  readonly user: AdapterUser
  readonly isNewUser: boolean
  readonly updates: ReadonlyArray<Parameters<EventCallbacks['updateUser']>[0]>
  readonly isLinked: boolean
  /** True if the database chose the id of a new user: a deleted user may have had it. */
  readonly isReusedId?: boolean
  /** The users whose sessions are to be ended again. */
  readonly strangers: FormerClaimants
}

/**
 * Locks the row of the user of the sign-in, or of the user who loses the address, decides again, and writes.
 *
 * @returns `undefined` when the second decision differs. Nothing is written then.
 */
export async function applyResolution(
  signIn: ProvedSignIn,
  decided: AccountResolution,
): Promise<AppliedResolution | undefined> {
  const work = async (store: AdapterStore): Promise<AppliedResolution | undefined> => {
    const second = { ...signIn, store, isRecheck: true }
    const row = decided.user ?? claimantOf(decided)
    if (row && signIn.hasTransactions && needsTransaction(signIn, decided)) await lockUser(store, row)
    const resolution = await resolveAccount(second)
    return isSameResolution(resolution, decided) ? writeResolution(second, resolution) : undefined
  }
  await endFormerClaimants(signIn.context, formerClaimantsOf(signIn, decided))
  return needsTransaction(signIn, decided) ? signIn.store.transaction(work) : work(signIn.store)
}

/**
 * Returns the users who claimed the address that this sign-in verifies for the first time, other than the one who signs
 * in.
 */
function formerClaimantsOf({ identity }: ProvedSignIn, resolution: AccountResolution): FormerClaimants {
  if (resolution.kind === 'new') return { formerClaimant: resolution.claimant }
  const isProof = resolution.kind === 'prove' || verifiesAddress(identity, resolution.user)
  return resolution.isFirstProof && isProof ? { merged: resolution.user } : {}
}

/** Checks whether a transaction is needed: for several writes, and for one that depends on what was read. */
function needsTransaction({ identity }: ProvedSignIn, resolution: AccountResolution): boolean {
  if (resolution.kind === 'known') return verifiesAddress(identity, resolution.user)
  return resolution.kind !== 'new' || resolution.claimant !== undefined || isStoredAccount(identity.account)
}

/** Checks whether an account that the user already has verifies the address that they already have. */
function verifiesAddress(
  { addressProved, user }: ProvedSignIn['identity'],
  { email, emailVerified }: AdapterUser,
): boolean {
  return addressProved === true && !emailVerified && Boolean(email) && user.email === foldAddress(email)
}

async function writeResolution(signIn: ProvedSignIn, resolution: AccountResolution): Promise<AppliedResolution> {
  const { identity, store } = signIn
  const strangers = formerClaimantsOf(signIn, resolution)
  if (resolution.kind === 'new') return { ...(await createResolvedUser(signIn, resolution.claimant)), strangers }
  const { kind, user } = resolution
  if (kind === 'link') await attachMethod(signIn, user)
  const found = { user, isNewUser: false, updates: [], isLinked: kind === 'link', strangers }
  if (kind !== 'prove' && !verifiesAddress(identity, user)) return found
  const proved = await store.updateUser({ id: user.id, emailVerified: new Date() })
  return { ...found, user: proved, updates: [{ user: proved, ...(resolution.isFirstProof && { firstProof: true }) }] }
}

/* ---- new users ---------------------------------------------------------------------------------------------- */

async function createResolvedUser(
  signIn: ProvedSignIn,
  claimant: AdapterUser | undefined,
): Promise<Omit<AppliedResolution, 'strangers'>> {
  const { identity, store, hasTransactions } = signIn
  const email = newUserAddress(identity)
  // The provider's `account` is a function of the application. If it throws, it does so before anything is stored.
  if (isOAuth(signIn)) oauthAccount(signIn, '')
  const updates = claimant ? [{ user: await releaseAddress(store, claimant), lostAddress: true }] : []
  const isLinked = isStoredAccount(identity.account)
  const emailVerified = identity.addressProved && email ? new Date() : null
  // Without a transaction, the address is marked as verified after the account is attached. Otherwise, if attaching
  // failed, no sign-in could reach this user, and the address would stay taken.
  const isProvedLater = isLinked && !hasTransactions && emailVerified !== null
  const id = randomUuid()
  const made = await store.createUser({
    ...newUserColumns(signIn),
    id,
    email: (email ?? null) as string,
    emailVerified: isProvedLater ? null : emailVerified,
  })
  if (isLinked) await (hasTransactions ? attachMethod(signIn, made) : attachOrReleaseAddress(signIn, made))
  const user = isProvedLater ? await markVerified(signIn, made) : made
  const isReusedId = made.id !== id
  return { user, isNewUser: true, isReusedId, updates, isLinked: isLinked && identity.account.type !== 'credentials' }
}

/**
 * Returns the new user's columns. For credentials only name and picture: `authorize` may return a row with the password
 * hash.
 */
function newUserColumns(signIn: ProvedSignIn): Record<string, unknown> {
  const { user, account } = signIn.identity
  if (isOAuth(signIn)) return { ...user }
  if (account.type === 'email') return {}
  const isPasskey = account.type === 'passkey' || account.type === 'webauthn'
  return { name: user.name ?? null, ...(!isPasskey && { image: user.image ?? null }) }
}

/** Attaches without a transaction. On failure, the new user releases the address for the next sign-in. */
async function attachOrReleaseAddress(signIn: ProvedSignIn, user: AdapterUser): Promise<void> {
  try {
    await attachMethod(signIn, user)
  } catch (error) {
    if (user.email) await signIn.store.updateUser({ id: user.id, email: noAddress }).catch(() => {})
    throw error
  }
}

/** Marks the address as verified. If that fails, the next sign-in does it. */
async function markVerified({ store, context }: ProvedSignIn, made: AdapterUser): Promise<AdapterUser> {
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

function isOAuth({ identity: { account } }: ProvedSignIn): boolean {
  return account.type === 'oauth' || account.type === 'oidc'
}

async function attachMethod(signIn: ProvedSignIn, { id: userId }: AdapterUser): Promise<void> {
  const { identity, store } = signIn
  const { account } = identity
  const key = accountKeyOf(identity)
  if (!isStoredAccount(account)) return
  if (isOAuth(signIn)) return store.linkAccount(oauthAccount(signIn, userId))
  // All passkeys of a user share one account, which is removed with the last of them.
  const isThere = identity.newPasskey !== undefined && (await accountOwner(store, key)) !== null
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
export interface FormerClaimants {
  /**
   * The user who loses the address to another user. The sessions are their own, but a JWT continues to contain the
   * address.
   */
  readonly formerClaimant?: { readonly id: string } | undefined
  /** The user who is taken over by the owner of the address, with `allowDangerousUnprovedAddressMerge`. */
  readonly merged?: { readonly id: string } | undefined
}

/**
 * Ends the sessions and reports them. Rejects with `AdapterError` when they cannot be ended; no user may be signed in
 * then.
 *
 * @param isAgain The second time. JWT sessions cannot be listed, so they are reported only once.
 */
export async function endFormerClaimants(
  context: AuthContext,
  { formerClaimant, merged }: FormerClaimants,
  isAgain = false,
): Promise<void> {
  const { config, sessions, request } = context
  const own = { mark: requestMark(context) }
  const isJwt = config.session.strategy === 'jwt'
  const passwords = passwordProviderOf(config)?.password.store
  for (const user of passwords ? [merged, formerClaimant] : []) if (user) await passwords?.remove(user.id)
  const ended = merged ? await sessions.endAllSessions(config, merged.id, own) : []
  // A database row contains no address: it is read with its user.
  if (formerClaimant && isJwt) ended.push(...(await sessions.endAllSessions(config, formerClaimant.id, own)))
  if (isAgain && isJwt) return
  await emitSessionsEnded(config, ended, { reason: 'addressProved', request: requestInfo(request) })
}
