/** The guard of routes that need an account at a provider. */
import type { Request, RequestHandler, Response } from 'express'
import { type AuthEngine, getEngine } from '../../engine/index.js'
import { ConsentRequired, NotConnected } from '../../errors.js'
import {
  createGuard,
  formPagePath,
  isFormNavigation,
  isNavigation,
  preventCaching,
  requestedPath,
  requestSignIn,
  sendDenial,
} from '../../guard.js'
import type { ServerAuthConfig } from '../../types/config.js'
import { loadTokens } from './calls.js'
import { assertRequestableScope, requireOAuthProvider, requireTokensOption } from './settings.js'
import type { RequireConnectionOptions } from './types.js'

/**
 * Creates a guard that allows users with a connected account and the needed `scope`. `auth.tokens.get` behind it finds
 * a token.
 *
 * Other browsers are sent to the sign-in page or the provider, and come back to the same URL. API clients get `401 {
 * error: 'Unauthorized' }`, or `403 { error: 'ConsentRequired', provider, reason, connectUrl }`. Other errors are
 * passed to `next(error)`.
 *
 * @throws {@link InvalidConfiguration} without `tokens`, {@link InvalidProvider} for an unknown provider, TypeError for
 *   a `scope` that is no list of names, or not among `incrementalScopes`.
 *
 * @example
 * ```ts
 * app.get('/calendar', auth.tokens.requireConnection({ provider: 'google', scope: ['https://www.googleapis.com/auth/calendar'] }), showCalendar)
 * ```
 */
export function requireConnection(config: ServerAuthConfig, options: RequireConnectionOptions): RequestHandler {
  const auth = getEngine(config)
  const { pages, basePath } = auth.config
  requireTokensOption(auth.config)
  assertRequestableScope(requireOAuthProvider(auth.config, options.provider), options.scope ?? [])
  const ownPage = options.signInUrl ?? pages.signIn
  auth.expectMount(basePath)
  const all = { ...options, signInUrl: ownPage ?? `${basePath}/signin` }
  return createGuard((req, res) => checkConnection({ auth, req, res }, all))
}

/** Checks whether a request is allowed, as {@link requireConnection} describes. */
async function checkConnection(
  { auth, req, res }: { auth: AuthEngine; req: Request; res: Response },
  { signInUrl, ...options }: RequireConnectionOptions & { signInUrl: string },
): Promise<boolean> {
  const session = await auth.readRequest(req)
  if (res.headersSent) return false
  if (!session?.user) return requestSignIn({ auth, req, res }, signInUrl)
  const { accessToken } = await loadTokens()
  try {
    const { provider, providerAccountId, scope } = options
    await accessToken(
      { auth, of: req },
      {
        provider,
        ...(providerAccountId && { providerAccountId }),
        ...(scope && { scope }),
      },
    )
    return !res.headersSent
  } catch (error) {
    if (!isConnectionMissing(error)) throw error
    if (res.headersSent) return false
    return rejectWithConnectUrl({ auth, req, res }, { ...options, reason: error.reason })
  }
}

/** Checks whether the user can solve an error at the provider. */
function isConnectionMissing(error: unknown): error is ConsentRequired | NotConnected {
  return error instanceof ConsentRequired || (error instanceof NotConnected && error.reason === 'account')
}

/** Rejects a request by asking the user to connect an account. @returns `false`. */
async function rejectWithConnectUrl(
  { auth, req, res }: { auth: AuthEngine; req: Request; res: Response },
  { reason, ...options }: Omit<RequireConnectionOptions, 'signInUrl'> & { reason: string },
): Promise<false> {
  const { connectUrl } = await loadTokens()
  if (isNavigation(req)) {
    const to = await connectUrl({ auth, of: req }, { ...options, callbackUrl: requestedPath(req) })
    preventCaching(res)
    res.redirect(302, to)
    return false
  }
  const { provider } = options
  const url = await connectUrl({ auth, of: req }, options)
  const href = isFormNavigation(req)
    ? await connectUrl({ auth, of: req }, { ...options, callbackUrl: formPagePath({ auth, req }) })
    : undefined
  const message = 'Send the user to `connectUrl`, with a `callbackUrl` in its query.'
  const data = { error: 'ConsentRequired', message, provider, reason, connectUrl: url }
  return sendDenial({ auth, req, res }, 403, { reason: 'connect', href, data })
}
