/** The resolution of the entries of `providers`: defaults, options, environment, checks. */

import type { AuthEnv } from '../base/env.js'
import { ignoresSecondArgument } from '../base/function-source.js'
import { isRecord } from '../base/guards.js'
import type { ResolvedCredentialsProvider, ResolvedPassword, ResolvedProvider } from '../contracts/index.js'
import {
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  MissingAuthorize,
  toError,
} from '../errors.js'
import { resolvePassword } from '../features/passwords/option.js'
import type { CredentialsConfig } from '../types/provider.js'
import type { CredentialInput } from '../types/provider-parts.js'
import { customFetch } from '../types/symbols.js'
import { mergeProvider, replacePlaceholders } from './merge-provider.js'
import { assertNoMisspelling, describeValue, type Options, quoteOption, rejectOption } from './reject-option.js'
import { buttonStyle, type ProviderContext } from './resolve-client.js'
import { emailOptions, resolveEmail } from './resolve-email.js'
import { oauthOptions, resolveOAuth } from './resolve-oauth.js'
import { resolveWebAuthn } from './resolve-webauthn.js'
import { isSecretField } from './secret-fields.js'
import { anyValue, boolean, type Check, nonEmptyText, openShape, ownObject, record } from './shape.js'

/** Returns all providers by id, in the order of the configuration. */
export function resolveProviders(value: unknown, surroundings: ProviderContext): ReadonlyMap<string, ResolvedProvider> {
  if (!Array.isArray(value)) rejectOption('providers', `must be an array of providers, not ${describeValue(value)}.`)
  const providers = new Map<string, ResolvedProvider>()
  const entries = value.map((entry, at) => readEntry(entry, `providers[${at}]`, surroundings))
  const others = entries.map((entry) => (isPasswordEntry(entry) ? undefined : resolveProvider(entry, surroundings)))
  const mailer = others.find((provider) => provider?.kind === 'email')
  for (const [at, entry] of entries.entries()) {
    const provider =
      others[at] ?? resolveCredentials(entry, resolvePassword(entry.id, entry.password, { ...surroundings, mailer }))
    if (providers.has(provider.id)) {
      throw new InvalidConfiguration(
        `Two providers have the id "${provider.id}". Ids are part of URLs: give one of them another \`id\`.`,
      )
    }
    providers.set(provider.id, provider)
  }
  if (providers.size === 0) {
    surroundings.logger.warn('no-providers', '`providers` is empty, so users cannot sign in. Add a provider.')
  }
  assertOneAutofill(providers)
  assertOnePassword(providers)
  return providers
}

/** Checks that there is one provider with passwords, because the routes for forgotten passwords contain no provider. */
function assertOnePassword(providers: ReadonlyMap<string, ResolvedProvider>): void {
  const ids = [...providers.values()].filter((each) => each.kind === 'credentials' && each.password).map(({ id }) => id)
  if (ids.length < 2) return
  throw new InvalidConfiguration(
    `The providers ${ids.map((id) => `"${id}"`).join(' and ')} both store passwords, but a user has one password. Remove one of them.`,
  )
}

/** Checks that one provider uses the browser's autofill, because a page can only await one response. */
function assertOneAutofill(providers: ReadonlyMap<string, ResolvedProvider>): void {
  const waiting = [...providers.values()].filter((provider) => provider.kind === 'webauthn' && provider.conditionalUI)
  if (waiting.length < 2) return
  const names = waiting.map(({ id }) => `"${id}"`).join(' and ')
  throw new DuplicateConditionalUI(
    `The providers ${names} both offer passkeys in the browser's autofill. Set \`enableConditionalUI: false\` on all but one.`,
  )
}

/** A provider's object, merged with its options. */
type ProviderEntry = Options & Record<symbol, unknown> & { id: string; name: string }

