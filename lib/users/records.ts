/** Accounts as they are stored: what names one, whose it is, and what is in the row. */
import type { AuthContext, Identity, ResolvedConfig, ResolvedOAuthProvider, Store } from '../contracts/index.js'
import { AdapterError, InvalidProvider, toError } from '../errors.js'
import { guardedStore, isEnrolled } from '../features/factors/store.js'
import { passwordProviderOf } from '../features/passwords/store.js'
import type { StoredPrincipal } from '../principal/index.js'
import type { AccountKey, AdapterAccount, AdapterUser } from '../types/adapter.js'
import type { Account, TokenSet } from '../types/identity.js'

/** An identity, and the request in which it was proved. */
interface Proved {
  readonly context: AuthContext
  readonly identity: Identity
}

/** What names the identity's account. */
export function accountKey({ account: { provider, providerAccountId } }: Identity): AccountKey {
  return { provider, providerAccountId }
}

/** The account once the user is known: credentials that the library keeps are named by their user. */
export function namedAccount({ account, stored }: Identity, userId: string): Identity['account'] {
  return stored && account.type !== 'application' ? { ...account, providerAccountId: userId } : account
}

/** The user who has exactly this account. Some databases take ids that differ in case only for the same. */
export async function ownerOf(store: Store, key: AccountKey): Promise<AdapterUser | null> {
  const user = await store.getUserByAccount(key)
  if (!user || !store.can.getAccounts) return user
  const account = await store.getAccount(key.providerAccountId, key.provider)
  return account?.provider === key.provider && account.providerAccountId === key.providerAccountId ? user : null
}

/** Whether an account stands for a user's passkeys. Both types of providers make such accounts. */
export function isPasskeyAccount({ type }: AdapterAccount): boolean {
  return type === 'webauthn' || type === 'passkey'
}

/** Whether an account is stored with its user: a mailed link and the application's own word leave none. */
export function hasRow(account: Identity['account']): account is Account {
  return account.type !== 'email' && account.type !== 'application'
}

/**
 * The row of an OAuth or OpenID Connect account: the provider's `account` chooses which of the tokens are stored. None is where the
 * option `tokens` keeps them.
 */
export function oauthAccount(proved: Proved, userId: string): AdapterAccount {
  const { provider, providerAccountId, type: _type, userId: _userId, ...tokens } = proved.identity.account
  const source = oauthProviderOf(proved)
  const isKept = proved.context.config.tokens !== undefined
  const chosen = Object.entries(source.account(tokens)).filter(
    ([name, value]) => value !== undefined && !(isKept && isToken(tokens, name, value)),
  )
  return { ...Object.fromEntries(chosen), provider, providerAccountId, type: source.type, userId }
}

