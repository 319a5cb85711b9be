/** Finds the routes of the running site, or the reason why they are not found. */
import { connect } from 'node:tls'
import { siteMount, type ValidDoctorContext } from '../context.js'
import { type Finding, failure, ok, warning } from '../finding.js'
import { describeNetworkError, requestTimeLimit } from '../online/network.js'
import { isOwnResponse, type RouteResponse, requestRoute } from './request-route.js'

/** The site that responded. */
export interface FoundRoutes {
  readonly routes: string
  readonly mount: string
  /** The response of `providers`. */
  readonly answer: RouteResponse
}

/** Finds the routes. Returns a finding if that is not possible. */
export async function findRoutes(
  scene: ValidDoctorContext,
  url: URL,
): Promise<FoundRoutes | { readonly finding: Finding }> {
  const own = url.pathname.replace(/\/+$/, '')
  const mounts = [
    ...new Set([own, siteMount(scene), '/auth', '/api/auth', `${own}/auth`].filter((each) => each !== '')),
  ]
  const responses = await Promise.all(mounts.map((mount) => responseAt(url.origin + mount)))
  for (const [at, mount] of mounts.entries()) {
    const answer = responses[at]
    if (answer && 'status' in answer && isOwnResponse(answer)) return { routes: url.origin + mount, mount, answer }
  }
  const failed = responses.find((response) => 'thrown' in response)
  if (failed && 'thrown' in failed) {
    const { isTls, message } = describeNetworkError(failed.thrown)
    const words = `${url.host} ${message}`
    return { finding: isTls ? failure('site.tls', words) : failure('site.reach', words) }
  }
  const answers = responses.filter((response) => 'status' in response)
  return { finding: routesNotFound(url, mounts, answers.find(({ status }) => status !== 404) ?? answers.at(-1)) }
}

/** Returns the response at a mount, or the error of a request without one. */
async function responseAt(routes: string): Promise<RouteResponse | { readonly thrown: unknown }> {
  return requestRoute(routes, 'providers').catch((thrown: unknown) => ({ thrown }))
}

function routesNotFound(url: URL, mounts: readonly string[], answer: RouteResponse | undefined): Finding {
  const { status = 0, headers } = answer ?? {}
  const place = headers?.get('location')
  if (status >= 300 && status < 400 && place && URL.canParse(place, url.href)) {
    return failure(
      'site.redirect',
      `${url.origin} redirects to ${new URL(place, url).origin}: pass that as --url, and as AUTH_URL.`,
    )
  }
  if (status >= 500) {
    return failure(
      'site.reach',
      `${url.origin} answers with the status ${status}: the proxy does not reach the application, or the application fails. See the logs of both.`,
    )
  }
  return failure(
    'site.mount',
    `No routes were found at ${mounts.map((mount) => url.origin + mount).join(', ')} (status ${status}). Where are they mounted? Pass --url with that path.`,
  )
}

/** Checks the expiry of the certificate. */
export async function checkCertificate({ url }: ValidDoctorContext): Promise<Finding[]> {
  if (url?.protocol !== 'https:') return []
  const days = await daysLeft(url)
  if (days === undefined) return []
  if (days >= 14) return [ok('site.certificate', `The certificate is good for ${days} days.`)]
  return [warning('site.certificate', `The certificate of ${url.host} ends in ${days} days. Does its renewal work?`)]
}

function daysLeft({ hostname, port }: URL): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || 443),
      servername: hostname,
      timeout: requestTimeLimit,
    })
    const end = (days?: number) => {
      socket.destroy()
      resolve(days)
    }
    socket.once('secureConnect', () => {
      const until = Date.parse(socket.getPeerCertificate().valid_to)
      end(Number.isNaN(until) ? undefined : Math.floor((until - Date.now()) / 86_400_000))
    })
    // Another check reports a site that cannot be reached.
    socket.once('error', () => end())
    socket.once('timeout', () => end())
  })
}
