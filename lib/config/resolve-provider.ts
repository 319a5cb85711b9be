/** Turns an entry of `providers` into a resolved provider: defaults, options, environment, checks. */

import type { AuthEnv } from '../base/env.js'
import { isRecord } from '../base/guards.js'
import type { Logger } from '../base/logger.js'
import type { ResolvedCredentialsProvider, ResolvedProvider } from '../contracts/index.js'
import {
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  MissingAuthorize,
  toError,
} from '../errors.js'
import type { CredentialsConfig } from '../types/provider.js'
import type { CredentialInput } from '../types/provider-parts.js'
import { customFetch } from '../types/symbols.js'
import { withEndpoints } from './endpoints.js'
import { fillUrls } from './fill-urls.js'
import { mergeOptions } from './merge.js'
import { resolveStyle } from './resolve-client.js'
import { resolveEmail } from './resolve-email.js'
import { resolveOAuth } from './resolve-oauth.js'
import { resolveWebAuthn } from './resolve-webauthn.js'
import {
  assertBoolean,
  assertNoMisspelling,
  assertOptions,
  assertText,
  describe,
  type Options,
  quote,
} from './validate.js'

/** What resolving a provider needs to know of the rest. */
export interface ProviderSurroundings {
  readonly env: AuthEnv
  readonly logger: Logger
  readonly enableWebAuthn: boolean
  /** The configuration's; a provider may have one of its own. */
  readonly redirectProxyUrl: string | undefined
  readonly production: boolean
  readonly secrets: readonly [string, ...string[]]
  /** Where the site is, if `AUTH_URL` says so. */
  readonly site: { readonly origin: string } | undefined
}

/** All providers by id, in the order of the configuration. */
export function resolveProviders(
  value: unknown,
  surroundings: ProviderSurroundings,
): ReadonlyMap<string, ResolvedProvider> {
  if (!Array.isArray(value)) {
    throw new InvalidConfiguration(`${quote('providers')} must be an array of providers, not ${describe(value)}.`)
  }
  const providers = new Map<string, ResolvedProvider>()
  for (const [at, entry] of value.entries()) {
    const provider = resolveProvider(entry, `providers[${at}]`, surroundings)
    if (providers.has(provider.id)) {
      throw new InvalidConfiguration(
        `Two providers have the id "${provider.id}". Ids are part of URLs: give one of them another \`id\`.`,
      )
    }
    providers.set(provider.id, provider)
  }
  if (providers.size === 0) {
    surroundings.logger.warn('no-providers', '`providers` is empty: nobody can sign in.')
  }
  assertOneAutofill(providers)
  return providers
}

/** A page can wait for one answer of the browser's autofill. */
function assertOneAutofill(providers: ReadonlyMap<string, ResolvedProvider>): void {
  const waiting = [...providers.values()].filter((provider) => provider.kind === 'webauthn' && provider.conditionalUI)
  if (waiting.length < 2) return
  const names = waiting.map(({ id }) => `"${id}"`).join(' and ')
  throw new DuplicateConditionalUI(
    `The providers ${names} both offer passkeys in the browser's autofill. Set \`enableConditionalUI: false\` on all but one.`,
  )
}

function resolveProvider(entry: unknown, name: string, surroundings: ProviderSurroundings): ResolvedProvider {
  const merged = withOptions(callProvider(entry, name, surroundings.env), name, surroundings.env)
  const id = assertId(merged.id, name)
  assertNoMisspelling(`providers.${id}`, merged, optionsOf(merged.type))
  switch (merged.type) {
    case 'oidc':
    case 'oauth':
      return resolveOAuth(
        { ...fillUrls(merged, surroundings.env.provider(id)), id, name: nameOf(merged, id), type: merged.type },
        surroundings,
      )
    case 'credentials':
      return resolveCredentials(merged, id)
    case 'email':
      return resolveEmail({ ...merged, id, name: nameOf(merged, id) }, surroundings)
    case 'webauthn':
    case 'passkey':
      if (!surroundings.enableWebAuthn) {
        throw new ExperimentalFeatureNotEnabled(
          `Provider "${id}": passkeys are experimental. Set \`experimental: { enableWebAuthn: true }\` to use them.`,
        )
      }
      return resolveWebAuthn({ ...merged, id, name: nameOf(merged, id), type: merged.type }, surroundings)
    default:
      throw new InvalidConfiguration(
        `Provider "${id}": \`type\` must be "oidc", "oauth", "email", "credentials", "webauthn" or "passkey".`,
      )
  }
}

