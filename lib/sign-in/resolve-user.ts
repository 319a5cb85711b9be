/** From a proved identity to a user: by the table of `wire-contract.md` §12 where there is an adapter, else as it came. */
import type { AdapterUser } from '../adapters/types.js'
import type { AuthContext, Identity, ResolvedConfig, SignedIn } from '../context.js'
import { KeyedLock, perOwner } from '../memory.js'
import type { ProviderType } from '../providers/types.js'
import { type Attempt, accountKey, namesakeOf, ownerOf, type ResolvedUser } from './attempt.js'
import { resolveCredentialsUser } from './credentials-user.js'
import { resolveEmailUser } from './email-user.js'
import { resolveOAuthUser } from './oauth-user.js'
import { assertFreeAddress, resolvePasskeyUser } from './passkey-user.js'

/** The stored user of an identity before anything is decided, for the `signIn` callback. */
export async function knownUser({ config: { store } }: AuthContext, identity: Identity): Promise<AdapterUser | null> {
  if (!store || identity.account.type === 'credentials') return null
  if (identity.account.type === 'email') return namesakeOf(store, identity.account.providerAccountId)
  return ownerOf(store, accountKey(identity))
}

/** The user that the session is for. Sign-ins of the same person go one after the other, so that one user comes of them. */
export async function resolveUser(context: AuthContext, identity: Identity): Promise<SignedIn> {
  const { config } = context
  const { account, profile } = identity
  const rest = { account, ...(profile && { profile }) }
  const { store } = config
  // JWT sessions need no user row: what `authorize` returned is the user.
  if (!store || (account.type === 'credentials' && config.session.strategy === 'jwt')) {
    return { user: identity.user, ...rest }
  }
  const attempt = { context, store, identity }
  await assertWorthATurn(attempt)
  const { user, isNewUser } = await inTurn(config, identity, () => resolverOf(identity)(attempt))
  return { ...rest, user, account: { ...account, userId: user.id }, isNewUser }
}

function resolverOf({ account }: Identity): (attempt: Attempt) => Promise<ResolvedUser> {
  return resolvers[account.type]
}

const resolvers: Readonly<Record<ProviderType, (attempt: Attempt) => Promise<ResolvedUser>>> = {
  credentials: resolveCredentialsUser,
  email: resolveEmailUser,
  oauth: resolveOAuthUser,
  oidc: resolveOAuthUser,
  passkey: resolvePasskeyUser,
  webauthn: resolvePasskeyUser,
}

/** A passkey that anybody can make must not keep the owner of an address waiting for their own turn. */
async function assertWorthATurn(attempt: Attempt): Promise<void> {
  const { newPasskey, startedBy } = attempt.identity
  if (newPasskey && startedBy === undefined) await assertFreeAddress(attempt)
}

/** Time-outs that finding a user may take: a transaction, and a look before and after it. */
const turnsOfPatience = 5

const locksOf = perOwner((_config: ResolvedConfig) => new KeyedLock())

/** First the account's turn, then the address's: always in this order, so that nobody waits for each other. */
function inTurn<T>(config: ResolvedConfig, identity: Identity, work: () => Promise<T>): Promise<T> {
  const locks = locksOf(config)
  const { provider, providerAccountId } = identity.account
  const { email } = identity.user
  // Told apart by their beginnings: a person may say that their address is the name of their own account's lock.
  // A handler of the developer's that never comes back keeps one request waiting, and not the person out for ever.
  const hold = config.timeout * turnsOfPatience
  const inAccountsTurn = () => (email ? locks.run(`address ${email.toLowerCase()}`, work, hold) : work())
  return locks.run(`account ${JSON.stringify([provider, providerAccountId])}`, inAccountsTurn, hold)
}
