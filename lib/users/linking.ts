/** Whether something may be attached to the user who is signed in: by whose session it is, and by who sends the request. */

import { foldAddress } from '../base/address.js'
import type { AuthContext, Identity, ResolvedConfig, SignedIn } from '../contracts/index.js'
import { AuthError, ReauthenticationRequired, SessionTokenError, toError } from '../errors.js'
import { keepsPasswords } from '../features/passwords/store.js'
import { header } from '../http/message.js'
import { isStored, type Principal, refusalOf, type StoredPrincipal } from '../principal/index.js'
import { storeOf } from '../store/guard.js'
import { accountKey, hasRow, isPasskeyAccount, ownerOf } from './records.js'

/**
 * The user who is signed in, where something may be attached to them. Four sessions are left out:
 *
 * - one that has ended, by what the store says now: this process may not know it yet;
 * - one that did not begin in this browser: an attacker may have planted their own, and would get what is attached;
 * - one that was to last a certain time when it began, such as a look into somebody's account: what is attached lasts for ever;
 * - one that the `jwt` callback ends. An encrypted token does not know that its user was disabled or signed out everywhere.
 */
export async function liveOwner(context: AuthContext): Promise<StoredPrincipal | null> {
  const { config, sessions } = context
  const owner = await sessions.owner(context)
  if (!owner || linkableKey(owner) === undefined) return null
  try {
    const isHere = (await sessions.read(context, { writable: true })) && (await sessions.isLive(context))
    return isHere ? owner : null
  } catch (error) {
    if (error instanceof AuthError) throw error
    // A callback that throws must not keep the person from signing in anew, which would mend the session.
    config.logger.error(
      new SessionTokenError('The session could not be read: nothing is linked to it.', toError(error)),
    )
    return null
  }
}

/** The key of a session of a stored user to which something may be linked. */
export function linkableKey(principal: Principal | null): string | undefined {
  return principal && isStored(principal) && refusalOf(principal, 'link', undefined) === undefined
    ? principal.key
    : undefined
}

/**
 * Whether a sign-in that begins now may link to the signed-in user. Another site can send a browser to a route of the
 * application that calls `signIn()`; if that linked, the attacker's account would become a way into the victim's user. So
 * only what comes from a page of the own site links. Anything else signs in as if nobody were signed in.
 *
 * Where a form comes from was checked before, by its CSRF token or by what the browser says of it. For calls of the
 * application's own code, and where nobody checks tokens, the browser has to say it: `Sec-Fetch-Site` (W3C Fetch Metadata
 * §2.3), or where it is not sent, `Origin`.
 */
export function mayLink(context: AuthContext): boolean {
  return (context.config.checkCsrf && !context.ownCall) || isFromOwnPage(context)
}

/** Whether the browser says that a page of the own site sends the request. */
export function isFromOwnPage({ request, urls }: AuthContext): boolean {
  const site = header(request.headers, 'sec-fetch-site')
  // `none` is a typed address or a bookmark, and also a link in a mail or in another program, which anybody can send.
  if (site !== undefined) return site === 'same-origin'
  const origin = header(request.headers, 'origin')
  return origin !== undefined && (origin === urls.origin || origin === request.receivedOrigin)
}

/* ---- still theirs ------------------------------------------------------------------------------------------------ */

// The user of a sign-in that was pending: as they are now, and with the sign-in method by which it began.

/**
 * Returns a sign-in with the user as they are now. Users whom an `authorize` returned stay as they were.
 *
 * @param userId The id of the user, where the user is stored.
 * @throws {@link ReauthenticationRequired} when the user or the sign-in method was removed. Security stamps end the sign-in as well, where a
 * store has them.
 */
export async function withCurrentUser(
  config: ResolvedConfig,
  { signedIn, userId }: { readonly signedIn: SignedIn; readonly userId: string },
): Promise<SignedIn> {
  if (!config.store || signedIn.isNewUser === undefined) return signedIn
  const user = await config.store.getUser(userId)
  if (!user) throw new ReauthenticationRequired('The user was removed while their second factor was asked for.')
  if (await isStillTheirs(config, { ...signedIn, user })) return { ...signedIn, user }
  throw new ReauthenticationRequired('The sign-in method was removed while the second factor was asked for.')
}

/** Checks whether the user still has the sign-in method. Own proofs of the application, and those of an `authorize`, cannot be removed. */
async function isStillTheirs(config: ResolvedConfig, { account, user: { id, email } }: SignedIn): Promise<boolean> {
  switch (account.type) {
    case 'email':
      return foldAddress(email ?? '') === foldAddress(account.providerAccountId)
    case 'oauth':
    case 'oidc':
      return (await ownerOf(storeOf(config), account))?.id === id
    case 'passkey':
    case 'webauthn':
      return (await storeOf(config).getAuthenticator(String(account.credentialID)))?.userId === id
    case 'credentials': {
      const provider = config.providers.get(account.provider)
      return !keepsPasswords(provider) || (await provider.password.store.find(id ?? '')) !== null
    }
    default:
      return true
  }
}

/* ---- detach ------------------------------------------------------------------------------------------------------ */

// Takes back a sign-in method whose sign-in failed after it was attached, such as one during which the sessions of the user ended.

/** Removes the account or passkey that the sign-in has attached, where the adapter can. A passkey account stays: it is of no use without its passkey. */
export async function detach({ config }: AuthContext, identity: Identity): Promise<void> {
  const store = storeOf(config)
  const { account, newPasskey } = identity
  if (newPasskey && store.can.deletePasskeys) await store.deleteAuthenticator(newPasskey.credentialID)
  if (!hasRow(account) || isPasskeyAccount({ ...account, userId: '' })) return
  if (store.can.unlinkAccounts) await store.unlinkAccount(accountKey(identity))
}
