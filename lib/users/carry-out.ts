/** Carries a decision out: in one transaction, or without one in an order in which every crash is harmless. */

import { foldAddress } from '../base/address.js'
import type { Store } from '../contracts/index.js'
import { randomUuid } from '../crypto/random.js'
import { toError } from '../errors.js'
import type { AdapterAuthenticator, AdapterUser } from '../types/adapter.js'
import type { EventCallbacks } from '../types/config.js'
import { type Attempt, accountKey, addressOf, ownerOf } from './attempt.js'
import { claimOf, decide, type Ending, isSameEnding } from './decide.js'
import { lockUser } from './lock-user.js'
import { oauthAccount } from './oauth-account.js'
import { noAddress, releaseAddress } from './release-address.js'

/** A user, found or made, and what the application is told of it once it is stored. */
export interface Outcome {
  readonly user: AdapterUser
  readonly isNewUser: boolean
  readonly updates: ReadonlyArray<Parameters<EventCallbacks['updateUser']>[0]>
  readonly isLinked: boolean
}

/**
 * Does what was decided, unless the second look comes to something else: then `undefined`, and nothing is written. The row
 * of the user at whom it ends, or who loses the address, is locked first: sessions and proofs are read again behind that.
 */
export async function carryOut(attempt: Attempt, decided: Ending): Promise<Outcome | undefined> {
  const work = async (store: Store): Promise<Outcome | undefined> => {
    const second = { ...attempt, store, isSecondLook: true }
    const row = decided.user ?? claimOf(decided)
    if (row && attempt.atomic && writes(attempt, decided)) await lockUser(store, row)
    const ending = await decide(second)
    return isSameEnding(ending, decided) ? write(second, ending) : undefined
  }
  return writes(attempt, decided) ? attempt.store.transaction(work) : work(attempt.store)
}

/** More than one write, or one that rests on what was read. */
function writes({ identity }: Attempt, ending: Ending): boolean {
  if (ending.kind === 'known') return bringsProof(identity, ending.user)
  return ending.kind !== 'new' || ending.claimant !== undefined || identity.account.type !== 'email'
}

/** An account of the user's own says that their address is proved: nobody else had a part in it. */
function bringsProof({ addressProved, user }: Attempt['identity'], { email, emailVerified }: AdapterUser): boolean {
  return addressProved === true && !emailVerified && Boolean(email) && user.email === foldAddress(email)
}

async function write(attempt: Attempt, ending: Ending): Promise<Outcome> {
  const { identity, store } = attempt
  if (ending.kind === 'new') return create(attempt, ending.claimant)
  const { kind, user } = ending
  if (kind === 'link') await attach(attempt, user)
  const found = { user, isNewUser: false, updates: [], isLinked: kind === 'link' }
  if (kind !== 'prove' && !bringsProof(identity, user)) return found
  const proved = await store.updateUser({ id: user.id, emailVerified: new Date() })
  return { ...found, user: proved, updates: [{ user: proved, ...(ending.isFirstProof && { firstProof: true }) }] }
}

/* ---- new users ---------------------------------------------------------------------------------------------- */

async function create(attempt: Attempt, claimant: AdapterUser | undefined): Promise<Outcome> {
  const { identity, store, atomic } = attempt
  const email = addressOf(identity)
  // Before anything is stored: the provider's `account` is the developer's, and may throw.
  if (isOAuth(attempt)) oauthAccount(attempt, '')
  const updates = claimant ? [{ user: await releaseAddress(store, claimant), lostAddress: true }] : []
  const isLinked = identity.account.type !== 'email'
  const emailVerified = identity.addressProved && email ? new Date() : null
  // Who has a proved address keeps it, so without a transaction it is proved only when the user can come back.
  const isProvedLater = isLinked && !atomic && emailVerified !== null
  const made = await store.createUser({
    ...proposal(attempt),
    id: randomUuid(),
    email: (email ?? null) as string,
    emailVerified: isProvedLater ? null : emailVerified,
  })
  if (isLinked) await (atomic ? attach(attempt, made) : attachOrGiveUp(attempt, made))
  const user = isProvedLater ? await noteProof(attempt, made) : made
  return { user, isNewUser: true, updates, isLinked: isLinked && identity.account.type !== 'credentials' }
}

/** What the user is made of: of credentials no more than this, for `authorize` may return a row with the password's hash. */
function proposal(attempt: Attempt): Record<string, unknown> {
  const { user, account } = attempt.identity
  if (isOAuth(attempt)) return { ...user }
  if (account.type === 'email') return {}
  return { name: user.name ?? null, ...(account.type === 'credentials' && { image: user.image ?? null }) }
}

/** Without a transaction. Nobody could come back as a user without an account, and nobody shall be kept out by one. */
async function attachOrGiveUp(attempt: Attempt, user: AdapterUser): Promise<void> {
  try {
    await attach(attempt, user)
  } catch (error) {
    if (user.email) await attempt.store.updateUser({ id: user.id, email: noAddress }).catch(() => {})
    throw error
  }
}

/** What fails here is made up for when the person comes back. */
async function noteProof({ store, context }: Attempt, made: AdapterUser): Promise<AdapterUser> {
  try {
    // Whoever proved it meanwhile has the address now.
    const { email } = (await store.getUser(made.id)) ?? made
    return email === made.email ? await store.updateUser({ id: made.id, emailVerified: new Date() }) : made
  } catch (error) {
    context.config.logger.error(toError(error))
    return made
  }
}

/* ---- accounts and passkeys ---------------------------------------------------------------------------------- */

function isOAuth({ identity: { account } }: Attempt): boolean {
  return account.type === 'oauth' || account.type === 'oidc'
}

async function attach(attempt: Attempt, { id: userId }: AdapterUser): Promise<void> {
  const { identity, store } = attempt
  const key = accountKey(identity)
  if (isOAuth(attempt)) return store.linkAccount(oauthAccount(attempt, userId))
  // A user's passkeys share one account. It goes when the last one is removed.
  const isThere = identity.newPasskey !== undefined && (await ownerOf(store, key)) !== null
  if (!isThere) await store.linkAccount({ ...key, type: identity.account.type, userId })
  if (!identity.newPasskey) return
  const passkey: AdapterAuthenticator = { ...identity.newPasskey, providerAccountId: key.providerAccountId, userId }
  await store.createAuthenticator(passkey)
}
