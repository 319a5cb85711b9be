/** Asks the developer's `signIn` callback, and reads what it returns or throws. */
import type { AuthContext } from '../contracts/index.js'
import { AccessDenied, AuthError, CallbackRouteError, toError } from '../errors.js'
import type { SafeRedirect } from '../http/message.js'
import { safeRedirect, toWebUrl } from '../http/urls.js'
import type { SignInCallbackParams } from '../types/config.js'

/**
 * `true`: the person may come in; an URL: they go there instead, and are not signed in.
 *
 * @throws {@link AccessDenied} when the callback refuses or throws.
 */
export async function askSignIn(context: AuthContext, params: SignInCallbackParams): Promise<true | SafeRedirect> {
  let verdict: unknown
  try {
    verdict = await context.config.callbacks.signIn(params)
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new AccessDenied(toError(error).message, toError(error))
  }
  if (typeof verdict === 'string' && verdict !== '') return applicationUrl(context, verdict)
  if (verdict) return true
  throw new AccessDenied('The `signIn` callback refused.')
}

/** The URL that the callback returned. The application may send people to any http(s) URL or path. */
function applicationUrl(context: AuthContext, decided: string): SafeRedirect {
  const target = toWebUrl(decided, context.urls.origin)
  if (target) return safeRedirect(target)
  throw new CallbackRouteError('The `signIn` callback returned a string that is no http(s) URL and no path.')
}
