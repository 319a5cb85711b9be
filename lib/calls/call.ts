/**
 * Calls of the application's own code, such as `signIn`, for the request that it is answering. All doors use it: they
 * describe the request, and write the cookies.
 */

import { type ApplicationProof, setSessionData, startSession } from '../actions/index.js'
import { parseUrl } from '../base/url.js'
import { assertTrusted } from '../config/site.js'
import type { AuthContext, ResolvedConfig } from '../contracts/index.js'
import type { AuthEngine, CallKind, CallResult } from '../engine/auth.js'
import { AuthError, InvalidConfiguration, InvalidRequest } from '../errors.js'
import { type AuthRequest, header } from '../http/message.js'
import { readOrigin } from '../http/origin.js'
import { AuthUrls } from '../http/urls.js'
import type { SessionRequest } from '../session/reader.js'
import { toDataChange } from '../session/session-callback.js'
import type { SessionDataChange, StartedSession, StartSessionUserOptions } from '../types/calls.js'
import type { Awaitable } from '../types/identity.js'
import type { Session } from '../types/session.js'

/** A request that is being answered, as a door passes it on. */
export interface DoorRequest extends SessionRequest {
  /** The client's address, if the framework knows it. */
  readonly ip?: string | undefined
  /** Sets cookies on the response. Absent if none can be set, and on Express, where the request has its response. */
  readonly keepCookies?: ((cookies: () => ReadonlyMap<string, string>) => Awaitable<void>) | undefined
}

/** The facts that a door knows about the request. */
export interface CallSource extends Pick<AuthRequest, 'headers' | 'ip'> {
  /** The origin that the client used, if known. */
  readonly receivedOrigin: string | undefined
}

/** Returns the source of a request, or an empty one without a request, as in a job. */
export function callSourceOf(req: DoorRequest | undefined): CallSource {
  return { headers: req?.headers ?? {}, ip: req?.ip, receivedOrigin: req && readOrigin(req) }
}

/** The request that an action gets. */
interface ActionTask extends Pick<AuthRequest, 'action'> {
  readonly providerId?: string | undefined
  readonly body?: AuthRequest['body']
  /** The query. */
  readonly params?: URLSearchParams
}

/** The options of `startSession`, checked. */
export type CheckedStartOptions = ApplicationProof & Pick<StartSessionUserOptions, 'redirectTo'>

/** A call in progress. */
export interface Call {
  readonly config: ResolvedConfig
  readonly urls: AuthUrls
  /** The user's page, if it is on this site. */
  readonly currentPage: string
  /** Runs work for the request. @throws {@link AuthError} */
  run<T>(task: ActionTask & Partial<CallKind>, work: (context: AuthContext) => Awaitable<T>): Promise<T>
  /** Runs an action. Returns a URL or a session. @throws {@link AuthError} */
  perform(task: ActionTask): Promise<{ readonly to: string; readonly session: Session | null }>
  /** Changes the data of the session; `null` if no user is signed in. @throws {@link AuthError} */
  setSessionData(change: SessionDataChange): Promise<Session | null>
  /** Creates a session for a proof of the application. @throws {@link AuthError} */
  startSession(options: CheckedStartOptions): Promise<StartedSession>
}

/**
 * Creates a call.
 *
 * @param keep Writes the cookies and headers of all work, also after an error.
 * @throws {@link UntrustedHost} {@link InvalidRequest} if the URL of the site is unknown.
 */
export function createCall(
  auth: AuthEngine,
  source: CallSource,
  keep: (performed: Omit<CallResult, 'outcome'>) => Awaitable<void>,
): Call {
  const { config } = auth
  const urls = callUrlsOf(config, source)
  const page = currentPage(source, urls)
  assertTrusted(config, urls.origin)
  async function run<T>(
    { effect = 'changes', name, impersonated, ...task }: ActionTask & Partial<CallKind>,
    work: (context: AuthContext) => Awaitable<T>,
  ): Promise<T> {
    const performed = await auth.call(ownRequest(config, source, task), { effect, name, impersonated }, work)
    await keep(performed)
    if (performed.outcome instanceof AuthError) throw performed.outcome
    return performed.outcome
  }
  return {
    config,
    urls,
    currentPage: page,
    run,
    async perform(task) {
      // The action checks the session by the row of its route.
      const outcome = await run({ ...task, impersonated: true }, auth.act)
      return {
        to: outcome.kind === 'redirect' ? outcome.to : '',
        session: outcome.kind === 'json' ? (outcome.data as Session | null) : null,
      }
    },
    setSessionData(change) {
      assertHasData(config, '`sessions.setData`')
      const checked = toDataChange(change)
      return run({ action: 'session', name: 'session-data' }, (context) => setSessionData(context, checked))
    },
    startSession({ redirectTo = page, ...proof }) {
      if (proof.data !== undefined) assertHasData(config, '`data` of startSession')
      // The engine treats it like the callback of a provider. The application has checked the proof, and the request
      // may come from another site.
      const task = { action: 'callback', body: { callbackUrl: redirectTo }, effect: 'administers' } as const
      return run({ ...task, name: 'start-session' }, (context) => startSession(context, proof))
    },
  }
}

/** Throws if sessions have no data, which would be lost. @throws {@link InvalidConfiguration} */
function assertHasData({ session }: ResolvedConfig, what: string): void {
  if (session.data) return
  throw new InvalidConfiguration(`${what} needs \`session: { data: true }\` in the configuration.`)
}

/**
 * Returns the request that an action gets for a call of the application's own code.
 *
 * @throws {@link InvalidRequest} if neither the source nor AUTH_URL gives the URL of the site.
 */
export function ownRequest(
  config: ResolvedConfig,
  source: CallSource,
  { action, providerId, params, body = {} }: ActionTask,
): AuthRequest {
  const urls = callUrlsOf(config, source)
  const url = new URL(urls.endpoint(action, providerId))
  for (const [name, value] of params ?? []) url.searchParams.append(name, value)
  const { basePath } = config
  return { ...source, basePath, method: 'POST', action, providerId, origin: urls.origin, url, body }
}

function callUrlsOf({ site, basePath, pages }: ResolvedConfig, { receivedOrigin }: CallSource): AuthUrls {
  const origin = site?.origin ?? receivedOrigin
  if (origin === undefined) {
    throw new InvalidRequest('The URL of the site is unknown. Set AUTH_URL.')
  }
  return new AuthUrls(origin, basePath, pages)
}

/**
 * Returns the page of this site that sent the request. For the sign-in page it is its `callbackUrl`, otherwise the
 * root.
 */
function currentPage({ headers, receivedOrigin }: CallSource, urls: AuthUrls): string {
  const referer = header(headers, 'referer')
  const from = referer !== undefined && parseUrl(referer)
  if (!from || (from.origin !== urls.origin && from.origin !== receivedOrigin)) return '/'
  if (from.pathname === new URL(urls.page('signIn')).pathname) return from.searchParams.get('callbackUrl') ?? '/'
  return `${urls.origin}${from.pathname}${from.search}`
}
