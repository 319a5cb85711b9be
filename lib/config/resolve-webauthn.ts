/** Resolves a provider of passkeys. What a browser is asked, and what its answer must be, is settled here. */

import { definedOnly } from '../base/guards.js'
import type { ResolvedWebAuthnProvider } from '../contracts/index.js'
import { InvalidConfiguration, MissingWebAuthnAutocomplete } from '../errors.js'
import type { WebAuthnConfig } from '../types/passkey.js'
import type { CredentialInput } from '../types/provider-parts.js'
import { type Options, refuse } from './refusal.js'
import { resolveRelyingParty } from './relying-party.js'
import { type ProviderSurroundings, style } from './resolve-client.js'
import { anything, boolean, type Check, functionOf, oneOf, optional, record, shape } from './shape.js'

/** EdDSA, ES256, RS256 (RFC 9053): every authenticator has one of them. */
const defaultAlgorithms = [-8, -7, -257]

/** WebAuthn Level 3 §5.8.6 and §5.4.6. */
const demand = oneOf('required', 'preferred', 'discouraged')
const verificationShape = shape({ requireUserVerification: boolean })

/** A challenge lives 15 minutes: whoever takes longer would be refused. */
const milliseconds = optional<number>(
  (value) => typeof value === 'number' && value >= 1000 && value <= 15 * 60 * 1000,
  'must be milliseconds, from 1000 to 900000 (15 minutes), not {kind}.',
)

const algorithmList = optional<readonly number[]>(
  (value) => Array.isArray(value) && value.length > 0 && value.every(Number.isInteger),
  'must be a list of COSE algorithms, such as [-8, -7, -257].',
)

const algorithms: Check<readonly number[]> = (name, value) =>
  Object.freeze([...(algorithmList(name, value) ?? defaultAlgorithms)])

/** Of what the form itself carries. */
const takenNames: ReadonlySet<string> = new Set(['action', 'callbackUrl', 'csrfToken', 'data', 'navigation'])

const formFields: Check<Fields> = (name, value) => {
  const fields = record(name, value)
  for (const [field, input] of Object.entries(fields ?? {})) {
    record(`${name}.${field}`, input)
    if (takenNames.has(field))
      refuse(`${name}.${field}`, ': the form has a field of this name already. Choose another.')
  }
  return fields ? Object.freeze({ ...(fields as Fields) }) : defaultFields
}

/** A name misspelt would leave a default where the developer wanted something else. */
const webAuthnShape = shape({
  id: anything,
  name: anything,
  type: anything,
  relyingParty: anything,
  relayingParty: anything,
  enableConditionalUI: boolean,
  formFields,
  authenticationOptions: shape({ userVerification: demand, extensions: record }),
  registrationOptions: shape({
    authenticatorSelection: shape({
      // WebAuthn Level 3 §5.4.5.
      authenticatorAttachment: oneOf('platform', 'cross-platform'),
      residentKey: demand,
      userVerification: demand,
    }),
    // As `@simplewebauthn/server` takes them.
    attestationType: oneOf('none', 'direct', 'enterprise'),
    extensions: record,
    preferredAuthenticatorType: oneOf('securityKey', 'localDevice', 'remoteDevice'),
    supportedAlgorithmIDs: algorithms,
  }),
  verifyAuthenticationOptions: verificationShape,
  verifyRegistrationOptions: verificationShape,
  timeout: milliseconds,
  getUserInfo: functionOf<NonNullable<ResolvedWebAuthnProvider['getUserInfo']>>(),
  style,
  options: anything,
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

/** The complete provider; throws what is wrong with it. */
export function resolveWebAuthn(
  provider: Options & { id: string; name: string; type: ResolvedWebAuthnProvider['type'] },
  surroundings: ProviderSurroundings,
): ResolvedWebAuthnProvider {
  const { id, name, type } = provider
  assertOurs(id, provider)
  const options = webAuthnShape(`providers.${id}`, provider)
  assertInstalled()
  const { enableConditionalUI: conditionalUI = true, formFields, getUserInfo } = options
  const { authenticationOptions: authentication, registrationOptions: registration } = options
  assertReachable(id, formFields, getUserInfo)
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
      formFields,
      residentKey: selection.residentKey ?? (type === 'passkey' ? 'required' : 'preferred'),
      // What is asked for is also demanded, unless the developer says otherwise.
      authentication: Object.freeze({
        ...authentication,
        userVerification,
        requireUserVerification: userVerification === 'required',
        ...options.verifyAuthenticationOptions,
      }),
      registration: Object.freeze({
        ...registration,
        authenticatorSelection: Object.freeze(selection),
        requireUserVerification: selection.userVerification === 'required',
        ...options.verifyRegistrationOptions,
      }),
      timeout: options.timeout ?? 5 * 60 * 1000,
      getUserInfo,
    }),
  )
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

/** An account is made of an address, unless the developer's function knows better. */
function assertReachable(id: string, fields: Fields, getUserInfo: unknown): void {
  if (getUserInfo !== undefined || Object.keys(fields).length === 0 || Object.hasOwn(fields, 'email')) return
  throw new InvalidConfiguration(
    `Provider "${id}": an account is made of an address, and \`formFields\` has no \`email\`. Add it, or say by \`getUserInfo\` who somebody is; \`formFields: {}\` lets nobody make an account.`,
  )
}

/** Browsers show passkeys at an input that asks for them (HTML, "autofill detail tokens"). */
function assertAutofill(id: string, fields: Fields): void {
  const asks = ({ autocomplete }: CredentialInput) => /(?:^|\s)webauthn$/i.test(String(autocomplete ?? '').trim())
  if (Object.values(fields).some(asks)) return
  throw new MissingWebAuthnAutocomplete(
    `Provider "${id}": for passkeys in the browser's autofill one of \`formFields\` needs \`autocomplete: 'username webauthn'\`. Add it, or set \`enableConditionalUI: false\`.`,
  )
}
