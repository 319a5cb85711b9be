/** Access tokens for the application's code. Loaded at the first call. */

import { scopesOf } from '../../base/authorization-request.js'
import { isUrl } from '../../base/url.js'
import { traced } from '../../callbacks/index.js'
import type { DpopKey, ResolvedConfig } from '../../contracts/index.js'
import { toError } from '../../errors.js'
import { oauthTokens } from '../../flows/index.js'
import { fetchOf, isSafeUrl } from '../../flows/oauth/fetch.js'
import type { OwnerCall } from '../../functions/run.js'
import type { Outcome } from '../../types/outcome.js'
import type { TelemetryOutcome } from '../../types/telemetry.js'
import { type VaultCall, vaultCallOf } from './calls-vault.js'
import {
  type KeptTokens,
  type Refresh,
  RefreshFault,
  type TokenRequirement,
  type TokenUse,
  takeTokens,
  tokenRecordsOf,
  useTokens,
} from './entry.js'
import { assertScopeNames } from './settings.js'
import type {
  AccessTokenOptions,
  ExchangedToken,
  ExchangeTokenOptions,
  ProviderFetchOptions,
  ProviderToken,
} from './types.js'

/** Returns an access token, refreshed if necessary. */
export async function accessToken(call: OwnerCall, options: AccessTokenOptions): Promise<ProviderToken> {
  const began = performance.now()
  const vaultCall = await vaultCallOf(call, options.provider)
  return (await findUsableToken(vaultCall, options, { began, refused: options.forceRefresh === true })).token
}

/** A token, and the key that it is bound to. */
interface UsableToken {
  readonly token: ProviderToken
  readonly key?: DpopKey | undefined
}

async function findUsableToken(
  { auth, vault, provider, userId, commit }: VaultCall,
  { providerAccountId, scope = [], minTtl }: Omit<AccessTokenOptions, 'provider'>,
  { refused: rejected, began = performance.now() }: { readonly refused: boolean | string; readonly began?: number },
): Promise<UsableToken> {
  assertScopeNames(scope)
  const { refresh, token: endpoint } = provider
  const requirement: TokenRequirement = {
    minTtl: checkedMinTtl(minTtl) ?? (refresh === false ? 0 : refresh.minTtl),
    scope,
    ...(rejected !== false && { rejected }),
    // A provider with a custom token request can only exchange codes.
    canRefresh: refresh !== false && endpoint.request === undefined,
  }
  const use: TokenUse = {
    requirement,
    deadline: began + auth.config.timeout,
    refresher: () => prepareRefresh(auth.config, provider),
    revoke: (tokens: KeptTokens) => revokeQuietly(auth.config, provider, tokens),
    background: auth.runInBackground,
  }
  try {
    const tokenQuery = { userId, provider: provider.id, providerAccountId }
    const { row, tokens } = await useTokens(vault, tokenQuery, use)
    const { expires_at: end } = tokens
    const token = {
      accessToken: tokens.access_token ?? '',
      expiresAt: end === undefined ? null : new Date(end * 1000),
      scope: scopesOf(tokens.scope),
      tokenType: (tokens.token_type ?? 'bearer').toLowerCase(),
      account: { provider: row.provider, providerAccountId: row.providerAccountId },
    }
    return { token, key: tokens.dpop }
  } finally {
    // Also after an error, to keep what was stored about a rejection.
    await commit()
  }
}

/** Prepares a refresh. `telemetry` is called for each request to the provider, but not for tokens that are valid. */
async function prepareRefresh(config: ResolvedConfig, provider: VaultCall['provider']): Promise<Refresh> {
  const told = <T>(work: () => Promise<T>) =>
    traced(config, { name: 'refresh', provider: provider.id }, async (tell) => {
      try {
        return await work()
      } catch (error) {
        if (error instanceof RefreshFault) tell(refreshOutcome(error))
        throw error
      }
    })
  const refresh = await oauthTokens.prepareRefresh(config, provider).catch((error: unknown) =>
    told<never>(async () => {
      throw error
    }),
  )
  return (...asked) => told(() => refresh(...asked))
}

/** Revokes tokens of an account that was disconnected in the meantime. Errors are logged. */
async function revokeQuietly(
  config: ResolvedConfig,
  provider: VaultCall['provider'],
  tokens: KeptTokens,
): Promise<void> {
  try {
    await oauthTokens.revokeStoredTokens(config, provider, tokens)
  } catch (error) {
    config.logger.error(toError(error))
  }
}

/**
 * Returns the outcome for telemetry, like the error that the application gets. A user who withdrew their consent is no
 * failure.
 */
function refreshOutcome({ kind }: RefreshFault): TelemetryOutcome {
  return kind === 'grant' || kind === 'scope'
    ? { result: 'refused', errorType: 'ConsentRequired' }
    : { result: 'failure', errorType: 'RefreshError' }
}

