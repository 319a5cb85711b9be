/** The shared parts of providers: their context, client metadata (RFC 7591 §2), `fetch` and button. */

import { type AuthEnv, environmentName } from '../base/env.js'
import { isRecord } from '../base/guards.js'
import type { Logger } from '../base/logger.js'
import type { ResolvedEmailProvider, ResolvedOAuthProvider } from '../contracts/index.js'
import { InvalidConfiguration, toError } from '../errors.js'
import type { ClientCertificate } from '../types/protocol.js'
import type { ClientOptions, TokenEndpoint } from '../types/provider.js'
import type { OAuthProviderButtonStyles } from '../types/provider-parts.js'
import { customFetch } from '../types/symbols.js'
import { type Options, quoteOption, rejectOption } from './reject-option.js'
import { anyValue, type Check, isColour, isNonEmptyText, nonEmptyText, openShape, optional, required } from './shape.js'

/** The parts of the configuration that a provider depends on. */
export interface ProviderContext {
  readonly env: AuthEnv
  readonly logger: Logger
  readonly enableWebAuthn: boolean
  /** The configuration's redirect proxy; a provider may have its own. */
  readonly redirectProxyUrl: string | undefined
  readonly production: boolean
  readonly secrets: readonly [string, ...string[]]
  /** The site, if `AUTH_URL` is set. */
  readonly site: { readonly origin: string } | undefined
  /** The default lifetime of an email link in seconds. */
  readonly linkMaxAge: number
  /** The default limit of mails. */
  readonly mailLimit: ResolvedEmailProvider['limit']
  /** The developer's adapter, which may store passwords. */
  readonly adapter: unknown
  /** The timeout of a store's method in milliseconds. */
  readonly adapterTimeout: number
}

const clientAuthMethods = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
]

const algorithm: Check<string | undefined> = (name, value) => {
  const given = nonEmptyText(name, value)
  if (given?.toLowerCase() !== 'none') return given
  return rejectOption(name, 'must be an algorithm such as "RS256", because an unsigned value is no proof.')
}

/** The supported metadata. Other metadata would suggest a protection that does not exist. */
const supportedMetadata = {
  authorization_signed_response_alg: algorithm,
  client_id: anyValue,
  client_secret: anyValue,
  default_max_age: anyValue,
  id_token_encrypted_response_alg: algorithm,
  id_token_signed_response_alg: algorithm,
  require_auth_time: anyValue,
  token_endpoint_auth_method: optional<ClientOptions['token_endpoint_auth_method']>(
    (value) => clientAuthMethods.some((method) => method === value),
    `must be one of ${clientAuthMethods.join(', ')}.`,
  ),
  userinfo_encrypted_response_alg: algorithm,
  userinfo_signed_response_alg: algorithm,
}

const clientShape = openShape(supportedMetadata)

/** The client metadata: only supported names, with known methods and algorithms. */
export const clientOptions: Check<ClientOptions> = (name, value) => {
  const client = clientShape(name, value)
  for (const [key, chosen] of Object.entries(client)) {
    if (Object.hasOwn(supportedMetadata, key) || chosen === undefined || chosen === false) continue
    rejectOption(
      `${name}.${key}`,
      `is not supported: it would have no effect. Supported are ${Object.keys(supportedMetadata).join(', ')}.`,
    )
  }
  return client as ClientOptions
}

const responseModes: readonly unknown[] = [undefined, 'query', 'form_post']

/** The parameters that request features that are not supported, or not as a parameter. */
const unsupportedParams = ['dpop_jkt', 'request', 'request_uri']

/**
 * Rejects parameters for responses that cannot be read, or for proofs that are not created. @throws {@link
 * InvalidConfiguration}
 */
export function assertAuthorizationParams(at: string, params: Readonly<Record<string, string>>): void {
  const name = `${at}.authorization.params`
  if (!responseModes.includes(params.response_mode)) {
    rejectOption(
      `${name}.response_mode`,
      'must be "query" or "form_post". For signed responses set the option `responseMode` to "query.jwt" or "form_post.jwt".',
    )
  }
  const unsupported = unsupportedParams.find((each) => Object.hasOwn(params, each))
  if (unsupported) {
    rejectOption(
      `${name}.${unsupported}`,
      'is not supported: it would have no effect. `requestObject` signs the request, and `pushedAuthorizationRequests` pushes it.',
    )
  }
}

/**
 * Returns the descriptor of the property `clientSecret`: the text, or a getter if a function of the provider generates
 * it. {@link assertAuthentication} reads it at construction, so that a failing function is found then.
 */
