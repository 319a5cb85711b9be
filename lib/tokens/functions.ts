/** The functions that both doors share. */
import { lazily } from '../base/lazily.js'
import type { SessionRequest } from '../get-session.js'
import type { ServerAuthConfig } from '../types/config.js'
import type {
  AccessTokenOptions,
  ConnectOptions,
  DisconnectResult,
  ExchangedToken,
  ExchangeTokenOptions,
  ProviderFetchOptions,
  ProviderToken,
  TokensOfUser,
} from '../types/tokens.js'

const load = lazily('Provider tokens', () => import('./all.js'))

/**
 * An access token of the person who is signed in, renewed if it does not last for `minTtl` seconds more. A stored one that is good costs
 * one query and no request to the provider. Renewals happen once, however many ask, in however many processes.
 *
 * @param of The request; or `{ userId }` in a job, for which `tokens.store` must be a store.
 * @throws {@link NotConnected} when nobody is signed in, or has no tokens of the provider; {@link ConsentRequired} when the person must
 * agree at the provider again; {@link RefreshError} when the provider cannot be asked, or is wrong; {@link AdapterError} when the
 * store fails; {@link InvalidConfiguration} without `tokens`; {@link InvalidProvider} for a provider that is not configured.
 *
 * @example
 * ```ts
 * const { accessToken } = await getAccessToken(req, config, { provider: 'github' })
 * ```
 */
export async function getAccessToken(
  of: SessionRequest | TokensOfUser,
  config: ServerAuthConfig,
  options: AccessTokenOptions,
): Promise<ProviderToken> {
  return (await load()).accessToken(of, config, options)
}

/**
 * A `fetch` that adds the person's access token as {@link getAccessToken} gives it. Where the API answers 401 with `invalid_token`
 * (RFC 6750 §3.1), the token is renewed and the request sent once more. It sends tokens over https only. Redirects to another origin
 * are not followed: their response is returned.
 *
 * @returns The function. It rejects as {@link getAccessToken} does, and as `fetch` does.
 *
 * @example
 * ```ts
 * const github = providerFetch(req, config, { provider: 'github' })
 * const repositories = await (await github('https://api.github.com/user/repos')).json()
 * ```
 */
export function providerFetch(
  of: SessionRequest | TokensOfUser,
  config: ServerAuthConfig,
  options: ProviderFetchOptions,
): typeof fetch {
  return async (input, init) => (await load()).fetchAs({ of, config, options }, new Request(input, init))
}

/**
 * The URL, as a path of the site, to which a person goes who is to connect an account, or to let us do more with it: it leads straight
 * to the provider, and back to `callbackUrl`. What was granted before is asked for as well. It is good for an hour, in this session
 * only. The session goes on as it is: nobody is signed in by it.
 *
 * @throws {@link NotConnected} when nobody is signed in, or has several accounts there and none is named; {@link AdapterError} when
 * the store fails; {@link InvalidConfiguration} without `tokens`; {@link InvalidProvider} for a provider that is not configured;
 * TypeError for a `scope` that is not among `incrementalScopes`.
 *
 * @example
 * ```ts
 * const scope = ['https://www.googleapis.com/auth/calendar.readonly']
 * res.redirect(await connectUrl(req, config, { provider: 'google', scope, callbackUrl: '/calendar' }))
 * ```
 */
export async function connectUrl(
  req: SessionRequest,
  config: ServerAuthConfig,
  options: ConnectOptions,
): Promise<string> {
  return (await load()).connectUrl(req, config, options)
}

/**
 * Exchanges the person's access token for one that is good for another service (RFC 8693). What comes is not stored, and not bound to a key.
 *
 * @throws as {@link getAccessToken}; {@link RefreshError} where the provider says no.
 *
 * @example
 * ```ts
 * const { accessToken } = await exchangeToken(req, config, { provider: 'keycloak', audience: 'billing' })
 * ```
 */
export async function exchangeToken(
  of: SessionRequest | TokensOfUser,
  config: ServerAuthConfig,
  options: ExchangeTokenOptions,
): Promise<ExchangedToken> {
  return (await load()).exchange(of, config, options)
}

/**
 * Takes back what the person has given us at a provider: their tokens are forgotten here, and revoked there where the provider has an
 * endpoint for it (RFC 7009). The account stays linked: they sign in by it as before, with which new tokens come. What the provider
 * failed to revoke is logged. Check the form with {@link hasCsrfToken} before.
 *
 * @throws {@link AdapterError} when the store fails, {@link InvalidConfiguration} without `tokens`, {@link InvalidProvider} for a
 * provider that is not configured.
 */
export async function disconnect(
  of: SessionRequest | TokensOfUser,
  config: ServerAuthConfig,
  options: Pick<AccessTokenOptions, 'provider' | 'providerAccountId'>,
): Promise<DisconnectResult> {
  return (await load()).disconnect(of, config, options)
}
