/** `GET|POST signout`: the page that asks, and the end of a session. `GET signout/:provider`: the way back from the provider. */
import { setTimeout } from 'node:timers/promises'
import { emit, readCallbackUrl } from '../callbacks/index.js'
import type { AuthContext, EndedSession } from '../contracts/index.js'
import { SignOutError, toError } from '../errors.js'
import { goOnLeaving, leave, offerOf, signedInBy, signedOutUrl } from '../features/logout/action-sign-out.js'
import { dropTokens } from '../features/tokens/steps.js'
import { clearAttempt, heldSlot } from '../flows/attempt.js'
import { type AuthResponse, requestInfo } from '../http/message.js'
import { pageResponse, renderSignOut } from '../pages/index.js'
import { assertCsrf, csrfTokenFor, renewCsrf } from '../session/csrf.js'
import { canonicalUrl, signedInUser } from './request.js'
import { forgetReauthentication } from './sign-in-steps.js'

/** GET shows the page, POST ends the session. */
export async function signOut(context: AuthContext): Promise<AuthResponse> {
  const { method, providerId } = context.request
  return method === 'POST' && providerId === undefined ? end(context) : show(context)
}

/** Also where somebody comes back from the provider: without our `state` they learn where they stand. */
async function show(context: AuthContext): Promise<AuthResponse> {
  const isBack = context.request.providerId !== undefined
  const onward = (isBack ? await signedOutUrl(context) : undefined) ?? (await goOnLeaving(context))
  if (onward) return { kind: 'redirect', to: onward }
  const elsewhere = canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  const { urls, request } = context
  const error = request.url.searchParams.get('error') ?? undefined
  const custom = urls.customPage('signOut')
  if (custom && !isBack) return { kind: 'redirect', to: custom }
  const callbackUrl = isBack ? undefined : await readCallbackUrl(context)
  const links = { action: urls.endpoint('signout'), signInUrl: urls.page('signIn'), homeUrl: urls.home }
  const csrfToken = csrfTokenFor(context)
  const user = await signedInUser(context)
  const provider = user === null ? undefined : await offerOf(context)
  return pageResponse(context, 200, (frame) =>
    renderSignOut({ frame, ...links, csrfToken, callbackUrl, user, provider, error }),
  )
}

async function end(context: AuthContext): Promise<AuthResponse> {
  assertCsrf(context)
  forgetReauthentication(context)
  // Nor does a sign-in wait here for whoever comes next.
  clearAttempt(context, heldSlot)
  const to = await readCallbackUrl(context)
  const by = await signedInBy(context)
  await dropTokens(context)
  const ended = await revoke(context)
  if (ended) {
    renewCsrf(context)
    await tell(context, ended)
  }
  // The session has ended by now, whatever the provider does.
  return { kind: 'redirect', to: await leave(context, by, to) }
}

/**
 * Ends the session. Whatever fails at the store, the browser's cookie goes.
 *
 * @throws {@link SignOutError} where the session lives on: the person is told, and it is tried again.
 */
async function revoke(context: AuthContext): Promise<EndedSession | null> {
  try {
    return await context.sessions.revoke(context)
  } catch (error) {
    renewCsrf(context)
    context.background.run(tryAgain(context))
    throw new SignOutError('The session could not be ended where it is stored. It is tried again.', toError(error))
  }
}

function tell({ config, request }: AuthContext, ended: EndedSession): Promise<void> {
  return emit(config, 'signOut', { ...ended, request: requestInfo(request) })
}

/** Milliseconds before each further try: a database that is restarted is back by then. */
const pauses = [500, 5_000, 30_000]

async function tryAgain(context: AuthContext): Promise<void> {
  const { config, sessions } = context
  let last: unknown
  for (const pause of pauses) {
    await setTimeout(pause)
    try {
      const ended = await sessions.revoke(context)
      if (ended) await tell(context, ended)
      return
    } catch (error) {
      last = error
    }
  }
  config.logger.error(
    new SignOutError('The session could not be ended where it is stored: it lives until it expires.', toError(last)),
  )
}
