/**
 * A call of the application's own code, such as `signIn`: for the request that it is answering, and no route. The same for every
 * door, which says what is known of the request and takes over the cookies.
 */

import type { OwnProof } from '../actions/index.js'
import { parseUrl } from '../base/url.js'
import { assertTrusted } from '../config/resolve-site.js'
import type { ResolvedConfig } from '../contracts/index.js'
import type { Auth, Performed } from '../engine/index.js'
import { AuthError, InvalidConfiguration, InvalidRequest } from '../errors.js'
import { type AuthRequest, header } from '../http/message.js'
import { AuthUrls } from '../http/urls.js'
import { toChange } from '../session/data.js'
import type { SessionDataChange, StartedSession, StartSessionOptions } from '../types/calls.js'
import type { Session } from '../types/session.js'

/** What a door knows of the request that is being answered. */
export interface CallSource extends Pick<AuthRequest, 'headers' | 'ip'> {
  /** The origin that the client itself used, where it can be known. */
  readonly receivedOrigin: string | undefined
}

/** What is to be done. */
interface Task extends Pick<AuthRequest, 'action' | 'body'> {
  readonly providerId?: string
  /** The query. */
  readonly params?: URLSearchParams
}

/** What `startSession` was asked for, checked. */
export type ReadStartOptions = OwnProof & Pick<StartSessionOptions, 'redirectTo'>

/** A call that has begun. */
export interface Call {
  readonly config: ResolvedConfig
  readonly urls: AuthUrls
  /** Where the person is, as far as the site itself says so. */
  readonly currentPage: string
  /** Lets the engine do it. An action gives an URL to go to, or a session. @throws {@link AuthError} when it fails */
  perform(task: Task): Promise<{ readonly to: string; readonly session: Session | null }>
  /** Asks about second factors as our own pages do. Resolves to what a script would get. @throws {@link AuthError} when it fails */
  factors(task: { readonly type?: string; readonly body: Readonly<Record<string, unknown>> }): Promise<unknown>
  /** Changes the data of the session; `null` where nobody is signed in. @throws {@link AuthError} when it fails */
  setSessionData(change: SessionDataChange): Promise<Session | null>
  /** Begins a session for a proof of the application's own. @throws {@link AuthError} when it fails */
  startSession(options: ReadStartOptions): Promise<StartedSession>
}

/**
 * Begins a call.
 *
 * @param keep Takes over cookies and headers of whatever was done, also where it failed.
 * @throws {@link UntrustedHost} {@link InvalidRequest} where the site is not known.
 */
export function beginCall(
  auth: Auth,
  source: CallSource,
  keep: (performed: Omit<Performed, 'outcome'>) => Promise<void> | void,
): Call {
  const { config } = auth
  const place = placeOf(config, source)
  const page = currentPage(place)
  assertTrusted(config, place.urls.origin)
  async function outcomeOf<T>(work: Promise<Performed<T>>): Promise<T> {
    const performed = await work
    await keep(performed)
    if (performed.outcome instanceof AuthError) throw performed.outcome
    return performed.outcome
  }
  return {
    config,
    urls: place.urls,
    currentPage: page,
    async perform(task) {
      const outcome = await outcomeOf(auth.perform(toAuthRequest(place, task)))
      return {
        to: outcome.kind === 'redirect' ? outcome.to : '',
        session: outcome.kind === 'json' ? (outcome.data as Session | null) : null,
      }
    },
    async factors({ type, body }) {
      assertHasFactors(config)
      const task = { action: 'two-factor', body, ...(type !== undefined && { providerId: type }) } as const
      const outcome = await outcomeOf(auth.perform(toAuthRequest(place, task)))
      return outcome.kind === 'json' ? outcome.data : {}
    },
    setSessionData(change) {
      assertHasData(config, 'setSessionData')
      const request = toAuthRequest(place, { action: 'session', body: {} })
      return outcomeOf(auth.setSessionData(request, toChange(change)))
    },
    startSession({ redirectTo = page, ...proof }) {
      if (proof.data !== undefined) assertHasData(config, '`data` of startSession')
      // To the engine it is somebody who comes back with a proof.
      const request = toAuthRequest(place, { action: 'callback', body: { callbackUrl: redirectTo } })
      return outcomeOf(auth.startSession(request, proof))
    },
  }
}

/** @throws {@link InvalidConfiguration} where nobody has second factors. */
function assertHasFactors({ factors }: ResolvedConfig): void {
  if (factors) return
  throw new InvalidConfiguration('There are no second factors: set `factors: [Totp(), RecoveryCodes()]`.')
}

/** @throws {@link InvalidConfiguration} where sessions have no data: it would be lost. */
function assertHasData({ session }: ResolvedConfig, what: string): void {
  if (session.data) return
  throw new InvalidConfiguration(`${what} needs \`session: { data: true }\` in the configuration.`)
}

/** What all of a request's calls have in common. */
type Place = CallSource & Pick<AuthRequest, 'basePath'> & { readonly urls: AuthUrls }

function placeOf({ site, basePath, pages }: ResolvedConfig, source: CallSource): Place {
  const origin = site?.origin ?? source.receivedOrigin
  if (origin === undefined) {
    throw new InvalidRequest('The URL of the site is not known here. Set AUTH_URL to it.')
  }
  return { ...source, basePath, urls: new AuthUrls(origin, basePath, pages) }
}

function toAuthRequest({ urls, ...place }: Place, { action, providerId, params, body }: Task): AuthRequest {
  const url = new URL(urls.endpoint(action, providerId))
  for (const [name, value] of params ?? []) url.searchParams.append(name, value)
  return { ...place, method: 'POST', action, providerId, origin: urls.origin, url, body }
}

/** The page that the request came from, on the site; from the sign-in page, where that was to lead to. Else the root. */
function currentPage({ headers, urls, receivedOrigin }: Place): string {
  const referer = header(headers, 'referer')
  const from = referer !== undefined && parseUrl(referer)
  if (!from || (from.origin !== urls.origin && from.origin !== receivedOrigin)) return '/'
  if (from.pathname === new URL(urls.page('signIn')).pathname) return from.searchParams.get('callbackUrl') ?? '/'
  return `${urls.origin}${from.pathname}${from.search}`
}
