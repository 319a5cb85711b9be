/** What happens after ANY flow proved an identity. */

import { emit } from '../callbacks/events.js'
import { tellEnded } from '../callbacks/session-ended.js'
import { toldAccount } from '../callbacks/told-account.js'
import type { AuthContext, Beginning, Identity, SignedIn } from '../contracts/index.js'
import { keepProviderSession } from '../flows/index.js'
import { type AuthResponse, requestInfo, type SafeRedirect } from '../http/message.js'
import { renewCsrf, retireCsrf } from '../session/csrf.js'
import { clearSessionCookie } from '../session/session-cookie.js'
import { resolveUser } from '../users/resolve-user.js'
import { setTokens, storeTokens, tokensOf } from './provider-tokens.js'
import { takeRemembered } from './remember.js'
import { placeOf } from './session-place.js'

/** Begins the session, and sends the person on. */
export async function completeSignIn(
  context: AuthContext,
  identity: Identity,
  callbackUrl: SafeRedirect,
): Promise<AuthResponse> {
  const signedIn = await beginSession(context, identity, { remembered: takeRemembered(context, identity) })
  return { kind: 'redirect', to: typeof signedIn === 'string' ? signedIn : nextPage(context, signedIn, callbackUrl) }
}

/**
 * Finds the user, asks the `signIn` callback, stores what is new, begins the session, and tells the event.
 *
 * @param wish What the person, or the application, wants of the session.
 * @returns Who is signed in now; or the URL to which the callback sends the person instead.
 */
export async function beginSession(
  context: AuthContext,
  identity: Identity,
  wish: Pick<Beginning, 'data' | 'maxAge' | 'remembered'>,
): Promise<SignedIn | SafeRedirect> {
  const signedIn = await resolveUser(context, identity)
  if (typeof signedIn === 'string') return signedIn
  const ownUser = tokensOf(context, identity, signedIn)
  const userId = signedIn.isNewUser === undefined ? ownUser : signedIn.user.id
  const linked = { ...signedIn, providerLink: identity.providerLink, tokensOf: ownUser }
  const { account, amr } = identity
  await storeTokens(context, identity, userId)
  const provider = account.type === 'application' ? undefined : account.provider
  const { sid, replaced } = await context.sessions.issue(context, linked, {
    ...wish,
    amr,
    provider,
    ...placeOf(context),
  })
  try {
    await setTokens(context, identity, { userId, sid })
  } catch (error) {
    // They do not fit into cookies: the sign-in fails, and leaves nobody signed in.
    clearSessionCookie(context)
    throw error
  }
  await keepProviderSession(context, identity.providerSession)
  retireCsrf(context)
  renewCsrf(context)
  // With credentials the event gets what `authorize` returned.
  const told = { ...signedIn, account: toldAccount(signedIn), sid, request: requestInfo(context.request) }
  const { request } = told
  await tellEnded(context.config, replaced, { reason: 'replaced', endedBy: sid, request })
  await emit(context.config, 'signIn', identity.credentials ? { ...told, user: identity.user } : told)
  return signedIn
}

/** Where a person goes who is signed in now. */
export function nextPage({ urls }: AuthContext, { isNewUser }: SignedIn, callbackUrl: SafeRedirect): SafeRedirect {
  return (isNewUser ? urls.customPage('newUser', { callbackUrl }) : undefined) ?? callbackUrl
}
