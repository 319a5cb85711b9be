/**
 * Requests to the running site, as a browser sends them. The response is untrusted: every field is checked before use.
 */
import { isRecord } from '../../../base/guards.js'
import { parseUrl } from '../../../base/url.js'
import { withSizeLimit } from '../../../flows/oauth/fetch.js'
import { clockSkew, requestTimeLimit } from '../online/network.js'

/** The response of a route. */
export interface RouteResponse {
  readonly status: number
  readonly headers: Headers
  /** The JSON of the body; `undefined` if it is not an object. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** The seconds by which the site's clock is ahead. */
  readonly skew: number | undefined
}

/** Sends a GET to a route. Rejects without a response. @param routes The URL of the mount. */
export async function requestRoute(
  routes: string,
  route: 'providers' | 'csrf',
  headers: Readonly<Record<string, string>> = {},
): Promise<RouteResponse> {
  const from = Date.now()
  const response = withSizeLimit(
    await fetch(`${routes}/${route}`, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(requestTimeLimit),
    }),
  )
  const skew = clockSkew(response.headers, { from, to: Date.now() })
  const body: unknown = await response.json().catch(() => undefined)
  return { status: response.status, headers: response.headers, body: isRecord(body) ? body : undefined, skew }
}

/** Checks whether a response of `providers` is one of this library. */
export function isOwnResponse({ status, body }: RouteResponse): boolean {
  return status === 200 && body !== undefined && Object.values(body).every((each) => signInUrlOf(each) !== undefined)
}

/** Returns the sign-in URL of a provider in a response of `providers`; `undefined` without providers. */
export function signInUrl({ body = {} }: RouteResponse): URL | undefined {
  return signInUrlOf(Object.values(body)[0])
}

function signInUrlOf(provider: unknown): URL | undefined {
  return isRecord(provider) && typeof provider.signinUrl === 'string' ? parseUrl(provider.signinUrl) : undefined
}
