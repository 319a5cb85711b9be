/** `GET csrf`, `GET providers`, `GET webauthn-options`: what browser clients ask before they act. */
import { perOwner } from '../base/memory.js'
import type { AuthContext, ResolvedConfig } from '../contracts/index.js'
import { InvalidProvider } from '../errors.js'
import { passkeyOptions } from '../flows/index.js'
import type { AuthResponse } from '../http/message.js'
import { csrfTokenFor } from '../session/csrf.js'
import type { AppProvider } from '../types/provider.js'
import { assertMayAttach } from './attach.js'
import { requestedProvider } from './request.js'

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
