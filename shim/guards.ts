/** The guards of routes behind the shim: `auth.require`, `auth.requireApiKey`, `auth.requireConnection` and `auth.csrf`. */
import type { Logger } from '../lib/base/logger.js'
import type { AuthEngine } from '../lib/engine/index.js'
import { type AllowedKey, createKeyGuardRule } from '../lib/features/api-keys/requirement.js'
import type {
  ApiKey,
  ApiKeyRequirement,
  RequireApiKeyOptions,
  SessionOrApiKey,
} from '../lib/features/api-keys/types.js'
import type { OrganizationRequirement, OrganizationRoles, WithMember } from '../lib/features/organizations/types.js'
import { createConnectionRule } from '../lib/features/tokens/require-connection-rule.js'
import type { RequireConnectionOptions } from '../lib/features/tokens/types.js'
import { formPagePath, toPath } from '../lib/guards/rejection.js'
import { type Allowed, createSessionRule, type SessionGuardOptions } from '../lib/guards/session-rule.js'
import { isFetchRequest } from '../lib/http/message.js'
import { readOrigin } from '../lib/http/origin.js'
import type { GuardRequirements } from '../lib/types/guards.js'
import type { Awaitable } from '../lib/types/identity.js'
import type { Session } from '../lib/types/session.js'
import { trackGuard } from './awaited-guards.js'
import type { CorsFunction } from './cors.js'
import type { CsrfFunctions } from './csrf.js'
import { createDoorRequests } from './door-request.js'
import type { EngineResolver } from './engine.js'
import { absoluteUrl, guarding, rejectionResponse, toGuardedRequest } from './guard-responses.js'
import { type AuthHost, currentRequest } from './host.js'
import { toSource } from './request.js'
import { createSessionReader } from './session-reader.js'
import { throwRedirect, throwResponse } from './thrown-responses.js'

/** The options of {@link AuthGuards.require} for a request. */
export interface RequireOptions<S = Session, R extends Request = Request> extends GuardRequirements {
  /**
   * Checks whether the user may access the route. `false` results in 403. It is called before `aal`, `maxAge` and `amr`
   * are checked, so the user may not have proved them yet. Default: all signed-in users may.
   */
  allow?(session: S, request: R): Awaitable<boolean>
}

/** The options of {@link AuthGuards.require} for the current request. */
export interface RequireHereOptions<S = Session> extends GuardRequirements {
  /** Checks whether the user may continue. `false` results in 403. Default: all signed-in users may. */
  allow?(session: S): Awaitable<boolean>
  /**
   * The URL to which the user returns. Default: the requested URL if the host knows it, otherwise the page of the site
   * that sent the request. Next.js does not report the URL of a page.
   */
  redirectTo?: string
}

/** The options of {@link AuthGuards.require} for a session or an API key. */
export interface RequireOrKeyOptions<Scope extends string = string>
  extends Pick<GuardRequirements, 'signInUrl' | 'live' | 'impersonated'>,
    ApiKeyRequirement<Scope> {}

/**
 * The guards, which are members of `auth`. Each throws for a rejected request and after any error, so that code behind it
 * runs only for allowed requests. Write `await` before each. In {@link withRequest} and in handlers inside `auth()`, a guard that
 * is not awaited results in 500, and in a line of the log.
 */
export interface AuthGuards<
  S = Session,
  R extends Request = Request,
  Roles extends OrganizationRoles = OrganizationRoles,
  Scope extends string = string,
