/** The table of our routes: all paths that there are, with their methods. Handlers are in `actions/index` and `features/engine`. */

import { described } from '../features/described.js'
import type { Description, Methods, RouteRow } from '../types/description.js'

/** The parts of a request's path, undecoded. */
export interface Mount {
  /** The path before the library's part, without a trailing slash. */
  readonly basePath: string
  /** The library's part, with its leading slash. */
  readonly path: string
  /** The query with its question mark, or an empty text. */
  readonly query: string
}

/** The routes of the engine itself. Those of capabilities are in their descriptions. */
const engineRoutes = {
  providers: { plain: ['GET'], json: true, impersonated: ['GET'] },
  session: { plain: ['GET', 'POST'], json: true, getHasEffects: true, impersonated: ['GET'] },
  csrf: { plain: ['GET'], json: true, impersonated: ['GET'] },
  signin: { plain: ['GET', 'POST'], segment: ['GET', 'POST'] },
  signout: { plain: ['GET', 'POST'], segment: ['GET'], impersonated: ['GET', 'POST'] },
  callback: { segment: ['GET', 'POST'] },
  jwks: { plain: ['GET'], json: true, impersonated: ['GET'] },
  'verify-request': { plain: ['GET'] },
  error: { plain: ['GET'], impersonated: ['GET'] },
  'webauthn-options': { segment: ['GET'], json: true, getHasEffects: true },
} as const satisfies Readonly<Record<string, RouteRow>>

/** The names of the routes in a description. */
type ActionOf<D> = D extends { readonly routes: infer Routes } ? keyof Routes : never

/** An action of the capabilities. */
type FeatureAction = ActionOf<(typeof described)[keyof typeof described]>

/** An action of the engine itself. */
export type EngineAction = keyof typeof engineRoutes

/** An action of the routes. */
export type Action = EngineAction | FeatureAction

const table = Object.assign(
  { ...engineRoutes },
  ...Object.values<Description>(described).map(({ routes }) => routes),
) as Readonly<Record<Action, RouteRow>>

const rows: ReadonlyMap<string, RouteRow> = new Map(Object.entries(table))

/** Checks whether a path segment is the name of an action. */
export function isAction(segment: string | undefined): boolean {
  return segment !== undefined && rows.has(segment)
}

/** Checks whether a path segment is the name of an action to which a sign-in may lead. */
export function isReturnPage(segment: string | undefined): boolean {
  return segment !== undefined && rows.get(segment)?.isReturnPage === true
}

/** Checks whether a path segment is the name of an action that answers in JSON. */
export function isJsonAction(segment: string): boolean {
  return rows.get(segment)?.json === true
}

/** Returns the row of an action. */
export function routeRow(action: Action): RouteRow {
  return table[action]
}

/** A route below the mount. */
export interface Route {
  readonly action: Action
  /**
   * A path without named parameters: Express would decode them, and a malformed path would become an error of the
   * application.
   */
  readonly path: string | RegExp
  readonly methods: Methods
  readonly takesProvider: boolean
}

export const routes: readonly Route[] = (Object.keys(table) as Action[]).flatMap((action) => {
  const { plain, segment } = routeRow(action)
  return [
    ...(plain ? [{ action, path: `/${action}`, methods: plain, takesProvider: false }] : []),
    ...(segment ? [{ action, path: new RegExp(`^/${action}/[^/]+$`), methods: segment, takesProvider: true }] : []),
  ]
})

const byPath = (takesProvider: boolean): ReadonlyMap<string, Route> =>
  new Map(routes.filter((route) => route.takesProvider === takesProvider).map((route) => [`/${route.action}`, route]))

const [plainRoutes, segmentRoutes] = [byPath(false), byPath(true)]

/** Returns the route of a path below the mount. The path is compared undecoded, so another spelling does not match. */
export function findRoute(path: string): Route | undefined {
  const at = path.indexOf('/', 1)
  if (at < 0) return plainRoutes.get(path)
  return at === path.length - 1 || path.includes('/', at + 1) ? undefined : segmentRoutes.get(path.slice(0, at))
}
