/** How we prove to the token endpoint who we are (RFC 6749 §2.3, RFC 7523 §2.2). */
import * as oidc from 'openid-client'
import type { ResolvedOAuthProvider } from '../../context.js'
import { InvalidConfiguration } from '../../errors.js'

/** The provider's method; by default `client_secret_basic` with a secret and `none` without one. */
export function clientAuthentication(provider: ResolvedOAuthProvider): oidc.ClientAuth {
  const { id, clientSecret, client, token } = provider
  const method = client.token_endpoint_auth_method ?? (clientSecret === undefined ? 'none' : 'client_secret_basic')
  switch (method) {
    case 'client_secret_basic':
      return oidc.ClientSecretBasic(clientSecret)
    case 'client_secret_post':
      return oidc.ClientSecretPost(clientSecret)
    case 'client_secret_jwt':
      return oidc.ClientSecretJwt(clientSecret)
    case 'private_key_jwt':
      if (token.clientPrivateKey) return oidc.PrivateKeyJwt(token.clientPrivateKey)
      throw new InvalidConfiguration(`Provider "${id}": private_key_jwt needs \`token.clientPrivateKey\`.`)
    case 'none':
      return oidc.None()
    default:
      throw new InvalidConfiguration(
        `Provider "${id}": \`client.token_endpoint_auth_method\` must be client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt or none.`,
      )
  }
}
