/** Where a sign-in ends: at a user who is there, or at a new one. Nothing is written here. */

import { foldAddress } from '../base/address.js'
import { AccountNotLinked, CallbackRouteError, OAuthAccountNotLinked, WebAuthnVerificationError } from '../errors.js'
import type { AdapterUser } from '../types/adapter.js'
import type { ProviderType } from '../types/provider-ids.js'
import { isClaim, ownerOfAddress } from './address-owner.js'
import { type Attempt, accountKey, addressOf, linkingUser, ownerOf, sessionOf } from './attempt.js'
import { oauthProviderOf } from './oauth-account.js'

/**
 * `known`: who has the account. `link`: who gets it, in their session or by their address. `prove`: who has the address that
 * a mailed link proves. `new`: nobody yet; a claimant loses the address to the new user. `isFirstProof`: nobody proved the
 * user's address before, nor is signed in as them.
 */
export type Ending =
  | { readonly kind: 'known' | 'link' | 'prove'; readonly user: AdapterUser; readonly isFirstProof?: boolean }
  | { readonly kind: 'new'; readonly user?: undefined; readonly claimant?: AdapterUser }

/**
 * The user of an identity. An address that nobody proved is a claim only: whoever
 * proves it gets it, and a user of their own.
 *
 * @throws {@link OAuthAccountNotLinked} {@link AccountNotLinked} where the account or the address is another user's.
 */
export function decide(attempt: Attempt): Promise<Ending> {
  return rules[attempt.identity.account.type](attempt)
}

/** Whether two decisions come to the same. */
export function isSameEnding(one: Ending, other: Ending): boolean {
  return one.kind === other.kind && one.user?.id === other.user?.id && claimOf(one)?.id === claimOf(other)?.id
}

/** The user who loses the address. */
export function claimOf(ending: Ending): AdapterUser | undefined {
  return ending.kind === 'new' ? ending.claimant : undefined
}

const rules: Readonly<Record<ProviderType, (attempt: Attempt) => Promise<Ending>>> = {
  credentials: ofCredentials,
  email: ofMail,
  oauth: ofAccount,
  oidc: ofAccount,
  passkey: ofPasskey,
  webauthn: ofPasskey,
}

/* ---- OAuth and OpenID Connect ------------------------------------------------------------------------------- */

async function ofAccount(attempt: Attempt): Promise<Ending> {
  const { store, identity } = attempt
  const linking = await linkingUser(attempt)
  const owner = await ownerOf(store, accountKey(identity))
  if (owner && linking && owner.id !== linking.id) {
    throw new OAuthAccountNotLinked('The account belongs to another user than the one who is signed in.')
  }
  if (owner) return { kind: 'known', user: owner }
  if (linking) return { kind: 'link', user: linking }
  const email = addressOf(identity)
  const namesake = email ? await store.getUserByEmail(email) : null
  if (!namesake) return { kind: 'new' }
  if (takesAddress(attempt, namesake)) return { kind: 'new', claimant: namesake }
  const refusal = refusalOf(attempt, namesake)
  if (refusal === undefined) return { kind: 'link', user: namesake, isFirstProof: !namesake.emailVerified }
  // Between our two looks another process may have made the user, of this very account.
  const late = await ownerOf(store, accountKey(identity))
  if (late) return { kind: 'known', user: late }
  throw new OAuthAccountNotLinked(refusal)
}

/** The provider proves an address that the stored user only claims. */
function takesAddress({ context, identity }: Attempt, namesake: AdapterUser): boolean {
  return identity.addressProved === true && isClaim(context.config, namesake)
}

/** Why the account does not come to who has its address, if so: the developer has to allow it, and the provider to vouch. */
function refusalOf(attempt: Attempt, namesake: AdapterUser): string | undefined {
  const { context, identity, atomic } = attempt
  if (!oauthProviderOf(attempt).linkByEmail) return 'There is a user with this address, who signed in another way.'
  if (identity.addressProved === false)
    return 'There is a user with this address, and the provider does not vouch for it.'
  // It could be attached just as the owner of the address comes.
  if (isClaim(context.config, namesake) && !atomic) {
    return 'There is a user who never proved this address, and without transactions nothing is linked to them by it.'
  }
  return undefined
}

/* ---- mailed links ------------------------------------------------------------------------------------------- */

async function ofMail(attempt: Attempt): Promise<Ending> {
  const { context, store, identity } = attempt
  const { startedBy, account } = identity
  const session = async () => {
    const owner = startedBy === undefined ? null : await sessionOf(attempt)
    return owner?.key === startedBy ? owner : null
  }
  const { user, ...rest } = await ownerOfAddress(context.config, store, { address: account.providerAccountId, session })
  return user ? { kind: 'prove', user, ...rest } : { kind: 'new', ...rest }
}

/* ---- passkeys ----------------------------------------------------------------------------------------------- */

async function ofPasskey(attempt: Attempt): Promise<Ending> {
  const { store, identity } = attempt
  const linking = await linkingUser(attempt)
  const owner = await ownerOf(store, accountKey(identity))
  if (owner && linking && owner.id !== linking.id) {
    throw new AccountNotLinked('The passkey belongs to another user than the one who is signed in.')
  }
  if (!identity.newPasskey) return { kind: 'known', user: await whoHasPasskey(attempt, owner) }
  if (linking) return { kind: 'link', user: linking }
  // The session said who it is, and the database does not know them: nobody is made of it.
  if (identity.startedBy !== undefined) throw new AccountNotLinked('The signed-in user is not there any more.')
  // A passkey proves nothing about an address: who types one that is taken gets into nobody's account.
  const email = addressOf(identity)
  if (email && (await store.getUserByEmail(email))) {
    throw new AccountNotLinked('There is a user with this address: sign in, then add a passkey.')
  }
  return { kind: 'new' }
}

async function whoHasPasskey({ store, identity }: Attempt, owner: AdapterUser | null): Promise<AdapterUser> {
  const passkey = await store.getAuthenticator(String(identity.account.credentialID))
  if (owner && owner.id === identity.account.userId && passkey?.userId === owner.id) return owner
  // Removed since it was verified.
  throw new WebAuthnVerificationError('The passkey was removed, or has no user.')
}

/* ---- credentials, for database sessions --------------------------------------------------------------------- */

async function ofCredentials({ store, identity }: Attempt): Promise<Ending> {
  const key = accountKey(identity)
  const hasId = identity.user.id !== undefined
  const user = (await ownerOf(store, key)) ?? (hasId ? await store.getUser(key.providerAccountId) : null)
  // Without an id the account's name is the address, which may have gone to somebody else since.
  if (user && !hasId && (!user.email || foldAddress(user.email) !== key.providerAccountId)) {
    throw new AccountNotLinked(
      `\`authorize\` of the provider "${key.provider}" returned an address that is not its user's any more. Return the user's \`id\`.`,
    )
  }
  if (user) return { kind: 'known', user }
  const email = addressOf(identity)
  if (!email) {
    throw new CallbackRouteError(
      `\`authorize\` of the provider "${key.provider}" returned a user whom the adapter does not know, and without an \`email\` none can be made. Return the stored user, or an \`email\`.`,
    )
  }
  if (await store.getUserByEmail(email)) {
    throw new AccountNotLinked(
      `\`authorize\` of the provider "${key.provider}" returned the address of another stored user. Return that user's \`id\`.`,
    )
  }
  return { kind: 'new' }
}
