/** Finds the routes of the running site, or the reason why they are not found. */
import { connect } from 'node:tls'
import { type Finding, failure, ok, warning } from '../finding.js'
import { faultOf, patience } from '../online/network.js'
import { mountOf, type WorkingScene } from '../scene.js'
import { type Answer, ask, isOurs } from './ask.js'

/** The site that responded. */
export interface Reached {
  readonly routes: string
  readonly mount: string
  /** The response of `providers`. */
  readonly answer: Answer
}

/** Finds the routes. Returns a finding if that is not possible. */
export async function findRoutes(scene: WorkingScene, url: URL): Promise<Reached | { readonly finding: Finding }> {
  const own = url.pathname.replace(/\/+$/, '')
  const mounts = [...new Set([own, mountOf(scene), '/auth', '/api/auth', `${own}/auth`].filter((each) => each !== ''))]
  let best: Answer | undefined
  for (const mount of mounts) {
    const routes = url.origin + mount
    let answer: Answer
    try {
      answer = await ask(routes, 'providers')
    } catch (error) {
      const { isTls, words } = faultOf(error)
      return {
        finding: isTls ? failure('site.tls', `${url.host} ${words}`) : failure('site.reach', `${url.host} ${words}`),
      }
    }
    if (isOurs(answer)) return { routes, mount, answer }
    best = best && best.status !== 404 ? best : answer
  }
  return { finding: notFound(url, mounts, best) }
}

function notFound(url: URL, mounts: readonly string[], answer: Answer | undefined): Finding {
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
export async function checkCertificate({ url }: WorkingScene): Promise<Finding[]> {
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
      timeout: patience,
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
