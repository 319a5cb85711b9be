/**
 * The resolution of passkey providers: the options of the browser's request, the checks of its response, and the
 * relying party.
 */

import { definedOnly } from '../base/guards.js'
import { isUrl } from '../base/url.js'
import type { ResolvedWebAuthnProvider } from '../contracts/index.js'
import { InvalidConfiguration, MissingWebAuthnAutocomplete } from '../errors.js'
import type { WebAuthnConfig } from '../types/passkey.js'
import type { CredentialInput } from '../types/provider-parts.js'
import { type Options, quoteOption, rejectOption } from './reject-option.js'
import { buttonStyle, type ProviderContext } from './resolve-client.js'
import {
  anyValue,
  boolean,
  type Check,
  functionOf,
  isNonEmptyText,
  listOf,
  nonEmptyText,
  oneOf,
  optional,
  record,
  shape,
} from './shape.js'

/** The default algorithms: EdDSA, ES256, RS256 (RFC 9053). Every authenticator supports one of them. */
const defaultAlgorithms = [-8, -7, -257]

/** The requirement levels (WebAuthn Level 3 §5.8.6 and §5.4.6). */
const requirementLevel = oneOf('required', 'preferred', 'discouraged')

/** The timeout. A challenge is valid for 15 minutes, so a later response would be rejected. */
const ceremonyTimeout = optional<number>(
  (value) => typeof value === 'number' && value >= 1000 && value <= 15 * 60 * 1000,
  'must be milliseconds, from 1000 to 900000 (15 minutes), not {kind}.',
)

const algorithmList = listOf<number>(Number.isInteger, 'must be a list of COSE algorithms, such as [-8, -7, -257].', 1)

const coseAlgorithms: Check<readonly number[]> = (name, value) =>
  Object.freeze([...(algorithmList(name, value) ?? defaultAlgorithms)])

/** The names of the form's own fields. */
const reservedFields: ReadonlySet<string> = new Set(['action', 'callbackUrl', 'csrfToken', 'data', 'navigation'])

const formFieldsCheck: Check<Fields> = (name, value) => {
  const fields = record(name, value)
  for (const [field, input] of Object.entries(fields ?? {})) {
    record(`${name}.${field}`, input)
    if (reservedFields.has(field))
      rejectOption(`${name}.${field}`, ': the form already has a field with this name. Choose another.')
  }
  return fields ? Object.freeze({ ...(fields as Fields) }) : defaultFields
}

/** The options. Unknown names are rejected, because a misspelt one would leave a default in place. */
const webAuthnShape = shape({
  id: anyValue,
  name: anyValue,
  type: anyValue,
  relyingParty: anyValue,
  relayingParty: anyValue,
  enableConditionalUI: boolean,
  offerAfterPassword: boolean,
  formFields: formFieldsCheck,
  authenticationOptions: shape({ userVerification: requirementLevel, extensions: record }),
  registrationOptions: shape({
    authenticatorSelection: shape({
      // WebAuthn Level 3 §5.4.5.
      authenticatorAttachment: oneOf('platform', 'cross-platform'),
      residentKey: requirementLevel,
      userVerification: requirementLevel,
    }),
    // The values of `@simplewebauthn/server`.
    attestationType: oneOf('none', 'direct', 'enterprise'),
    extensions: record,
    preferredAuthenticatorType: oneOf('securityKey', 'localDevice', 'remoteDevice'),
    supportedAlgorithmIDs: coseAlgorithms,
  }),
  timeout: ceremonyTimeout,
  getUserInfo: functionOf<NonNullable<ResolvedWebAuthnProvider['getUserInfo']>>(),
  style: buttonStyle,
  options: anyValue,
} satisfies Record<keyof WebAuthnConfig, Check<unknown>>)

type Fields = Readonly<Record<string, CredentialInput>>

const defaultFields: Fields = Object.freeze({
  email: Object.freeze({
    type: 'email',
    inputmode: 'email',
    autocomplete: 'username webauthn',
    placeholder: 'you@example.com',
    maxlength: 254,
  }),
})

/** Returns the resolved provider. Throws for invalid options. */
export function resolveWebAuthn(
  provider: Options & { id: string; name: string; type: ResolvedWebAuthnProvider['type'] },
  surroundings: ProviderContext,
): ResolvedWebAuthnProvider {
  const { id, name, type } = provider
  assertNotAuthJs(id, provider)
  const options = webAuthnShape(`providers.${id}`, provider)
  assertWebAuthnInstalled()
  const { enableConditionalUI: conditionalUI = true, formFields, getUserInfo } = options
  const { authenticationOptions: authentication, registrationOptions: registration } = options
  assertEmailField(id, formFields, getUserInfo)
  if (conditionalUI && Object.keys(formFields).length > 0) assertAutofill(id, formFields)
  const { userVerification = 'required' } = authentication
  const selection = { userVerification: 'required' as const, ...registration.authenticatorSelection }
  return Object.freeze(
    definedOnly<ResolvedWebAuthnProvider>({
      kind: 'webauthn',
      type,
      id,
      name,
      style: options.style,
      relyingParty: resolveRelyingParty(id, options.relyingParty ?? options.relayingParty, surroundings),
      conditionalUI,
      offersAfterPassword: options.offerAfterPassword ?? true,
      formFields,
      residentKey: selection.residentKey ?? (type === 'passkey' ? 'required' : 'preferred'),
      // A response without the required user verification is rejected.
      authentication: Object.freeze({
        ...authentication,
        userVerification,
        requireUserVerification: userVerification === 'required',
      }),
      registration: Object.freeze({
        ...registration,
        authenticatorSelection: Object.freeze(selection),
        requireUserVerification: selection.userVerification === 'required',
      }),
      timeout: options.timeout ?? 5 * 60 * 1000,
      getUserInfo,
    }),
  )
}