const commonOptions = ['id', 'name', 'options', 'style', 'type']
const oauthOptions =
  'account allowDangerousEmailAccountLinking allowInsecureIssuer authorization checks client clientId clientSecret ' +
  'emailVerified idToken issuer jwks_endpoint nonce profile redirectProxyUrl token userinfo wellKnown'
const emailOptions =
  'apiKey from generateVerificationToken limit maxAge normalizeIdentifier required secret sendVerificationRequest server'

/** The names that a provider of a kind has. */
function optionsOf(type: unknown): readonly string[] {
  const own =
    type === 'credentials'
      ? 'authorize credentials json'
      : type === 'email'
        ? emailOptions
        : type === 'oauth' || type === 'oidc'
          ? oauthOptions
          : ''
  return [...commonOptions, ...own.split(' ')]
}

/** Functions are called, first for their id, then with what the environment says for it. */
function callProvider(entry: unknown, name: string, env: AuthEnv): Options & Record<symbol, unknown> {
  if (typeof entry !== 'function') {
    const isModule = isRecord(entry) && entry.id === undefined && typeof entry.default === 'function'
    if (!isModule) return assertProvider(entry, name)
    throw new InvalidConfiguration(
      `${quote(name)} is a module, not the provider in it. With require() add \`.default\`: \`require('server-auth/providers/google').default\`.`,
    )
  }
  const { id } = assertProvider(probed(entry, name), `${name}()`)
  return typeof id === 'string' ? assertProvider(entry(env.provider(id)), `${name}()`) : assertProvider({}, name)
}

/** A function that cannot be called without options says so by its own error, which alone would not name the entry. */
function probed(entry: unknown, name: string): unknown {
  try {
    return (entry as (options: object) => unknown)({})
  } catch (error) {
    throw new InvalidConfiguration(
      `${quote(name)} is a function that throws without options: ${toError(error).message} Call it with them, as in \`providers: [Name({ … })]\`.`,
      toError(error),
    )
  }
}

function assertProvider(value: unknown, name: string): Options & Record<symbol, unknown> {
  if (!isRecord(value)) {
    throw new InvalidConfiguration(
      `${quote(name)} must be a provider: an object with \`id\`, \`name\` and \`type\`, or a function that returns one, not ${describe(value)}.`,
    )
  }
  return value
}

/**
 * The provider with the developer's options merged over it. Endpoints are made objects first, so that both count. The
 * environment's issuer goes before a default of the catalogue, and behind what the developer wrote.
 */
function withOptions(
  provider: Options & Record<symbol, unknown>,
  name: string,
  env: AuthEnv,
): Record<string | symbol, unknown> {
  const options: Options & Record<symbol, unknown> = assertOptions(`${name}.options`, provider.options)
  const merged: Record<string | symbol, unknown> = mergeOptions(...withEndpoints(provider, options))
  merged.options = options
  const isFromCatalogue = provider.options !== undefined && options.issuer === undefined
  if (isFromCatalogue && typeof merged.id === 'string') merged.issuer = env.provider(merged.id).issuer ?? merged.issuer
  const fetch = options[customFetch] ?? provider[customFetch]
  if (fetch !== undefined) merged[customFetch] = fetch
  return merged
}

function assertId(id: unknown, name: string): string {
  if (typeof id !== 'string' || !/^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/.test(id) || id === 'undefined') {
    throw new InvalidConfiguration(
      `${quote(`${name}.id`)} must be letters, digits, "-", "_", "." or "~", for example "my-provider": it is part of URLs.`,
    )
  }
  return id
}

function nameOf(provider: Options, id: string): string {
  return assertText(`providers.${id}.name`, provider.name) ?? id
}

function resolveCredentials(provider: Options, id: string): ResolvedCredentialsProvider {
  if (typeof provider.authorize !== 'function') {
    throw new MissingAuthorize(
      `Provider "${id}": \`authorize\` is missing. Write a function that gets what the person typed and returns the user, or null.`,
    )
  }
  const at = `providers.${id}`
  const inputs = assertOptions(`${at}.credentials`, provider.credentials)
  for (const [field, given] of Object.entries(inputs)) {
    const input = assertOptions(`${at}.credentials.${field}`, given)
    assertBoolean(`${at}.credentials.${field}.json`, input.json)
  }
  return Object.freeze({
    kind: 'credentials',
    type: 'credentials',
    id,
    name: nameOf(provider, id),
    style: resolveStyle(at, provider.style),
    json: assertBoolean(`${at}.json`, provider.json) ?? false,
    credentials: Object.freeze({ ...inputs }) as Readonly<Record<string, CredentialInput>>,
    authorize: provider.authorize as CredentialsConfig['authorize'],
  })
}
