/** The functions of `defineAuth` on Express, each for the tenant of its request. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createLazyLoader } from '../base/lazy-loader.js'
import type { Logger } from '../base/logger.js'
import { perOwner } from '../base/memory.js'
import type { DefinedAuth } from '../define-auth.js'
import { createBackground } from '../engine/background.js'
import { getEngine } from '../engine/index.js'
import { InvalidRequest, toError } from '../errors.js'
import { mapRules } from '../functions/index.js'
import { failureListener, type Stop, stopLater } from '../functions/stop-later.js'
import { assertOrigin, csrfField, type FormRequest, getCsrfToken, hasCsrfToken } from '../get-csrf-token.js'
import { isRequest, type SessionOf, type SessionRequest } from '../get-session.js'
import { assertCalledByApplication, type GuardHandler } from '../guard.js'
import { prefersJson, uncachedHeaders } from '../http/message.js'
import type { RequireSessionOptions } from '../require-session.js'
import { invalidRequestReply, sendAuthReply } from '../router/express-like.js'
import type { FullStackAuthConfig } from '../types/config.js'
import type { Awaitable } from '../types/identity.js'
import { NodeTenantRequest } from './host.js'
import type { Tenant, TenantRegistry } from './registry.js'
import type { Tenants } from './types.js'

/** Loads the parts that need Express at their first use, so that Fetch servers need not install it. */
const loadExpress = createLazyLoader('The part for Express', () => import('../index.js'))

/** The functions of a tenant. Most tenants need none of them: routes, sessions and guards work without. */
const definedAuth = perOwner(
  async (config: FullStackAuthConfig) =>
    Reflect.apply((await loadExpress()).defineAuth, undefined, [config]) as DefinedAuth<FullStackAuthConfig>,
)

/** Creates the router of a tenant. */
async function createRouter(config: FullStackAuthConfig): Promise<GuardHandler> {
  const router = (await loadExpress()).ServerAuth(config)
  return (...message) => void Reflect.apply(router, undefined, message)
}

/** The members that work for requests of Express. */
type ExpressDoor<C extends FullStackAuthConfig> = Omit<Tenants<C>, 'invalidate' | symbol>

/** Creates the functions. */
export function createExpressDoor<C extends FullStackAuthConfig>(
  registry: TenantRegistry<C>,
  logger: Logger,
): ExpressDoor<C> {
  const background = createBackground(logger)
  const check = (config: C) => getEngine(config).onBackgroundWork(background.run)
  const find = async (request: unknown, caller: string): Promise<Tenant<C>> => {
    if (isRequest(request)) return registry.find(request, () => new NodeTenantRequest(request), check)
    throw new TypeError(
      `${caller} needs the request, because the tenant is found by it. Without one, write \`(await auth.of(id)).${caller}\`.`,
    )
  }
  const authOf = async (request: unknown, caller: string) => definedAuth((await find(request, caller)).config)
  /** Returns the configuration for a function that does not wait. */
  const known = (request: SessionRequest, caller: string): C => {
    const { config } = registry.chosen(request) ?? {}
    if (config) return config
    throw new TypeError(
      `${caller} does not wait, and the tenant of this request is not known yet. Put \`app.use(auth.requireTenant())\` before the route, or await \`auth.tenant(request)\` first.`,
    )
  }
  const router = createHandler(find, ({ config }) => createRouter(config))
  const groups = groupFunctions(authOf, logger)
  const guards = guardsOfFeatures(find)
  const door = {
    ...groups,
    ...callFunctions(authOf),
    getSession: async (req: SessionRequest) => getEngine((await find(req, 'getSession()')).config).readRequest(req),
    getCsrfToken: (req: SessionRequest) => getCsrfToken(req, known(req, 'getCsrfToken()')),
    hasCsrfToken: (req: FormRequest) => hasCsrfToken(req, known(req, 'hasCsrfToken()')),
    ...guardFunctions(find),
    csrf: {
      field: (req: SessionRequest) => csrfField(req, known(req, 'csrf.field()')),
      require: (given?: unknown) => {
        assertCalledByApplication(given, 'auth.csrf.require', 'auth.csrf.require()')
        return createHandler(find, async ({ config }) => (await loadExpress()).requireCsrf(config))
      },
      assertOrigin: (req: SessionRequest) => assertOrigin(req, known(req, 'csrf.assertOrigin()')),
    },
    apiKeys: { ...groups.apiKeys, ...guards.apiKeys },
    tokens: { ...groups.tokens, ...guards.tokens },
    router: Object.assign(router, { close: background.settled }),
    tenant: async (req: SessionRequest) => (await find(req, 'tenant()')).id,
    of: async (id: string) => definedAuth((await registry.get(id, check)).config),
  }
  // The forms of all functions are those of `defineAuth`.
  return door as unknown as ExpressDoor<C>
}

