/** Tokens that nobody needs after the sign-out are taken back (RFC 7009). */
import * as oidc from 'openid-client'
import { warnOnce } from '../../../base/warn-once.js'
import type { ResolvedConfig, ResolvedOAuthProvider, RevocableToken } from '../../../contracts/index.js'
import type { TokenSet } from '../../../types/identity.js'
import { clientOf, type OAuthClient } from '../client.js'
import { toFault } from '../provider-errors.js'

/** The token to keep until then: the refresh token, by which the access tokens end as well (RFC 7009 §2.1). */
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

/** Revokes a token. @throws Error without the token, and with nothing that the provider said of it. */
export async function revokeToken(
  { timeout }: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  { text, type }: RevocableToken,
): Promise<void> {
  try {
    const configuration = await clientOf(provider, timeout).configuration()
    await oidc.tokenRevocation(configuration, text, { token_type_hint: type })
  } catch (error) {
    throw toFault(error, [text, provider.clientSecret])
  }
}
