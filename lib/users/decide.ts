/** Decides at which user a sign-in ends: at one who is stored, or at a new one. It reads only; `apply-ending` writes. */

import { foldAddress } from '../base/address.js'
import type { AuthContext, Identity, Store } from '../contracts/index.js'
import {
  AccountNotLinked,
  CallbackRouteError,
  InvalidCheck,
  OAuthAccountNotLinked,
  WebAuthnVerificationError,
} from '../errors.js'
import type { StoredPrincipal } from '../principal/index.js'
import type { AdapterUser } from '../types/adapter.js'
import { liveOwner } from './linking.js'
import {
  accountKey,
  findByAddress,
  isStrangers,
  type Namesake,
  oauthProviderOf,
  ownerOf,
  ownerOfAddress,
} from './records.js'

/** What a flow has proved, with everything that finding its user takes. */
export interface PendingSignIn {
  readonly context: AuthContext
  /** Inside a transaction the transaction's. */
  readonly store: Store
  readonly identity: Identity
  /** Whether the adapter has transactions. */
  readonly atomic: boolean
  /** The second decision, behind the lock. It reads the session's owner through `store` and runs no callback again. */
  readonly isSecondLook: boolean
  /** Whether the user that the identity names has second factors: read before any transaction. */
  readonly hasFactors: boolean
}

/**
 * - `known`: the user has the account.
 * - `link`: the user gets the account, because they are signed in or have its address.
 * - `prove`: the user has the address that a mailed link proves.
 * - `new`: a user is made. A claimant, if there is one, loses the address to them.
 *
 * `isFirstProof`: nobody has proved the user's address before, and nobody is signed in as them.
 */
export type Ending =
  | { readonly kind: 'known' | 'link' | 'prove'; readonly user: AdapterUser; readonly isFirstProof?: boolean }
  | { readonly kind: 'new'; readonly user?: undefined; readonly claimant?: AdapterUser }

/**
 * Decides for an identity. An address that nobody proved leads to no user (unless `mergeUnproved` is on): an attacker could
 * have signed up with it, and would share the user with its owner. Whoever proves it gets it, and a user of their own.
 *
 * @throws {@link OAuthAccountNotLinked} {@link AccountNotLinked} where the account or the address is another user's.
 */
export function decide(signIn: PendingSignIn): Promise<Ending> {
  const { stored, account } = signIn.identity
  return stored ? ofStored(signIn) : rules[account.type](signIn)
}

/** Whether two decisions are the same. */
export function isSameEnding(one: Ending, other: Ending): boolean {
  return one.kind === other.kind && one.user?.id === other.user?.id && claimOf(one)?.id === claimOf(other)?.id
}

/** The user who loses the address. */
export function claimOf(ending: Ending): AdapterUser | undefined {
  return ending.kind === 'new' ? ending.claimant : undefined
}

const rules: Readonly<Record<Identity['account']['type'], (signIn: PendingSignIn) => Promise<Ending>>> = {
  application: ofApplication,
  credentials: ofCredentials,
  email: ofMail,
  oauth: ofAccount,
  oidc: ofAccount,
  passkey: ofPasskey,
  webauthn: ofPasskey,
}

/* ---- OAuth and OpenID Connect ------------------------------------------------------------------------------- */

async function ofAccount(signIn: PendingSignIn): Promise<Ending> {
  const { store, identity } = signIn
  const linking = await linkingUser(signIn)
  const owner = await ownerOf(store, accountKey(identity))
  if (owner && linking && owner.id !== linking.id) {
    throw new OAuthAccountNotLinked('The account belongs to another user than the one who is signed in.')
  }
  if (owner) return { kind: 'known', user: owner }
  if (linking) return { kind: 'link', user: linking }
  const namesake = await namesakeOf(signIn)
  if (namesake.standing === 'nobody') return { kind: 'new' }
  const { user, standing } = namesake
  // The provider proves an address that the stored user only claims.
  if (standing === 'claimant' && identity.addressProved === true) return { kind: 'new', claimant: user }
  const refusal = refusalOf(signIn, namesake)
  if (refusal === undefined) return { kind: 'link', user, isFirstProof: !user.emailVerified }
  // Another process may have made the user, with this very account, since the account was looked for above.
  const late = await ownerOf(store, accountKey(identity))
  if (late) return { kind: 'known', user: late }
  throw new OAuthAccountNotLinked(refusal)
}

/**
 * Why the account is not linked to the user with its address; `undefined` where it is. The developer has to allow it, and the
 * provider must not say that the address is unproved.
 */
function refusalOf(signIn: PendingSignIn, { standing }: Namesake): string | undefined {
  const { identity, atomic } = signIn
  if (!oauthProviderOf(signIn).linkByEmail) return 'There is a user with this address, who signed in another way.'
  if (identity.addressProved === false) {
    return 'There is a user with this address, and the provider does not vouch for it.'
  }
  // Without a lock the account could be attached while the owner of the address takes it from this user.
  if (standing === 'claimant' && !atomic) {
    return 'There is a user who never proved this address, and without transactions nothing is linked to them by it.'
  }
  return undefined
}

/* ---- mailed links ------------------------------------------------------------------------------------------- */

async function ofMail(signIn: PendingSignIn): Promise<Ending> {
  const { context, store, identity } = signIn
  const { startedBy, account } = identity
  const session = async () => {
    const owner = startedBy === undefined ? null : await sessionOf(signIn)
    return owner?.key === startedBy ? owner : null
  }
  const { user, ...rest } = await ownerOfAddress(context.config, store, { address: account.providerAccountId, session })
  return user ? { kind: 'prove', user, ...rest } : { kind: 'new', ...rest }
}

