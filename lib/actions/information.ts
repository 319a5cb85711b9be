/** `GET csrf`, `GET providers`, `GET webauthn-options`: the requests of browser clients before a sign-in. */
import { perOwner } from '../base/memory.js'
import type { AuthContext, ResolvedConfig } from '../contracts/index.js'
import { ErrorPageLoop, InvalidProvider } from '../errors.js'
import { passkeyOptions } from '../flows/index.js'
import type { AuthResponse } from '../http/message.js'
import { errorStatus } from '../pages/index.js'
import { csrfTokenForForm } from '../session/csrf.js'
import type { AppProvider } from '../types/provider.js'
import { readIncident, toReference } from './failure.js'
import { errorPageResponse } from './page-frame.js'
import { requestedProvider } from './requested-provider.js'
import { assertMayAttach } from './sign-in-steps.js'

/** Returns the CSRF token, with its cookie. 404 if the check is off. */
export async function csrf(context: AuthContext): Promise<AuthResponse> {
  const { config, cookies, cookiePolicy } = context
  if (config.checkCsrf) return { kind: 'json', status: 200, data: { csrfToken: csrfTokenForForm(context) } }
  cookies.clear(cookiePolicy.csrfToken)
  return { kind: 'empty', status: 404 }
}

/** Returns the providers by id, in the order of the configuration. */
export async function providers({ config, urls }: AuthContext): Promise<AuthResponse> {
  const entries = [...config.providers.values()].map(({ id, name, type }): [string, AppProvider] => [
    id,
    { id, name, type, signinUrl: urls.endpoint('signin', id), callbackUrl: urls.endpoint('callback', id) },
  ])
  return { kind: 'json', status: 200, data: Object.fromEntries(entries) }
}

/**
 * Returns our public keys (RFC 7517 §5). Providers verify our signed requests and our client authentication with them,
 * and encrypt for us. 404 without keys.
 */
export async function jwks({ config }: AuthContext): Promise<AuthResponse> {
  const keys = publicKeysOf(config)
  return keys.length > 0 ? { kind: 'json', status: 200, data: { keys } } : { kind: 'empty', status: 404 }
}

/** Returns the keys of all providers, each once. */
const publicKeysOf = perOwner(({ providers }: ResolvedConfig) => {
  const keys = [...providers.values()].flatMap((each) => (each.kind === 'oauth' ? each.protocol.publicKeys : []))
  return [...new Map(keys.map((key) => [JSON.stringify([key.kid, key.use]), key])).values()]
})

/** Returns the options to use or create a passkey. @throws {@link InvalidProvider} for another kind of provider. */
export async function webauthnOptions(context: AuthContext): Promise<AuthResponse> {
  const provider = requestedProvider(context)
  if (provider?.kind !== 'webauthn') throw new InvalidProvider('The URL names no passkey provider.')
  // It is rejected before the device creates a passkey that could not be stored.
  const isNew = context.config.factors && context.request.url.searchParams.get('action') === 'register'
  const owner = isNew ? await context.sessions.principal(context) : null
  if (owner) await assertMayAttach(context, owner.userId)
  return { kind: 'json', status: 200, data: await passkeyOptions(context, provider) }
}

/** Returns the error page for `?error=<type>`. */
export async function error(context: AuthContext): Promise<AuthResponse> {
  const { config, request, urls } = context
  const error = request.url.searchParams.get('error') ?? undefined
  const reference = toReference(request.url.searchParams.get('reference'))
  if (config.pages.error !== undefined) {
    const custom = urls.customPage('error', { error, reference })
    if (custom) return { kind: 'redirect', to: custom }
    config.logger.error(
      new ErrorPageLoop('`pages.error` leads back to the error page. Set it to the path of a custom page.'),
    )
  }
  return errorPageResponse(context, errorStatus(error), { error, detail: readIncident(context, reference), reference })
}
