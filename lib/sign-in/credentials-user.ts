/** The user behind what `authorize` returned, for database sessions, which belong to a user row. */
import type { AdapterUser } from '../adapters/types.js'
import type { Store } from '../context.js'
import { randomUuid } from '../crypto/random.js'
import { AccountNotLinked, AdapterError, CallbackRouteError } from '../errors.js'
import { emit } from '../session/events.js'
import { type Attempt, accountKey, namesakeOf, ownerOf, type ResolvedUser } from './attempt.js'
import { findHalfMade, noteHalfMade, noteWhole } from './half-made.js'
import { assertUnclaimed, attachedAccount } from './linking-user.js'

/**
 * The user with the account, or with the id; else a new one, where there is an address to make it of.
 *
 * @throws {@link CallbackRouteError} when there is neither.
 */
export async function resolveCredentialsUser(attempt: Attempt): Promise<ResolvedUser> {
  const known = await find(attempt)
  if (known) return { user: known, isNewUser: false }
  try {
    return await make(attempt)
  } catch (error) {
    // Another process may have made the same user in the same moment.
    const made = error instanceof AdapterError ? await find(attempt) : null
    if (made) return { user: made, isNewUser: false }
    throw error
  }
}

async function find({ store, identity }: Attempt): Promise<AdapterUser | null> {
  const key = accountKey(identity)
  return (await ownerOf(store, key)) ?? (await store.getUser(key.providerAccountId))
}

async function make(attempt: Attempt): Promise<ResolvedUser> {
  const { context, store, identity } = attempt
  const { provider } = accountKey(identity)
  const email = identity.user.email?.toLowerCase()
  if (!email) {
    throw new CallbackRouteError(
      `\`authorize\` of the provider "${provider}" returned a user whom the adapter does not know, and without an \`email\` none can be made. Return the stored user, or an \`email\`.`,
    )
  }
  const halfMade = await findHalfMade(attempt)
  if (!halfMade && (await namesakeOf(store, email))) {
    throw new AccountNotLinked(
      `\`authorize\` of the provider "${provider}" returned the address of another stored user. Return that user's \`id\`.`,
    )
  }
  const user = await (halfMade ? link(attempt, store, halfMade) : create(attempt, email))
  noteWhole(attempt)
  await emit(context.config, 'createUser', { user })
  // In a transaction nobody saw the user without the account.
  if (!store.has('transaction')) await assertUnclaimed(attempt, user, attachedAccount(attempt))
  return { user, isNewUser: true }
}

function create(attempt: Attempt, email: string): Promise<AdapterUser> {
  const { name = null, image = null } = attempt.identity.user
  return attempt.store.transaction(async (tx) => {
    // Of these fields only: `authorize` may return a whole row, with the password's hash.
    const made = await tx.createUser({ id: randomUuid(), name, email, image, emailVerified: null })
    noteHalfMade(attempt, made)
    return link(attempt, tx, made)
  })
}

/** The adapter may have given another id: by this row the person is found again. */
async function link({ identity }: Attempt, store: Store, user: AdapterUser): Promise<AdapterUser> {
  await store.linkAccount({ ...accountKey(identity), type: 'credentials', userId: user.id })
  return user
}
