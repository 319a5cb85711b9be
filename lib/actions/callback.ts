/** `GET|POST callback/:provider`: the user returns with a proof of identity. */

import { isUrl } from '../base/url.js'
import { readCallbackUrl } from '../callbacks/index.js'
import type { AuthContext, FlowResult, Identity } from '../contracts/index.js'
import { InvalidCheck, InvalidProvider, MethodNotAllowed, MissingCSRF } from '../errors.js'
import { completeConnection } from '../features/tokens/action-connect.js'
import { flowOf } from '../flows/index.js'
import type { AuthResponse, SafeRedirect } from '../http/message.js'
import { safeRedirect } from '../http/urls.js'
import { assertCsrf, isReplacedCsrf } from '../session/csrf.js'
import { confirmationPage } from './confirmation-page.js'
import { findRequestedProvider } from './requested-provider.js'
import { completeSignIn } from './sign-in-pipeline.js'

/** Verifies the identity with the provider's flow, and completes the sign-in. */
export async function callback(context: AuthContext): Promise<AuthResponse> {
  const { request } = context
  const provider = await findRequestedProvider(context)
  if (!provider) throw new InvalidProvider('The URL names no provider.')
  const flow = flowOf(provider)
  const methods = flow.callbackMethods(provider)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (!methods.includes(method)) {
    throw new MethodNotAllowed(methods.includes('GET') ? [...methods, 'HEAD'] : methods)
  }
  // A link checker must not use up a sign-in.
  if (request.method === 'HEAD') return { kind: 'empty', status: 200 }
  // A provider that responds by POST is on another site, and is verified by the state instead of a CSRF token.
  const isOwnForm = request.method === 'POST' && flow.hasOwnForm
  let requestedUrl: SafeRedirect | undefined
  let result: FlowResult
  try {
    if (isOwnForm) assertCsrf(context)
    // It is read before the proof, so that after a mistyped password the cookie still has the page that the user
    // requested.
    if (isOwnForm) requestedUrl = await readCallbackUrl(context)
    result = await flow.complete(context, provider)
  } catch (error) {
    if (isRepeated(context, error)) return answerRepeatedSignIn(context, error)
    throw error
  }
  if (result.kind === 'response') return result.response
  if (result.kind !== 'identity') return confirmationPage(context, provider, result)
  const identity = withSafeImage(result.identity)
  const { callbackUrl: sealedUrl, connection } = result
  // The URL is sealed in the attempt, if there is one. Otherwise it is that of this request.
  const target =
    requestedUrl ?? (sealedUrl === undefined ? await readCallbackUrl(context) : safeRedirect(new URL(sealedUrl)))
  if (connection) return completeConnection(context, { identity, connection }, target)
  return completeSignIn(context, identity, target)
}

/**
 * Checks whether a request repeats a sign-in that succeeded. A form that was submitted twice comes with the CSRF token
 * that its own sign-in has just replaced. A reload, or the back button, comes with a completed attempt.
 */
function isRepeated({ config, request }: AuthContext, error: unknown): boolean {
  if (error instanceof MissingCSRF) return isReplacedCsrf(config, request.body.csrfToken)
  return error instanceof InvalidCheck && error.cause?.completed === true
}

/** Answers a repeated sign-in: redirects if there is a live session, and throws the error otherwise. */
async function answerRepeatedSignIn(context: AuthContext, error: unknown): Promise<AuthResponse> {
  if ((await context.sessions.read(context, { writable: true })) === null) throw error
  context.config.logger.debug('a completed sign-in was repeated; the session is unchanged')
  return { kind: 'redirect', to: await readCallbackUrl(context) }
}

/* ---- safe image -------------------------------------------------------------------------------------------------- */

// The user's picture: only URLs that a page can show as an image, because providers and users may send anything.

/** Returns the identity without an unsafe picture. Called before a record or a token is created from it. */
export function withSafeImage(identity: Identity): Identity {
  const { image } = identity.user
  if (image === undefined || image === null || isImage(image)) return identity
  return { ...identity, user: { ...identity.user, image: null } }
}

/** The image formats without scripts. The scripts of an SVG run if it is opened as a document. */
const imageDataUrl = /^data:image\/(?:apng|avif|bmp|gif|jpe?g|png|webp)[;,]/i

/**
 * Checks for an http(s) URL, a path on the site, or the data of a picture. Parses as a browser does (`java\tscript:`).
 */
function isImage(image: unknown): boolean {
  if (typeof image !== 'string' || image === '' || !isUrl(image, 'https://site.invalid')) return false
  const { protocol, href } = new URL(image, 'https://site.invalid')
  return protocol === 'https:' || protocol === 'http:' || imageDataUrl.test(href)
}
