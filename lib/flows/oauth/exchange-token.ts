/** Exchanges one token for another, for a service behind the provider (RFC 8693). */
import * as oidc from 'openid-client'
import { scopesOf } from '../../base/authorization-request.js'
import type { ResolvedConfig, ResolvedOAuthProvider } from '../../contracts/index.js'
import { RefreshError } from '../../errors.js'
import type { ExchangedToken, ExchangeTokenOptions } from '../../features/tokens/types.js'
import { clientOf } from './client.js'
import { toRefreshFault } from './refresh.js'

const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange'
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

/** The parameters of the requested token. */
type ExchangeParameters = Omit<ExchangeTokenOptions, 'provider' | 'providerAccountId'>

/** Requests another token. @throws {@link RefreshError} if the provider cannot be reached, or rejects the request. */
export async function exchangeToken(
  config: ResolvedConfig,
  provider: ResolvedOAuthProvider,
  { accessToken, parameters }: { accessToken: string; parameters: ExchangeParameters },
): Promise<ExchangedToken> {
  try {
    const configuration = await clientOf(provider, config.timeout).configuration()
    const answer = await oidc.genericGrantRequest(configuration, grantType, exchangeParams(accessToken, parameters))
    const { access_token, token_type, issued_token_type: issued, scope, expires_in: life } = answer
    return {
      accessToken: access_token,
      tokenType: token_type,
      issuedTokenType: typeof issued === 'string' ? issued : accessTokenType,
      expiresAt: typeof life === 'number' && life >= 0 ? new Date(Date.now() + life * 1000) : null,
      scope: scopesOf(scope),
    }
  } catch (error) {
    const fault = toRefreshFault(error, [accessToken, provider.clientSecret])
    const err = fault.cause instanceof Error ? fault.cause : fault
    throw new RefreshError(provider.id, fault.kind === 'temporary', fault.message, { err, provider: provider.id })
  }
}

/** Returns the parameters. `audience` and `resource` may be repeated (RFC 8693 §2.1). */
function exchangeParams(
  accessToken: string,
  { audience, resource, scope, requestedTokenType }: ExchangeParameters,
): URLSearchParams {
  const params = new URLSearchParams({ subject_token: accessToken, subject_token_type: accessTokenType })
  for (const each of [audience ?? []].flat()) params.append('audience', each)
  for (const each of [resource ?? []].flat()) params.append('resource', each)
  if (scope && scope.length > 0) params.set('scope', scope.join(' '))
  if (requestedTokenType !== undefined) params.set('requested_token_type', requestedTokenType)
  return params
}
