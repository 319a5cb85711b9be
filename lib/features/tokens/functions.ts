/** The functions of `auth.tokens`: calls of providers' APIs for users who have connected their accounts. */

import type { Rules } from '../../types/call-rules.js'
import type { Outcome } from '../../types/outcome.js'
import type {
  AccessTokenOptions,
  ConnectOptions,
  ExchangedToken,
  ExchangeTokenOptions,
  ProviderFetchOptions,
  ProviderToken,
  TokensOfUser,
} from './types.js'

/**
 * The functions of `auth.tokens`. They throw `InvalidConfiguration` without `tokens`, and `InvalidProvider` for an
 * unknown provider. Jobs name the user, and need a store in `tokens.store`.
 */
export interface TokenFunctions {
  /**
   * Returns an access token of the user, refreshed if it is not valid for `minTtl` more seconds.
   *
   * A valid stored token costs one query and no request to the provider. Concurrent calls, also in several processes,
   * refresh it once.
   *
   * @throws `NotConnected` if no user is signed in, or the user has no tokens of the provider; `ConsentRequired` if the
   *   user must consent at the provider again; `RefreshError` if the provider cannot be reached, or its answer is
   *   invalid.
   *
   * @example
   * ```ts
   * const { accessToken } = await auth.tokens.get(req, { provider: 'github' })
   * ```
   */
  get(options: AccessTokenOptions, of?: TokensOfUser): Promise<ProviderToken>
  /**
   * Returns a `fetch` that adds the user's access token, as returned by `get`.
   *
   * If the API answers 401 with `invalid_token` (RFC 6750 §3.1), the token is refreshed and the request sent again.
   * Tokens are sent over https only. Redirects to another origin are not followed: their response is returned.
   *
   * @returns The function. It rejects as `get` and `fetch` do.
   *
   * @example
   * ```ts
   * const github = auth.tokens.fetch(req, { provider: 'github' })
   * const repositories = await (await github('https://api.github.com/user/repos')).json()
   * ```
   */
  fetch(options: ProviderFetchOptions, of?: TokensOfUser): typeof fetch
  /**
   * Exchanges the user's access token for a token of another service (RFC 8693). It is not stored, and not bound to a
   * key. @throws as `get`
   */
  exchange(options: ExchangeTokenOptions, of?: TokensOfUser): Promise<ExchangedToken>
  /**
   * Removes the user's tokens of a provider, and revokes them if the provider has an endpoint for it (RFC 7009).
   *
   * The account stays linked: the next sign-in with it stores new tokens. A failed revocation is logged.
   *
   * @returns `revoked`: whether the provider has revoked them; `unknown` if there were no tokens.
   */
  disconnect(
    options: Pick<AccessTokenOptions, 'provider' | 'providerAccountId'>,
    of?: TokensOfUser,
  ): Promise<
    Outcome<
      'unknown',
      {
        /** True if the provider has revoked the tokens. `false`: they are only removed here. */
        readonly revoked: boolean
      }
    >
  >
  /**
   * Returns the URL, as a path of the site, at which the user connects an account, or consents to more scopes.
   *
   * It leads straight to the provider, and back to `callbackUrl`. Scopes that were granted before are requested as
   * well. The URL is valid for an hour, in this session only. The session continues, and no user is signed in by it.
   *
   * @throws `NotConnected` if no user is signed in, or they have several accounts there and none is named; TypeError
   *   for a `scope` that is not among `incrementalScopes`.
   *
   * @example
   * ```ts
   * const scope = ['https://www.googleapis.com/auth/calendar.readonly']
   * res.redirect(await auth.tokens.connectUrl(req, { provider: 'google', scope, callbackUrl: '/calendar' }))
   * ```
   */
  connectUrl(options: ConnectOptions): Promise<string>
}

/** The rules of `auth.tokens`. */
export const tokenRules = {
  get: { needs: 'owner', effect: 'reads' },
  fetch: { needs: 'owner', effect: 'reads', returns: 'function' },
  exchange: { needs: 'owner', effect: 'reads' },
  disconnect: { needs: 'owner', effect: 'changes' },
  connectUrl: { needs: 'request', effect: 'reads' },
} as const satisfies Rules<TokenFunctions>
