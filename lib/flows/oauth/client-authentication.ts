/** The authentication of the client at the token endpoint (RFC 6749 §2.3, RFC 7523 §2.2). */

import type { webcrypto } from 'node:crypto'
import { exportJWK, importJWK } from 'jose'
import * as oidc from 'openid-client'
import { environmentName } from '../../base/env.js'
import { BoundedMap, perOwner } from '../../base/memory.js'
import type { DpopKey, ResolvedOAuthProvider } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { InvalidConfiguration } from '../../errors.js'
import type { TokenSet } from '../../types/identity.js'
import type { PrivateJwk } from '../../types/protocol.js'
import { fetchOf } from './fetch.js'

/** Returns the provider's method; by default `client_secret_basic` with a secret and `none` without one. */
export function clientAuthentication(provider: ResolvedOAuthProvider): oidc.ClientAuth {
  const { id, clientId, clientSecret, client, token } = provider
  const method = client.token_endpoint_auth_method ?? (clientSecret === undefined ? 'none' : 'client_secret_basic')
  switch (method) {
    case 'client_secret_basic':
      return basicAuthentication(clientId, requiredClientSecret(provider))
    case 'client_secret_post':
      return oidc.ClientSecretPost(requiredClientSecret(provider))
    case 'client_secret_jwt':
      return oidc.ClientSecretJwt(requiredClientSecret(provider))
    case 'private_key_jwt':
      if (token.clientPrivateKey) return privateKeyJwt(token.clientPrivateKey)
      throw new InvalidConfiguration(`Provider "${id}": private_key_jwt needs \`token.clientPrivateKey\`.`)
    case 'tls_client_auth':
    case 'self_signed_tls_client_auth':
      return oidc.TlsClientAuth()
    case 'none':
      return oidc.None()
    default:
      throw new InvalidConfiguration(
        `Provider "${id}": \`client.token_endpoint_auth_method\` must be client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt, tls_client_auth, self_signed_tls_client_auth or none.`,
      )
  }
}

/** Signs with the first of several keys. */
function privateKeyJwt(configured: NonNullable<ResolvedOAuthProvider['token']['clientPrivateKey']>): oidc.ClientAuth {
  if (!isList(configured)) return oidc.PrivateKeyJwt(configured)
  const [first] = configured
  return async function authenticate(...request) {
    if (first) await oidc.PrivateKeyJwt(await importKey(first))(...request)
  }
}

function isList(
  configured: NonNullable<ResolvedOAuthProvider['token']['clientPrivateKey']>,
): configured is readonly PrivateJwk[] {
  return Array.isArray(configured)
}

function requiredClientSecret({ id, clientSecret, client }: ResolvedOAuthProvider): string {
  if (clientSecret !== undefined) return clientSecret
  throw new InvalidConfiguration(
    `Provider "${id}": ${client.token_endpoint_auth_method} needs \`clientSecret\`, or AUTH_${environmentName(id)}_SECRET.`,
  )
}

/**
 * Returns Basic authentication with form-encoded id and secret (RFC 6749 §2.3.1). openid-client also encodes `-`, `_`
 * and `.`. This is allowed, but many ids contain them, and some servers do not decode.
 */
function basicAuthentication(clientId: string, clientSecret: string): oidc.ClientAuth {
  const [user, password] = [clientId, clientSecret].map((text) => encodeURIComponent(text).replaceAll('%20', '+'))
  const credentials = Buffer.from(`${user}:${password}`).toString('base64')
  return function authenticate(_server, _client, _body, headers) {
    headers.set('authorization', `Basic ${credentials}`)
  }
}

/* ---- private keys ------------------------------------------------------------------------------------------------ */

// The application's private keys, for Web Crypto.

/** A private key that is ready to use. */
export interface ImportedKey {
  readonly key: webcrypto.CryptoKey
  readonly kid: string
  readonly alg: string
}

const imported = new WeakMap<PrivateJwk, Promise<ImportedKey>>()

/** Imports a key, and remembers the result. @throws {@link InvalidConfiguration} for members that are not a key. */
export function importKey(jwk: PrivateJwk): Promise<ImportedKey> {
  const known = imported.get(jwk) ?? importNow(jwk)
  imported.set(jwk, known)
  return known
}