function readEntry(entry: unknown, at: string, { env }: ProviderContext): ProviderEntry {
  const merged = withOptions(callProvider(entry, at, env), at, env)
  const id = assertProviderId(merged.id, at)
  assertNoMisspelling(`providers.${id}`, merged, [...commonOptions, ...(optionsByType.get(merged.type) ?? [])])
  return { ...merged, id, name: nonEmptyText(`providers.${id}.name`, merged.name) ?? id }
}

/** Checks whether it is the provider `Password`, which may depend on the resolved email provider. */
function isPasswordEntry({ type, password }: ProviderEntry): boolean {
  return type === 'credentials' && password !== undefined
}

function resolveProvider(provider: ProviderEntry, surroundings: ProviderContext): ResolvedProvider {
  const { env, enableWebAuthn } = surroundings
  const { id, type } = provider
  switch (type) {
    case 'oidc':
    case 'oauth':
      return resolveOAuth({ ...replacePlaceholders(provider, env.provider(id)), type }, surroundings)
    case 'credentials':
      return resolveCredentials(provider)
    case 'email':
      return resolveEmail(provider, surroundings)
    case 'webauthn':
    case 'passkey':
      if (enableWebAuthn) return resolveWebAuthn({ ...provider, type }, surroundings)
      throw new ExperimentalFeatureNotEnabled(
        `Provider "${id}": passkeys are experimental. Set \`experimental: { enableWebAuthn: true }\` to use them.`,
      )
    default:
      throw new InvalidConfiguration(
        `Provider "${id}": \`type\` must be "oidc", "oauth", "email", "credentials", "webauthn" or "passkey".`,
      )
  }
}

const input = ownObject<CredentialInput>({ json: boolean })

/** The inputs of a form. */
const credentialInputs: Check<Readonly<Record<string, CredentialInput>>> = (name, value) => {
  const fields = record(name, value) ?? {}
  for (const [field, given] of Object.entries(fields)) input(`${name}.${field}`, given)
  return Object.freeze({ ...(fields as Record<string, CredentialInput>) })
}

const credentialsChecks = {
  authorize: anyValue,
  credentials: credentialInputs,
  identifier: nonEmptyText,
  json: boolean,
  password: anyValue,
}
const credentialsShape = openShape({ ...credentialsChecks, style: buttonStyle })

const commonOptions = ['id', 'name', 'options', 'style', 'type']
/** The names of the options of each type, in addition to the common ones. Passkey providers validate their own. */
const optionsByType: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['oidc', oauthOptions],
  ['oauth', oauthOptions],
  ['email', emailOptions],
  ['credentials', Object.keys(credentialsChecks)],
])

/**
 * Returns the provider's object. Functions are called first for their id, then with the values of the environment for
 * it.
 */
function callProvider(entry: unknown, name: string, env: AuthEnv): Options & Record<symbol, unknown> {
  if (typeof entry !== 'function') {
    const isModule = isRecord(entry) && entry.id === undefined && typeof entry.default === 'function'
    if (!isModule) return assertProvider(entry, name)
    throw new InvalidConfiguration(
      `${quoteOption(name)} is a module, not the provider in it. Add \`.default\`: \`require('server-auth/providers/google').default\`.`,
    )
  }
  const { id } = assertProvider(callWithoutOptions(entry, name), `${name}()`)
  return typeof id === 'string' ? assertProvider(entry(env.provider(id)), `${name}()`) : assertProvider({}, name)
}

/** Calls a function without options. Its own error would not name the entry, so the message does. */
function callWithoutOptions(entry: unknown, name: string): unknown {
  try {
    return (entry as (options: object) => unknown)({})
  } catch (error) {
    throw new InvalidConfiguration(
      `${quoteOption(name)} is a function that throws without options: ${toError(error).message} Call it with them, as in \`providers: [Name({ … })]\`.`,
      toError(error),
    )
  }
}

