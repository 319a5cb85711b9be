/** What happens after ANY flow proved an identity, in the order of `wire-contract.md` §11. */
import type { AuthContext, Identity } from '../context.js'
import { createCsrf, readCsrf } from '../crypto/csrf.js'
import { AccessDenied, AuthError, toError } from '../errors.js'
import type { AuthResponse, SafeRedirect } from '../http/message.js'
import { emit } from '../session/events.js'
import { applicationUrl } from './callback-url.js'
import { retireToken } from './retired-tokens.js'

/** Asks the `signIn` callback, begins the session, tells the event, and sends the person on. */
export async function completeSignIn(
  context: AuthContext,
  identity: Identity,
  callbackUrl: SafeRedirect,
): Promise<AuthResponse> {
  const verdict = await askSignIn(context, identity)
  if (typeof verdict === 'string') return { kind: 'redirect', to: applicationUrl(context, verdict) }
  const { user, account, profile } = identity
  const signedIn = { user, account, ...(profile && { profile }) }
  await context.sessions.issue(context.cookies, context.cookiePolicy, signedIn)
  retireCsrf(context)
  renewCsrf(context)
  await emit(context.config, 'signIn', signedIn)
  return { kind: 'redirect', to: callbackUrl }
}

/** A new CSRF token with each change of who is signed in, so that one read before it is worth nothing after it. */
export function renewCsrf({ config, cookies, cookiePolicy }: AuthContext): void {
  if (config.checkCsrf) cookies.set(cookiePolicy.csrfToken, createCsrf(config.secrets).cookie)
}

function retireCsrf({ config, cookies, cookiePolicy }: AuthContext): void {
  const token = readCsrf(cookies.get(cookiePolicy.csrfToken.name), config.secrets)
  if (token !== null) retireToken(config, token)
}

async function askSignIn(context: AuthContext, identity: Identity): Promise<true | string> {
  const { user, account, profile, credentials } = identity
  const params = { user, account, ...(profile && { profile }), ...(credentials && { credentials }) }
  let verdict: unknown
  try {
    verdict = await context.config.callbacks.signIn(params)
  } catch (error) {
    if (error instanceof AuthError) throw error
    throw new AccessDenied(toError(error).message, toError(error))
  }
  if (typeof verdict === 'string' && verdict !== '') return verdict
  if (verdict) return true
  throw new AccessDenied('The `signIn` callback refused.')
}
