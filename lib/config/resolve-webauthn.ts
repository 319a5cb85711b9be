/** Resolves a provider of passkeys. What a browser is asked, and what its answer must be, is settled here. */

import { isRecord } from '../base/guards.js'
import type { ResolvedWebAuthnProvider } from '../contracts/index.js'
import { InvalidConfiguration, MissingWebAuthnAutocomplete } from '../errors.js'
import type { PasskeyRegistrationOptions, WebAuthnConfig } from '../types/passkey.js'
import type { CredentialInput } from '../types/provider-parts.js'
import { resolveRelyingParty, type WebAuthnSurroundings } from './relying-party.js'
import { resolveStyle } from './resolve-client.js'
import {
  assertBoolean,
  assertFunctions,
  assertKnownKeys,
  assertOptions,
  describe,
  type Options,
  quote,
} from './validate.js'

/** Milliseconds. */
const defaultTimeout = 5 * 60 * 1000
/** EdDSA, ES256, RS256 (RFC 9053): every authenticator has one of them. */
const defaultAlgorithms = [-8, -7, -257]

/** Of {@link WebAuthnConfig}. A name misspelt would leave a default where the developer wanted something else. */
const keys = Object.keys({
  id: true,
  name: true,
  type: true,
  relyingParty: true,
  relayingParty: true,
  enableConditionalUI: true,
  formFields: true,
  authenticationOptions: true,
  registrationOptions: true,
  verifyAuthenticationOptions: true,
  verifyRegistrationOptions: true,
  timeout: true,
  getUserInfo: true,
  style: true,
  options: true,
} satisfies Record<keyof WebAuthnConfig, true>)

/** WebAuthn Level 3 §5.4.5. */
const attachments = ['platform', 'cross-platform']
/** As `@simplewebauthn/server` takes them. */
const attestations = ['none', 'direct', 'enterprise']
const authenticatorTypes = ['securityKey', 'localDevice', 'remoteDevice']

/** The complete provider; throws what is wrong with it. */
export function resolveWebAuthn(
  provider: Options & { id: string; name: string; type: ResolvedWebAuthnProvider['type'] },
  surroundings: WebAuthnSurroundings,
): ResolvedWebAuthnProvider {
  const { id, name, type } = provider
  const at = `providers.${id}`
  assertOurs(id, provider)
  assertKnownKeys(at, provider, keys)
  assertInstalled()
  const { getUserInfo } = provider
  assertFunctions(at, { getUserInfo })
  const conditionalUI = assertBoolean(`${at}.enableConditionalUI`, provider.enableConditionalUI) ?? true
  const formFields = resolveFields(`${at}.formFields`, provider.formFields)
  assertReachable(id, formFields, getUserInfo)
  if (conditionalUI && Object.keys(formFields).length > 0) assertAutofill(id, formFields)
  const registration = resolveRegistration(at, provider)
  const residentKey = chosen(`${at}.registrationOptions.authenticatorSelection.residentKey`, registration.residentKey)
  return Object.freeze({
    kind: 'webauthn',
    type,
    id,
    name,
    style: resolveStyle(at, provider.style),
    relyingParty: resolveRelyingParty(id, provider.relyingParty ?? provider.relayingParty, surroundings),
    conditionalUI,
    formFields,
    residentKey: residentKey ?? (type === 'passkey' ? 'required' : 'preferred'),
    authentication: resolveAuthentication(at, provider),
    registration: registration.options,
    timeout: resolveTimeout(`${at}.timeout`, provider.timeout),
    ...(getUserInfo !== undefined && {
      getUserInfo: getUserInfo as NonNullable<ResolvedWebAuthnProvider['getUserInfo']>,
    }),
  })
}

/** An object of Auth.js brings a WebAuthn library of its own, and functions that want its internals. */
function assertOurs(id: string, provider: Options): void {
  if (provider.simpleWebAuthn === undefined && provider.getRelayingParty === undefined) return
  throw new InvalidConfiguration(
    `Provider "${id}" is the object of another library. Import it from "server-auth/providers/passkey" or "server-auth/providers/webauthn": their options are the same.`,
  )
}

/** Said when the server starts, and not when the first person signs in. A bundler sees to its packages by itself. */
function assertInstalled(): void {
  const { resolve } = import.meta as { resolve?: (specifier: string) => string }
  if (typeof resolve !== 'function') return
  try {
    resolve('@simplewebauthn/server')
  } catch {
    throw new InvalidConfiguration('Passkeys need one more package: npm install @simplewebauthn/server')
  }
}

function resolveFields(name: string, value: unknown): Readonly<Record<string, CredentialInput>> {
  if (value === undefined) return defaultFields
  const fields = assertOptions(name, value)
  for (const [field, input] of Object.entries(fields)) {
    assertOptions(`${name}.${field}`, input)
    if (!takenNames.has(field)) continue
    throw new InvalidConfiguration(
      `${quote(`${name}.${field}`)}: the form has a field of this name already. Choose another.`,
    )
  }
  return Object.freeze({ ...fields }) as Readonly<Record<string, CredentialInput>>
}

/** Of what the form itself carries. */
const takenNames: ReadonlySet<string> = new Set(['action', 'callbackUrl', 'csrfToken', 'data', 'navigation'])

const defaultFields: Readonly<Record<string, CredentialInput>> = Object.freeze({
  email: Object.freeze({
    label: 'Email address',
    type: 'email',
    inputmode: 'email',
    autocomplete: 'username webauthn',
    placeholder: 'you@example.com',
    maxlength: 254,
  }),
})

