/**
 * `GET|POST signout`: the confirmation page, and the end of a session. `GET signout/:provider`: the return from the
 * provider.
 */
import { setTimeout } from 'node:timers/promises'
import { emitEvent, readCallbackUrl } from '../callbacks/index.js'
import type { AuthContext, SignedOutSession } from '../contracts/index.js'
import { SignOutError, toError } from '../errors.js'
import {
  continueSignOut,
  findProviderSignIn,
  providerSignOutOffer,
  signedOutUrl,
  signOutRedirectUrl,
} from '../features/logout/action-sign-out.js'
import { clearBrowserTokens } from '../features/tokens/steps.js'
import { clearAttempt, pendingSignInSlot } from '../flows/attempt.js'
import { type AuthResponse, requestInfo } from '../http/message.js'
import { pageResponse, renderSignOut } from '../pages/index.js'
import { assertCsrf, csrfTokenForForm, renewCsrf } from '../session/csrf.js'
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
  forgetReauthentication(context)
  // A pending sign-in must not remain for the next user of the browser.
  clearAttempt(context, pendingSignInSlot)
  const to = await readCallbackUrl(context)
  const by = await findProviderSignIn(context)
  await clearBrowserTokens(context)
  const ended = await revokeCurrentSession(context)
  if (ended) {
    renewCsrf(context)
    await emitSignOut(context, ended)
  }
  // The session has ended by now, even if the provider fails.
  return { kind: 'redirect', to: await signOutRedirectUrl(context, by, to) }
}

/**
 * Ends the session. The browser's cookie is deleted even if the store fails.
 *
 * @throws {@link SignOutError} if the session still exists. The user is informed, and it is retried.
 */
async function revokeCurrentSession(context: AuthContext): Promise<SignedOutSession | null> {
  try {
    return await context.sessions.revoke(context)
  } catch (error) {
    renewCsrf(context)
    context.background.run(retryRevocation(context))
    throw new SignOutError('The session could not be deleted from its store. The library tries again.', toError(error))
  }
}

function emitSignOut({ config, request }: AuthContext, ended: SignedOutSession): Promise<void> {
  return emitEvent(config, 'signOut', { ...ended, request: requestInfo(request) })
}

/** The delays before each retry, in milliseconds: a database that restarts is back by then. */
const pauses = [500, 5_000, 30_000]

async function retryRevocation(context: AuthContext): Promise<void> {
  const { config, sessions } = context
  let last: unknown
  for (const pause of pauses) {
    await setTimeout(pause)
    try {
      const ended = await sessions.revoke(context)
      if (ended) await emitSignOut(context, ended)
      return
    } catch (error) {
      last = error
    }
  }
  config.logger.error(
    new SignOutError('The session could not be deleted from its store. It is valid until it expires.', toError(last)),
  )
}
