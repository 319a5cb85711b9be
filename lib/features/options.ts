/**
 * The list of capabilities by their options: how each is checked and completed. Edge runtimes resolve configurations as well, so it imports no
 * endpoint and no function.
 */
import type { FeatureOption, OptionSurroundings } from '../config/feature-option.js'
import type { ResolvedFeatures } from '../contracts/index.js'
import { apiKeysOption } from './api-keys/option.js'
import { appsOption } from './apps/option.js'
import { connectionsOption } from './connections/option.js'
import { deletionOption } from './deletion/option.js'
import { factorsOption } from './factors/option.js'
import { impersonationOption } from './impersonation/option.js'
import { rateLimitOption } from './limits/option.js'
import { organizationsOption } from './organizations/option.js'
import { tokensOption } from './tokens/option.js'

const options = {
  apiKeys: apiKeysOption,
  apps: appsOption,
  connections: connectionsOption,
  deletion: deletionOption,
  tokens: tokensOption,
  factors: factorsOption,
  impersonation: impersonationOption,
  organizations: organizationsOption,
  rateLimit: rateLimitOption,
}

type Options = typeof options

/** The checks of all options, for the shape of the configuration. */
export const featureChecks = Object.fromEntries(Object.entries(options).map(([name, { check }]) => [name, check])) as {
  readonly [Name in keyof Options]: Options[Name]['check']
}

/** The options as they were set. */
type Settings = { readonly [Name in keyof Options]?: ReturnType<Options[Name]['check']> }

/** Completes all options. */
export function resolveFeatures(
  settings: Settings,
  given: Omit<OptionSurroundings, 'organizations'>,
): ResolvedFeatures {
  const { organizations: set } = settings
  const organizations = set && { roles: Object.keys(set.roles), areStored: 'store' in set && set.store !== undefined }
  const surroundings: OptionSurroundings = { ...given, organizations }
  const entries = Object.entries<FeatureOption<unknown, object>>(options satisfies Complete)
  return Object.fromEntries(
    entries.map(([name, option]) => [name, option.resolve(Reflect.get(settings, name), surroundings)]),
  )
}

/** An option for each part of the resolved configuration. */
type Complete = {
  readonly [Name in keyof ResolvedFeatures]-?: FeatureOption<unknown, NonNullable<ResolvedFeatures[Name]>>
}