/** An account is made of an address, unless the developer's function knows better. */
function assertReachable(id: string, fields: Readonly<Record<string, CredentialInput>>, getUserInfo: unknown): void {
  if (getUserInfo !== undefined || Object.keys(fields).length === 0 || Object.hasOwn(fields, 'email')) return
  throw new InvalidConfiguration(
    `Provider "${id}": an account is made of an address, and \`formFields\` has no \`email\`. Add it, or say by \`getUserInfo\` who somebody is; \`formFields: {}\` lets nobody make an account.`,
  )
}

/** Browsers show passkeys at an input that asks for them (HTML, "autofill detail tokens"). */
function assertAutofill(id: string, fields: Readonly<Record<string, CredentialInput>>): void {
  const asks = ({ autocomplete }: CredentialInput) => /(?:^|\s)webauthn$/i.test(String(autocomplete ?? '').trim())
  if (Object.values(fields).some(asks)) return
  throw new MissingWebAuthnAutocomplete(
    `Provider "${id}": for passkeys in the browser's autofill one of \`formFields\` needs \`autocomplete: 'username webauthn'\`. Add it, or set \`enableConditionalUI: false\`.`,
  )
}

function resolveAuthentication(at: string, provider: Options): ResolvedWebAuthnProvider['authentication'] {
  const options = assertOptions(`${at}.authenticationOptions`, provider.authenticationOptions)
  assertKnownKeys(`${at}.authenticationOptions`, options, ['userVerification', 'extensions'])
  const userVerification =
    chosen(`${at}.authenticationOptions.userVerification`, options.userVerification) ?? 'required'
  return Object.freeze({
    userVerification,
    ...extensionsOf(`${at}.authenticationOptions`, options),
    requireUserVerification: isRequired(
      `${at}.verifyAuthenticationOptions`,
      provider.verifyAuthenticationOptions,
      userVerification,
    ),
  })
}

function resolveRegistration(at: string, provider: Options) {
  const name = `${at}.registrationOptions`
  const options = assertOptions(name, provider.registrationOptions)
  assertKnownKeys(name, options, [
    'authenticatorSelection',
    'attestationType',
    'extensions',
    'preferredAuthenticatorType',
    'supportedAlgorithmIDs',
  ])
  const selection = assertOptions(`${name}.authenticatorSelection`, options.authenticatorSelection)
  assertKnownKeys(`${name}.authenticatorSelection`, selection, [
    'authenticatorAttachment',
    'residentKey',
    'userVerification',
  ])
  oneOf(`${name}.authenticatorSelection.authenticatorAttachment`, attachments, selection.authenticatorAttachment)
  oneOf(`${name}.attestationType`, attestations, options.attestationType)
  oneOf(`${name}.preferredAuthenticatorType`, authenticatorTypes, options.preferredAuthenticatorType)
  const userVerification =
    chosen(`${name}.authenticatorSelection.userVerification`, selection.userVerification) ?? 'required'
  const resolved: ResolvedWebAuthnProvider['registration'] = Object.freeze({
    ...(options as PasskeyRegistrationOptions),
    ...extensionsOf(name, options),
    authenticatorSelection: Object.freeze({ ...selection, userVerification }),
    supportedAlgorithmIDs: resolveAlgorithms(`${name}.supportedAlgorithmIDs`, options.supportedAlgorithmIDs),
    requireUserVerification: isRequired(
      `${at}.verifyRegistrationOptions`,
      provider.verifyRegistrationOptions,
      userVerification,
    ),
  })
  return { options: resolved, residentKey: selection.residentKey }
}

/** WebAuthn Level 3 §5.8.6 and §5.4.6. */
const demands = ['required', 'preferred', 'discouraged'] as const
type Demand = (typeof demands)[number]

const chosen = (name: string, value: unknown) => oneOf(name, demands, value)

function oneOf<const Word extends string>(name: string, words: readonly Word[], value: unknown): Word | undefined {
  if (value === undefined || words.some((word) => word === value)) return value as Word | undefined
  const [last, ...others] = words.map((word) => JSON.stringify(word)).reverse()
  throw new InvalidConfiguration(
    `${quote(name)} must be ${others.reverse().join(', ')} or ${last}, not ${describe(value)}.`,
  )
}

function extensionsOf(name: string, { extensions }: Options): { extensions?: Readonly<Record<string, unknown>> } {
  if (extensions === undefined) return {}
  if (isRecord(extensions)) return { extensions }
  throw new InvalidConfiguration(`${quote(`${name}.extensions`)} must be an object, not ${describe(extensions)}.`)
}

/** What is asked for is also demanded, unless the developer says otherwise. */
function isRequired(name: string, value: unknown, asked: Demand): boolean {
  const options = assertOptions(name, value)
  assertKnownKeys(name, options, ['requireUserVerification'])
  return assertBoolean(`${name}.requireUserVerification`, options.requireUserVerification) ?? asked === 'required'
}

function resolveAlgorithms(name: string, value: unknown): readonly number[] {
  if (value === undefined) return defaultAlgorithms
  if (Array.isArray(value) && value.length > 0 && value.every(Number.isInteger)) return Object.freeze([...value])
  throw new InvalidConfiguration(`${quote(name)} must be a list of COSE algorithms, such as [-8, -7, -257].`)
}

function resolveTimeout(name: string, value: unknown): number {
  if (value === undefined) return defaultTimeout
  // A challenge lives 15 minutes: whoever takes longer would be refused.
  if (typeof value === 'number' && value >= 1000 && value <= 15 * 60 * 1000) return value
  throw new InvalidConfiguration(
    `${quote(name)} must be milliseconds, from 1000 to 900000 (15 minutes), not ${describe(value)}.`,
  )
}
