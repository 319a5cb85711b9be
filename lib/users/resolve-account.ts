/** Decides which user a sign-in resolves to: a stored one or a new one. It only reads; `apply-ending` writes. */

import { foldAddress } from '../base/email-address.js'
import type { AdapterStore, AuthContext, Identity } from '../contracts/index.js'
import {
  AccountNotLinked,
  CallbackRouteError,
  InvalidCheck,
  OAuthAccountNotLinked,
  WebAuthnVerificationError,
} from '../errors.js'
import type { StoredPrincipal } from '../principal/index.js'
import type { AdapterUser } from '../types/adapter.js'
import { linkableUser } from './linking.js'
import {
  type AddressUser,
  accountKeyOf,
  accountOwner,
  findByAddress,
  mayBelongToAttacker,
  oauthProviderOf,
  ownerOfAddress,
} from './records.js'

/** A proved identity, with everything needed to find its user. */
export interface ProvedSignIn {
  readonly context: AuthContext
  /** The store; inside a transaction the transaction's store. */
  readonly store: AdapterStore
  readonly identity: Identity
  /** True if the adapter has transactions. */
  readonly hasTransactions: boolean
  /**
   * True if this is the second decision, after the lock. It reads the session's owner through `store` and does not run
   * callbacks again.
   */
  readonly isRecheck: boolean
  /** True if the user that the identity names has second factors. Read before any transaction. */
  readonly hasFactors: boolean
}

/**
 * The user of a sign-in.
 *
 * - `known`: the user has the account.
 * - `link`: the account is linked to the user, because they are signed in or have its address.
 * - `prove`: the user has the address that an email link proves.
 * - `new`: a user is created. A claimant, if there is one, loses the address to them.
 *
 * `isFirstProof`: the user's address was unverified, and the user is not signed in.
 */
export type AccountResolution =
  | { readonly kind: 'known' | 'link' | 'prove'; readonly user: AdapterUser; readonly isFirstProof?: boolean }
  | { readonly kind: 'new'; readonly user?: undefined; readonly claimant?: AdapterUser }

/**
 * Decides which user an identity resolves to.
 *
 * An unverified address leads to no user (unless `mergeUnproved` is on): an attacker could have signed up with it, and
 * would share the user with its owner. The user who verifies it gets it, with a user of their own.
 *
 * @throws {@link OAuthAccountNotLinked} {@link AccountNotLinked} when the account or the address belongs to another
 *   user.
 */
export function resolveAccount(signIn: ProvedSignIn): Promise<AccountResolution> {
  const { stored, account } = signIn.identity
  return stored ? resolveStoredCredentials(signIn) : resolutionRules[account.type](signIn)
}

/** Checks whether two decisions are the same. */
export function isSameResolution(one: AccountResolution, other: AccountResolution): boolean {
  return one.kind === other.kind && one.user?.id === other.user?.id && claimantOf(one)?.id === claimantOf(other)?.id
}

/** Returns the user who loses the address. */
export function claimantOf(resolution: AccountResolution): AdapterUser | undefined {
  return resolution.kind === 'new' ? resolution.claimant : undefined
}

const resolutionRules: Readonly<
  Record<Identity['account']['type'], (signIn: ProvedSignIn) => Promise<AccountResolution>>
> = {
  application: resolveApplication,
  credentials: resolveCredentials,
  email: resolveEmail,
  oauth: resolveOAuth,
  oidc: resolveOAuth,
  passkey: resolvePasskey,
  webauthn: resolvePasskey,
}

/* ---- OAuth and OpenID Connect ------------------------------------------------------------------------------- */

async function resolveOAuth(signIn: ProvedSignIn): Promise<AccountResolution> {
  const { store, identity } = signIn
  const linking = await linkingUser(signIn)
  const owner = await accountOwner(store, accountKeyOf(identity))
  if (owner && linking && owner.id !== linking.id) {
    throw new OAuthAccountNotLinked('The account belongs to a user other than the signed-in user.')
  }
  if (owner) return { kind: 'known', user: owner }
  if (linking) return { kind: 'link', user: linking }
  const addressUser = await addressUserOf(signIn)
  if (addressUser.status === 'nobody') return { kind: 'new' }
  const { user, status } = addressUser
  // The provider verifies an address that the stored user only claims.
  if (status === 'claimant' && identity.addressProved === true) return { kind: 'new', claimant: user }
  const rejection = linkRejectionOf(signIn, addressUser)
  if (rejection === undefined) return { kind: 'link', user, isFirstProof: !user.emailVerified }
  // Another process may have created the user with this account since it was looked up above.
  const late = await accountOwner(store, accountKeyOf(identity))
  if (late) return { kind: 'known', user: late }
  throw new OAuthAccountNotLinked(rejection)
}

