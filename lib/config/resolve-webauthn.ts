/** Resolves a provider of passkeys. What a browser is asked, and what its answer must be, is settled here. */
import type { ResolvedWebAuthnProvider } from '../context.js'
import { InvalidConfiguration, MissingWebAuthnAutocomplete } from '../errors.js'
import { isRecord } from '../guards.js'
import type { CredentialInput, PasskeyRegistrationOptions } from '../providers/types.js'
import { resolveStyle } from './resolve-client.js'
import {
  assertBoolean,
  assertFunctions,
  assertKnownKeys,
  assertOptions,
  assertText,
  describe,
  type Options,
  quote,
} from './validate.js'

/** Milliseconds. */
const defaultTimeout = 5 * 60 * 1000
/** EdDSA, ES256, RS256 (RFC 9053): every authenticator has one of them. */
const defaultAlgorithms = [-8, -7, -257]

/** What resolving a provider of passkeys needs to know of the rest. */
export interface WebAuthnSurroundings {
  readonly production: boolean
  /** What `AUTH_URL` says. */
  readonly site: { readonly origin: string } | undefined
}

/** The complete provider; throws what is wrong with it. */
export function resolveWebAuthn(
  provider: Options & { id: string; name: string; type: ResolvedWebAuthnProvider['type'] },
  surroundings: WebAuthnSurroundings,
): ResolvedWebAuthnProvider {
  const { id, name, type } = provider
  const at = `providers.${id}`
  assertOurs(id, provider)
  assertInstalled()
  const { getUserInfo } = provider
  assertFunctions(at, { getUserInfo })
  const conditionalUI = assertBoolean(`${at}.enableConditionalUI`, provider.enableConditionalUI) ?? true
  const formFields = resolveFields(`${at}.formFields`, provider.formFields)
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

function resolveRelyingParty(
  provider: string,
  value: unknown,
  { site, production }: WebAuthnSurroundings,
): ResolvedWebAuthnProvider['relyingParty'] {
  const at = `providers.${provider}.relyingParty`
  const options = assertOptions(at, value)
  assertKnownKeys(at, options, ['id', 'name', 'origin'])
  const origins = toOrigins(`${at}.origin`, options.origin) ?? (site && [site.origin])
  if (origins === undefined && production) {
    throw new InvalidConfiguration(
      `Provider "${provider}": where passkeys are valid must not come from a request. Set AUTH_URL, or \`relyingParty: { id: 'example.com', origin: 'https://example.com' }\`.`,
    )
  }
  const id = assertText(`${at}.id`, options.id) ?? (origins ? hostOf(origins) : 'localhost')
  assertDomain(provider, id)
  for (const origin of origins ?? []) assertOrigin(`${at}.origin`, origin)
  return Object.freeze({
    id,
    name: assertText(`${at}.name`, options.name) ?? id,
    isOrigin: (origin: string) => origins?.includes(origin) ?? isLocal(origin),
  })
}

function toOrigins(name: string, value: unknown): string[] | undefined {
  if (value === undefined) return undefined
  const list: unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > 0 && list.every((each) => typeof each === 'string' && each !== '')) return list as string[]
  throw new InvalidConfiguration(
    `${quote(name)} must be an origin such as "https://app.example.com", or a list of them.`,
  )
}

/** The host of the first web origin: native apps have none. */
function hostOf(origins: readonly string[]): string {
  const web = origins.find((origin) => /^https?:/.test(origin) && URL.canParse(origin))
  return web === undefined ? '' : new URL(web).hostname
}

/** A domain (WebAuthn Level 3 §5.1.2, "relying party identifier"): an IP address is none. */
function assertDomain(provider: string, id: string): void {
  if (
    id === 'localhost' ||
    /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{1,63}$/.test(id)
  )
    return
  throw new InvalidConfiguration(
    `Provider "${provider}": ${JSON.stringify(id)} is no domain that passkeys can belong to: no port, no path, no IP address. Set \`relyingParty.id\` to your domain; on your own machine open the site as http://localhost.`,
  )
}

/** As browsers and Android write it into their answers. */
function assertOrigin(name: string, origin: string): void {
  if (/^(?:android|ios):/.test(origin)) return
  const isExact = URL.canParse(origin) && new URL(origin).origin === origin
  if (isExact && (origin.startsWith('https:') || isLocal(origin))) return
  throw new InvalidConfiguration(
    `${quote(name)}: ${JSON.stringify(origin)} must be an https origin without a path, such as "https://app.example.com"; http works on localhost only.`,
  )
}

function isLocal(origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).origin === origin && /^http:\/\/localhost(?::\d+)?$/.test(origin)
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

type Demand = 'required' | 'preferred' | 'discouraged'

function chosen(name: string, value: unknown): Demand | undefined {
  if (value === undefined || value === 'required' || value === 'preferred' || value === 'discouraged') return value
  throw new InvalidConfiguration(
    `${quote(name)} must be "required", "preferred" or "discouraged", not ${describe(value)}.`,
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
