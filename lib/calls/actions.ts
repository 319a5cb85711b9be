/** What `signIn`, `signOut` and `update` do, whichever door they are called at. */

import { protocolParams, providerParams } from '../base/authorization-request.js'
import type { Logger } from '../base/logger.js'
import type { AuthorizationParams, SessionUpdate } from '../types/calls.js'
import type { Session } from '../types/session.js'
import type { Call } from './call.js'
import { readOptions } from './options.js'

/** Where the person goes now. */
export interface Destination {
  readonly to: string
  /** Whether the door is to send them there. */
  readonly redirect: boolean
}

/** Begins a sign-in; with credentials it ends at once. Without a provider that is known it leads to the sign-in page. */
export async function signInBy(
  { config, currentPage, perform, urls }: Call,
  {
    provider,
    options,
    params: given,
  }: { provider?: unknown; options?: unknown; params?: AuthorizationParams | undefined },
): Promise<Destination> {
  const { redirect, redirectTo = currentPage, fields } = readOptions(options)
  const known = typeof provider === 'string' ? config.providers.get(provider) : undefined
  if (!known) return { to: urls.endpoint('signin', undefined, { callbackUrl: redirectTo }), redirect }
  const params = new URLSearchParams(given)
  const { to } = await perform({
    // Credentials prove themselves at once: there is no way to the provider and back.
    action: known.kind === 'credentials' ? 'callback' : 'signin',
    providerId: known.id,
    params,
    body: { ...fields, callbackUrl: redirectTo },
  })
  return { to: known.kind === 'oauth' ? addParams(to, params, config.logger) : to, redirect }
}

/** Ends the session. */
export async function signOutBy({ currentPage, perform }: Call, options: unknown): Promise<Destination> {
  const { redirect, redirectTo = currentPage, fields } = readOptions(options)
  const body = { callbackUrl: redirectTo, federated: fields.federated }
  const { to } = await perform({ action: 'signout', body })
  return { to, redirect }
}

/** Asks the callbacks for a change of the session. */
export async function updateBy({ perform }: Call, data: SessionUpdate): Promise<Session | null> {
  return (await perform({ action: 'session', body: { data } })).session
}

/**
 * The provider's URL with the parameters. What the application's own code says counts more than the configuration; what is
 * the protocol's own stays as it is. `max_age` goes another way, as a query of the sign-in: the answer is checked against it.
 */
function addParams(to: string, params: URLSearchParams, logger: Logger): string {
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
