/** `GET|POST signout`: the page that asks, and the end of a session. */
import type { AuthContext } from '../context.js'
import { SignOutError, toError } from '../errors.js'
import type { AuthResponse } from '../http/message.js'
import { renderSignOut } from '../pages/index.js'
import { emit } from '../session/events.js'
import { readCallbackUrl } from '../sign-in/callback-url.js'
import { renewCsrf } from '../sign-in/complete-sign-in.js'
import { canonicalUrl } from './canonical-host.js'
import { assertCsrf, csrfTokenFor } from './csrf-token.js'
import { pageResponse } from './page-frame.js'

/** GET shows the page, POST ends the session. */
export async function signOut(context: AuthContext): Promise<AuthResponse> {
  return context.request.method === 'POST' ? end(context) : show(context)
}

async function show(context: AuthContext): Promise<AuthResponse> {
  const elsewhere = canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  const { urls, request } = context
  const error = request.url.searchParams.get('error') ?? undefined
  const custom = urls.customPage('signOut')
  if (custom) return { kind: 'redirect', to: custom }
  const callbackUrl = await readCallbackUrl(context)
  const csrfToken = csrfTokenFor(context)
  return pageResponse(context, 200, (frame) =>
    renderSignOut({
      frame,
      action: urls.endpoint('signout'),
      csrfToken,
      callbackUrl,
      ...(error !== undefined && { error }),
    }),
  )
}

async function end(context: AuthContext): Promise<AuthResponse> {
  assertCsrf(context)
  const to = await readCallbackUrl(context)
  const ended = await revoke(context)
  if (ended) {
    renewCsrf(context)
    await emit(context.config, 'signOut', ended)
  }
  return { kind: 'redirect', to }
}

/** Whatever fails at the store, the browser's cookie goes. */
async function revoke({ config, sessions, cookies, cookiePolicy }: AuthContext) {
  try {
    return await sessions.revoke(cookies, cookiePolicy)
  } catch (error) {
    config.logger.error(new SignOutError('The session could not be ended where it is stored.', toError(error)))
    return null
  }
}
