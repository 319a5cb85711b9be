/** The user of a passkey: its owner; or, with a new one, the signed-in user who adds it, or a new user. */
import type { AdapterAuthenticator, AdapterUser } from '../adapters/types.js'
import type { Store } from '../context.js'
import { randomUuid } from '../crypto/random.js'
import { AccountNotLinked, AdapterError, WebAuthnVerificationError } from '../errors.js'
import { emit } from '../session/events.js'
import { type Attempt, accountKey, namesakeOf, ownerOf, type ResolvedUser } from './attempt.js'
import { findHalfMade, noteHalfMade, noteWhole } from './half-made.js'
import { type Attached, assertUnclaimed, linkingUser } from './linking-user.js'
import { isPasskeyAccount } from './passkey-account.js'
import { tellLink } from './tell-link.js'

/**
 * Finds the user, or makes one.
 *
 * @throws {@link AccountNotLinked} when the passkey is another user's than the signed-in one's, or the address is taken.
 */
export async function resolvePasskeyUser(attempt: Attempt): Promise<ResolvedUser> {
  const { identity } = attempt
  const linking = await linkingUser(attempt)
  if (!identity.newPasskey) return { user: await known(attempt, linking), isNewUser: false }
  // The session said who it is, and the database does not know them: nobody is made of it.
  if (identity.startedBy !== undefined && !linking)
    throw new AccountNotLinked('The signed-in user is not there any more.')
  if (linking) return { user: await add(attempt, linking), isNewUser: false }
  return { user: await create(attempt), isNewUser: true }
}

/** Who has the passkey. */
async function known({ store, identity }: Attempt, linking: AdapterUser | null): Promise<AdapterUser> {
  const owner = await ownerOf(store, accountKey(identity))
  const passkey = await store.getAuthenticator(String(identity.account.credentialID))
  // Removed since it was verified.
  if (!owner || owner.id !== identity.account.userId || passkey?.userId !== owner.id) {
    throw new WebAuthnVerificationError('The passkey was removed, or has no user.')
  }
  if (linking && linking.id !== owner.id) {
    throw new AccountNotLinked('The passkey belongs to another user than the one who is signed in.')
  }
  return owner
}

/** One more passkey. The first one brings the account along. */
async function add(attempt: Attempt, user: AdapterUser): Promise<AdapterUser> {
  const { store, identity } = attempt
  const hasAccount = await store.transaction(async (tx) => {
    // Looked for here: it goes when the last passkey before this one is removed.
    const owner = await ownerOf(tx, accountKey(identity))
    if (owner && owner.id !== user.id) {
      throw new AccountNotLinked('The account of the passkey belongs to another user than the one who is signed in.')
    }
    await keep(attempt, tx, { user, hasAccount: owner !== null })
    return owner !== null
  })
  await assertUnclaimed(attempt, user, attachedPasskey(attempt, hasAccount))
  await tellLink(attempt, user)
  return user
}

async function create(attempt: Attempt): Promise<AdapterUser> {
  const { context, store, identity } = attempt
  const { email, name = null } = identity.user
  const halfMade = await findEmpty(attempt)
  if (!halfMade) await assertFreeAddress(attempt)
  const proposal = { id: randomUuid(), name, email: (email ?? null) as string, emailVerified: null }
  try {
    const user = await store.transaction(async (tx) => {
      const made = halfMade ?? (await tx.createUser(proposal))
      noteHalfMade(attempt, made)
      await keep(attempt, tx, { user: made, hasAccount: false })
      return made
    })
    noteWhole(attempt)
    await emit(context.config, 'createUser', { user })
    await assertUnclaimed(attempt, user, attachedPasskey(attempt, false))
    await tellLink(attempt, user)
    return user
  } catch (error) {
    // Another process may have made a user with the address in the same moment.
    const isMaking = error instanceof AdapterError && error.cause?.method === 'createUser'
    if (isMaking) await assertFreeAddress(attempt, error)
    throw error
  }
}

/** The user whom a try that failed half-way left behind, and who has nothing to sign in with. */
async function findEmpty(attempt: Attempt): Promise<AdapterUser | null> {
  const { store, identity } = attempt
  // Without an address nothing says that it is the same person.
  const user = identity.user.email ? await findHalfMade(attempt) : null
  if (!user || (await store.listAuthenticators(user.id)).length > 0) return null
  const accounts = store.has('listAccountsByUserId') ? await store.listAccounts(user.id) : []
  return accounts.every(isPasskeyAccount) ? user : null
}

/**
 * A passkey proves nothing about an address: who types one that is taken gets into nobody's account.
 *
 * @throws {@link AccountNotLinked} when there is a user with the new one's address.
 */
export async function assertFreeAddress(attempt: Attempt, cause?: AdapterError): Promise<void> {
  const { email } = attempt.identity.user
  if (!email || !(await namesakeOf(attempt.store, email)) || (!cause && (await findEmpty(attempt)))) return
  throw new AccountNotLinked('There is a user with this address: sign in, then add a passkey.', cause)
}

interface Place {
  readonly user: AdapterUser
  readonly hasAccount: boolean
}

async function keep({ identity }: Attempt, store: Store, { user, hasAccount }: Place): Promise<void> {
  const key = accountKey(identity)
  if (!hasAccount) await store.linkAccount({ ...key, type: identity.account.type, userId: user.id })
  const { newPasskey } = identity
  if (!newPasskey) return
  const { providerAccountId } = key
  const passkey: AdapterAuthenticator = { ...newPasskey, providerAccountId, userId: user.id }
  await store.createAuthenticator(passkey)
}

/** A new passkey, with the account that it may have brought along. */
function attachedPasskey({ store, identity: { newPasskey, ...identity } }: Attempt, hasAccount: boolean): Attached {
  const Refusal = AccountNotLinked
  if (!newPasskey || !store.has('deleteAuthenticator')) return { Refusal }
  const undo = async () => {
    await store.deleteAuthenticator(newPasskey.credentialID)
    if (!hasAccount && store.has('unlinkAccount')) await store.unlinkAccount(accountKey(identity))
  }
  return { undo, Refusal }
}