const tokenColumns: ReadonlySet<string> = new Set([
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

/** Whether it tells of a token, or is one under whatever name. */
function isToken({ access_token, refresh_token, id_token }: TokenSet, name: string, value: unknown): boolean {
  return tokenColumns.has(name) || [access_token, refresh_token, id_token].includes(value as string)
}

/** The provider that a person signs in with. */
export function oauthProviderOf({ context, identity }: Proved): ResolvedOAuthProvider {
  const provider = context.config.providers.get(identity.account.provider)
  if (provider?.kind === 'oauth') return provider
  throw new InvalidProvider('The account is of no OAuth provider of the configuration.')
}

/* ---- user row ---------------------------------------------------------------------------------------------------- */

// Writes to the row of a user: as a lock, and to take away an address that they never proved.

/**
 * Locks the user's row until the transaction ends, and returns it as it is by then. Every transaction that attaches something
 * to a user, removes something or changes the address begins with this, in all processes. It writes because a write locks the
 * row in every database, and it writes the picture because a lost update of that does the least harm.
 *
 * @param tx Of a transaction. @throws {@link AdapterError} when there is no such user any more.
 */
export function lockUser(tx: Store, { id, image }: AdapterUser): Promise<AdapterUser> {
  return tx.updateUser({ id, image: image ?? null })
}

/** A user without an address; adapters' types have one for everybody. */
export const noAddress = null as unknown as string

/**
 * Takes the address from a user who never proved it. They keep everything else.
 *
 * @throws {@link AdapterError} where the adapter cannot store a user without an address.
 */
export async function releaseAddress(store: Store, { id }: AdapterUser): Promise<AdapterUser> {
  let err: Error | undefined
  try {
    const user = await store.updateUser({ id, email: noAddress })
    if (!user.email) return user
  } catch (error) {
    err = toError(error)
  }
  throw new AdapterError(
    'The address of a user who never proved it could not be taken from them for its owner: the column `email` of the users must take null.',
    { method: 'updateUser', ...(err && { err }) },
  )
}

/* ---- address owner ----------------------------------------------------------------------------------------------- */

// Whose an address is. A user may have proved it, or only claim it: anybody can sign up with somebody else's address. Users are found by
// an address here and nowhere else (`test/architecture`), so no caller can miss that a user only claims it.

/** The users that an address leads to. */
export interface AddressOwner {
  /** Who has proved it, or may prove it now. */
  readonly user?: AdapterUser
  /** Who only claims it, and loses it to whoever proves it. */
  readonly claimant?: AdapterUser
  /** The user has not proved the address before, and is not signed in here. */
  readonly isFirstProof?: boolean
}

/**
 * The user who is stored with an email address.
 *
 * - `owner`: the user has verified the address, or is treated as if (`allowDangerousUnprovedAddressMerge`).
 * - `claimant`: anybody may have stored it. The user must not get anything that belongs to the owner of the address.
 */
export type Namesake =
  | { readonly standing: 'nobody'; readonly user?: undefined }
  | { readonly standing: 'owner' | 'claimant'; readonly user: AdapterUser }

/** Finds the user who is stored with an email address, and says whether the address is theirs. @param store Inside a transaction the transaction's. */
export async function findByAddress(config: ResolvedConfig, store: Store, address: string): Promise<Namesake> {
  const user = await store.getUserByEmail(address)
  if (!user) return { standing: 'nobody' }
  return { standing: isClaim(config, user) ? 'claimant' : 'owner', user }
}

/** Whether the user with this address may be a stranger who only typed it, with what a stranger stored. */
export function isClaim({ mergeUnproved }: ResolvedConfig, { emailVerified }: AdapterUser): boolean {
  return !emailVerified && !mergeUnproved
}

/**
 * The user as whom somebody is signed in who proves an address.
 *
 * @param session Whose session it is in which the proof was asked for, if it has not ended. A user who is signed in proves
 * their own address, and so keeps what is stored.
 */
export async function ownerOfAddress(
  config: ResolvedConfig,
  store: Store,
  { address, session }: { address: string; session: () => Promise<StoredPrincipal | null> },
): Promise<AddressOwner> {
  const { standing, user } = await findByAddress(config, store, address)
  if (standing === 'nobody') return {}
  if (user.emailVerified || (await session())?.userId === user.id) return { user }
  return standing === 'claimant' ? { claimant: user } : { user, isFirstProof: true }
}

/* ---- users that the application itself has made ------------------------------------------------------------- */

/**
 * Checks whether a user may be a stranger's: the email address is unverified, and there is a sign-in method beside the password that the
 * library keeps. Users whom the application has made, for an import or an invitation, have none.
 *
 * @param hasFactors Whether the user has second factors. Their store is not asked inside a transaction: it may need a connection of its own.
 */
export async function isStrangers(
  config: ResolvedConfig,
  store: Store,
  { user, hasFactors }: { readonly user: AdapterUser; readonly hasFactors: boolean },
): Promise<boolean> {
  if (!isClaim(config, user)) return false
  return hasFactors || (await hasOtherMethods(config, store, user))
}

/** Checks whether a user has second factors, of whatever kind. */
export async function hasSecondFactors({ factors }: ResolvedConfig, { id }: { readonly id: string }): Promise<boolean> {
  return factors !== undefined && isEnrolled(await guardedStore(factors).list(id))
}

/** A passkey always has an account as well. */
async function hasOtherMethods(config: ResolvedConfig, store: Store, { id }: AdapterUser): Promise<boolean> {
  const passwords = passwordProviderOf(config)
  if (!store.can.listAccounts) {
    // Nobody can say what there is: only where there is no other provider there is nothing for certain.
    return [...config.providers.values()].some((provider) => provider.kind !== 'email' && provider !== passwords)
  }
  const isPassword = ({ provider, providerAccountId }: AdapterAccount) =>
    provider === passwords?.id && providerAccountId === id
  return !(await store.listAccounts(id)).every(isPassword)
}