/* ---- the application's own word ----------------------------------------------------------------------------- */

/** A user by their id, who must be there; else by an address, which counts as one that a mailed link proves. */
async function ofApplication(signIn: PendingSignIn): Promise<Ending> {
  const { id } = signIn.identity.user
  if (id === undefined) return ofMail(signIn)
  const user = await signIn.store.getUser(id)
  if (user) return { kind: 'known', user }
  throw new AccountNotLinked('`startSession` was given an id that no stored user has.')
}

/* ---- passkeys ----------------------------------------------------------------------------------------------- */

async function ofPasskey(signIn: PendingSignIn): Promise<Ending> {
  const { store, identity } = signIn
  const linking = await linkingUser(signIn)
  const owner = await ownerOf(store, accountKey(identity))
  if (owner && linking && owner.id !== linking.id) {
    throw new AccountNotLinked('The passkey belongs to another user than the one who is signed in.')
  }
  if (!identity.newPasskey) return { kind: 'known', user: await whoHasPasskey(signIn, owner) }
  if (linking) return { kind: 'link', user: linking }
  // The session names a user whom the database does not have. No new user is made for their passkey.
  if (identity.startedBy !== undefined) throw new AccountNotLinked('The signed-in user is not there any more.')
  // A passkey proves nothing about an address: whoever types somebody else's must not get into their account.
  if ((await namesakeOf(signIn)).user) {
    throw new AccountNotLinked('There is a user with this address: sign in, then add a passkey.')
  }
  return { kind: 'new' }
}

async function whoHasPasskey({ store, identity }: PendingSignIn, owner: AdapterUser | null): Promise<AdapterUser> {
  const passkey = await store.getAuthenticator(String(identity.account.credentialID))
  if (owner && owner.id === identity.account.userId && passkey?.userId === owner.id) return owner
  // It was removed since the signature was verified.
  throw new WebAuthnVerificationError('The passkey was removed, or has no user.')
}

/* ---- credentials, for database sessions --------------------------------------------------------------------- */

async function ofCredentials(signIn: PendingSignIn): Promise<Ending> {
  const { store, identity } = signIn
  const key = accountKey(identity)
  const hasId = identity.user.id !== undefined
  const user = (await ownerOf(store, key)) ?? (hasId ? await store.getUser(key.providerAccountId) : null)
  // Without an id the account is named by the address, which may belong to somebody else by now.
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
  if ((await namesakeOf(signIn)).user) {
    throw new AccountNotLinked(
      `\`authorize\` of the provider "${key.provider}" returned the address of another stored user. Return that user's \`id\`.`,
    )
  }
  return { kind: 'new' }
}

/* ---- credentials that the library keeps ---------------------------------------------------------------------- */

/**
 * A user by their id; else by an address that was just proved, which must be nobody's: whoever has an account sets a password in a session,
 * or by a link for that.
 */
async function ofStored(signIn: PendingSignIn): Promise<Ending> {
  const { context, store, identity } = signIn
  const { id } = identity.user
  const address = addressOf(identity) ?? ''
  if (id !== undefined) return ofNamed(signIn, { id, address })
  const { user, claimant } = await ownerOfAddress(context.config, store, { address, session: async () => null })
  if (user) throw new AccountNotLinked('Somebody has proved this address since the sign-up began.')
  return { kind: 'new', ...(claimant && { claimant }) }
}

/**
 * The user that a link to set a password names. Where the user may be a stranger's, the link leads to a new user: it proves the address, and
 * nothing of what is stored there.
 */
async function ofNamed(
  { context, store, identity, hasFactors }: PendingSignIn,
  { id, address }: { id: string; address: string },
): Promise<Ending> {
  const user = await store.getUser(id)
  if (!user) throw new AccountNotLinked('The user whose password it is is not there any more.')
  const known = { kind: 'known', user, isFirstProof: !user.emailVerified } as const
  if (identity.addressProved !== true) return known
  if (foldAddress(user.email ?? '') !== address) {
    throw new AccountNotLinked('The user has another email address by now. Ask for a new link.')
  }
  return (await isStrangers(context.config, store, { user, hasFactors })) ? { kind: 'new', claimant: user } : known
}

/* ---- what the decisions rest on ----------------------------------------------------------------------------- */

/** The address that the user would get. What `authorize` returns has not been folded by any flow. */
export function addressOf({ user: { email }, account }: Identity): string | undefined {
  if (!email) return undefined
  return account.type === 'credentials' ? foldAddress(email) : email
}

/** The user with the address that the user of this sign-in would get. */
async function namesakeOf({ context, store, identity }: PendingSignIn): Promise<Namesake> {
  const email = addressOf(identity)
  return email ? findByAddress(context.config, store, email) : { standing: 'nobody' }
}

/** Whose session the browser holds now. */
function sessionOf({ context, store, isSecondLook }: PendingSignIn): Promise<StoredPrincipal | null> {
  return isSecondLook ? context.sessions.owner(context, store) : liveOwner(context)
}

/**
 * The user who was signed in when the sign-in began, and still is. One that began signed out links nothing, whoever is signed
 * in by now.
 *
 * @throws {@link InvalidCheck} when the session in which it began is gone, or is another one.
 */
async function linkingUser(signIn: PendingSignIn): Promise<AdapterUser | null> {
  const { startedBy } = signIn.identity
  if (startedBy === undefined) return null
  const owner = await sessionOf(signIn)
  if (owner?.key === startedBy) return signIn.store.getUser(owner.userId)
  throw new InvalidCheck('The sign-in was started in a session that has ended, or is another one by now.')
}
