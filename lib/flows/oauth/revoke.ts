/** Revokes tokens that are not needed after the sign-out (RFC 7009). */
import * as oidc from 'openid-client'
import { warnOnce } from '../../base/warn-once.js'
import type { ResolvedConfig, ResolvedOAuthProvider, RevocableToken } from '../../contracts/index.js'
import type { KeptTokens } from '../../features/tokens/seal.js'
import type { TokenSet } from '../../types/identity.js'
import { clientOf, type OAuthClient } from './client.js'
import { toSafeError } from './provider-errors.js'

/** Returns the token to store until then: the refresh token, because its access tokens end with it (RFC 7009 §2.1). */
export async function revocableToken(
  config: ResolvedConfig,
  { provider, metadata }: OAuthClient,
  { refresh_token: refreshToken, access_token: accessToken }: TokenSet,
): Promise<RevocableToken | undefined> {
  if ((await metadata()).revocation_endpoint === undefined) {
    warnOnce(
      config,
      'tokens-not-revoked',
      `The provider "${provider.id}" has no revocation_endpoint: leave \`logout.revokeTokens\` out.`,
    )
    return undefined
  }
  if (refreshToken !== undefined) return { text: refreshToken, type: 'refresh_token' }
  return accessToken === undefined ? undefined : { text: accessToken, type: 'access_token' }
}

/** Revokes a token. @throws Error without the token, and without secrets that the provider repeats. */
export async function revokeToken(
  { timeout }: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  { text, type }: RevocableToken,
): Promise<void> {
  try {
    const configuration = await clientOf(provider, timeout).configuration()
    await oidc.tokenRevocation(configuration, text, { token_type_hint: type })
  } catch (error) {
    throw toSafeError(error, [text, provider.clientSecret])
  }
}

/* ---- revoke stored ----------------------------------------------------------------------------------------------- */

// Tokens that a user withdraws from the application are revoked at the provider too (RFC 7009).

/**
 * Revokes the stored tokens of an account: refresh tokens, because their access tokens end with them (RFC 7009 §2.1),
 * otherwise the access token.
 *
 * @returns `false` if the provider has no revocation endpoint, or there is no token.
 * @throws Error without the tokens, if the provider did not revoke them.
 */
export async function revokeStoredTokens(
  config: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  { refresh_token: refreshToken, spare, access_token: accessToken }: KeptTokens,
): Promise<boolean> {
  const server = await clientOf(provider, config.timeout)
    .metadata()
    .catch((error: unknown) => {
      throw toSafeError(error, [provider.clientSecret])
    })
  if (server.revocation_endpoint === undefined) return false
  const lasting = [refreshToken, spare].filter((text) => text !== undefined)
  for (const text of lasting) await revokeToken(config, provider, { text, type: 'refresh_token' })
  if (lasting.length > 0) return true
  if (accessToken === undefined) return false
  await revokeToken(config, provider, { text: accessToken, type: 'access_token' })
  return true
}
