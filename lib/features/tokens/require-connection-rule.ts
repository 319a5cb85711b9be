/** The rule of guards that need an account at a provider: whether a request is allowed, for Express and the shim. */
import type { AuthEngine } from '../../engine/index.js'
import { ConsentRequired, NotConnected } from '../../errors.js'
import {
  formPagePath,
  type GuardedRequest,
  impersonatedDenial,
  isFormNavigation,
  isNavigation,
  type Rejection,
  requestSignIn,
} from '../../guards/rejection.js'
import type { Allowed } from '../../guards/session-rule.js'
import type { SessionRequest } from '../../session/reader.js'
import type { Session } from '../../types/session.js'
import { loadTokens } from './calls.js'
import { assertRequestableScope, requireOAuthProvider, requireTokensOption } from './settings.js'
import type { RequireConnectionOptions } from './types.js'

/** The checked options of a guard. */
export interface ConnectionRule<S> {
  /** Decides on a request. @param of The request as the functions of tokens take it. */
  decide(request: GuardedRequest, session: S | null, of: SessionRequest): Promise<Allowed<S> | Rejection>
}

/**
 * Creates the rule of a guard.
 * @throws {@link InvalidConfiguration} without `tokens`, {@link InvalidProvider} for an unknown provider, TypeError for
 *   a `scope` that is no list of names, or not among `incrementalScopes`.
 */
export function createConnectionRule<S extends Pick<Session, 'user'>>(
  auth: AuthEngine,
  { signInUrl: givenSignInUrl, ...options }: RequireConnectionOptions,
): ConnectionRule<S> {
  const { pages, basePath } = auth.config
  requireTokensOption(auth.config)
  assertRequestableScope(requireOAuthProvider(auth.config, options.provider), options.scope ?? [])
  auth.expectMount(basePath)
  const signInUrl = givenSignInUrl ?? pages.signIn ?? `${basePath}/signin`
  const { provider, providerAccountId, scope } = options
  const asked = { provider, ...(providerAccountId && { providerAccountId }), ...(scope && { scope }) }
  return {
    async decide(request, session, of) {
      if (!session?.user) return requestSignIn(auth.config, request, signInUrl)
      if (auth.config.impersonation && (await auth.holderOf(of))?.actor) return impersonatedDenial
      const { accessToken } = await loadTokens()
      try {
        await accessToken({ auth, of }, asked)
        return { kind: 'allowed', session }
      } catch (error) {
        if (!isConnectionMissing(error)) throw error
        return requestConnection({ auth, of }, request, { ...options, reason: error.reason })
      }
    },
  }
}

/** Checks whether the user can solve an error at the provider. */
function isConnectionMissing(error: unknown): error is ConsentRequired | NotConnected {
  return error instanceof ConsentRequired || (error instanceof NotConnected && error.reason === 'account')
}

/** Redirects a browser to the provider, and rejects other clients with 403 and the URL. */
async function requestConnection(
  call: { readonly auth: AuthEngine; readonly of: SessionRequest },
  request: GuardedRequest,
  { reason, ...options }: Omit<RequireConnectionOptions, 'signInUrl'> & { reason: string },
): Promise<Rejection> {
  const { connectUrl } = await loadTokens()
  if (isNavigation(request))
    return { kind: 'redirect', to: await connectUrl(call, { ...options, callbackUrl: request.path }) }
  const { provider } = options
  const url = await connectUrl(call, options)
  const href = isFormNavigation(request)
    ? await connectUrl(call, { ...options, callbackUrl: formPagePath(request) })
    : undefined
  const message = 'Send the user to `connectUrl`, with a `callbackUrl` in its query.'
  const data = { error: 'ConsentRequired', message, provider, reason, connectUrl: url }
  return { kind: 'denial', status: 403, reason: 'connect', href, data }
}
