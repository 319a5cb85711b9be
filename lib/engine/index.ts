/** The engine: a configuration, resolved once, that answers requests and reads sessions. Its input and output are plain values. */
import onHeaders from 'on-headers'
import {
  assertCallAllowed,
  csrfTokenForForm,
  engineActions,
  failure,
  fitCookies,
  isOwnSiteForm,
  signOutHeaders,
  telemetryOutcome,
  toAuthError,
  toReply,
} from '../actions/index.js'
import { BoundedMap, perOwner, type SiteMemory } from '../base/memory.js'
import { type ReportOutcome, traced } from '../callbacks/index.js'
import { resolveConfig } from '../config/resolve.js'
import { assertTrusted, cookiePolicies } from '../config/site.js'
import type { AuthContext, CookieContext, ResolvedConfig } from '../contracts/index.js'
import { AuthError, toError } from '../errors.js'
import { endWithConnections } from '../features/connections/sessions.js'
import { type Implementation, implementations } from '../features/engine.js'
import { passwordProviderOf } from '../features/passwords/store.js'
import { clearAttemptsUnseen } from '../http/cookie-budget.js'
import { CookieJar } from '../http/cookies.js'
import { type AuthReply, type AuthRequest, type AuthResponse, header } from '../http/message.js'
import { readOrigin } from '../http/origin.js'
import { type OpenResponse, preventSharedCaching, removeCookies, setPersonalCookies } from '../http/response.js'
import { type Action, type Route, routeRow } from '../http/routes.js'
import { AuthUrls } from '../http/urls.js'
import { assertOwnOrigin, type CsrfContext } from '../session/csrf.js'
import { assertNoActor, assertOwnSession } from '../session/own-session.js'
import { createReader, type SessionRequest, writeReadingCookies } from '../session/reader.js'
import type { FullStackAuthConfig, ServerAuthConfig } from '../types/config.js'
import type { Awaitable } from '../types/identity.js'
import type { TelemetryOperation } from '../types/telemetry.js'
import { type AuthEngine, type CallKind, type CallResult, type Visitor, visitorOf } from './auth.js'
import { createBackground } from './background.js'

export type { AuthEngine } from './auth.js'

/** Returns the engine of a configuration object. It is built once for each object. Throws for an invalid configuration. */
export const getEngine = perOwner((config: ServerAuthConfig): AuthEngine => createEngine(resolveConfig(config)))

/** Returns the same for `initAuth`, whose configurations have more options. */
export function getFullStackEngine(config: FullStackAuthConfig): AuthEngine {
  const known = fullStackEngines(config)
  known.auth ??= createEngine(resolveConfig(config, undefined, true))
  return known.auth
}

/**
 * Returns the engine for functions of both integrations: the one that `initAuth` has built for this object, or that of {@link
 * authOf}.
 */
export function getSharedEngine(config: FullStackAuthConfig): AuthEngine {
  return fullStackEngines(config).auth ?? getEngine(config)
}

const fullStackEngines = perOwner((_config: FullStackAuthConfig): { auth?: AuthEngine } => ({}))

