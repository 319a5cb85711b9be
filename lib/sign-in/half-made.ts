/** Users who were made for an account that could then not be linked, by an adapter that takes nothing back. */
import type { AdapterUser } from '../adapters/types.js'
import type { Identity, ResolvedConfig } from '../context.js'
import { BoundedMap, perOwner } from '../memory.js'
import { type Attempt, accountKey } from './attempt.js'

interface HalfMade {
  readonly id: string
  /** Whether the address was proved as the user was made. */
  readonly proved: boolean
}

/** By the account that is missing. */
const halfMadeOf = perOwner((_config: ResolvedConfig) => new BoundedMap<string, HalfMade>(10_000))

/** Remembers that the user's account is still to be linked. Where the adapter takes the user back nothing is. */
export function noteHalfMade({ context, store, identity }: Attempt, { id, emailVerified }: AdapterUser): void {
  if (store.has('transaction')) return
  halfMadeOf(context.config).set(keyOf(identity), { id, proved: emailVerified !== null })
}

/** The user who was made for this account, and is nobody else's by now. */
export async function findHalfMade({ context, store, identity }: Attempt): Promise<AdapterUser | null> {
  const made = halfMadeOf(context.config).get(keyOf(identity))
  const user = made ? await store.getUser(made.id) : null
  // Who proved the address since has the user: this account may be a stranger's.
  return user && (user.emailVerified !== null) === made?.proved ? user : null
}

/** The account is linked. */
export function noteWhole({ context, identity }: Attempt): void {
  halfMadeOf(context.config).delete(keyOf(identity))
}

function keyOf(identity: Identity): string {
  const { provider, providerAccountId } = accountKey(identity)
  // The account of a passkey is another one at each try: the address says that it is the same.
  if (identity.newPasskey) return JSON.stringify([provider, 'passkey of', identity.user.email])
  return JSON.stringify([provider, providerAccountId])
}