type Find<C> = (request: unknown, caller: string) => Promise<Tenant<C>>
type AuthOf = (request: unknown, caller: string) => Promise<object>

/** Returns the functions of `defineAuth` that take request and response. */
function callFunctions(authOf: AuthOf) {
  const names = ['signIn', 'signOut', 'update', 'startSession']
  const call =
    (name: string) =>
    async (request: unknown, ...rest: unknown[]) =>
      callMember(await authOf(request, `${name}()`), name, [request, ...rest])
  return Object.fromEntries(names.map((name) => [name, call(name)]))
}

/** Returns the functions of all groups. The rules say which argument is the request. */
function groupFunctions(authOf: AuthOf, logger: Logger) {
  return mapRules(({ needs, returns }, { group, name, caller }) => {
    const call = async (...given: unknown[]): Promise<unknown> => {
      const auth = await authOf(needs === 'nothing' ? given.at(-1) : given[0], caller)
      return callMember(Reflect.get(auth, group), name, given)
    }
    if (returns === 'stop')
      return (...given: unknown[]) => stopLater(call(...given) as Promise<Stop>, failureListener(given, logger.error))
    if (returns !== 'function') return call
    return (...given: unknown[]) =>
      async (...more: unknown[]) =>
        Reflect.apply((await call(...given)) as () => unknown, undefined, more)
  })
}

function callMember(owner: object, name: string, given: readonly unknown[]): unknown {
  return Reflect.apply(Reflect.get(owner, name), owner, given)
}

function guardFunctions<C extends FullStackAuthConfig>(find: Find<C>) {
  return {
    requireSession: (options?: RequireSessionOptions<SessionOf<C>>) => {
      assertCalledByApplication(options, 'auth.requireSession', 'auth.requireSession()')
      return createHandler(find, async ({ config }) => (await loadExpress()).requireSession<C>(config, options))
    },
    cors: (given?: unknown) => {
      assertCalledByApplication(given, 'auth.cors', 'auth.cors()')
      return createHandler(find, async ({ config }) =>
        config.trustedOrigins ? (await loadExpress()).cors(config) : (_req, _res, next) => next(),
      )
    },
    requireTenant: (given?: unknown) => {
      assertCalledByApplication(given, 'auth.requireTenant', 'auth.requireTenant()')
      return createHandler(find, () => (_req, _res, next) => next())
    },
  }
}

/** Returns the guards of capabilities, by group. */
function guardsOfFeatures<C extends FullStackAuthConfig>(find: Find<C>) {
  return {
    apiKeys: {
      require: (options: Parameters<Tenants<C>['apiKeys']['require']>[0]) => {
        assertCalledByApplication(options, 'auth.apiKeys.require', 'auth.apiKeys.require({ scope: … })')
        return createHandler(find, async ({ config }) => (await definedAuth(config)).apiKeys.require(options))
      },
    },
    tokens: {
      requireConnection: (options: Parameters<Tenants<C>['tokens']['requireConnection']>[0]) => {
        assertCalledByApplication(
          options,
          'auth.tokens.requireConnection',
          'auth.tokens.requireConnection({ provider: … })',
        )
        return createHandler(find, async ({ config }) => (await definedAuth(config)).tokens.requireConnection(options))
      },
    },
  }
}

/**
 * Creates a handler from those of the tenants. A request without a tenant is answered, and other errors are passed on: no
 * such request is allowed.
 */
function createHandler<C>(find: Find<C>, create: (tenant: Tenant<C>) => Awaitable<GuardHandler>): GuardHandler {
  const handlerOf = perOwner(async (tenant: Tenant<C>) => create(tenant))
  return function forTenant(req, res, next) {
    const found = find(req, 'The handler').then(handlerOf)
    // One call with both functions, so that errors of the handlers behind it are not treated as those of the tenant.
    void found.then(
      (handle) => handle(req, res, next),
      (thrown: unknown) => {
        if (thrown instanceof InvalidRequest && !res.headersSent) sendInvalidRequest(req, res, thrown)
        else next(toError(thrown))
      },
    )
  }
}

function sendInvalidRequest(req: IncomingMessage, res: ServerResponse, error: InvalidRequest): void {
  const { headers, ...reply } = invalidRequestReply(error, prefersJson(req.headers))
  sendAuthReply(res, { ...reply, headers: { ...uncachedHeaders, 'x-content-type-options': 'nosniff', ...headers } })
}