/**
 * Returns the reason for not linking the account to the user with its address; `undefined` when it is linked. The
 * application must allow it, and the provider must not report the address as unverified.
 */
function linkRejectionOf(signIn: ProvedSignIn, { status }: AddressUser): string | undefined {
  const { identity, hasTransactions } = signIn
  if (!oauthProviderOf(signIn).linkByEmail) return 'A user with this address exists, who signed in with another method.'
  if (identity.addressProved === false) {
    return 'A user with this address exists, and the provider reports the address as unverified.'
  }
  // Without a lock, the account could be attached while the owner of the address takes it from this user.
  if (status === 'claimant' && !hasTransactions) {
    return 'A user with this unverified address exists, and accounts are linked to such users only in a transaction.'
  }
  return undefined
}

/* ---- email links ------------------------------------------------------------------------------------------------ */

async function resolveEmail(signIn: ProvedSignIn): Promise<AccountResolution> {
  const { context, store, identity } = signIn
  const { startedBy, account } = identity
  const session = async () => {
    const owner = startedBy === undefined ? null : await currentSessionOwner(signIn)
    return owner?.key === startedBy ? owner : null
  }
  const { user, ...rest } = await ownerOfAddress(context.config, store, { address: account.providerAccountId, session })
  return user ? { kind: 'prove', user, ...rest } : { kind: 'new', ...rest }
}

/* ---- startSession ----------------------------------------------------------------------------------------------- */

/**
 * Finds the user by id, which must exist, or else by an address, which is treated as verified like one of an email
 * link.
 */
async function resolveApplication(signIn: ProvedSignIn): Promise<AccountResolution> {
  const { id } = signIn.identity.user
  if (id === undefined) return resolveEmail(signIn)
  const user = await signIn.store.getUser(id)
  if (user) return { kind: 'known', user }
  throw new AccountNotLinked('No stored user has the id that was passed to `startSession`.')
}

/* ---- passkeys ----------------------------------------------------------------------------------------------- */

async function resolvePasskey(signIn: ProvedSignIn): Promise<AccountResolution> {
  const { store, identity } = signIn
  const linking = await linkingUser(signIn)
  const owner = await accountOwner(store, accountKeyOf(identity))
  if (owner && linking && owner.id !== linking.id) {
    throw new AccountNotLinked('The passkey belongs to a user other than the signed-in user.')
  }
  if (!identity.newPasskey) return { kind: 'known', user: await passkeyOwner(signIn, owner) }
  if (linking) return { kind: 'link', user: linking }
  // The session names a user who is not in the database. No new user is created for their passkey.
  if (identity.startedBy !== undefined) throw new AccountNotLinked('The signed-in user does not exist any more.')
  // A passkey does not verify an address: an attacker who types another user's address must not get into their account.
  if ((await addressUserOf(signIn)).user) {
    throw new AccountNotLinked('A user with this address already exists. Sign in, then add a passkey.')
  }
  return { kind: 'new' }
}

async function passkeyOwner({ store, identity }: ProvedSignIn, owner: AdapterUser | null): Promise<AdapterUser> {
  const passkey = await store.getAuthenticator(String(identity.account.credentialID))
  if (owner && owner.id === identity.account.userId && passkey?.userId === owner.id) return owner
  // The passkey was removed after its signature was verified.
  throw new WebAuthnVerificationError('The passkey was removed, or has no user.')
}

/* ---- credentials, for database sessions --------------------------------------------------------------------- */