function createEngine(config: ResolvedConfig): AuthEngine {
  const reader = createReader(config, beforeHeaders, (sessions) => endWithConnections(config, sessions))
  const { sessions } = reader
  const background = createBackground(config.logger)
  warnOfSharedSessions(config)
  // A missing column is reported now, and not at the first sign-in.
  config.store?.checkUserFields().catch((error: unknown) => config.logger.error(toError(error)))
  const contextOf = (source: Visitor) => createCookieContext(config, source)
  const answer = async (request: AuthRequest, report?: ReportOutcome): Promise<AuthReply> => {
    const context = createContext({ config, sessions, request, background })
    try {
      return toReply(context, await runAction(context))
    } catch (thrown) {
      const error = toAuthError(request, thrown)
      report?.(telemetryOutcome(error))
      return toReply(context, await failure(context, error))
    }
  }
  const auth: AuthEngine = {
    ...reader,
    handle: config.telemetry
      ? (request) => traced(config, telemetryOperation(config, request), (report) => answer(request, report))
      : (request) => answer(request),
    call: createCall({ config, sessions, background }),
    act: runAction,
    createCallContext(request) {
      assertTrusted(config, request.origin)
      return { ...createContext({ config, sessions, request, background }), ownCall: true as const }
    },
    csrfToken(source) {
      const context = contextOf(source)
      return { token: csrfTokenForForm(context), cookies: context.cookies.written }
    },
    cookieContext: contextOf,
    writeCookiesLater,
    principal: async (source) => sessions.principal(contextOf(source)),
    hasCsrfToken({ headers, body, ...source }) {
      const origin = config.site?.origin ?? source.origin ?? ''
      return isOwnSiteForm({ ...contextOf(source), request: { headers, body }, urls: { origin } })
    },
    assertCall: (req, effect) => assertCallAllowed(originContextOf(config, req), effect),
    assertOrigin: (req) => assertOwnOrigin(originContextOf(config, req)),
    assertOwnSession: async (req) => assertNoActor(config.impersonation ? await reader.holderOf(req) : null),
    runInBackground: background.run,
    onBackgroundWork: background.listen,
    close: background.settled,
  }
  return Object.freeze(auth)
}

/** Returns the function for calls by the application's code. Errors are logged and reported, not thrown. */
function createCall(parts: Pick<AuthContext, 'config' | 'sessions' | 'background'>) {
  return <T>(
    request: AuthRequest,
    { effect, name, impersonated }: CallKind,
    work: (context: AuthContext) => Awaitable<T>,
  ): Promise<CallResult<T>> => {
    const context = { ...createContext({ ...parts, request }), ownCall: true as const }
    return traced(parts.config, telemetryOperation(parts.config, request, name), async (tell) => {
      try {
        assertCallAllowed(context, effect)
        if (parts.config.impersonation && !impersonated) await assertOwnSession(context)
        return createCallResult(context, await work(context))
      } catch (thrown) {
        const error = toAuthError(request, thrown)
        tell(telemetryOutcome(error))
        await failure(context, error)
        return createCallResult<T>(context, error)
      }
    })
  }
}

/** Returns the description of a request for `telemetry`. A path may name any provider: only configured ones are included. */
function telemetryOperation(
  { providers }: ResolvedConfig,
  { action, providerId }: AuthRequest,
  name: string = action,
): TelemetryOperation {
  return providerId !== undefined && providers.has(providerId) ? { name, provider: providerId } : { name }
}

function createCookieContext(config: ResolvedConfig, { cookie, origin }: Visitor): CookieContext {
  assertTrusted(config, origin)
  const [cookiePolicy] = cookiePolicies(config, config.site?.origin ?? origin)
  return { config, cookies: new CookieJar(cookie), cookiePolicy }
}

/**
 * Returns the context for a check of the origin only: no field of a form is read. The scheme of an upgrade request without TLS is
 * not known, because a proxy may end TLS, so that of its `Origin` is used: only the hosts are compared.
 */
function originContextOf(config: ResolvedConfig, req: SessionRequest): CsrfContext {
  const visitor = visitorOf(req)
  const protocol = header(req.headers, 'origin')?.startsWith('https:') ? 'https' : 'http'
  const origin = config.site?.origin ?? visitor.origin ?? readOrigin({ headers: req.headers, protocol }) ?? ''
  const request = { headers: req.headers, body: {}, receivedOrigin: visitor.origin }
  return { ...createCookieContext(config, visitor), request, urls: { origin } }
}

function writeCookiesLater(response: OpenResponse, cookies: () => ReadonlyMap<string, string>): void {
  beforeHeaders(response, (open) => writeReadingCookies(open, cookies()))
}

/**
 * Returns the result of a call. A failed call sets no cookies, except a sign-out: its cookie is cleared even if the store could not
 * end the session.
 */
function createCallResult<T>(context: AuthContext, outcome: T | AuthError): CallResult<T> {
  fitCookies(context)
  clearAttemptsUnseen(context.cookies, context.cookiePolicy, context.request.basePath || '/')
  const setsNone = outcome instanceof AuthError && context.request.action !== 'signout'
  const cookies = () => (setsNone ? new Map<string, string>() : context.cookies.written)
  const headers = signOutHeaders(context)
  return {
    outcome,
    cookies,
    headers,
    writeTo(response) {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      writeCookiesNow(response, cookies)
    },
  }
}

