/** The shape of the description of a capability: data that drivers, edge runtimes and the engine read. */
import type { CallRule } from './call-rules.js'
import type { RecordTable } from './store.js'

/** The description of a capability. It has no code of the capability, and so it is safe to load where the capability is not. */
export interface Description {
  /** The tables of its records. Drivers, migrations, pruning and `deleteUser` follow them. */
  readonly tables?: readonly RecordTable[]
  /** The rules of its functions: the group of `auth` that has the name of the capability. */
  readonly functions?: Readonly<Record<string, CallRule>>
  /** The rules of functions that it adds to other groups: of the engine, such as `users`, or of another capability. By group. */
  readonly joins?: Readonly<Record<string, Readonly<Record<string, CallRule>>>>
  /** Its routes, by the first segment of their path. */
  readonly routes?: Readonly<Record<string, RouteRow>>
}

/** The methods of a route. */
export type Methods = ReadonlyArray<'GET' | 'POST'>

/** A row of the table of routes. HEAD goes with GET. */
export interface RouteRow {
  /** The methods of `/<action>`. */
  readonly plain?: Methods
  /** The methods of `/<action>/<segment>`: the segment is the id of a provider, or names a step. */
  readonly segment?: Methods
  /** The methods that an impersonated session may use. All others are rejected there. */
  readonly impersonated?: Methods
  /** Answers in JSON, whatever a client accepts. */
  readonly json?: true
  /** Its GET changes something, or calls code of the developer's: HEAD does not reach it. */
  readonly getHasEffects?: true
  /** A sign-in may lead here. Other routes are no pages to return to. */
  readonly isReturnPage?: true
  /** Pages of `trustedOrigins` are treated as those of any other origin: the user decides here, and no script in place of the user. */
  readonly ownPagesOnly?: true
  /** The route belongs to the application where the configuration does not have this. */
  readonly needs?: 'passwords'
}
