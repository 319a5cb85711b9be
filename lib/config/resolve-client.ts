/** What a provider's client metadata (RFC 7591 §2), its `fetch` and its button may say. */

import { environmentName } from '../base/env.js'
import { isRecord } from '../base/guards.js'
import type { ResolvedOAuthProvider } from '../contracts/index.js'
import { InvalidConfiguration, toError } from '../errors.js'
import type { ClientOptions, TokenEndpoint } from '../types/provider.js'
import type { OAuthProviderButtonStyles } from '../types/provider-parts.js'
import { customFetch } from '../types/symbols.js'
import { assertOptions, assertText, describe, isColour, type Options, quote } from './validate.js'

const methods: readonly unknown[] = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
]

/** What has an effect here. Other metadata would promise a protection that nobody gives. */
const supported: readonly string[] = [
  'client_id',
  'client_secret',
  'default_max_age',
  'id_token_signed_response_alg',
  'require_auth_time',
  'token_endpoint_auth_method',
  'userinfo_signed_response_alg',
]

/** The metadata, all of it supported, with a method and algorithms that there are. */
export function resolveClient(at: string, value: unknown): ClientOptions {
  const client = assertOptions(`${at}.client`, value)
  for (const [name, chosen] of Object.entries(client)) {
    if (supported.includes(name) || chosen === undefined || chosen === false) continue
    throw new InvalidConfiguration(
      `${quote(`${at}.client.${name}`)} is not supported: it would have no effect. Supported are ${supported.join(', ')}.`,
    )
  }
  const method = client.token_endpoint_auth_method
  if (method !== undefined && !methods.includes(method)) {
    throw new InvalidConfiguration(
      `${quote(`${at}.client.token_endpoint_auth_method`)} must be one of ${methods.join(', ')}.`,
    )
  }
  for (const name of ['id_token_signed_response_alg', 'userinfo_signed_response_alg']) {
    if (assertText(`${at}.client.${name}`, client[name])?.toLowerCase() !== 'none') continue
    throw new InvalidConfiguration(
      `${quote(`${at}.client.${name}`)} must be an algorithm such as "RS256": what is not signed proves nothing.`,
    )
  }
  return Object.freeze({ ...client })
}

const modes: readonly unknown[] = [undefined, 'query', 'form_post']

/** Parameters that ask for something that nobody here understands, or makes. */
const unsupportedParams = ['dpop_jkt', 'request', 'request_uri']

/** @throws {@link InvalidConfiguration} for parameters whose answer we could not read, or whose proof we do not make. */
export function assertParams(at: string, params: Readonly<Record<string, string>>): void {
  const name = `${at}.authorization.params`
  if (!modes.includes(params.response_mode)) {
    throw new InvalidConfiguration(
      `${quote(`${name}.response_mode`)} must be "query" or "form_post": other modes, "jwt" and its kin among them, are not supported.`,
    )
  }
  const unsupported = unsupportedParams.find((each) => Object.hasOwn(params, each))
  if (unsupported !== undefined) {
    throw new InvalidConfiguration(`${quote(`${name}.${unsupported}`)} is not supported: it would have no effect.`)
  }
}

/**
 * The property `clientSecret`: the text, or a getter where a function of the provider's makes it, so that all who need it
 * just read it. {@link assertAuthentication} does at construction: a function that cannot make one is found then.
 */
export function resolveSecret(
  at: string,
  configured: unknown,
  { token, clientId, env }: Pick<ResolvedOAuthProvider, 'token' | 'clientId'> & { env: { clientSecret?: string } },
): PropertyDescriptor | undefined {
  const text = assertText(`${at}.clientSecret`, configured)
  if (text === undefined && token.clientSecret) return { get: () => madeSecret(at, token, clientId), enumerable: true }
  const value = text ?? env.clientSecret
  return value === undefined ? undefined : { value, enumerable: true }
}

function madeSecret(at: string, token: Pick<TokenEndpoint, 'clientSecret'>, clientId: string): string {
  const name = quote(`${at}.token.clientSecret`)
  let made: unknown
  try {
    made = token.clientSecret?.({ clientId })
  } catch (error) {
    throw new InvalidConfiguration(`${name} threw: ${toError(error).message}`, toError(error))
  }
  if (typeof made === 'string' && made !== '') return made
  throw new InvalidConfiguration(`${name} must return a non-empty string, not ${describe(made)}.`)
}

/** What rests on a secret or a key has one: the method at the token endpoint, and the signature of id_tokens. */
export function assertAuthentication({ id, client, clientSecret, token }: ResolvedOAuthProvider): void {
  const { token_endpoint_auth_method: method, id_token_signed_response_alg: algorithm } = client
  const needs = method?.startsWith('client_secret_') ? method : algorithm?.startsWith('HS') ? algorithm : undefined
  if (needs !== undefined && clientSecret === undefined) {
    throw new InvalidConfiguration(
      `Provider "${id}": ${needs} needs \`clientSecret\`, or AUTH_${environmentName(id)}_SECRET.`,
    )
  }
  if (method === 'private_key_jwt' && !token.clientPrivateKey && !token.request) {
    throw new InvalidConfiguration(`Provider "${id}": private_key_jwt needs \`token.clientPrivateKey\`.`)
  }
}

/** The `fetch` of the provider's options, else the global one as it is when it is called. */
export function resolveFetch(provider: Options & Readonly<Record<symbol, unknown>> & { id: string }): typeof fetch {
  const chosen = provider[customFetch]
  if (chosen !== undefined && typeof chosen !== 'function') {
    throw new InvalidConfiguration(`Provider "${provider.id}": [customFetch] must be a function like fetch.`)
  }
  return (chosen as typeof fetch | undefined) ?? ((...request) => globalThis.fetch(...request))
}

/** The look of the button. Colours and logos that a page cannot carry are left out there. */
export function resolveStyle(at: string, value: unknown): OAuthProviderButtonStyles {
  const style = assertOptions(`${at}.style`, value)
  for (const key of ['logo', 'brandColor', 'bg', 'text']) assertText(`${at}.style.${key}`, style[key])
  // What else stood there would stand in the page's markup.
  if (style.mark !== undefined && !isMark(style.mark)) {
    throw new InvalidConfiguration(
      `${quote(`${at}.style.mark`)} must be the data of an SVG path, such as "M0 0h24v24z", or a list of \`{ path, color }\`.`,
    )
  }
  return Object.freeze({ ...style })
}

function isMark(value: unknown): boolean {
  if (!Array.isArray(value)) return isPath(value)
  return value.length > 0 && value.every((layer) => isRecord(layer) && isPath(layer.path) && isColour(layer.color))
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && /^[MLHVCSQTAZ\d\s,.e+-]*$/i.test(value)
}
