/** The implementations of `signIn`, `signOut` and `update`, for all doors. */

import { protocolParams, providerParams } from '../base/authorization-request.js'
import type { Logger } from '../base/logger.js'
import { warnOnce } from '../base/warn-once.js'
import { describeValue } from '../config/reject-option.js'
import type { ResolvedConfig } from '../contracts/index.js'
import { isConnectionId } from '../features/connections/store.js'
import type { AuthorizationParams, SessionUpdate } from '../types/calls.js'
import type { Session } from '../types/session.js'
import type { Call } from './call.js'
import { readCallOptions } from './options.js'

/** The URL of the redirect. */
export interface RedirectTarget {
  readonly to: string
  /** True if the door sends the redirect. */
  readonly redirect: boolean
}

/** Starts a sign-in; with credentials it also completes it. Without a known provider it returns the sign-in page. */
export async function performSignIn(
  { config, currentPage, perform, urls }: Call,
  {
    provider,
    options,
    params: givenParams,
  }: { provider?: unknown; options?: unknown; params?: AuthorizationParams | undefined },
): Promise<RedirectTarget> {
  const { redirect, redirectTo = currentPage, fields } = readCallOptions(options)
  const known = typeof provider === 'string' ? config.providers.get(provider) : undefined
  const isConnection = typeof provider === 'string' && config.connections !== undefined && isConnectionId(provider)
  if (!known && !isConnection) {
    if (provider !== undefined) warnOnce(config, 'unknown-provider', unknownProviderMessage(provider, config))
    return { to: urls.endpoint('signin', undefined, { callbackUrl: redirectTo }), redirect }
  }
  const params = new URLSearchParams(givenParams)
  const { to } = await perform({
    // Credentials are verified at once, without a redirect to a provider.
    action: known?.kind === 'credentials' ? 'callback' : 'signin',
    providerId: isConnection ? provider : known?.id,
    params,
    body: { ...fields, callbackUrl: redirectTo },
  })
  return {
    to: isConnection || known?.kind === 'oauth' ? addAuthorizationParams(to, params, config.logger) : to,
    redirect,
  }
}

/** Only a value like an id is printed: an application may pass a client's text. */
function unknownProviderMessage(provider: unknown, { providers }: ResolvedConfig): string {
  const given =
    typeof provider === 'string' && /^[\w-]{1,40}$/.test(provider) ? `"${provider}"` : describeValue(provider)
  const known = [...providers.keys()].map((id) => JSON.stringify(id)).join(', ')
  return `signIn() got ${given}, which is no provider of the configuration (${known}). It shows the sign-in page instead.`
}

/** Ends the session. */
export async function performSignOut({ currentPage, perform }: Call, options: unknown): Promise<RedirectTarget> {
  const { redirect, redirectTo = currentPage, fields } = readCallOptions(options)
  const body = { callbackUrl: redirectTo, federated: fields.federated, everywhere: fields.everywhere }
  const { to } = await perform({ action: 'signout', body })
  return { to, redirect }
}

/** Calls the callbacks to change the session. */
export async function performUpdate({ perform }: Call, data: SessionUpdate): Promise<Session | null> {
  return (await perform({ action: 'session', body: { data } })).session
}

/**
 * Adds parameters to the provider's URL. Those of the call take precedence over the configuration, except for
 * parameters of the protocol. `max_age` is sent as a query of the sign-in instead, because the answer is checked
 * against it.
 */
function addAuthorizationParams(to: string, params: URLSearchParams, logger: Logger): string {
  const url = new URL(to)
  for (const [name, value] of params) {
    if (protocolParams.has(name) || providerParams.has(name)) {
      logger.warn('authorization-params', `signIn() cannot set the parameter ${JSON.stringify(name)}: it is left out.`)
    } else if (name !== 'max_age') {
      url.searchParams.set(name, value)
    }
  }
  return url.href
}
