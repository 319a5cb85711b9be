/**
 * Whose an address is. A user may have proved it, or only claim it: anybody can sign up with somebody else's address. Users are found by an
 * address here and nowhere else (`test/architecture`), so no caller can miss that a user only claims it.
 */

import type { ResolvedConfig, Store } from '../contracts/index.js'
import { guardedStore, isEnrolled } from '../features/factors/store.js'
import { passwordProviderOf } from '../features/passwords/provider-option.js'
import type { StoredPrincipal } from '../principal/index.js'
import type { AdapterAccount, AdapterUser } from '../types/adapter.js'

/** The users that an address leads to. */
export interface AddressOwner {
  /** Who has proved it, or may prove it now. */
  readonly user?: AdapterUser
  /** Who only claims it, and loses it to whoever proves it. */
  readonly claimant?: AdapterUser
  /** The user has not proved the address before, and is not signed in here. */
  readonly isFirstProof?: boolean
}

/**
 * The user who is stored with an email address.
 *
 * - `owner`: the user has verified the address, or is treated as if (`allowDangerousUnprovedAddressMerge`).
 * - `claimant`: anybody may have stored it. The user must not get anything that belongs to the owner of the address.
 */
export type Namesake =
  | { readonly standing: 'nobody'; readonly user?: undefined }
  | { readonly standing: 'owner' | 'claimant'; readonly user: AdapterUser }

/** Finds the user who is stored with an email address, and says whether the address is theirs. @param store Inside a transaction the transaction's. */
export async function findByAddress(config: ResolvedConfig, store: Store, address: string): Promise<Namesake> {
  const user = await store.getUserByEmail(address)
  if (!user) return { standing: 'nobody' }
  return { standing: isClaim(config, user) ? 'claimant' : 'owner', user }
}

/** Whether the user with this address may be a stranger who only typed it, with what a stranger stored. */
export function isClaim({ mergeUnproved }: ResolvedConfig, { emailVerified }: AdapterUser): boolean {
  return !emailVerified && !mergeUnproved
}

/**
 * The user as whom somebody is signed in who proves an address.
 *
 * @param session Whose session it is in which the proof was asked for, if it has not ended. A user who is signed in proves
 * their own address, and so keeps what is stored.
 */
export async function ownerOfAddress(
  config: ResolvedConfig,
  store: Store,
  { address, session }: { address: string; session: () => Promise<StoredPrincipal | null> },
): Promise<AddressOwner> {
  const { standing, user } = await findByAddress(config, store, address)
  if (standing === 'nobody') return {}
  if (user.emailVerified || (await session())?.userId === user.id) return { user }
  return standing === 'claimant' ? { claimant: user } : { user, isFirstProof: true }
}

/* ---- users that the application itself has made ------------------------------------------------------------- */

/**
 * Checks whether a user may be a stranger's: the email address is unverified, and there is a sign-in method beside the password that the
 * library keeps. Users whom the application has made, for an import or an invitation, have none.
 *
 * @param hasFactors Whether the user has second factors. Their store is not asked inside a transaction: it may need a connection of its own.
 */
export async function isStrangers(
  config: ResolvedConfig,
  store: Store,
  { user, hasFactors }: { readonly user: AdapterUser; readonly hasFactors: boolean },
): Promise<boolean> {
  if (!isClaim(config, user)) return false
  return hasFactors || (await hasOtherMethods(config, store, user))
}

/** Checks whether a user has second factors, of whatever kind. */
export async function hasSecondFactors({ factors }: ResolvedConfig, { id }: { readonly id: string }): Promise<boolean> {
  return factors !== undefined && isEnrolled(await guardedStore(factors).list(id))
}

/** A passkey always has an account as well. */
async function hasOtherMethods(config: ResolvedConfig, store: Store, { id }: AdapterUser): Promise<boolean> {
  const passwords = passwordProviderOf(config)
  if (!store.can.listAccounts) {
    // Nobody can say what there is: only where there is no other provider there is nothing for certain.
    return [...config.providers.values()].some((provider) => provider.kind !== 'email' && provider !== passwords)
  }
  const isPassword = ({ provider, providerAccountId }: AdapterAccount) =>
    provider === passwords?.id && providerAccountId === id
  return !(await store.listAccounts(id)).every(isPassword)
}
