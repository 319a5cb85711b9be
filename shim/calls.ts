/** A call of the application's own code, for the request that it is answering. */

import { assertTrusted } from '../lib/config/resolve-site.js'
import type { Auth } from '../lib/engine/index.js'
import { AuthError, InvalidRequest } from '../lib/errors.js'
import type { AuthRequest } from '../lib/http/message.js'
import { readOrigin } from '../lib/http/origin.js'
import { AuthUrls } from '../lib/http/urls.js'
import type { Session } from '../lib/types/session.js'
import { toHostCookie } from './cookies.js'
import type { Engine, EngineOf } from './engine.js'
import { type AmbientRequest, type AuthHost, currentRequest } from './host.js'
import { toSource } from './request.js'

/** What is to be done. */
interface Task extends Pick<AuthRequest, 'action' | 'providerId' | 'body'> {
  /** The query. */
  readonly params?: URLSearchParams
}

/** Makes the function that begins calls: it finds the request, or says to the caller why nothing can be done here. */
export function createCalls(engineOf: EngineOf<Auth>, host: AuthHost) {
  return async function call(caller: string) {
    const ambient = await currentRequest(host, caller)
    if (!ambient.writable) {
      throw new TypeError(
        `${caller} sets cookies, and none can be set here: call it in a server action or a route, before the response begins.`,
      )
    }
    const engine = await engineOf(ambient.request)
    const { config } = engine.auth
    const place = placeOf(engine, ambient)
    assertTrusted(config, place.urls.origin)
    return {
      config,
      urls: place.urls,
      /** Where the person is, as far as the site itself says so. */
      currentPage: currentPage(ambient, place),
      /** Lets the engine do it, and sets the cookies. An action gives an URL to go to, or a session. */
      async perform(task: Task) {
        const { outcome, cookies } = await engine.auth.perform(toAuthRequest(place, task))
        const set = [...cookies()].map(([name, line]) => ({ ...toHostCookie(line), holds: () => cookies().has(name) }))
        if (set.length > 0) await host.setCookies(set)
        if (outcome instanceof AuthError) throw outcome
        return {
          to: outcome.kind === 'redirect' ? outcome.to : '',
          session: outcome.kind === 'json' ? (outcome.data as Session | null) : null,
        }
      },
    }
  }
}

/** What all of a request's calls have in common. */
type Place = Pick<AuthRequest, 'basePath' | 'headers' | 'ip' | 'receivedOrigin'> & { readonly urls: AuthUrls }

function placeOf(engine: Engine<Auth>, ambient: AmbientRequest): Place {
  const { site, basePath, pages } = engine.auth.config
  const source = toSource(engine, ambient)
  const receivedOrigin = readOrigin(source)
  const origin = site?.origin ?? receivedOrigin
  if (origin === undefined) {
    throw new InvalidRequest('The URL of the site is not known here. Set AUTH_URL to it.')
  }
  const urls = new AuthUrls(origin, basePath, pages)
  return { urls, basePath, headers: source.headers, receivedOrigin, ip: ambient.ip }
}

function toAuthRequest({ urls, ...place }: Place, { action, providerId, params, body }: Task): AuthRequest {
  const url = new URL(urls.endpoint(action, providerId))
  for (const [name, value] of params ?? []) url.searchParams.append(name, value)
  return { ...place, method: 'POST', action, providerId, origin: urls.origin, url, body }
}

/** The page that the request came from, on the site; from the sign-in page, where that was to lead to. Else the root. */
function currentPage({ headers }: AmbientRequest, { urls, receivedOrigin }: Place): string {
  const referer = headers.get('referer')
  const from = referer !== null && URL.canParse(referer) ? new URL(referer) : undefined
  if (!from || (from.origin !== urls.origin && from.origin !== receivedOrigin)) return '/'
  if (from.pathname === new URL(urls.page('signIn')).pathname) return from.searchParams.get('callbackUrl') ?? '/'
  return `${urls.origin}${from.pathname}${from.search}`
}
