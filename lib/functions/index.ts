/**
 * The functions of `defineAuth` and `initAuth`, by group. It imports no implementation, because edge runtimes load it
 * to reject calls.
 */

import type { ApiKeyFunctions } from '../features/api-keys/functions.js'
import { described, type FeatureFunctions } from '../features/described.js'
import type { FactorFunctions } from '../features/factors/functions.js'
import type { OrganizationFunctions } from '../features/organizations/functions.js'
import type { PasswordFunctions } from '../features/passwords/functions.js'
import type { TokenFunctions } from '../features/tokens/functions.js'
import type { AdapterUser } from '../types/adapter.js'
import type { CallRule, Rules } from '../types/call-rules.js'
import type { Description } from '../types/description.js'
import type { Session } from '../types/session.js'
import { type AccountFunctions, accountRules } from './account.js'
import { type SessionFunctions, sessionRules } from './sessions.js'
import { type UserFunctions, userRules } from './users.js'

export type {
  AccountFunctions,
  ApiKeyFunctions,
  CallRule,
  FactorFunctions,
  OrganizationFunctions,
  PasswordFunctions,
  Rules,
  SessionFunctions,
  TokenFunctions,
  UserFunctions,
}

/**
 * The groups of functions, as `initAuth` has them. On Express they take the request, or request and response, first.
 *
 * All functions that change something for the signed-in user throw `MissingCSRF` in a request that another site may
 * have caused, and `AdapterError` if the database or a store fails. On Express, check forms with `hasCsrfToken` before.
 */
export interface AuthFunctions<S = Session, U extends AdapterUser = AdapterUser> extends FeatureFunctions {
  /** The sessions of users, and the data in them. */
  readonly sessions: SessionFunctions<S>
  /** The sign-in methods of the signed-in user. Needs an `adapter`. */
  readonly account: AccountFunctions
  /** Users of an admin page: lists, changes, disabling. */
  readonly users: UserFunctions<U>
}

/** The rules of functions that capabilities add to a group of another part. */
type Joined<Group> = UnionToIntersection<
  { [Name in keyof typeof described]: JoinsOf<(typeof described)[Name], Group> }[keyof typeof described]
>
type JoinsOf<Described, Group> = Described extends { readonly joins: infer Joins }
  ? Group extends keyof Joins
    ? Joins[Group]
    : never
  : never
type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** The rules of the groups of capabilities, by their names. */
type FeatureRules = { readonly [Group in keyof FeatureFunctions]: (typeof described)[Group]['functions'] }

const featureRules = Object.fromEntries(
  Object.entries<Description>(described).flatMap(([name, { functions }]) => (functions ? [[name, functions]] : [])),
) as unknown as FeatureRules

/** The rules of the functions of the engine itself. */
export const engineRules = { sessions: sessionRules, account: accountRules, users: userRules } as const

type OwnRules = typeof engineRules & FeatureRules

/** The rules of all groups, with those that capabilities add. */
export const rules = joinRules({ ...engineRules, ...featureRules }) satisfies {
  readonly [Group in keyof AuthFunctions]: Rules<AuthFunctions[Group]>
}

function joinRules(own: OwnRules): { readonly [Group in keyof OwnRules]: OwnRules[Group] & Joined<Group> } {
  const joined: Record<string, object> = { ...own }
  for (const { joins = {} } of Object.values<Description>(described))
    for (const [group, added] of Object.entries(joins)) joined[group] = { ...joined[group], ...added }
  return joined as { readonly [Group in keyof OwnRules]: OwnRules[Group] & Joined<Group> }
}

/**
 * Creates a function for each rule, under the names of the groups. @param caller Such as `sessions.end()`, for
 * messages.
 */
export function mapRules<T>(
  make: (rule: CallRule, names: { readonly group: string; readonly name: string; readonly caller: string }) => T,
) {
  const entries = Object.entries(rules).map(([group, ofGroup]: [string, Readonly<Record<string, CallRule>>]) => [
    group,
    Object.fromEntries(
      Object.entries(ofGroup).map(([name, rule]) => [name, make(rule, { group, name, caller: `${group}.${name}()` })]),
    ),
  ])
  return Object.fromEntries(entries) as Readonly<Record<string, Readonly<Record<string, T>>>>
}
