/** How the client authenticates at the token endpoint (RFC 6749 §2.3, RFC 7523 §2.2). */
import * as oidc from 'openid-client'
import { environmentName } from '../../base/env.js'
import type { ResolvedOAuthProvider } from '../../contracts/index.js'
import { InvalidConfiguration } from '../../errors.js'
import type { PrivateJwk } from '../../types/protocol.js'
import { importKey } from './private-keys.js'

/** The provider's method; by default `client_secret_basic` with a secret and `none` without one. */
export function clientAuthentication(provider: ResolvedOAuthProvider): oidc.ClientAuth {
  const { id, clientId, clientSecret, client, token } = provider
  const method = client.token_endpoint_auth_method ?? (clientSecret === undefined ? 'none' : 'client_secret_basic')
  switch (method) {
    case 'client_secret_basic':
      return basicAuthentication(clientId, secretOf(provider))
    case 'client_secret_post':
      return oidc.ClientSecretPost(secretOf(provider))
    case 'client_secret_jwt':
      return oidc.ClientSecretJwt(secretOf(provider))
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

/** The first of several keys signs. */
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

function secretOf({ id, clientSecret, client }: ResolvedOAuthProvider): string {
  if (clientSecret !== undefined) return clientSecret
  throw new InvalidConfiguration(
    `Provider "${id}": ${client.token_endpoint_auth_method} needs \`clientSecret\`, or AUTH_${environmentName(id)}_SECRET.`,
  )
}

/**
 * Basic authentication, id and secret form-encoded (RFC 6749 §2.3.1). That of openid-client encodes `-`, `_` and `.`, too. This
 * is allowed, but many ids contain them, and some servers do not decode.
 */
function basicAuthentication(clientId: string, clientSecret: string): oidc.ClientAuth {
  const [user, password] = [clientId, clientSecret].map((text) => encodeURIComponent(text).replaceAll('%20', '+'))
  const credentials = Buffer.from(`${user}:${password}`).toString('base64')
  return function authenticate(_server, _client, _body, headers) {
    headers.set('authorization', `Basic ${credentials}`)
  }
}
