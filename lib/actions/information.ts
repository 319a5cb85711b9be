/** `GET csrf`, `GET providers`, `GET webauthn-options`: what browser clients ask before they act. */
import { perOwner } from '../base/memory.js'
import type { AuthContext, ResolvedConfig } from '../contracts/index.js'
import { ErrorPageLoop, InvalidProvider } from '../errors.js'
import { passkeyOptions } from '../flows/index.js'
import type { AuthResponse } from '../http/message.js'
import { errorStatus, pageResponse, renderVerifyRequest } from '../pages/index.js'
import { csrfTokenFor } from '../session/csrf.js'
import type { AppProvider } from '../types/provider.js'
import { readIncident, toReference } from './failure.js'
import { errorPageResponse } from './page-frame.js'
import { requestedProvider } from './request.js'
import { assertMayAttach } from './sign-in-steps.js'

/** The CSRF token, with its cookie. 404 where the check is off. */
export async function csrf(context: AuthContext): Promise<AuthResponse> {
  const { config, cookies, cookiePolicy } = context
  if (config.checkCsrf) return { kind: 'json', status: 200, data: { csrfToken: csrfTokenFor(context) } }
  cookies.clear(cookiePolicy.csrfToken)
  return { kind: 'empty', status: 404 }
}

/** The providers by id, in the order of the configuration. */
export async function providers({ config, urls }: AuthContext): Promise<AuthResponse> {
  const entries = [...config.providers.values()].map(({ id, name, type }): [string, AppProvider] => [
    id,
    { id, name, type, signinUrl: urls.endpoint('signin', id), callbackUrl: urls.endpoint('callback', id) },
  ])
  return { kind: 'json', status: 200, data: Object.fromEntries(entries) }
}

/**
 * Our public keys (RFC 7517 §5): what providers verify our signed requests and our client authentication with, and what they encrypt for us with. 404
 * where there are none.
 */
export async function jwks({ config }: AuthContext): Promise<AuthResponse> {
  const keys = publicKeysOf(config)
  return keys.length > 0 ? { kind: 'json', status: 200, data: { keys } } : { kind: 'empty', status: 404 }
}

/** Those of all providers. A key that several have is there once. */
const publicKeysOf = perOwner(({ providers }: ResolvedConfig) => {
  const keys = [...providers.values()].flatMap((each) => (each.kind === 'oauth' ? each.protocol.publicKeys : []))
  return [...new Map(keys.map((key) => [JSON.stringify([key.kid, key.use]), key])).values()]
})

/** What a browser needs to use or make a passkey. @throws {@link InvalidProvider} for a provider of another kind. */
export async function webauthnOptions(context: AuthContext): Promise<AuthResponse> {
  const provider = requestedProvider(context)
  if (provider?.kind !== 'webauthn') throw new InvalidProvider('The address names no provider of passkeys.')
  // Said before the device has made a passkey, of which nothing would come.
  const isNew = context.config.factors && context.request.url.searchParams.get('action') === 'register'
  const owner = isNew ? await context.sessions.owner(context) : null
  if (owner) await assertMayAttach(context, owner.userId)
  return { kind: 'json', status: 200, data: await passkeyOptions(context, provider) }
}

/* ---- notice ------------------------------------------------------------------------------------------------------ */

// `GET error` and `GET verify-request`: pages that only tell something.

/** The error page for `?error=<type>`. */
export async function error(context: AuthContext): Promise<AuthResponse> {
  const { config, request, urls } = context
  const error = request.url.searchParams.get('error') ?? undefined
  const reference = toReference(request.url.searchParams.get('reference'))
  if (config.pages.error !== undefined) {
    const custom = urls.customPage('error', { error, reference })
    if (custom) return { kind: 'redirect', to: custom }
    config.logger.error(new ErrorPageLoop('`pages.error` leads back to the error page. Give it a path of your own.'))
  }
  return errorPageResponse(context, errorStatus(error), { error, detail: readIncident(context, reference), reference })
}

/** By the type in the query. A map, not an object: what a query says must not find `constructor`. */
const mailsOfPasswords = new Map([
  ['sign-up', 'signUp'],
  ['reset-password', 'reset'],
] as const satisfies ReadonlyArray<[string, string]>) as ReadonlyMap<string, 'signUp' | 'reset'>

/** The page that says a mail is under way. */
export async function verifyRequest(context: AuthContext): Promise<AuthResponse> {
  const { request, urls } = context
  const custom = urls.customPage('verifyRequest', Object.fromEntries(request.url.searchParams))
  if (custom) return { kind: 'redirect', to: custom }
  const after = mailsOfPasswords.get(request.url.searchParams.get('type') ?? '')
  return pageResponse(context, 200, (frame) => renderVerifyRequest({ frame, homeUrl: urls.home, after }))
}
