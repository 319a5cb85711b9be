/** Refreshes tokens (RFC 6749 §6), and checks an id_token in the response (OpenID Connect Core §12.2). */

import * as oidc from 'openid-client'
import { isRecord } from '../../base/guards.js'
import type { ResolvedConfig, ResolvedOAuthProvider } from '../../contracts/index.js'
import {
  RefreshFault,
  type RefreshFaultKind,
  type RefreshPermission,
  type RotatedToken,
} from '../../features/tokens/refresh-fault.js'
import type { KeptTokens } from '../../features/tokens/seal.js'
import { idTokenSubjectOf } from '../../features/tokens/subject.js'
import type { TokenSet } from '../../types/identity.js'
import { clientOf, isHmacPinned, type TokenCall } from './client.js'
import { assertKeyBound, dpopOptions, newGrantKey } from './client-authentication.js'
import { checkTokens } from './exchange.js'
import { toSafeError } from './provider-errors.js'

/** The new tokens. `dpop`: the key to which they are bound, if any. */
export type Refreshed = TokenSet & Pick<KeptTokens, 'dpop'>

/**
 * A function that requests new tokens.
 *
 * @param scope The scope to request; absent: the granted one.
 * @param under The lease. Without it the refresh token is not sent.
 * @throws {@link RefreshFault}
 */
export type RefreshTokens = (
  tokens: KeptTokens,
  scope: string | undefined,
  under: RefreshPermission,
) => Promise<Refreshed>

/**
 * The minimum time limit of the token endpoint, in milliseconds, even if `timeout` is shorter. Callers stop waiting
 * earlier, but ending the request would lose the refresh token in its response. Proxies before a provider respond by
 * then (502, 504).
 */
const minTimeLimit = 60 * 1000

/**
 * Prepares a refresh: fetches metadata and keys, before the refresh token is used up and without a lease.
 *
 * @returns The function that calls the provider.
 * @throws {@link RefreshFault}
 */
export async function prepareRefresh(config: ResolvedConfig, provider: ResolvedOAuthProvider): Promise<RefreshTokens> {
  const client = clientOf(provider, config.timeout)
  const { clientSecret } = provider
  try {
    const server = await client.metadata()
    if (provider.type === 'oidc' && !isHmacPinned(provider)) await client.keysAt(server)?.get()
  } catch (error) {
    throw toRefreshFault(error, [clientSecret])
  }
  return async (tokens, scope, under) => {
    const { refresh_token: refreshToken = '', access_token: old } = tokens
    const answered = new RecordedTokenCall(under, Math.max(minTimeLimit, 2 * config.timeout))
    try {
      const params = { ...provider.token.params, ...(scope !== undefined && { scope }) }
      // Tokens that were stored before the option was set are not bound yet.
      const key = tokens.dpop ?? (await newGrantKey(provider))
      const bound = await dpopOptions(provider, key)
      const answer = await client.verifying(
        (configuration) => oidc.refreshTokenGrant(configuration, refreshToken, params, bound),
        answered,
      )
      const { tokens: fresh, claims } = await checkTokens(provider, answer, tokens.unverified === true)
      if (claims) assertSameSubject(tokens, claims)
      assertKeyBound(key, fresh)
      return key ? { ...fresh, dpop: key } : fresh
    } catch (error) {
      const secrets = [refreshToken, old, tokens.id_token, clientSecret, ...answered.secrets]
      throw toRefreshFault(error, secrets, answered.rotated(provider, refreshToken))
    }
  }
}

/** Records the response of the token endpoint: even if it is rejected, its refresh token is the only valid one. */
class RecordedTokenCall implements TokenCall {
  readonly #under: RefreshPermission
  #members: Readonly<Record<string, unknown>> = {}

  constructor(
    under: RefreshPermission,
    readonly timeLimit: number,
  ) {
    this.#under = under
  }

