/** Every route: action, methods, and whether a provider follows. */
import { passwordProviderOf } from '../config/password-provider.js'
import type { ResolvedConfig } from '../contracts/index.js'
import type { Action } from '../http/message.js'

/** A path, taken apart. All parts are raw, as they were sent. */
export interface Mount {
  /** Before our part; no trailing slash. */
  readonly basePath: string
  /** Our part, with its leading slash. */
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
}

/** A route below the mount. */
export interface Route {
  readonly action: Action
  /** Without named parameters: Express would decode them, and a malformed path would be the application's error. */
  readonly path: string | RegExp
  readonly methods: ReadonlyArray<'GET' | 'POST'>
  readonly takesProvider: boolean
}

/** The table. HEAD goes with GET. */
export const routes: readonly Route[] = [
  plain('providers', 'GET'),
  plain('session', 'GET', 'POST'),
  plain('csrf', 'GET'),
  plain('signin', 'GET', 'POST'),
  withProvider('signin', 'GET', 'POST'),
  plain('signout', 'GET', 'POST'),
  withProvider('signout', 'GET'),
  withProvider('callback', 'GET', 'POST'),
  withProvider('backchannel-logout', 'POST'),
  withProvider('frontchannel-logout', 'GET'),
  plain('jwks', 'GET'),
  plain('verify-request', 'GET'),
  plain('two-factor', 'GET', 'POST'),
  withProvider('two-factor', 'GET', 'POST'),
  plain('error', 'GET'),
  withProvider('webauthn-options', 'GET'),
  withProvider('signup', 'GET', 'POST'),
  // What follows is a step, and no provider.
  withProvider('password', 'GET', 'POST'),
]

const byPath = (takesProvider: boolean): ReadonlyMap<string, Route> =>
  new Map(routes.filter((route) => route.takesProvider === takesProvider).map((route) => [`/${route.action}`, route]))

const [plainRoutes, providerRoutes] = [byPath(false), byPath(true)]

/** Whether a configuration has the route. Where it has not, the path is the application's. */
export function isServed({ action }: Route, config: Pick<ResolvedConfig, 'providers'>): boolean {
  return (action !== 'signup' && action !== 'password') || passwordProviderOf(config) !== undefined
}

/** The route of a path below the mount, compared as it was sent: another spelling is another path. */
export function findRoute(path: string): Route | undefined {
  const at = path.indexOf('/', 1)
  if (at < 0) return plainRoutes.get(path)
  return at === path.length - 1 || path.includes('/', at + 1) ? undefined : providerRoutes.get(path.slice(0, at))
}

function plain(action: Action, ...methods: Route['methods']): Route {
  return { action, path: `/${action}`, methods, takesProvider: false }
}

function withProvider(action: Action, ...methods: Route['methods']): Route {
  return { action, path: new RegExp(`^/${action}/[^/]+$`), methods, takesProvider: true }
}
