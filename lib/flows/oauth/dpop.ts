/**
 * Tokens that are bound to a key (RFC 9449): whoever steals one cannot use it, because each request is signed with the key. Each grant has
 * a key of its own. It travels in the sealed attempt, and is stored beside the tokens.
 */

import type { webcrypto } from 'node:crypto'
import { exportJWK, importJWK } from 'jose'
import * as oidc from 'openid-client'
import { BoundedMap, perOwner } from '../../base/memory.js'
import type { GrantKey, ResolvedOAuthProvider } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import type { TokenSet } from '../../types/identity.js'
import { fetchOf } from './fetch.js'

/** A new key; nothing where the provider's tokens are not bound to one. */
export async function newGrantKey({ protocol: { dpop } }: ResolvedOAuthProvider): Promise<GrantKey | undefined> {
  if (!dpop) return undefined
  const { privateKey } = await oidc.randomDPoPKeyPair(dpop.alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg: dpop.alg }
}

/** The nonces that servers want are remembered with it: so it is kept for as long as the process has room. */
const handlesOf = perOwner((_provider: ResolvedOAuthProvider) => new BoundedMap<string, Promise<oidc.DPoPHandle>>(1000))

/** What signs requests with a key, as an option of openid-client's functions. */
export async function dpopOptions(
  provider: ResolvedOAuthProvider,
  key: GrantKey | undefined,
): Promise<oidc.DPoPOptions | undefined> {
  if (!key) return undefined
  const handles = handlesOf(provider)
  const name = shortHash(JSON.stringify(key))
  const handle = handles.get(name) ?? createHandle(provider, key)
  handles.set(name, handle)
  return { DPoP: await handle }
}

async function createHandle(provider: ResolvedOAuthProvider, key: GrantKey): Promise<oidc.DPoPHandle> {
  const alg = String(key.alg)
  const { d: _secret, ...open } = key
  const [privateKey, publicKey] = await Promise.all([importJWK(key, alg), importJWK(open, alg, { extractable: true })])
  const pair = { privateKey: privateKey as webcrypto.CryptoKey, publicKey: publicKey as webcrypto.CryptoKey }
  return oidc.getDPoPHandle(bareConfiguration(provider), pair)
}

/** Names the client, and knows nothing of the provider's server. */
function bareConfiguration({ clientId, issuer = 'urn:none' }: ResolvedOAuthProvider): oidc.Configuration {
  return new oidc.Configuration({ issuer }, clientId)
}

/** A token that is not bound, although that was asked for, would be of use to a thief (RFC 9449 §5). */
export function assertBound(key: GrantKey | undefined, { token_type: type }: TokenSet): void {
  if (!key || type?.toLowerCase() === 'dpop') return
  throw new TypeError(
    `the provider gave a token of the type "${String(type)}" in the place of one that is bound to a key (\`dpop\`)`,
  )
}

/** A request to an API. Its URL was checked. */
export interface ResourceRequest {
  readonly provider: ResolvedOAuthProvider
  readonly accessToken: string
  readonly key: GrantKey
}

/** Sends a request with a token that is bound to a key; once more where the API wants a nonce (RFC 9449 §9). Follows no redirect. */
export async function sendBound(request: Request, { provider, accessToken, key }: ResourceRequest): Promise<Response> {
  const configuration = bareConfiguration(provider)
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
    // What the API answered, whatever it is.
    if (error instanceof oidc.WWWAuthenticateChallengeError) return error.response
    throw error
  }
}