  readonly beforeSend = (): void => {
    if (!this.#under.isHeld)
      throw new DOMException('this process was paused for too long, and sent no request', 'AbortError')
  }

  readonly onResponse = (answer: Readonly<Record<string, unknown>>): void => {
    this.#members = { ...this.#members, ...answer }
  }

  /** The texts that no error may repeat. */
  get secrets(): string[] {
    const { access_token, refresh_token, id_token } = this.#members
    return [access_token, refresh_token, id_token].filter((text) => typeof text === 'string')
  }

  /** Returns the refresh token of the response; `undefined` without one, so that the sent one is still valid. */
  rotated({ type }: ResolvedOAuthProvider, sent: string): RotatedToken | undefined {
    const { refresh_token: refreshToken, id_token: idToken } = this.#members
    if (typeof refreshToken !== 'string' || refreshToken === '' || refreshToken === sent) return undefined
    return { refreshToken, isUnverified: type === 'oidc' && idToken !== undefined }
  }
}

/** Checks for the same user, sign-in and client: the response to another user's refresh must be rejected. */
function assertSameSubject(tokens: KeptTokens, claims: oidc.IDToken): void {
  const before = tokens.id_token === undefined ? tokens.subject : idTokenSubjectOf(tokens.id_token)
  if (!before) return
  const isSame =
    claims.iss === before.iss &&
    claims.sub === before.sub &&
    isSameAudience(claims.aud, before.aud) &&
    (claims.auth_time === undefined || before.auth_time === undefined || claims.auth_time === before.auth_time)
  if (!isSame) throw new TypeError('the refreshed id_token is about another user, client or sign-in')
}

function isSameAudience(one: unknown, other: unknown): boolean {
  const names = [one, other].map((audience) => JSON.stringify([audience].flat().sort()))
  return names[0] === names[1]
}

/** The errors of providers for a refresh token that is no longer valid, besides RFC 6749 §5.2. */
const endedGrants: readonly unknown[] = [
  'invalid_grant',
  // GitHub
  'bad_refresh_token',
  // Slack
  'invalid_refresh_token',
  'token_expired',
  'token_revoked',
  // OpenID Connect Core §3.1.2.6, from Microsoft's token endpoint
  'interaction_required',
  'login_required',
  'consent_required',
]

/**
 * Returns the fault for a rejection or an outage. @param rotated The refresh token of a response that came
 * nevertheless.
 */
export function toRefreshFault(
  thrown: unknown,
  secrets: ReadonlyArray<string | undefined>,
  rotated?: RotatedToken,
): RefreshFault {
  return new RefreshFault(refreshFaultKind(thrown), toSafeError(thrown, secrets), rotated)
}

function refreshFaultKind(thrown: unknown): RefreshFaultKind {
  const { error, status } = errorAndStatus(thrown)
  if (endedGrants.includes(error)) return 'grant'
  if (error === 'invalid_scope') return 'scope'
  if (status !== undefined && (status >= 500 || status === 429 || status === 408)) return 'temporary'
  if (error === 'temporarily_unavailable' || error === 'server_error') return 'temporary'
  return isOutage(thrown) ? 'temporary' : 'answer'
}

/** Returns the provider's error code and status from the places where openid-client stores them. */
function errorAndStatus(thrown: unknown): { error?: unknown; status?: number } {
  if (!(thrown instanceof Error)) return {}
  const { error, status, cause } = thrown as { error?: unknown; status?: unknown; cause?: unknown }
  // Recognised by its shape: `@hono/node-server` and others replace the global Response by their own.
  const of = isRecord(cause) && !(cause instanceof Error) && typeof cause.status === 'number' ? cause.status : status
  if (typeof error === 'string' || typeof of === 'number') {
    return { error, ...(typeof of === 'number' && { status: of }) }
  }
  return errorAndStatus(cause)
}

/** Checks whether there was no response: no connection, or not in time. */
function isOutage(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  if (thrown.name === 'TimeoutError' || thrown.name === 'AbortError') return true
  if (thrown instanceof TypeError && thrown.message === 'fetch failed') return true
  const { code } = thrown as { code?: unknown }
  if (typeof code === 'string' && /^(E[A-Z]+|UND_ERR_\w+)$/.test(code)) return true
  return isOutage(thrown.cause)
}
