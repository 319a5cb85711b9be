/** The signed-in user, and their sign-in methods. */

import { KeyedLock, perOwner, type SiteMemory } from '../base/memory.js'
import type { AdapterStore, Language, ResolvedConfig } from '../contracts/index.js'
import { visitorOf } from '../engine/auth.js'
import { MissingAdapter, ReauthenticationRequired } from '../errors.js'
import type { RequestCall } from '../functions/run.js'
import { requestInfo } from '../http/message.js'
import { rejectionReasonOf, type StoredPrincipal } from '../principal/index.js'
import { toFound } from '../session/reader.js'
import type { AdapterAccount, AdapterAuthenticator, AdapterUser } from '../types/adapter.js'
import type { SessionEventContext } from '../types/config.js'
import { isPasskeyAccount, lockUser } from '../users/records.js'

/** A stored user, who need not be signed in. */
export interface StoredUser {
  readonly resolved: ResolvedConfig
  readonly store: AdapterStore
  readonly user: AdapterUser
}

/** A user whose sessions are listed. */
export interface ListedUser extends StoredUser {
  /** The user's own session, if the user is signed in. */
  readonly owner?: Pick<StoredPrincipal, 'key' | 'sid'>
  /** The language of the devices' labels. */
  readonly language: Language
}

/** The signed-in user. */
export interface SignedInUser extends StoredUser {
  /** The session and origin of the request, for events. */
  readonly facts: SessionEventContext
  readonly owner: StoredPrincipal
}

/**
 * Returns the user of a request; `null` if no user is signed in, or the adapter does not know the user.
 *
 * For a change it queries the store whether the session has ended, because another process may have ended it a moment
 * ago.
 */
export async function signedInUserOf({ auth, req, effect }: RequestCall): Promise<SignedInUser | null> {
  const { store } = auth.config
  if (!store)
    throw new MissingAdapter(
      'The functions of `account` and `sessions` need stored users. Set an `adapter`, such as `sqlAdapter(db)`.',
    )
  const owner = await auth.principal(visitorOf(req))
  if (owner && auth.config.session.strategy === 'jwt') {
    // The `jwt` callback may reject an encrypted token. It is called once for a request: it may use a refresh token.
    const { reading } = await (effect === 'changes' ? auth.readLive(req) : toFound(auth.readingOf(req)))
    // Another session of the request is read if this one has ended meanwhile.
    if (reading?.id !== owner.id) return null
  }
  const user = owner && (await store.getUser(owner.userId))
  if (!owner || !user) return null
  return { resolved: auth.config, store, owner, user, facts: { sid: owner.id, request: requestInfo(req) } }
}

/**
 * Returns the user of a request that changes their sign-in methods; `null` as {@link signedInUserOf} does.
 *
 * @throws {@link ReauthenticationRequired} in a session with its own `maxAge`, or that did not begin in this browser.
 */
export async function accountManagerOf(call: RequestCall): Promise<SignedInUser | null> {
  const signedIn = await signedInUserOf(call)
  if (signedIn === null || rejectionReasonOf(signedIn.owner, 'manageAccount', undefined) === undefined) return signedIn
  throw new ReauthenticationRequired(
    'This session cannot change the account, because it did not begin in this browser or has its own `maxAge`. Sign in again.',
  )
}

/** All sign-in methods of a user. */
export interface SignInMethods {
  /** Includes accounts of passkey providers. */
  readonly accounts: readonly AdapterAccount[]
  readonly passkeys: readonly AdapterAuthenticator[]
}

/** Reads the sign-in methods. A list is empty if the adapter has no such method. */
export async function readSignInMethods({ store, user, resolved }: StoredUser): Promise<SignInMethods> {
  const listsPasskeys = hasKind(resolved, 'webauthn') && store.abilities.listPasskeys
  const [accounts, passkeys] = await Promise.all([
    store.abilities.listAccounts ? store.listAccounts(user.id) : [],
    listsPasskeys ? store.listAuthenticators(user.id) : [],
  ])
  return { accounts, passkeys }
}

/**
 * Checks whether the remaining sign-in methods suffice: an account or a passkey of a configured provider, or an email
 * link.
 */
export function canStillSignIn({ resolved, store, user }: StoredUser, { accounts, passkeys }: SignInMethods): boolean {
  const isConfigured = ({ provider }: AdapterAccount) => resolved.providers.has(provider)
  if (accounts.some((account) => !isPasskeyAccount(account) && isConfigured(account))) return true
  const handles = new Set(accounts.filter(isConfigured).map(({ providerAccountId }) => providerAccountId))
  const isKnown = ({ providerAccountId }: AdapterAuthenticator) => handles.has(providerAccountId)
  if (passkeys.some(store.abilities.listAccounts ? isKnown : () => true)) return true
  // An email link identifies a user by a verified email address.
  return Boolean(user.email) && user.emailVerified !== null && hasKind(resolved, 'email')
}

function hasKind({ providers }: ResolvedConfig, kind: 'email' | 'webauthn'): boolean {
  return [...providers.values()].some((provider) => provider.kind === kind)
}

const removalLocksOf = perOwner((_site: SiteMemory) => new KeyedLock())

/**
 * Runs a removal, one after the other for each user. Two concurrent ones could each rely on the method that the other
 * removes.
 */
export function runRemoval<Whose extends StoredUser, T>(
  signedIn: Whose,
  work: (signedIn: Whose) => Promise<T>,
): Promise<T> {
  const { resolved, store, user } = signedIn
  return removalLocksOf(resolved.memory).run(user.id, () =>
    store.transaction(async (tx) => {
      // Also across processes, and in order with concurrent additions.
      if (store.abilities.transact) await lockUser(tx, user)
      return work({ ...signedIn, store: tx })
    }),
  )
}
