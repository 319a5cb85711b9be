/**
 * Checks whether a sign-in method may be attached to the signed-in user, by the session and by the origin of the
 * request.
 */

import { foldAddress } from '../base/email-address.js'
import type { AuthContext, Identity, ResolvedConfig, SignInResult } from '../contracts/index.js'
import { AuthError, ReauthenticationRequired, SessionTokenError, toError } from '../errors.js'
import { keepsPasswords } from '../features/passwords/store.js'
import { header } from '../http/message.js'
import { isStored, type Principal, rejectionReasonOf, type StoredPrincipal } from '../principal/index.js'
import { requireStore } from '../store/guard.js'
import { accountKeyOf, accountOwner, isPasskeyAccount, isStoredAccount } from './records.js'

/**
 * Returns the signed-in user if sign-in methods may be attached to them. Four kinds of session are rejected:
 *
 * - one that the store says has ended, even if this process does not know it yet;
 * - one that did not start in this browser: an attacker may have planted their own, and would get the attached method;
 * - one with its own end, such as one for impersonation: an attached method would last longer;
 * - one that the `jwt` callback ends. An encrypted token does not show that its user was disabled or signed out
 *   everywhere.
 */
export async function linkableUser(context: AuthContext): Promise<StoredPrincipal | null> {
  const { config, sessions } = context
  const owner = await sessions.principal(context)
  if (!owner || linkableKey(owner) === undefined) return null
  try {
    // The same session each time: another one of the request may be read if this one has ended meanwhile.
    const reading = await sessions.read(context, { writable: true })
    return reading?.id === owner.id && (await sessions.isLive(context, owner.id)) ? owner : null
  } catch (error) {
    if (error instanceof AuthError) throw error
    // The user must still be able to sign in again when a callback throws, because that repairs the session.
    config.logger.error(
      new SessionTokenError('The session could not be read, so nothing is linked to it.', toError(error)),
    )
    return null
  }
}

/** Returns the key of a session of a stored user to which a method may be linked. */
export function linkableKey(principal: Principal | null): string | undefined {
  return principal && isStored(principal) && rejectionReasonOf(principal, 'link', undefined) === undefined
    ? principal.key
    : undefined
}

/**
 * Checks whether a sign-in that starts now may link to the signed-in user.
 *
 * Another site can send a browser to a route of the application that calls `signIn()`. If that linked, the attacker's
 * account could sign in as the victim. So only requests from the site's own pages link; others sign in as if no user
 * were signed in.
 *
 * The origin of a form has been checked by its CSRF token or by the browser's headers. For calls of the application's
 * own code, and without token checks, the browser must state the origin in `Sec-Fetch-Site` (W3C Fetch Metadata §2.3),
 * or, if that is not sent, in `Origin`.
 */
export function mayLink(context: AuthContext): boolean {
  return (context.config.checkCsrf && !context.ownCall) || isFromOwnPage(context)
}

/** Checks whether the browser states that a page of the site sends the request. */
export function isFromOwnPage({ request, urls }: AuthContext): boolean {
  const site = header(request.headers, 'sec-fetch-site')
  // `none` is a typed address or a bookmark, but also a link in an email or another program, which an attacker can
  // send.
  if (site !== undefined) return site === 'same-origin'
  const origin = header(request.headers, 'origin')
  return origin !== undefined && (origin === urls.origin || origin === request.receivedOrigin)
}

/* ---- current user of a pending sign-in -------------------------------------------------------------------------- */

// The user of a pending sign-in, as stored now. The sign-in method with which it began must still exist.

/**
 * Returns a sign-in with the user as stored now. Users that an `authorize` returned are kept.
 *
 * @param userId The id of the user, if the user is stored.
 * @throws {@link ReauthenticationRequired} when the user or the sign-in method was removed. Security stamps also end
 *   the sign-in, if a store has them.
 */
export async function withCurrentUser(
  config: ResolvedConfig,
  { signedIn, userId }: { readonly signedIn: SignInResult; readonly userId: string },
): Promise<SignInResult> {
  if (!config.store || signedIn.isNewUser === undefined) return signedIn
  const user = await config.store.getUser(userId)
  if (!user) throw new ReauthenticationRequired('The user was removed while the second factor was pending.')
  if (await stillHasMethod(config, { ...signedIn, user })) return { ...signedIn, user }
  throw new ReauthenticationRequired('The sign-in method was removed while the second factor was pending.')
}

/**
 * Checks whether the user still has the sign-in method. Proofs of the application, and those of an `authorize`, cannot
 * be removed.
 */
async function stillHasMethod(
  config: ResolvedConfig,
  { account, user: { id, email } }: SignInResult,
): Promise<boolean> {
  switch (account.type) {
    case 'email':
      return foldAddress(email ?? '') === foldAddress(account.providerAccountId)
    case 'oauth':
    case 'oidc':
      return (await accountOwner(requireStore(config), account))?.id === id
    case 'passkey':
    case 'webauthn':
      return (await requireStore(config).getAuthenticator(String(account.credentialID)))?.userId === id
    case 'credentials': {
      const provider = config.providers.get(account.provider)
      return !keepsPasswords(provider) || (await provider.password.store.find(id ?? '')) !== null
    }
    default:
      return true
  }
}

/* ---- detach ------------------------------------------------------------------------------------------------------ */

// Removes a sign-in method again when its sign-in failed after it was attached, for example because the user's sessions
// ended meanwhile.

/**
 * Removes the account or passkey that the sign-in attached, if the adapter can. A passkey account is kept: it cannot be
 * used without its passkey.
 */
export async function detachMethod({ config }: AuthContext, identity: Identity): Promise<void> {
  const store = requireStore(config)
  const { account, newPasskey } = identity
  if (newPasskey && store.abilities.deletePasskeys) await store.deleteAuthenticator(newPasskey.credentialID)
  if (!isStoredAccount(account) || isPasskeyAccount({ ...account, userId: '' })) return
  if (store.abilities.unlinkAccounts) await store.unlinkAccount(accountKeyOf(identity))
}