/** Returns the checked `minTtl`. With NaN every comparison would accept the token. */
function checkedMinTtl(minTtl: number | undefined): number | undefined {
  if (minTtl === undefined || (Number.isFinite(minTtl) && minTtl >= 0)) return minTtl
  throw new TypeError('`minTtl` must be a number of seconds, 0 or more.')
}

const mostRedirects = 5

/** Sends a request with the token. */
export async function fetchWithToken(
  call: OwnerCall,
  options: ProviderFetchOptions,
  request: Request,
): Promise<Response> {
  const began = performance.now()
  const vaultCall = await vaultCallOf(call, options.provider)
  assertApiUrl(vaultCall.provider, new URL(request.url))
  const first = await findUsableToken(vaultCall, options, { began, refused: false })
  // A body can be read once.
  const again = request.clone()
  const response = await sendWithToken(vaultCall, request, first)
  if (!isTokenRejected(response, first.token)) {
    await again.body?.cancel()
    return response
  }
  await response.body?.cancel()
  return sendWithToken(
    vaultCall,
    again,
    await findUsableToken(vaultCall, options, { refused: first.token.accessToken }),
  )
}

/** Throws for URLs without TLS, which would expose the token to the network. */
function assertApiUrl(provider: VaultCall['provider'], url: URL): void {
  if (isSafeUrl(provider, url)) return
  throw new TypeError(
    `tokens.fetch sends tokens over https only (in development to loopback, too, where the provider is), not to ${url.protocol}//${url.host}.`,
  )
}

async function sendWithToken(
  { provider }: VaultCall,
  request: Request,
  { token, key }: UsableToken,
): Promise<Response> {
  const { accessToken } = token
  let next = request
  for (let count = 0; ; count++) {
    const response = key
      ? await oauthTokens.sendKeyBound(next, { provider, accessToken, key })
      : await fetchOf(provider)(withBearer(next, accessToken))
    const to = count < mostRedirects ? redirectTargetOf(request, response) : undefined
    if (!to) return response
    await response.body?.cancel()
    next = new Request(to, { method: request.method, headers: request.headers, signal: request.signal })
  }
}

function withBearer(request: Request, accessToken: string): Request {
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${accessToken}`)
  return new Request(request, { headers, redirect: 'manual' })
}

/** Returns the target of a redirect to follow: of the same origin, for GET and HEAD. */
function redirectTargetOf({ method, url, redirect }: Request, response: Response): URL | undefined {
  const location = response.headers.get('location')
  if (redirect !== 'follow' || location === null || ![301, 302, 303, 307, 308].includes(response.status))
    return undefined
  if (!(method === 'GET' || method === 'HEAD') || !isUrl(location, url)) return undefined
  const to = new URL(location, url)
  return to.origin === new URL(url).origin ? to : undefined
}

/**
 * Checks whether the API rejected the token as invalid (RFC 6750 §3.1). A token without a known expiry may be rejected
 * without further details.
 */
function isTokenRejected({ status, headers }: Response, { expiresAt }: ProviderToken): boolean {
  if (status !== 401) return false
  const said = headers.get('www-authenticate') ?? ''
  if (/\berror="?invalid_token\b/i.test(said)) return true
  return expiresAt === null && !/\berror=/i.test(said)
}

/** Removes the tokens of an account, and revokes them. */
export async function disconnect(
  call: OwnerCall,
  { provider: id, providerAccountId }: Pick<AccessTokenOptions, 'provider' | 'providerAccountId'>,
): Promise<Outcome<'unknown', { readonly revoked: boolean }>> {
  const { auth, vault, provider, userId, commit } = await vaultCallOf(call, id)
  const rows = await tokenRecordsOf(vault, { userId, provider: provider.id, providerAccountId })
  let revoked = true
  for (const row of rows) {
    const tokens = await takeTokens(vault, row)
    try {
      if (!tokens || !(await oauthTokens.revokeStoredTokens(auth.config, provider, tokens))) revoked = false
    } catch (error) {
      revoked = false
      auth.config.logger.error(toError(error))
    }
  }
  await commit()
  return rows.length > 0 ? { ok: true, revoked } : { ok: false, reason: 'unknown' }
}

/** Exchanges an access token for a token of another service. */
export async function exchange(
  call: OwnerCall,
  { provider: id, providerAccountId, ...requirement }: ExchangeTokenOptions,
): Promise<ExchangedToken> {
  const began = performance.now()
  const vaultCall = await vaultCallOf(call, id)
  const { token } = await findUsableToken(vaultCall, providerAccountId === undefined ? {} : { providerAccountId }, {
    began,
    refused: false,
  })
  return oauthTokens.exchangeToken(vaultCall.auth.config, vaultCall.provider, {
    accessToken: token.accessToken,
    parameters: requirement,
  })
}
