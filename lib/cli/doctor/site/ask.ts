/** Requests to the running site, as a browser sends them. The answer is foreign data: every field of it is checked before it is used. */
import { isRecord } from '../../../base/guards.js'
import { parseUrl } from '../../../base/url.js'
import { capped } from '../../../flows/oauth/fetch.js'
import { patience, skewOf } from '../online/network.js'

/** The answer of a route. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The JSON of the body; `undefined` where it is no object. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** Seconds by which the site's clock is ahead. */
  readonly skew: number | undefined
}

/** Sends a GET to a route. Rejects where the site does not answer. @param routes The URL of the mount. */
export async function ask(
  routes: string,
  route: 'providers' | 'csrf',
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const from = Date.now()
  const response = capped(
    await fetch(`${routes}/${route}`, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
    }),
  )
  const skew = skewOf(response.headers, { from, to: Date.now() })
  const body: unknown = await response.json().catch(() => undefined)
  return { status: response.status, headers: response.headers, body: isRecord(body) ? body : undefined, skew }
}

/** Checks whether an answer of `providers` is one of this library. */
export function isOurs({ status, body }: Answer): boolean {
  return status === 200 && body !== undefined && Object.values(body).every((each) => signInUrlOf(each) !== undefined)
}

/** Returns the sign-in URL of a provider in an answer of `providers`. Without providers there is none. */
export function signInUrl({ body = {} }: Answer): URL | undefined {
  return signInUrlOf(Object.values(body)[0])
}

function signInUrlOf(provider: unknown): URL | undefined {
  return isRecord(provider) && typeof provider.signinUrl === 'string' ? parseUrl(provider.signinUrl) : undefined
}
