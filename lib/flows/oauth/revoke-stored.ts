/** Tokens that a person takes back from us are taken back at the provider, too (RFC 7009). */
import type { ResolvedConfig, ResolvedOAuthProvider } from '../../contracts/index.js'
import type { KeptTokens } from '../../vault/seal.js'
import { clientOf } from './client.js'
import { revokeToken } from './logout/revoke-token.js'
import { toFault } from './provider-errors.js'

/**
 * Revokes what is kept of an account: refresh tokens, by which their access tokens end as well (RFC 7009 §2.1), else the access token.
 *
 * @returns `false` where the provider has no endpoint for it, or there is no token.
 * @throws Error without the tokens, where the provider did not do it.
 */
export async function revokeStored(
  config: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  { refresh_token: refreshToken, spare, access_token: accessToken }: KeptTokens,
): Promise<boolean> {
  const server = await clientOf(provider, config.timeout)
    .metadata()
    .catch((error: unknown) => {
      throw toFault(error, [provider.clientSecret])
    })
  if (server.revocation_endpoint === undefined) return false
  const lasting = [refreshToken, spare].filter((text) => text !== undefined)
  for (const text of lasting) await revokeToken(config, provider, { text, type: 'refresh_token' })
  if (lasting.length > 0) return true
  if (accessToken === undefined) return false
  await revokeToken(config, provider, { text: accessToken, type: 'access_token' })
  return true
}