/** Sets cookies now, for code that reads the response before it is sent, and checks them again when the headers are sent. */
function writeCookiesNow(response: OpenResponse, cookies: () => ReadonlyMap<string, string>): void {
  const set = cookies()
  if (set.size === 0) return
  setPersonalCookies(response, set)
  beforeHeaders(response, (open) => {
    const current = new Set(cookies().values())
    removeCookies(open, new Set([...set.values()].filter((line) => !current.has(line))))
    preventSharedCaching(open)
  })
}

/** Calls back before the headers are sent. Frameworks pass wrappers of their response; the real one is `this`. */
function beforeHeaders(response: OpenResponse, callback: (open: OpenResponse) => void): void {
  onHeaders(response as Parameters<typeof onHeaders>[0], function (this: OpenResponse) {
    callback(this)
  })
}

function createContext(parts: Pick<AuthContext, 'config' | 'sessions' | 'request' | 'background'>): AuthContext {
  const { config, request } = parts
  return {
    ...parts,
    cookies: new CookieJar(header(request.headers, 'cookie')),
    cookiePolicy: cookiePolicies(config, request.origin)[0],
    urls: authUrlsFor(config, request),
  }
}

/**
 * The URLs by origin and mount, of which a site has few. A client that invents more only evicts entries that are computed again.
 */
const knownUrls = perOwner((_config: ResolvedConfig) => new BoundedMap<string, AuthUrls>(20))

function authUrlsFor(config: ResolvedConfig, { origin, basePath }: AuthRequest): AuthUrls {
  const known = knownUrls(config)
  // The key is unambiguous, because an origin has no path.
  const key = origin + basePath
  const urls = known.get(key) ?? new AuthUrls(origin, basePath, config.pages)
  if (key.length < 300 && !known.has(key)) known.set(key, urls)
  return urls
}

/** The providers of the latest configuration of a site. */
const firstProvidersOf = perOwner((_site: SiteMemory) => new Set<string>())

/**
 * Warns of two configurations that read each other's sessions but have different providers. They are usually meant to be separate.
 */
function warnOfSharedSessions(config: ResolvedConfig): void {
  const providers = [...config.providers.values()].map(({ id, type }) => `${type}:${id}`).join(' ')
  const known = firstProvidersOf(config.memory)
  if (known.size > 0 && !known.has(providers)) {
    config.logger.warn(
      'shared-sessions',
      "Another configuration in this process has the same secret and session cookie but different providers, so each accepts the other's sessions. Set `cookies.sessionToken.name` to keep them apart.",
    )
  }
  known.clear()
  known.add(providers)
}

/* ---- actions ------------------------------------------------------------------------------------------------------ */

// The actions by name: those of the engine, and those of capabilities.

const actions = Object.assign(
  { ...engineActions },
  ...Object.values<Implementation>(implementations).map((each) => each.actions),
) as Readonly<Record<Action, (context: AuthContext) => Promise<AuthResponse>>>

/** Checks whether a configuration has the route. Otherwise the path is the application's. */
export function isServed({ action }: Route, config: Pick<ResolvedConfig, 'providers'>): boolean {
  return routeRow(action).needs !== 'passwords' || passwordProviderOf(config) !== undefined
}

/**
 * Runs the action that a request names. HEAD never has an effect: `callback` sees to that by itself.
 * @throws {@link UntrustedHost} at once. Other errors reject.
 */
function runAction(context: AuthContext): Awaitable<AuthResponse> {
  const { action, method, origin } = context.request
  assertTrusted(context.config, origin)
  const row = routeRow(action)
  if (method === 'HEAD' && row.getHasEffects) return { kind: 'empty', status: 200 }
  if (!context.config.impersonation || row.impersonated?.includes(method === 'HEAD' ? 'GET' : method))
    return actions[action](context)
  return assertOwnSession(context).then(() => actions[action](context))
}