async function importNow(jwk: PrivateJwk): Promise<ImportedKey> {
  const { kid, alg } = jwk
  try {
    // Other members of a key file (`use`, `key_ops`) may be about another purpose.
    const { use: _use, key_ops: _operations, ext: _extractable, ...members } = jwk
    return { key: (await importJWK(members, alg)) as webcrypto.CryptoKey, kid, alg }
  } catch {
    // The message of the error may quote the key.
    throw new InvalidConfiguration(
      `The private key "${kid}" cannot be imported for ${alg}: its members make no such key.`,
    )
  }
}

/* ---- dpop -------------------------------------------------------------------------------------------------------- */

// Tokens that are bound to a key (RFC 9449). A thief cannot use a stolen token, because each request is signed with the
// key. Each grant has its own key. It is in the sealed attempt, and is stored with the tokens.

/** Creates a key; returns `undefined` if the provider's tokens are not bound to one. */
export async function newGrantKey({ protocol: { dpop } }: ResolvedOAuthProvider): Promise<DpopKey | undefined> {
  if (!dpop) return undefined
  const { privateKey } = await oidc.randomDPoPKeyPair(dpop.alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg: dpop.alg }
}

/**
 * The handles of keys. A handle remembers the nonces that servers require, so it is cached as long as there is room.
 */
const dpopHandlesOf = perOwner(
  (_provider: ResolvedOAuthProvider) => new BoundedMap<string, Promise<oidc.DPoPHandle>>(1000),
)

/** Returns the option of openid-client's functions that signs requests with a key. */
export async function dpopOptions(
  provider: ResolvedOAuthProvider,
  key: DpopKey | undefined,
): Promise<oidc.DPoPOptions | undefined> {
  if (!key) return undefined
  const handles = dpopHandlesOf(provider)
  const name = shortHash(JSON.stringify(key))
  const handle = handles.get(name) ?? createDPoPHandle(provider, key)
  handles.set(name, handle)
  return { DPoP: await handle }
}

async function createDPoPHandle(provider: ResolvedOAuthProvider, key: DpopKey): Promise<oidc.DPoPHandle> {
  const alg = String(key.alg)
  const { d: _secret, ...open } = key
  const [privateKey, publicKey] = await Promise.all([importJWK(key, alg), importJWK(open, alg, { extractable: true })])
  const pair = { privateKey: privateKey as webcrypto.CryptoKey, publicKey: publicKey as webcrypto.CryptoKey }
  return oidc.getDPoPHandle(offlineConfiguration(provider), pair)
}

/** Returns a configuration that names the client, without metadata of the provider's server. */
function offlineConfiguration({ clientId, issuer = 'urn:none' }: ResolvedOAuthProvider): oidc.Configuration {
  return new oidc.Configuration({ issuer }, clientId)
}

/** Throws for a token that is not bound to the key as requested, because a thief could use it (RFC 9449 §5). */
export function assertKeyBound(key: DpopKey | undefined, { token_type: type }: TokenSet): void {
  if (!key || type?.toLowerCase() === 'dpop') return
  throw new TypeError(
    `the provider returned a token of the type "${String(type)}" instead of one that is bound to a key (\`dpop\`)`,
  )
}

/** A request to an API. Its URL has been checked. */
export interface ResourceRequest {
  readonly provider: ResolvedOAuthProvider
  readonly accessToken: string
  readonly key: DpopKey
}

/**
 * Sends a request with a key-bound token. It repeats the request if the API requires a nonce (RFC 9449 §9), and follows
 * no redirect.
 */
export async function sendKeyBound(
  request: Request,
  { provider, accessToken, key }: ResourceRequest,
): Promise<Response> {
  const configuration = offlineConfiguration(provider)
  oidc.allowInsecureRequests(configuration)
  configuration.timeout = 0
  configuration[oidc.customFetch] = (url, options) =>
    fetchOf(provider)(url, { ...(options as RequestInit), redirect: 'manual', signal: request.signal })
  const { method, url, headers } = request
  const body = request.body ? new Uint8Array(await request.arrayBuffer()) : null
  const options = await dpopOptions(provider, key)
  try {
    return await oidc.fetchProtectedResource(
      configuration,
      accessToken,
      new URL(url),
      method,
      body,
      new Headers(headers),
      options,
    )
  } catch (error) {
    // Returns the response of the API, with any status.
    if (error instanceof oidc.WWWAuthenticateChallengeError) return error.response
    throw error
  }
}