> {
  /**
   * Requires a member of an organization, or an API key for it. Needs `organizations` and `apiKeys`.
   * @returns The session or the key, and the organization with the role of the user.
   * @throws As {@link AuthGuards.requireApiKey} for a rejected key, otherwise as {@link AuthGuards.require}.
   */
  require(
    request: R,
    options: RequireOrKeyOptions<Scope> & OrganizationRequirement<R, Roles>,
  ): Promise<SessionOrApiKey<S, Scope> & WithMember<Roles>>
  /**
   * Requires a session or an API key. Needs `apiKeys`.
   * @returns The session or the key. The other one is `null`.
   * @throws As {@link AuthGuards.requireApiKey} for a rejected key, otherwise as {@link AuthGuards.require}.
   * @example
   * ```ts
   * const { session, apiKey } = await auth.require(request, { apiKey: 'notes:read' })
   * const userId = apiKey?.userId ?? session?.user?.id
   * ```
   */
  require(request: R, options: RequireOrKeyOptions<Scope>): Promise<SessionOrApiKey<S, Scope>>
  /**
   * Requires a member of an organization. Users who are no member get 404, and members without the role or permission 403. Needs
   * `organizations`.
   * @returns The session, whose `organization` is that of the request, with the role of the user.
   * @throws As {@link AuthGuards.require} for a rejected request.
   * @example
   * ```ts
   * const { organization } = await auth.require(request, { organization: () => params.org, role: 'admin' })
   * ```
   */
  require(request: R, options: RequireOptions<S, R> & OrganizationRequirement<R, Roles>): Promise<S & WithMember<Roles>>
  /** Requires a member of an organization for the current request. */
  require(options: RequireHereOptions<S> & OrganizationRequirement<void, Roles>): Promise<S & WithMember<Roles>>
  /**
   * Requires a session. Browsers are redirected to the sign-in page and return; API clients get 401, or 403 if `allow`
   * returns `false`. If more proof is required (`aal`, `maxAge`, `amr`), browsers are redirected to the step-up, and API
   * clients get 401 with `WWW-Authenticate` (RFC 9470).
   * @throws The Response to a rejected request, which {@link withRequest} and handlers inside `auth()` send; or the
   *   redirect or error of the framework. `InvalidConfiguration` for invalid options.
   * @example
   * ```ts
   * const session = await auth.require(request, { aal: 2 })
   * ```
   */
  require(request: R, options?: RequireOptions<S, R>): Promise<S>
  /**
   * Requires a session for the current request: in server components, server actions and loaders. Other users are
   * redirected by the framework's redirect, which is thrown; users whom `allow` rejects get 403.
   * @throws The redirect or error of the framework, or the Response, as for a request. `InvalidConfiguration` for
   *   invalid options.
   * @example
   * ```ts
   * const session = await auth.require({ redirectTo: '/dashboard' })
   * ```
   */
  require(options?: RequireHereOptions<S>): Promise<S>
  /**
   * Requires an API key. It is read from `Authorization: Bearer`, and from `apiKeys.header`. Needs `apiKeys`.
   * @returns The key of the request. There is no session.
   * @throws The Response to a rejected request, as JSON: 401 with `WWW-Authenticate`, 403 without the scope, 400 for two
   *   credentials, 429 after too many unknown keys, 503 if the store fails. `InvalidConfiguration` for invalid options.
   * @example
   * ```ts
   * const { userId } = await auth.requireApiKey(request, { scope: 'notes:read' })
   * ```
   */
  requireApiKey(request: R, options?: RequireApiKeyOptions<Scope>): Promise<ApiKey<Scope>>
  /**
   * Requires an account at a provider, valid for `scope`. `tokens.get` then finds a token. Browsers are redirected to
   * sign in, or to the provider, and return; API clients get 401, or 403 with `connectUrl`.
   * @throws As {@link AuthGuards.require} for a rejected request; `InvalidConfiguration` without `tokens`,
   *   `InvalidProvider` for a provider that is not configured.
   */
  requireConnection(request: R, options: RequireConnectionOptions): Promise<S>
  /**
   * Lets scripts of `trustedOrigins` call your own API with cookies (CORS). Answers their preflights with 204; otherwise
   * calls `respond` and sets the headers on its response, also on one that a guard throws in it.
   * @example
   * ```ts
   * return auth.cors(request, async () => Response.json(await notesOf(await auth.require(request))))
   * ```
   */
  readonly cors: CorsFunction
  /** The CSRF tokens for your own forms. */
  readonly csrf: CsrfFunctions
}

const notARequest =
  'auth.require() got no Request as its first argument. Pass the Request of the handler and the options, or the options alone.'

const keyWithoutRequest =
  'auth.require() with `apiKey` needs the Request as its first argument: pages that users visit are called without a key.'

/** Creates the guards of a host. */
export function createGuards(
  engineOf: EngineResolver<AuthEngine>,
  host: AuthHost,
  logger: Logger,
): Omit<AuthGuards, 'cors' | 'csrf'> {
  const requireConnection = createRequireConnection(engineOf, host)
  const requireApiKey = createRequireApiKey(engineOf, host)
  return {
    require: createRequire(engineOf, host, logger),
    requireApiKey: (request, options) =>
      trackGuard({ name: 'auth.requireApiKey()', logger }, requireApiKey(request, options)),
    requireConnection: (request, options) =>
      trackGuard({ name: 'auth.requireConnection()', logger }, requireConnection(request, options)),
  }
}

/** The options of a guard for the current request. */
type HereOptions = SessionGuardOptions<Session, void> & Pick<RequireHereOptions, 'redirectTo'>

/** The result of a guard: the session, or with `apiKey` one of both. */
type Guarded = Session | SessionOrApiKey<Session>

/** Returns the session, with the organization of the request if the guard requires one. Later readers get no role. */
function resultOf(allowed: Allowed<Session> | AllowedKey, allowsKeys: boolean): Guarded {
  const { organization } = allowed
  if (allowed.kind === 'key') return { session: null, apiKey: allowed.apiKey, ...(organization && { organization }) }
  const { session } = allowed
  if (allowsKeys) return { session, apiKey: null, ...(organization && { organization }) }
  return organization ? { ...session, organization } : session
}

