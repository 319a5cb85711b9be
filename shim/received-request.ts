/** The request by which the result of `tenants` finds a configuration. */
import { mapMaybePromise } from '../lib/base/maybe-promise.js'
import type { ReceivedRequest } from '../lib/types/configuration-source.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { AuthHost } from './host.js'
import { requestedUrl } from './request.js'

/**
 * Creates the function that returns the given request, or that of the host.
 * @throws Error outside a request, where no tenant is known.
 */
export function createReceiver(host: AuthHost): (request: Request | undefined) => Awaitable<ReceivedRequest> {
  return (request) => {
    if (request) return { owner: request, headers: request.headers, url: requestedUrl(host, request) }
    return mapMaybePromise(host.current(), (ambient) => {
      if (ambient) return { owner: ambient, headers: ambient.headers, url: ambient.url }
      throw new Error(
        'The tenant is found by the request, and there is none here. Call the functions of `await auth.of(id)` instead.',
      )
    })
  }
}
