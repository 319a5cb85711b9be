/**
 * `GET|POST signout`: the confirmation page, and the end of a session. `GET signout/:provider`: the return from the
 * provider.
 */
import { readCallbackUrl } from '../callbacks/index.js'
import type { AuthContext } from '../contracts/index.js'
import { AdapterError } from '../errors.js'
import { takeOwnSessions } from '../features/impersonation/steps.js'
import {
  continueSignOut,
  findProviderSignIn,
  providerSignOutOffer,
  signedOutUrl,
  signOutRedirectUrl,
} from '../features/logout/action-sign-out.js'
import { clearBrowserTokens } from '../features/tokens/steps.js'
import { clearAttempt, pendingSignInSlot } from '../flows/attempt.js'
import type { AuthResponse } from '../http/message.js'
import { pageResponse, renderSignOut } from '../pages/index.js'
import { assertCsrf, csrfTokenForForm } from '../session/csrf.js'
import { assertOwnSession } from '../session/own-session.js'
import { assertCanEndOthers, endSession } from './end-session.js'
import { canonicalUrl, signedInUser } from './requested-provider.js'
import { forgetReauthentication } from './sign-in-steps.js'

/** Shows the page for GET, and ends the session for POST. */
export async function signOut(context: AuthContext): Promise<AuthResponse> {
  const { method, providerId } = context.request
  return method === 'POST' && providerId === undefined ? endCurrentSession(context) : renderSignOutPage(context)
}

/**
 * Shows the page. It is also the return from the provider: without our `state` the page shows whether a session
 * remains.
 */
async function renderSignOutPage(context: AuthContext): Promise<AuthResponse> {
  const isBack = context.request.providerId !== undefined
  const onward = (isBack ? await signedOutUrl(context) : undefined) ?? (await continueSignOut(context))
  if (onward) return { kind: 'redirect', to: onward }
  const elsewhere = canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  const { urls, request } = context
  const error = request.url.searchParams.get('error') ?? undefined
  const custom = urls.customPage('signOut')
  if (custom && !isBack) return { kind: 'redirect', to: custom }
  const callbackUrl = isBack ? undefined : await readCallbackUrl(context)
  const links = { action: urls.endpoint('signout'), signInUrl: urls.page('signIn'), homeUrl: urls.home }
  const csrfToken = csrfTokenForForm(context)
  const user = await signedInUser(context)
  const provider = user === null ? undefined : await providerSignOutOffer(context)
  return pageResponse(context, 200, (frame) =>
    renderSignOut({ frame, ...links, csrfToken, callbackUrl, user, provider, error }),
  )
}

async function endCurrentSession(context: AuthContext): Promise<AuthResponse> {
  assertCsrf(context)
  const everywhere = isEverywhere(context)
  if (everywhere) {
    assertCanEndOthers(context.config)
    await assertOwnSession(context).catch(ignoreOutage)
  }
  forgetReauthentication(context)
  // A pending sign-in must not remain for the next user of the browser.
  clearAttempt(context, pendingSignInSlot)
  const to = await readCallbackUrl(context)
  const by = await findProviderSignIn(context)
  await clearBrowserTokens(context)
  await endSession(context, { everywhere, kept: await takeOwnSessions(context) })
  // The session has ended by now, even if the provider fails.
  return { kind: 'redirect', to: await signOutRedirectUrl(context, by, to) }
}

/** Ignores a store that fails: the session in the browser must end, and `owners` of the sign-out leaves out impersonated sessions. */
function ignoreOutage(error: unknown): void {
  if (!(error instanceof AdapterError)) throw error
}

/** Checks whether a call of the application ends all sessions of the user. The route ends one. */
function isEverywhere({ ownCall, request: { body } }: AuthContext): boolean {
  return ownCall === true && (body.everywhere === true || body.everywhere === 'true')
}