export function resolveSecret(
  at: string,
  configured: unknown,
  { token, clientId, env }: Pick<ResolvedOAuthProvider, 'token' | 'clientId'> & { env: { clientSecret?: string } },
): PropertyDescriptor | undefined {
  const given = nonEmptyText(`${at}.clientSecret`, configured)
  if (given === undefined && token.clientSecret)
    return { get: () => generateClientSecret(at, token, clientId), enumerable: true }
  const value = given ?? env.clientSecret
  return value === undefined ? undefined : { value, enumerable: true }
}

const secretText = required<string>(isNonEmptyText, 'must return a non-empty string, not {kind}.')

function generateClientSecret(at: string, token: Pick<TokenEndpoint, 'clientSecret'>, clientId: string): string {
  const name = `${at}.token.clientSecret`
  let made: unknown
  try {
    made = token.clientSecret?.({ clientId })
  } catch (error) {
    throw new InvalidConfiguration(`${quoteOption(name)} threw: ${toError(error).message}`, toError(error))
  }
  return secretText(name, made)
}

/**
 * Checks that methods and signatures have the secret or key that they need, at the token endpoint and for id_tokens.
 */
export function assertAuthentication({ id, client, clientSecret, token, protocol }: ResolvedOAuthProvider): void {
  const { token_endpoint_auth_method: method, id_token_signed_response_alg: algorithm } = client
  const needs = method?.startsWith('client_secret_') ? method : algorithm?.startsWith('HS') ? algorithm : undefined
  if (needs !== undefined && clientSecret === undefined) {
    throw new InvalidConfiguration(
      `Provider "${id}": ${needs} needs \`clientSecret\`, or AUTH_${environmentName(id)}_SECRET.`,
    )
  }
  if (method?.endsWith('tls_client_auth') && !protocol.certificate) {
    throw new InvalidConfiguration(`Provider "${id}": ${method} needs \`clientCertificate\`.`)
  }
  if (method === 'private_key_jwt' && !token.clientPrivateKey && !token.request) {
    throw new InvalidConfiguration(`Provider "${id}": private_key_jwt needs \`token.clientPrivateKey\`.`)
  }
}

/** Returns the `fetch` of the provider's options, or the global one at the time of the call. */
export function resolveFetch(
  provider: Options & Readonly<Record<symbol, unknown>> & { id: string },
  certificate?: ClientCertificate,
): typeof fetch {
  const chosen = provider[customFetch]
  if (certificate && chosen !== undefined) {
    rejectOption(
      `providers.${provider.id}.clientCertificate`,
      'has no effect with a custom [customFetch]. Remove one of them.',
    )
  }
  if (chosen !== undefined && typeof chosen !== 'function') {
    throw new InvalidConfiguration(`Provider "${provider.id}": [customFetch] must be a function like fetch.`)
  }
  return (chosen as typeof fetch | undefined) ?? ((...request) => globalThis.fetch(...request))
}

/** The look of the button. Unsafe colours and logos are left out by the page. */
export const buttonStyle: Check<OAuthProviderButtonStyles> = openShape({
  logo: nonEmptyText,
  brandColor: nonEmptyText,
  bg: nonEmptyText,
  text: nonEmptyText,
  // Any other text would end up in the page's markup.
  mark: optional<OAuthProviderButtonStyles['mark']>(
    isMark,
    'must be the data of an SVG path, such as "M0 0h24v24z", or a list of `{ path, color }`.',
  ),
})

function isMark(value: unknown): boolean {
  if (!Array.isArray(value)) return isSvgPath(value)
  return value.length > 0 && value.every((layer) => isRecord(layer) && isSvgPath(layer.path) && isColour(layer.color))
}

function isSvgPath(value: unknown): boolean {
  return isNonEmptyText(value) && /^[MLHVCSQTAZ\d\s,.e+-]*$/i.test(value)
}

/** Returns the issuer. Throws if it is the URL of the metadata, which the library derives from the issuer. */
export function resolveIssuer(
  id: string,
  option: string | undefined,
  variable: string | undefined,
): string | undefined {
  const issuer = option ?? variable
  const [, before] = metadataUrl.exec(issuer ?? '') ?? []
  if (before === undefined) return issuer
  const name = option === undefined ? `AUTH_${environmentName(id)}_ISSUER` : `providers.${id}.issuer`
  return rejectOption(
    name,
    `is the URL of the provider's metadata, not the issuer. Set it to ${JSON.stringify(before)}.`,
  )
}

const metadataUrl = /^(.+?)\/*\/\.well-known\/(?:openid-configuration|oauth-authorization-server)\/?$/
