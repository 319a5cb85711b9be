/** Stored accounts and users: keys, owners and columns. */
import type { AdapterStore, AuthContext, Identity, ResolvedConfig, ResolvedOAuthProvider } from '../contracts/index.js'
import { AdapterError, InvalidProvider, toError } from '../errors.js'
import { guardFactors, isEnrolled } from '../features/factors/store.js'
import { passwordProviderOf } from '../features/passwords/store.js'
import type { StoredPrincipal } from '../principal/index.js'
import type { AccountKey, AdapterAccount, AdapterUser } from '../types/adapter.js'
import type { Account, TokenSet } from '../types/identity.js'

/** An identity with the request in which it was proved. */
interface ProvedRequest {
  readonly context: AuthContext
  readonly identity: Identity
}

/** Returns the key of the identity's account. */
export function accountKeyOf({ account: { provider, providerAccountId } }: Identity): AccountKey {
  return { provider, providerAccountId }
}

/** Returns the account once the user is known: credentials that the library stores are named by their user. */
export function namedAccount({ account, stored }: Identity, userId: string): Identity['account'] {
  return stored && account.type !== 'application' ? { ...account, providerAccountId: userId } : account
}

/** Returns the user who has exactly this account. Some databases treat ids that differ only in case as equal. */
export async function accountOwner(store: AdapterStore, key: AccountKey): Promise<AdapterUser | null> {
  const user = await store.getUserByAccount(key)
  if (!user || !store.abilities.getAccounts) return user
  const account = await store.getAccount(key.providerAccountId, key.provider)
  return account?.provider === key.provider && account.providerAccountId === key.providerAccountId ? user : null
}

/** Checks whether an account represents a user's passkeys. Both passkey provider types create such accounts. */
export function isPasskeyAccount({ type }: AdapterAccount): boolean {
  return type === 'webauthn' || type === 'passkey'
}

/** Checks whether an account is stored with its user. Email links and `startSession` store none. */
export function isStoredAccount(account: Identity['account']): account is Account {
  return account.type !== 'email' && account.type !== 'application'
}

/**
 * Returns the row of an OAuth or OpenID Connect account. The provider's `account` selects the stored tokens. Tokens are
 * left out when the option `tokens` stores them.
 */
export function oauthAccount(proved: ProvedRequest, userId: string): AdapterAccount {
  const { provider, providerAccountId, type: _type, userId: _userId, ...tokens } = proved.identity.account
  const source = oauthProviderOf(proved)
  const isKept = proved.context.config.tokens !== undefined
  const chosen = Object.entries(source.account(tokens)).filter(
    ([name, value]) => value !== undefined && !(isKept && isTokenValue(tokens, name, value)),
  )
  return { ...Object.fromEntries(chosen), provider, providerAccountId, type: source.type, userId }
}

const accountTokenColumns: ReadonlySet<string> = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'token_type',
  'scope',
  'expires_at',
  'session_state',
  'oauth_token',
  'oauth_token_secret',
] satisfies Array<keyof AdapterAccount>)

/** Checks whether a value is a token, under any name, or belongs to one. */
function isTokenValue({ access_token, refresh_token, id_token }: TokenSet, name: string, value: unknown): boolean {
  return accountTokenColumns.has(name) || [access_token, refresh_token, id_token].includes(value as string)
}

/** Returns the provider of a sign-in. */
export function oauthProviderOf({ context, identity }: ProvedRequest): ResolvedOAuthProvider {
  const provider = identity.source ?? context.config.providers.get(identity.account.provider)
  if (provider?.kind === 'oauth') return provider
  throw new InvalidProvider('The account belongs to no configured OAuth provider.')
}

/* ---- user row ---------------------------------------------------------------------------------------------------- */

// Writes the row of a user as a lock, or to remove an unverified address.

/**
 * Locks the user's row until the transaction ends, and returns its current state.
 *
 * In all processes, every transaction that attaches something to a user, removes something or changes the address
 * begins with this. A write locks the row in every database. It writes the picture because a lost update of that does
 * the least harm.
 *
 * @param tx The store of a transaction.
 * @throws {@link AdapterError} when the user does not exist any more.
 */
export function lockUser(tx: AdapterStore, { id, image }: AdapterUser): Promise<AdapterUser> {
  return tx.updateUser({ id, image: image ?? null })
}

/** The value for a user without an address; the adapters' type requires one. */
export const noAddress = null as unknown as string

/**
 * Removes the address from a user who never verified it. Everything else is kept.
 *
 * @throws {@link AdapterError} when the adapter cannot store a user without an address.
 */
