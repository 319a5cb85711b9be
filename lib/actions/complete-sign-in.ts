/** What happens after ANY flow proved an identity. */

import { emit } from '../callbacks/events.js'
import type { AuthContext, Identity } from '../contracts/index.js'
import { keepProviderSession } from '../flows/index.js'
import type { AuthResponse, SafeRedirect } from '../http/message.js'
import { renewCsrf, retireCsrf } from '../session/csrf.js'
import { resolveUser } from '../users/resolve-user.js'

/** Finds the user, asks the `signIn` callback, stores what is new, begins the session, tells the event, and sends the person on. */
export async function completeSignIn(
  context: AuthContext,
  identity: Identity,
  callbackUrl: SafeRedirect,
): Promise<AuthResponse> {
  const signedIn = await resolveUser(context, identity)
  if (typeof signedIn === 'string') return { kind: 'redirect', to: signedIn }
  await context.sessions.issue(context, { ...signedIn, providerLink: identity.providerLink }, identity.amr)
  await keepProviderSession(context, identity.providerSession)
  retireCsrf(context)
  renewCsrf(context)
  // With credentials the event gets what `authorize` returned.
  await emit(context.config, 'signIn', identity.credentials ? { ...signedIn, user: identity.user } : signedIn)
  const welcome = signedIn.isNewUser ? context.urls.customPage('newUser', { callbackUrl }) : undefined
  return { kind: 'redirect', to: welcome ?? callbackUrl }
}
