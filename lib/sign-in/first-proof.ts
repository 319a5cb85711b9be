/**
 * The first proof of an address (`design.md`, decision 14). Until then anybody may have signed up with it: what they
 * attached to the user must not stay when its owner comes.
 */
import type { AccountKey, AdapterAccount, AdapterUser } from '../adapters/types.js'
import type { AuthContext, ResolvedConfig, Store } from '../context.js'
import { AccountNotLinked } from '../errors.js'
import { emit } from '../session/events.js'

/** What a proof of an address needs to know. */
export interface Proof {
  readonly context: AuthContext
  readonly store: Store
  readonly user: AdapterUser
  /** The person is signed in as this user: there is no stranger who could have attached something. */
  readonly isOwnSession: boolean
}

/**
 * Ends what others may have attached, notes the proof, and links the account that brought it: what fails half-way is done
 * again at the next try.
 *
 * @throws {@link AccountNotLinked} where something of a stranger would have to stay.
 */
export async function proveAddress(proof: Proof, account?: AdapterAccount): Promise<AdapterUser> {
  const { context, store, user } = proof
  assertProvable(proof)
  const isFirst = endsOthers(proof)
  const note = { id: user.id, emailVerified: new Date() }
  const proved = await store.transaction(async (tx) => {
    // The user's row first, as whoever unlinks an account does: else the two could wait for each other.
    const locked = store.has('transaction') ? await tx.updateUser(note) : undefined
    if (isFirst) await endAll(tx, user.id)
    // Without a transaction last: who is proved already is not looked at again.
    const updated = locked ?? (await tx.updateUser(note))
    if (account) await tx.linkAccount(account)
    return updated
  })
  // Once more: what was attached while the transaction ran was not there for it to see. Sessions first and last, for each
  // could attach an account, and each account begin a session.
  if (isFirst) {
    await store.deleteSessions(user.id)
    await endAll(store, user.id, account)
  }
  const firstProof = !user.emailVerified && !proof.isOwnSession
  await emit(context.config, 'updateUser', { user: proved, ...(firstProof && { firstProof }) })
  return proved
}

function assertProvable(proof: Proof): void {
  const { config } = proof.context
  if (!endsOthers(proof) || canEndAll(config, proof.store)) return
  throw new AccountNotLinked(
    "The address of this user was never proved before, and what was attached to it may be a stranger's. It cannot be ended with " +
      (config.session.strategy === 'jwt' ? 'JWT sessions' : 'this adapter') +
      ': use database sessions with an adapter that lists and ends what a user has, or accept it with `allowDangerousUnprovedAddressMerge`.',
  )
}

function endsOthers({ context, user, isOwnSession }: Proof): boolean {
  return !user.emailVerified && !isOwnSession && !context.config.mergeUnproved
}

function canEndAll(config: ResolvedConfig, store: Store): boolean {
  if (config.session.strategy === 'jwt') return false
  const needed = ['listAccountsByUserId', 'unlinkAccount', 'deleteSessionsByUserId'] as const
  if (!needed.every((method) => store.has(method))) return false
  return (
    !store.has('createAuthenticator') || (store.has('listAuthenticatorsByUserId') && store.has('deleteAuthenticator'))
  )
}

async function endAll(store: Store, userId: string, kept?: AccountKey): Promise<void> {
  for (const { provider, providerAccountId } of await store.listAccounts(userId)) {
    if (provider === kept?.provider && providerAccountId === kept.providerAccountId) continue
    await store.unlinkAccount({ provider, providerAccountId })
  }
  if (store.has('createAuthenticator')) {
    for (const { credentialID } of await store.listAuthenticators(userId)) await store.deleteAuthenticator(credentialID)
  }
  // Last: an account that is still there could begin another one.
  await store.deleteSessions(userId)
}
