/** Compares the URLs that the running site creates with the requested one, and finds the cause of a difference. */
import type { ValidDoctorContext } from '../context.js'
import { type Finding, failure } from '../finding.js'
import type { FoundRoutes } from './find-routes.js'
import { requestRoute, signInUrl } from './request-route.js'

/** A host name that never exists (RFC 6761 §6.4). */
export const forgedHost = 'forged.invalid'

/** Checks the origin and the path from which the site creates its URLs. */
export async function checkUrls(
  { routes, answer, mount }: FoundRoutes,
  { resolved }: ValidDoctorContext,
): Promise<Finding[]> {
  const { origin, host, protocol } = new URL(routes)
  const url = signInUrl(answer)
  if (url && url.origin !== origin) {
    const isConfigured = url.origin === resolved.site?.origin
    const isSchemeOnly = url.host === host && protocol === 'https:'
    const cause = isConfigured
      ? 'This is the value of AUTH_URL.'
      : isSchemeOnly
        ? await schemeCause(routes)
        : `The proxy passes on ${url.host} as the host. Let it pass the host of the browser, as in \`proxy_set_header Host $host\` for nginx.`
    const message = `The site is requested at ${origin}, but uses ${url.origin} for redirect URIs, email links and cookies. ${cause} Set AUTH_URL to ${origin}.`
    return [failure('site.origin', message)]
  }
  if (!url || url.pathname.startsWith(`${mount}/signin`)) return []
  return [
    failure(
      'site.path',
      `The routes are at ${mount} outside, and the application sees them at ${url.pathname.replace(/\/signin\/.*/, '') || '/'}: the proxy changes the path, so links and redirect URIs lead elsewhere. Let it keep the path, and mount the Router there.`,
    ),
  ]
}

/**
 * Returns the cause of http instead of https. Requests with the headers of a proxy show what the proxy replaces, and
 * whether the application trusts it.
 */
async function schemeCause(routes: string): Promise<string> {
  const ask = (headers: Readonly<Record<string, string>>) =>
    requestRoute(routes, 'providers', headers).then(signInUrl, () => undefined)
  const [withScheme, withHost] = await Promise.all([
    ask({ 'x-forwarded-proto': 'https' }),
    ask({ 'x-forwarded-host': forgedHost }),
  ])
  if (withScheme?.protocol === 'https:') {
    return 'The application trusts the proxy, but the proxy does not send X-Forwarded-Proto. Let the proxy send `X-Forwarded-Proto: https`.'
  }
  if (withHost?.hostname === forgedHost) {
    return 'The application trusts the proxy, but the proxy sends `X-Forwarded-Proto: http`. Let the proxy send `X-Forwarded-Proto: https`.'
  }
  return "Either the proxy does not send `X-Forwarded-Proto: https`, or the application does not trust the proxy (`app.set('trust proxy', 1)` in Express)."
}
