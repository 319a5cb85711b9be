/** `GET|POST callback/:provider`: a person comes back with a proof of identity. */

import { isUrl } from '../base/url.js'
import { readCallbackUrl } from '../callbacks/index.js'
import type { AuthContext, FlowResult, Identity } from '../contracts/index.js'
import { InvalidCheck, InvalidProvider, MethodNotAllowed, MissingCSRF } from '../errors.js'
import { completeConnection } from '../features/tokens/action-connect.js'
import { flowOf } from '../flows/index.js'
import type { AuthResponse, SafeRedirect } from '../http/message.js'
import { safeRedirect } from '../http/urls.js'
import { assertCsrf, isRetired } from '../session/csrf.js'
import { questionPage } from './question-page.js'
import { requestedProvider } from './request.js'
import { completeSignIn } from './sign-in-pipeline.js'

/** Lets the provider's flow prove an identity, and completes the sign-in. */
export async function callback(context: AuthContext): Promise<AuthResponse> {
  const { request } = context
  const provider = requestedProvider(context)
  if (!provider) throw new InvalidProvider('The address names no provider.')
  const flow = flowOf(provider)
  const methods = flow.callbackMethods(provider)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (!methods.includes(method)) {
    throw new MethodNotAllowed(methods.includes('GET') ? [...methods, 'HEAD'] : methods)
  }
  // A link checker must not use up a sign-in.
  if (request.method === 'HEAD') return { kind: 'empty', status: 200 }
  // A provider that answers by POST is on another site, and proves itself by the state instead.
  const isOwnForm = request.method === 'POST' && flow.ownForm
  let asked: SafeRedirect | undefined
  let result: FlowResult
  try {
    if (isOwnForm) assertCsrf(context)
    // Before the proof is looked at: after a mistyped password the cookie still knows where the person wanted to go.
    if (isOwnForm) asked = await readCallbackUrl(context)
    result = await flow.finish(context, provider)
  } catch (error) {
    if (isRepeated(context, error)) return goOn(context, error)
    throw error
  }
  if (result.kind === 'response') return result.response
  if (result.kind !== 'identity') return questionPage(context, provider, result)
  const identity = withSafeImage(result.identity)
  const { callbackUrl: sealed, connection } = result
  // Sealed into the attempt by us where there is one, else what the client says now.
  const target = asked ?? (sealed === undefined ? await readCallbackUrl(context) : safeRedirect(new URL(sealed)))
  if (connection) return completeConnection(context, { identity, connection }, target)
  return completeSignIn(context, identity, target)
}

/**
 * Whether a request repeats a sign-in that succeeded: a form that was submitted twice, by a double click, comes with the token that its own
 * sign-in has just replaced; a reload, or a step back, with an attempt that is completed.
 */
function isRepeated({ config, request }: AuthContext, error: unknown): boolean {
  if (error instanceof MissingCSRF) return isRetired(config, request.body.csrfToken)
  return error instanceof InvalidCheck && error.cause?.completed === true
}

/** A sign-in that was completed comes again: with a live session, on to where the person wanted to be; else it is an error. */
async function goOn(context: AuthContext, error: unknown): Promise<AuthResponse> {
  if ((await context.sessions.read(context, { writable: true })) === null) throw error
  context.config.logger.debug('a completed sign-in came back; the session stays as it is')
  return { kind: 'redirect', to: await readCallbackUrl(context) }
}

/* ---- safe image -------------------------------------------------------------------------------------------------- */

// The picture of a user: only URLs that a page can show as an image, since providers and people may say anything.

/** The identity, without a picture that is not safe to show. Called before a row or a token is made of it. */
export function withSafeImage(identity: Identity): Identity {
  const { image } = identity.user
  if (image === undefined || image === null || isImage(image)) return identity
  return { ...identity, user: { ...identity.user, image: null } }
}

/** Image formats without scripts. The scripts of an SVG run where it is opened as a document. */
const drawn = /^data:image\/(?:apng|avif|bmp|gif|jpe?g|png|webp)[;,]/i

/** An http(s) URL, a path on the site, or the data of a picture. Read as a browser reads it (`java\tscript:`). */
function isImage(image: unknown): boolean {
  if (typeof image !== 'string' || image === '' || !isUrl(image, 'https://site.invalid')) return false
  const { protocol, href } = new URL(image, 'https://site.invalid')
  return protocol === 'https:' || protocol === 'http:' || drawn.test(href)
}
