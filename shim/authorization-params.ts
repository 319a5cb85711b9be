/** The third argument of `signIn`: parameters for the provider's page, from code on the server. */

import type { Logger } from '../lib/base/logger.js'
import { protocolParams, providerParams } from '../lib/flows/oauth/request-params.js'

/** Parameters in any form that `URLSearchParams` takes. */
export type AuthorizationParams = string | Readonly<Record<string, string>> | URLSearchParams | [string, string][]

/**
 * The provider's URL with the parameters. What the application's own code says counts more than the configuration; what is
 * the protocol's own stays as it is. `max_age` goes another way, as a query of the sign-in: the answer is checked against it.
 */
export function addParams(to: string, params: URLSearchParams, logger: Logger): string {
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
