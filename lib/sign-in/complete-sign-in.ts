/** What happens after ANY flow proved an identity. */
import type { AuthContext, Identity } from '../context.js'
import { createCsrf, readCsrf } from '../crypto/csrf.js'
import type { AuthResponse, SafeRedirect } from '../http/message.js'
import { emit } from '../session/events.js'
import { resolveUser } from './resolve-user.js'
import { retireToken } from './retired-tokens.js'

/** Finds the user, asks the `signIn` callback, stores what is new, begins the session, tells the event, and sends the person on. */
export async function completeSignIn(
  context: AuthContext,
  identity: Identity,
  callbackUrl: SafeRedirect,
): Promise<AuthResponse> {
  const signedIn = await resolveUser(context, identity)
  if (typeof signedIn === 'string') return { kind: 'redirect', to: signedIn }
  await context.sessions.issue(context.cookies, context.cookiePolicy, signedIn)
  retireCsrf(context)
  renewCsrf(context)
  // With credentials the event gets what `authorize` returned.
  await emit(context.config, 'signIn', identity.credentials ? { ...signedIn, user: identity.user } : signedIn)
  const welcome = signedIn.isNewUser ? context.urls.customPage('newUser', { callbackUrl }) : undefined
  return { kind: 'redirect', to: welcome ?? callbackUrl }
}

/** A new CSRF token with each change of who is signed in, so that one read before it is worth nothing after it. */
export function renewCsrf({ config, cookies, cookiePolicy }: AuthContext): void {
  if (config.checkCsrf) cookies.set(cookiePolicy.csrfToken, createCsrf(config.secrets).cookie)
}

function retireCsrf({ config, cookies, cookiePolicy }: AuthContext): void {
  const token = readCsrf(cookies.get(cookiePolicy.csrfToken.name), config.secrets)
  if (token !== null) retireToken(config, token)
}
