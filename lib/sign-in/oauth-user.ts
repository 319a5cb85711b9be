/** The user of an OAuth or OpenID Connect account (`wire-contract.md`, section 12). */
import type { AdapterAccount, AdapterUser } from '../adapters/types.js'
import type { ResolvedOAuthProvider } from '../context.js'
import { randomUuid } from '../crypto/random.js'
import { AdapterError, InvalidProvider, OAuthAccountNotLinked } from '../errors.js'
import { emit } from '../session/events.js'
import { type Attempt, accountKey, namesakeOf, ownerOf, type ResolvedUser } from './attempt.js'
import { proveAddress } from './first-proof.js'
import { findHalfMade, noteHalfMade, noteWhole } from './half-made.js'
import { assertUnclaimed, attachedAccount, linkingUser } from './linking-user.js'
import { tellLink } from './tell-link.js'

/** The user who has the account; else the signed-in one who links it; else who has the address, where that is allowed; else a new one. */
export async function resolveOAuthUser(attempt: Attempt): Promise<ResolvedUser> {
  const linking = await linkingUser(attempt)
  try {
    return await decide(attempt, linking)
  } catch (error) {
    // Another process may have made the same user in the same moment, between two of our looks: a second one tells.
    if (error instanceof AdapterError) return decide(attempt, linking, error)
    const isRefused = error instanceof OAuthAccountNotLinked && !linking
    if (isRefused && (await ownerOf(attempt.store, accountKey(attempt.identity)))) return decide(attempt, linking)
    throw error
  }
}

async function decide(attempt: Attempt, linking: AdapterUser | null, conflict?: AdapterError): Promise<ResolvedUser> {
  const { store, identity } = attempt
  const owner = await ownerOf(store, accountKey(identity))
  if (owner && linking && owner.id !== linking.id) {
    throw new OAuthAccountNotLinked('The account belongs to another user than the one who is signed in.')
  }
  if (owner) return { user: await noteProof(attempt, owner), isNewUser: false }
  if (linking) return { user: await noteProof(attempt, await linkTo(attempt, linking)), isNewUser: false }
  const halfMade = await findHalfMade(attempt)
  if (halfMade) return { user: await complete(attempt, halfMade), isNewUser: true }
  const { email } = identity.user
  const namesake = email ? await namesakeOf(store, email) : null
  if (namesake) return { user: await linkToNamesake(attempt, namesake), isNewUser: false }
  if (conflict) throw conflict
  return { user: await create(attempt), isNewUser: true }
}

/** Links where the developer allows it and the provider does not itself say that the address may be a stranger's. */
async function linkToNamesake(attempt: Attempt, namesake: AdapterUser): Promise<AdapterUser> {
  const { context, store, identity } = attempt
  if (!providerOf(attempt).linkByEmail) {
    throw new OAuthAccountNotLinked('There is a user with this address, who signed in another way.')
  }
  if (identity.addressProved === false) {
    throw new OAuthAccountNotLinked('There is a user with this address, and the provider does not vouch for it.')
  }
  if (identity.addressProved === undefined) return linkTo(attempt, namesake)
  const proof = { context, store, user: namesake, isOwnSession: false }
  const user = await proveAddress(proof, recordOf(attempt, namesake.id))
  await tellLink(attempt, user)
  return user
}

async function linkTo(attempt: Attempt, user: AdapterUser): Promise<AdapterUser> {
  await attempt.store.linkAccount(recordOf(attempt, user.id))
  await assertUnclaimed(attempt, user, attachedAccount(attempt, OAuthAccountNotLinked))
  await tellLink(attempt, user)
  return user
}

async function create(attempt: Attempt): Promise<AdapterUser> {
  const { context, store, identity } = attempt
  const emailVerified = identity.addressProved ? new Date() : null
  const email = (identity.user.email ?? null) as string
  // Before anything is stored: the provider's `account` is the developer's, and may throw.
  const account = recordOf(attempt, '')
  const user = await store.transaction(async (tx) => {
    const made = await tx.createUser({ ...identity.user, id: randomUuid(), email, emailVerified })
    noteHalfMade(attempt, made)
    await tx.linkAccount({ ...account, userId: made.id })
    return made
  })
  noteWhole(attempt)
  await emit(context.config, 'createUser', { user })
  // In a transaction nobody saw the user without the account.
  if (!store.has('transaction')) await assertUnclaimed(attempt, user, attachedAccount(attempt, OAuthAccountNotLinked))
  await tellLink(attempt, user)
  return user
}

/** Links the account whose user was made before, by a try that failed after it. */
async function complete(attempt: Attempt, user: AdapterUser): Promise<AdapterUser> {
  const { context, store } = attempt
  await store.linkAccount(recordOf(attempt, user.id))
  await assertUnclaimed(attempt, user, attachedAccount(attempt, OAuthAccountNotLinked))
  noteWhole(attempt)
  await emit(context.config, 'createUser', { user })
  await tellLink(attempt, user)
  return user
}

/** An account of the user's own says that the address is proved: nobody else had a part in it. */
async function noteProof({ context, store, identity }: Attempt, user: AdapterUser): Promise<AdapterUser> {
  const isTheirs = identity.user.email !== undefined && identity.user.email === user.email?.toLowerCase()
  if (!identity.addressProved || user.emailVerified || !isTheirs) return user
  return proveAddress({ context, store, user, isOwnSession: true })
}

/** The account as it is stored: what the provider's `account` chooses of the tokens, and whose it is. */
function recordOf(attempt: Attempt, userId: string): AdapterAccount {
  const { provider, providerAccountId, type, userId: _userId, ...tokens } = attempt.identity.account
  const chosen = Object.entries(providerOf(attempt).account(tokens)).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(chosen), provider, providerAccountId, type, userId }
}

function providerOf({ context, identity }: Attempt): ResolvedOAuthProvider {
  const provider = context.config.providers.get(identity.account.provider)
  if (provider?.kind === 'oauth') return provider
  throw new InvalidProvider('The account is of no OAuth provider of the configuration.')
}
