/**
 * The responses that end a request. They are thrown, in the form that the framework understands, so that code which
 * ignores the result of a guard does not continue.
 */
import { assertingGuards } from './awaited-guards.js'
import type { AuthHost } from './host.js'

/** The responses by the thrown values. */
const responses = new WeakMap<object, Response>()

/** Throws a response as it is. */
export function throwPlainResponse(response: Response): never {
  responses.set(response, response)
  throw response
}

/** Throws the response to a rejected request with the functions of the host. */
export function throwResponse(host: AuthHost, response: Response): never {
  const location = response.headers.get('location')
  try {
    if (location !== null) host.redirect(location, response)
    host.reject?.(response)
  } catch (thrown) {
    if (typeof thrown === 'object' && thrown !== null) responses.set(thrown, response)
    throw thrown
  }
  // The host has no function, or one that returned instead of throwing: the guarded code must not run.
  throwPlainResponse(response)
}

/**
 * Throws the redirect of the framework with the function of the host.
 * @throws TypeError if the function returned instead of throwing: the guarded code must not run.
 */
export function throwRedirect(host: AuthHost, url: string): never {
  host.redirect(url)
  throw new TypeError('`redirect` of the host returned. Throw the redirect of the framework in it.')
}

/**
 * Runs the handler of a request, and returns a response that it throws with this module. Other thrown values are thrown
 * again. The response has status 500 if the handler does not await a guard.
 */
export async function catchResponse<T>(request: Request, handler: () => T): Promise<Awaited<T> | Response> {
  try {
    return await assertingGuards(request, handler)
  } catch (thrown) {
    const response = typeof thrown === 'object' && thrown !== null ? responses.get(thrown) : undefined
    if (response === undefined) throw thrown
    return response
  }
}
