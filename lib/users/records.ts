/** Accounts as they are stored: what names one, whose it is, and what is in the row. */
import type { AuthContext, Identity, ResolvedOAuthProvider, Store } from '../contracts/index.js'
import { AdapterError, InvalidProvider, toError } from '../errors.js'
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
