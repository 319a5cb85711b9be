/** Checks of the running site from outside: how requests arrive, and how responses return. */
import { cookiePolicies } from '../../../config/site.js'
import { writeCookie } from '../../../http/cookies.js'
import { isLocalOrigin } from '../../../http/ip-addresses.js'
import { decodePercent } from '../../../http/urls.js'
import { createCsrf, readCsrf } from '../../../session/csrf.js'
import type { CookieOption } from '../../../types/cookies.js'
import type { ValidDoctorContext } from '../context.js'
import { type Finding, failure, note, ok, warning } from '../finding.js'
import { formatSkew } from '../online/network.js'
import { type FoundRoutes, findRoutes } from './find-routes.js'
import { type RouteResponse, requestRoute, signInUrl } from './request-route.js'
import { checkUrls, forgedHost } from './urls.js'

/** Runs all checks of a running site. */
export async function checkSite(scene: ValidDoctorContext): Promise<Finding[]> {
  if (!scene.url) return []
  const reached = await findRoutes(scene, scene.url)
  if ('finding' in reached) return [reached.finding]
  const { routes, answer } = reached
  const found = await Promise.all([
    checkUrls(reached, scene),
    checkCaching(answer),
    checkSiteClock(answer),
    checkCookie(reached, scene),
    checkForgedHost(reached, scene),
    checkSizes(routes),
  ])
  const findings = found.flat()
  const alarming = findings.some(({ level }) => level === 'failure' || level === 'warning')
  return alarming
    ? findings
    : [ok('site.probe', `${routes} answers, and requests arrive there as they are sent.`), ...findings]
}

function checkCaching({ headers }: RouteResponse): Finding[] {
  const findings: Finding[] = []
  if (!/\bno-store\b/.test(headers.get('cache-control') ?? '')) {
    findings.push(
      failure(
        'site.cache',
        'Answers come without `Cache-Control: no-store`, which the site sets: a cache may give one person’s session to another. Remove what changes Cache-Control for the routes.',
      ),
    )
  }
  if (Number(headers.get('age') ?? 0) > 0) {
    findings.push(
      failure(
        'site.cached',
        'An answer comes out of a cache, in spite of `no-store`. Leave the routes out of the caching rules.',
      ),
    )
  }
  return findings
}

function checkSiteClock({ skew = 0 }: RouteResponse): Finding[] {
  if (Math.abs(skew) <= 5) return []
  const words = `The clock of the site is ${formatSkew(skew)} that of this machine. Let both be set by NTP.`
  return [warning('site.clock', words)]
}

/** Checks that the CSRF cookie arrives unchanged, and that the site has the secret of this configuration. */
async function checkCookie(
  { routes, answer }: FoundRoutes,
  { resolved, changed }: ValidDoctorContext,
): Promise<Finding[]> {
  if (!resolved.checkCsrf) return []
  // The names and attributes follow the origin that the application sees.
  const origin = signInUrl(answer)?.origin ?? new URL(routes).origin
  const { csrfToken } = cookiePolicies(resolved, origin)[0]
  const { headers } = await requestRoute(routes, 'csrf')
  const came = headers.getSetCookie().find((line) => line.startsWith(`${csrfToken.name}=`))
  if (came === undefined) {
    return [
      failure(
        'site.cookie',
        'A cookie that the site sets is removed on the way, so no user can sign in. Let the proxy, or the CDN, pass Set-Cookie on for the routes.',
      ),
    ]
  }
  const [expected, found] = [sortedAttributes(writeCookie(csrfToken, '')), sortedAttributes(came)]
  if (expected !== found) {
    return [
      warning(
        'site.cookie-changed',
        `A proxy changes cookies: ${expected} became ${found}. Remove what rewrites Set-Cookie there.`,
      ),
    ]
  }
  const value = decodePercent(came.slice(csrfToken.name.length + 1).split(';')[0] ?? '')
  if (changed.has('secret') || readCsrf(value, resolved.secrets) !== null) return []
  return [await otherSecret(routes, csrfToken, resolved)]
}

/**
 * Returns the finding for a site that signs with a secret that is not in this configuration. During a rotation it may
 * still know ours.
 */
async function otherSecret(
  routes: string,
  csrfToken: CookieOption,
  resolved: ValidDoctorContext['resolved'],
): Promise<Finding> {
  const { token, cookie } = createCsrf(resolved.secrets)
  const sent = writeCookie(csrfToken, cookie).split(';')[0] ?? ''
  const { body } = await requestRoute(routes, 'csrf', { cookie: sent })
  if (body?.csrfToken === token) {
    return note(
      'site.secret',
      'The site signs with another secret than this configuration, and accepts that of this one too.',
    )
  }
  return failure(
    'site.secret',
    'The site has another AUTH_SECRET than this configuration. Run the doctor with the environment of the site.',
  )
}

/** Returns the attributes, sorted and in lower case, because a proxy may change order and case. */
function sortedAttributes(line: string): string {
  return line
    .split(';')
    .slice(1)
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !each.startsWith('expires='))
    .sort()
    .join('; ')
}

/** Checks whether any client can choose the host from which the site creates its URLs. */
async function checkForgedHost({ routes }: FoundRoutes, { env, resolved }: ValidDoctorContext): Promise<Finding[]> {
  const url = signInUrl(await requestRoute(routes, 'providers', { 'x-forwarded-host': forgedHost }))
  if (url?.hostname !== forgedHost) return []
  // Without a proxy on this machine, the doctor sends its requests as the proxy would.
  const isNear = isLocalOrigin(new URL(routes).origin) && !env.production
  const level = isNear || resolved.site ? note : failure
  return [
    level(
      'site.forged-host',
      'Any client can choose the host with X-Forwarded-Host. Let the proxy set that header itself, and set AUTH_URL.',
    ),
  ]
}

/**
 * Checks the maximum size of a session cookie. Most sessions have less than a kilobyte, and none more than thirteen.
 */
async function checkSizes(routes: string): Promise<Finding[]> {
  const raise = 'raise the limit of the proxy: `large_client_header_buffers 4 32k` for nginx.'
  if (await isRequestLost(routes, 4))
    return [failure('site.request-size', `Requests with 4 kB of cookies do not get through: ${raise}`)]
  if (await isRequestLost(routes, 12))
    return [
      note(
        'site.request-size',
        `Requests with 12 kB of cookies do not get through. Where sessions are large, ${raise}`,
      ),
    ]
  return []
}

/** Checks whether a request with cookies of this size fails. */
async function isRequestLost(routes: string, kilobytes: number): Promise<boolean> {
  try {
    const { status } = await requestRoute(routes, 'providers', {
      cookie: `auth.doctor=${'x'.repeat(kilobytes * 1000)}`,
    })
    return status !== 200
  } catch {
    return true
  }
}