function assertProvider(value: unknown, name: string): Options & Record<symbol, unknown> {
  if (isRecord(value)) return value
  return rejectOption(
    name,
    `must be a provider: an object with \`id\`, \`name\` and \`type\`, or a function that returns one, not ${describeValue(value)}.`,
  )
}

/**
 * Returns the provider with the developer's options merged over it. The environment's issuer has precedence over the
 * catalogue's, but not over the developer's.
 */
function withOptions(
  provider: Options & Record<symbol, unknown>,
  name: string,
  env: AuthEnv,
): Record<string | symbol, unknown> {
  const options: Options & Record<symbol, unknown> = record(`${name}.options`, provider.options) ?? {}
  const merged: Record<string | symbol, unknown> = mergeProvider(provider, options)
  merged.options = options
  const isFromCatalogue = provider.options !== undefined && options.issuer === undefined
  if (isFromCatalogue && typeof merged.id === 'string') merged.issuer = env.provider(merged.id).issuer ?? merged.issuer
  const fetch = options[customFetch] ?? provider[customFetch]
  if (fetch !== undefined) merged[customFetch] = fetch
  return merged
}

function assertProviderId(id: unknown, name: string): string {
  if (typeof id === 'string' && /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/.test(id) && id !== 'undefined') return id
  return rejectOption(
    `${name}.id`,
    'must be letters, digits, "-", "_", "." or "~", for example "my-provider": it is part of URLs.',
  )
}

function resolveCredentials(
  provider: Options & { id: string; name: string },
  password?: ResolvedPassword,
): ResolvedCredentialsProvider {
  const { id, name } = provider
  if (typeof provider.authorize !== 'function') {
    throw new MissingAuthorize(
      `Provider "${id}": \`authorize\` is missing. Add a function that receives the credentials and returns the user, or null.`,
    )
  }
  const { style, json = false, credentials, identifier } = credentialsShape(`providers.${id}`, provider)
  const authorize = provider.authorize as CredentialsConfig['authorize']
  const identifiers = resolveIdentifiers(`providers.${id}`, credentials, identifier)
  return Object.freeze({
    kind: 'credentials',
    type: 'credentials',
    id,
    name,
    style,
    json,
    credentials,
    identifiers,
    signInFields: resolveSignInFields(credentials, identifiers),
    authorize,
    readsRequest: !ignoresSecondArgument(authorize),
    ...(password && { password }),
  })
}

/**
 * Returns the fields by which attempts are counted. They are the developer's `identifier`; or the declared fields with
 * a common name, each of which may find the account; or the first field that is neither a password nor a code. Without
 * declared fields: all common names.
 */
function resolveIdentifiers(
  name: string,
  fields: Readonly<Record<string, CredentialInput>>,
  identifier: string | undefined,
): readonly string[] {
  const declared = Object.keys(fields)
  if (identifier !== undefined) {
    if (declared.length === 0 || declared.includes(identifier)) return Object.freeze([identifier])
    return rejectOption(`${name}.identifier`, `is not a field of \`credentials\`, which has ${declared.join(', ')}.`)
  }
  if (declared.length === 0) return commonIdentifiers
  const named = commonIdentifiers.filter((each) => declared.includes(each))
  const first = declared.find(
    (field) => fields[field]?.type !== 'password' && !/pass|pwd|secret|code|otp|pin|token/i.test(field),
  )
  return Object.freeze(named.length > 0 || first === undefined ? named : [first])
}

/** Returns the declared fields that identify the user or the tenant. */
function resolveSignInFields(
  fields: Readonly<Record<string, CredentialInput>>,
  identifiers: readonly string[],
): readonly string[] | undefined {
  const declared = Object.keys(fields)
  if (declared.length === 0) return undefined
  return Object.freeze([...new Set([...identifiers, ...declared.filter((name) => !isSecretField(name, fields[name]))])])
}

const commonIdentifiers: readonly string[] = Object.freeze([
  'email',
  'username',
  'userName',
  'user',
  'login',
  'identifier',
  'name',
  'phone',
])
