/** What finding the user of a sign-in starts from, and comes to. */
import type { AccountKey, AdapterUser } from '../adapters/types.js'
import type { AuthContext, Identity, Store } from '../context.js'

/** A sign-in with everything that finding its user takes. */
export interface Attempt {
  readonly context: AuthContext
  readonly store: Store
  readonly identity: Identity
}

/** A user, found or made. */
export interface ResolvedUser {
  readonly user: AdapterUser
  readonly isNewUser: boolean
}

/** The names under which the identity's account is found. */
export function accountKey({ account: { provider, providerAccountId } }: Identity): AccountKey {
  return { provider, providerAccountId }
}

/** The user who has exactly this account. A database may take ids that differ in case only for the same: we do not. */
export async function ownerOf(store: Store, key: AccountKey): Promise<AdapterUser | null> {
  const user = await store.getUserByAccount(key)
  if (!user || !store.has('getAccount')) return user
  const account = await store.getAccount(key.providerAccountId, key.provider)
  return account?.provider === key.provider && account.providerAccountId === key.providerAccountId ? user : null
}

/** The user who has exactly this address. A database may take `josé@` and `jose@` for the same, and they are two people. */
export async function namesakeOf(store: Store, email: string): Promise<AdapterUser | null> {
  const user = await store.getUserByEmail(email)
  const isAnother = typeof user?.email === 'string' && user.email.toLowerCase() !== email.toLowerCase()
  return isAnother ? null : user
}