async function resolveCredentials(signIn: ProvedSignIn): Promise<AccountResolution> {
  const { store, identity } = signIn
  const key = accountKeyOf(identity)
  const hasId = identity.user.id !== undefined
  const user = (await accountOwner(store, key)) ?? (hasId ? await store.getUser(key.providerAccountId) : null)
  // Without an id the account is named by its address, which may belong to another user by now.
  if (user && !hasId && (!user.email || foldAddress(user.email) !== key.providerAccountId)) {
    throw new AccountNotLinked(
      `\`authorize\` of the provider "${key.provider}" returned an address that is not its user's any more. Return the user's \`id\`.`,
    )
  }
  if (user) return { kind: 'known', user }
  const email = newUserAddress(identity)
  if (!email) {
    throw new CallbackRouteError(
      `\`authorize\` of the provider "${key.provider}" returned a user whom the adapter does not know and who has no \`email\`. Return the stored user, or an \`email\`.`,
    )
  }
  if ((await addressUserOf(signIn)).user) {
    throw new AccountNotLinked(
      `\`authorize\` of the provider "${key.provider}" returned the address of another stored user. Return that user's \`id\`.`,
    )
  }
  return { kind: 'new' }
}

/* ---- credentials that the library keeps ---------------------------------------------------------------------- */

/**
 * Finds the user by id, or else by an address that was just verified and that no user may have. Users with an account
 * set a password in a session, or by a link for that.
 */
async function resolveStoredCredentials(signIn: ProvedSignIn): Promise<AccountResolution> {
  const { context, store, identity } = signIn
  const { id } = identity.user
  const address = newUserAddress(identity) ?? ''
  if (id !== undefined) return resolvePasswordLink(signIn, { id, address })
  const { user, claimant } = await ownerOfAddress(context.config, store, { address, session: async () => null })
  if (user) throw new AccountNotLinked('Another user has verified this address since the sign-up began.')
  return { kind: 'new', ...(claimant && { claimant }) }
}

/**
 * Returns the user that a link to set a password names. If the user may be an attacker's, the link leads to a new user:
 * it proves the address only, and nothing that is stored with it.
 */
async function resolvePasswordLink(
  { context, store, identity, hasFactors }: ProvedSignIn,
  { id, address }: { id: string; address: string },
): Promise<AccountResolution> {
  const user = await store.getUser(id)
  if (!user) throw new AccountNotLinked('The user of the password does not exist any more.')
  const known = { kind: 'known', user, isFirstProof: !user.emailVerified } as const
  if (identity.addressProved !== true) return known
  if (foldAddress(user.email ?? '') !== address) {
    throw new AccountNotLinked('The email address of the user has changed. Request a new link.')
  }
  return (await mayBelongToAttacker(context.config, store, { user, hasFactors }))
    ? { kind: 'new', claimant: user }
    : known
}

/* ---- lookups ---------------------------------------------------------------------------------------------------- */

/** Returns the address that the user would get. Flows have not folded the one that `authorize` returns. */
export function newUserAddress({ user: { email }, account }: Identity): string | undefined {
  if (!email) return undefined
  return account.type === 'credentials' ? foldAddress(email) : email
}

/** Finds the user with the address that the user of this sign-in would get. */
async function addressUserOf({ context, store, identity }: ProvedSignIn): Promise<AddressUser> {
  const email = newUserAddress(identity)
  return email ? findByAddress(context.config, store, email) : { status: 'nobody' }
}

/** Returns the user of the browser's current session. */
function currentSessionOwner({ context, store, isRecheck }: ProvedSignIn): Promise<StoredPrincipal | null> {
  return isRecheck ? context.sessions.principal(context, store) : linkableUser(context)
}

/**
 * Returns the user who was signed in when the sign-in began, and still is. A sign-in that began without a session links
 * nothing.
 *
 * @throws {@link InvalidCheck} when the session in which it began has ended or is another one.
 */
async function linkingUser(signIn: ProvedSignIn): Promise<AdapterUser | null> {
  const { startedBy } = signIn.identity
  if (startedBy === undefined) return null
  const owner = await currentSessionOwner(signIn)
  if (owner?.key === startedBy) return signIn.store.getUser(owner.userId)
  throw new InvalidCheck('The session in which the sign-in started has ended or was replaced. Start the sign-in again.')
}