/** Rejects an object of Auth.js, which contains its own WebAuthn library, and functions that need its internals. */
function assertNotAuthJs(id: string, provider: Options): void {
  if (provider.simpleWebAuthn === undefined && provider.getRelayingParty === undefined) return
  throw new InvalidConfiguration(
    `Provider "${id}" is the object of another library. Import it from "server-auth/providers/passkey" or "server-auth/providers/webauthn": their options are the same.`,
  )
}

/**
 * Checks that the package is installed when the server starts, and not at the first sign-in. Bundlers resolve packages
 * themselves.
 */
function assertWebAuthnInstalled(): void {
  // Bun calls it as a method only.
  const meta: { resolve?: (specifier: string) => string } = import.meta
  if (typeof meta.resolve !== 'function') return
  try {
    meta.resolve('@simplewebauthn/server')
  } catch {
    throw new InvalidConfiguration('Passkeys need one more package: npm install @simplewebauthn/server')
  }
}

/** Checks that there is an email address for new accounts, unless the developer's function returns it. */
function assertEmailField(id: string, fields: Fields, getUserInfo: unknown): void {
  if (getUserInfo !== undefined || Object.keys(fields).length === 0 || Object.hasOwn(fields, 'email')) return
  throw new InvalidConfiguration(
    `Provider "${id}": a new account needs an email address, and \`formFields\` has no \`email\`. Add it, or return the user from \`getUserInfo\`. With \`formFields: {}\` no accounts can be created.`,
  )
}

/** Checks that an input requests passkeys, because browsers show them only there (HTML, "autofill detail tokens"). */
function assertAutofill(id: string, fields: Fields): void {
  const asks = ({ autocomplete }: CredentialInput) => /(?:^|\s)webauthn$/i.test(String(autocomplete ?? '').trim())
  if (Object.values(fields).some(asks)) return
  throw new MissingWebAuthnAutocomplete(
    `Provider "${id}": for passkeys in the browser's autofill one of \`formFields\` needs \`autocomplete: 'username webauthn'\`. Add it, or set \`enableConditionalUI: false\`.`,
  )
}

const relyingPartyOrigins: Check<readonly string[] | undefined> = (name, value) =>
  originTexts(name, value === undefined || Array.isArray(value) ? value : [value])

const originTexts = listOf(isNonEmptyText, 'must be an origin such as "https://app.example.com", or a list of them.', 1)

const relyingPartyShape = shape({ id: nonEmptyText, name: nonEmptyText, origin: relyingPartyOrigins })

/** Returns the resolved relying party. Throws for a domain or origin that cannot have passkeys. */
function resolveRelyingParty(
  provider: string,
  value: unknown,
  { site, production }: ProviderContext,
): ResolvedWebAuthnProvider['relyingParty'] {
  const at = `providers.${provider}.relyingParty`
  const options = relyingPartyShape(at, value)
  const origins = options.origin ?? (site && [site.origin])
  if (origins === undefined && production) {
    throw new InvalidConfiguration(
      `Provider "${provider}": the domain of passkeys must not come from a request. Set AUTH_URL, or \`relyingParty: { id: 'example.com', origin: 'https://example.com' }\`.`,
    )
  }
  const id = options.id ?? (origins ? relyingPartyHost(provider, origins) : 'localhost')
  assertDomain(provider, id)
  for (const origin of origins ?? []) assertRelyingPartyOrigin(`${at}.origin`, origin)
  return Object.freeze({
    id,
    name: options.name ?? id,
    isOrigin: (origin: string) => origins?.includes(origin) ?? isLocalhostOrigin(origin),
  })
}

/** Returns the host of the first web origin. Native apps have no host. */
function relyingPartyHost(provider: string, origins: readonly string[]): string {
  const web = origins.find((origin) => /^https?:/.test(origin) && isUrl(origin))
  if (web !== undefined) return new URL(web).hostname
  throw new InvalidConfiguration(
    `Provider "${provider}": no origin in \`relyingParty.origin\` is a web site, so the domain of the passkeys is unknown. Set \`relyingParty.id\` to your domain.`,
  )
}

/**
 * Checks that the id is a domain (WebAuthn Level 3 §5.1.2, "relying party identifier"). IP addresses are not allowed.
 */
function assertDomain(provider: string, id: string): void {
  if (
    id === 'localhost' ||
    /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{1,63}$/.test(id)
  )
    return
  throw new InvalidConfiguration(
    `Provider "${provider}": ${JSON.stringify(id)} is not a domain for passkeys, which has no port and no path, and is not an IP address. Set \`relyingParty.id\` to your domain; on your own machine open the site as http://localhost.`,
  )
}

/** Checks the format in which browsers and Android send origins. */
function assertRelyingPartyOrigin(name: string, origin: string): void {
  if (/^(?:android|ios):/.test(origin)) return
  const isExact = isUrl(origin) && new URL(origin).origin === origin
  if (isExact && (origin.startsWith('https:') || isLocalhostOrigin(origin))) return
  throw new InvalidConfiguration(
    `${quoteOption(name)}: ${JSON.stringify(origin)} must be an https origin without a path, such as "https://app.example.com"; http works on localhost only.`,
  )
}

function isLocalhostOrigin(origin: string): boolean {
  return isUrl(origin) && new URL(origin).origin === origin && /^https?:\/\/localhost(?::\d+)?$/.test(origin)
}