function createRequire(engineOf: EngineResolver<AuthEngine>, host: AuthHost, logger: Logger): AuthGuards['require'] {
  const readings = createSessionReader(host)

  async function requireFor(request: Request, options: SessionGuardOptions<Session, Request>): Promise<Guarded> {
    return guarding(host, request, async () => {
      const engine = await engineOf(request)
      const rule = createSessionRule<Session, Request>(engine.auth, options, 'auth.require()')
      const guarded = toGuardedRequest(engine, host, request)
      const { keys } = rule
      const decide = async () => {
        if (keys?.isPresent(guarded)) return keys.decide(guarded, request)
        const read = await readings.forGuard(engine, { request, url: guarded.url, isLive: rule.isLive })
        return rule.decide(guarded, read, request)
      }
      const decision = await decide()
      if (decision.kind === 'allowed' || decision.kind === 'key') return resultOf(decision, keys !== undefined)
      return throwResponse(host, rejectionResponse(engine, guarded, decision))
    })
  }

  async function requireHere({ redirectTo, ...options }: HereOptions): Promise<Guarded> {
    const ambient = await currentRequest(host, 'auth.require()')
    const engine = await engineOf(ambient.request)
    const rule = createSessionRule<Session, void>(engine.auth, options, 'auth.require()')
    const read = await readings.forCurrentGuard(engine, ambient, rule.isLive)
    const source = toSource(engine, ambient)
    const origin = engine.auth.config.site?.origin ?? readOrigin(source)
    const isPage = ambient.request?.method === 'GET' && ambient.url !== undefined
    // Without an address, because the guard of a page allows no API keys, whose failures are counted by client.
    const sent = { method: 'GET', headers: source.headers, path: '/', origin, ip: undefined }
    const path = redirectTo ?? (isPage ? toPath(ambient.url) : formPagePath(sent))
    // The framework redirects here, also after a form, so the request is treated as a navigation.
    const headers = { ...source.headers, 'sec-fetch-mode': 'navigate' }
    const decision = await rule.decide({ ...sent, headers, path }, read, undefined)
    if (decision.kind === 'allowed') return resultOf(decision, false)
    if (decision.kind === 'redirect') return throwRedirect(host, absoluteUrl(decision.to, origin))
    const method = ambient.request?.method ?? 'GET'
    return throwResponse(host, rejectionResponse(engine, { ...sent, method, source }, decision))
  }

  function require(request: Request, options?: RequireOptions): Promise<Guarded>
  function require(options?: RequireHereOptions): Promise<Guarded>
  function require(first: Request | RequireHereOptions = {}, ...more: readonly [RequireOptions?]) {
    return trackGuard({ name: 'auth.require()', logger }, requireAny(first, more))
  }

  async function requireAny(first: Request | RequireHereOptions, more: readonly [RequireOptions?]): Promise<Guarded> {
    if (isFetchRequest(first)) return requireFor(first, more[0] ?? {})
    // A wrong value in place of the Request must not drop the requirements.
    if (more.length > 0 || Object.getPrototypeOf(first) !== Object.prototype) throw new TypeError(notARequest)
    if ('apiKey' in first) throw new TypeError(keyWithoutRequest)
    return requireHere(first)
  }

  return require as AuthGuards['require']
}

function createRequireApiKey(engineOf: EngineResolver<AuthEngine>, host: AuthHost): AuthGuards['requireApiKey'] {
  return async (request, options = {}) => {
    if (!isFetchRequest(request)) throw new TypeError('auth.requireApiKey() needs the Request as its first argument.')
    return guarding(host, request, async () => {
      const engine = await engineOf(request)
      const rule = createKeyGuardRule(engine.auth, options, 'auth.requireApiKey()')
      const guarded = toGuardedRequest(engine, host, request)
      const decision = await rule.decide(guarded, undefined)
      if (decision.kind === 'key') return decision.apiKey
      return throwResponse(host, rejectionResponse(engine, guarded, decision))
    })
  }
}

function createRequireConnection(
  engineOf: EngineResolver<AuthEngine>,
  host: AuthHost,
): AuthGuards['requireConnection'] {
  const readings = createSessionReader(host)
  const toDoorRequest = createDoorRequests(host)
  return async (request, options) => {
    if (!isFetchRequest(request))
      throw new TypeError('auth.requireConnection() needs the Request as its first argument.')
    return guarding(host, request, async () => {
      const engine = await engineOf(request)
      const rule = createConnectionRule<Session>(engine.auth, options)
      const guarded = toGuardedRequest(engine, host, request)
      const read = { request, url: guarded.url, isLive: false }
      const { session, ambient, memory } = await readings.forGuard(engine, read)
      const of = ambient ? toDoorRequest(engine, ambient) : { ...guarded.source, ip: guarded.ip }
      engine.auth.adopt(of, memory)
      const decision = await rule.decide(guarded, session, of)
      if (decision.kind === 'allowed') return decision.session
      return throwResponse(host, rejectionResponse(engine, guarded, decision))
    })
  }
}