export async function releaseAddress(store: AdapterStore, { id }: AdapterUser): Promise<AdapterUser> {
  let err: Error | undefined
  try {
    const user = await store.updateUser({ id, email: noAddress })
    if (!user.email) return user
  } catch (error) {
    err = toError(error)
  }
  throw new AdapterError(
    'An unverified email address could not be removed from its user. Make the column `email` of the users nullable.',
    { method: 'updateUser', ...(err && { err }) },
  )
}

/* ---- address owner ----------------------------------------------------------------------------------------------- */

// The owner of an email address. A user may have verified it, or only claim it, because any visitor can sign up with
// another user's address. Users are found by address only here (`test/architecture`), so callers cannot overlook that a
// user only claims it.

/** The users with an address. */
export interface AddressOwner {
  /** The user who has verified the address, or may verify it now. */
  readonly user?: AdapterUser
  /** The user who only claims the address, and loses it to the user who verifies it. */
  readonly claimant?: AdapterUser
  /** True if the user has not verified the address before, and is not signed in here. */
  readonly isFirstProof?: boolean
}

/**
 * The user who is stored with an email address.
 *
 * - `owner`: the user has verified the address, or is treated as if (`allowDangerousUnprovedAddressMerge`).
 * - `claimant`: an attacker may have stored it. The user must not get anything that belongs to the owner of the
 *   address.
 */
export type AddressUser =
  | { readonly status: 'nobody'; readonly user?: undefined }
  | { readonly status: 'owner' | 'claimant'; readonly user: AdapterUser }

/**
 * Finds the user who is stored with an email address, and whether they own it.
 *
 * @param store The store; inside a transaction the transaction's store.
 */
export async function findByAddress(
  config: ResolvedConfig,
  store: AdapterStore,
  address: string,
): Promise<AddressUser> {
  const user = await store.getUserByEmail(address)
  if (!user) return { status: 'nobody' }
  return { status: isUnverifiedAddress(config, user) ? 'claimant' : 'owner', user }
}

/**
 * Checks whether the user with this address may be an attacker who only typed it, together with data of the attacker.
 */
export function isUnverifiedAddress({ mergeUnverified }: ResolvedConfig, { emailVerified }: AdapterUser): boolean {
  return !emailVerified && !mergeUnverified
}

/**
 * Returns the user as whom a visitor who proves an address is signed in.
 *
 * @param session Returns the session in which the proof was requested, if it has not ended. A signed-in user proves
 *   their own address, and so keeps everything stored.
 */
export async function ownerOfAddress(
  config: ResolvedConfig,
  store: AdapterStore,
  { address, session }: { address: string; session: () => Promise<StoredPrincipal | null> },
): Promise<AddressOwner> {
  const { status, user } = await findByAddress(config, store, address)
  if (status === 'nobody') return {}
  if (user.emailVerified || (await session())?.userId === user.id) return { user }
  return status === 'claimant' ? { claimant: user } : { user, isFirstProof: true }
}

/* ---- users that the application created ------------------------------------------------------------------------- */

/**
 * Checks whether a user may belong to an attacker: the email address is unverified, and there is a sign-in method other
 * than the password that the library stores. Users that the application created, for an import or an invitation, have
 * none.
 *
 * @param hasFactors Whether the user has second factors. Their store is not queried inside a transaction, because it
 *   may need its own connection.
 */
export async function mayBelongToAttacker(
  config: ResolvedConfig,
  store: AdapterStore,
  { user, hasFactors }: { readonly user: AdapterUser; readonly hasFactors: boolean },
): Promise<boolean> {
  if (!isUnverifiedAddress(config, user)) return false
  return hasFactors || (await hasOtherMethods(config, store, user))
}

/** Checks whether a user has second factors of any type. */
export async function hasSecondFactors({ factors }: ResolvedConfig, { id }: { readonly id: string }): Promise<boolean> {
  return factors !== undefined && isEnrolled(await guardFactors(factors).list(id))
}

/** Checks whether a user has another sign-in method than a password. A passkey always has an account too. */
async function hasOtherMethods(config: ResolvedConfig, store: AdapterStore, { id }: AdapterUser): Promise<boolean> {
  const passwords = passwordProviderOf(config)
  if (!store.abilities.listAccounts) {
    // Without the list, only a configuration without other providers is safe.
    return [...config.providers.values()].some((provider) => provider.kind !== 'email' && provider !== passwords)
  }
  const isPassword = ({ provider, providerAccountId }: AdapterAccount) =>
    provider === passwords?.id && providerAccountId === id
  return !(await store.listAccounts(id)).every(isPassword)
}
