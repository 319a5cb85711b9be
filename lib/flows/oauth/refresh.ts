/** New tokens by a refresh token (RFC 6749 §6), and the checks of an id_token that comes with them (OpenID Connect Core §12.2). */

import * as oidc from 'openid-client'
import { isRecord } from '../../base/guards.js'
import type { ResolvedConfig, ResolvedOAuthProvider } from '../../contracts/index.js'
import type { TokenSet } from '../../types/identity.js'
import { RefreshFault } from '../../vault/refresh-fault.js'
import type { KeptTokens } from '../../vault/seal.js'
import { subjectIn } from '../../vault/subject.js'
import { clientOf } from './client.js'
import { assertBound, dpopOptions, newGrantKey } from './dpop.js'
import { checkTokens } from './exchange.js'
import { toFault } from './provider-errors.js'

/** What a provider gave. `dpop`: the key that the tokens are bound to, where there was none. */
export type Refreshed = TokenSet & Pick<KeptTokens, 'dpop'>

/** Asks for new tokens. @param scope What to ask for; absent: what was granted. @throws {@link RefreshFault} */
export type RefreshTokens = (tokens: KeptTokens, scope: string | undefined) => Promise<Refreshed>

/**
 * Prepares to refresh: metadata are fetched before anybody's turn begins.
 *
 * @returns What asks the provider; it throws {@link RefreshFault}.
 */
export async function prepareRefresh(config: ResolvedConfig, provider: ResolvedOAuthProvider): Promise<RefreshTokens> {
  const client = clientOf(provider, config.timeout)
  let unready: unknown
  await client.metadata().catch((error: unknown) => {
    unready = error
  })
  return async (tokens, scope) => {
    const { refresh_token: refreshToken = '', access_token: old } = tokens
    try {
      if (unready !== undefined) throw unready
      const params = { ...provider.token.params, ...(scope !== undefined && { scope }) }
      // What was stored before the option was set is not bound yet.
      const key = tokens.dpop ?? (await newGrantKey(provider))
      const bound = await dpopOptions(provider, key)
      const answer = await client.verifying((configuration) =>
        oidc.refreshTokenGrant(configuration, refreshToken, params, bound),
      )
      const { tokens: fresh, claims } = await checkTokens(provider, answer, false)
      if (claims) assertSameSubject(tokens, claims)
      assertBound(key, fresh)
      return key ? { ...fresh, dpop: key } : fresh
    } catch (error) {
      throw toRefreshFault(error, [refreshToken, old, tokens.id_token, provider.clientSecret])
    }
  }
}

/** The same person, by the same sign-in, for the same client: the answer to somebody else's refresh must not be taken. */
function assertSameSubject(tokens: KeptTokens, claims: oidc.IDToken): void {
  const before = tokens.id_token === undefined ? tokens.subject : subjectIn(tokens.id_token)
  if (!before) return
  const isSame =
    claims.iss === before.iss &&
    claims.sub === before.sub &&
    isSameAudience(claims.aud, before.aud) &&
    (claims.auth_time === undefined || before.auth_time === undefined || claims.auth_time === before.auth_time)
  if (!isSame) throw new TypeError('the refreshed id_token is about another person, client or sign-in')
}

function isSameAudience(one: unknown, other: unknown): boolean {
  const names = [one, other].map((audience) => JSON.stringify([audience].flat().sort()))
  return names[0] === names[1]
}

/** What providers say of a refresh token that is not good any more, beside RFC 6749 §5.2. */
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

/** What a refusal, or an outage, means. */
export function toRefreshFault(thrown: unknown, secrets: ReadonlyArray<string | undefined>): RefreshFault {
  const { error, status } = factsOf(thrown)
  const fault = toFault(thrown, secrets)
  if (endedGrants.includes(error)) return new RefreshFault('grant', fault)
  if (error === 'invalid_scope') return new RefreshFault('scope', fault)
  if (status !== undefined && (status >= 500 || status === 429 || status === 408)) {
    return new RefreshFault('temporary', fault)
  }
  if (error === 'temporarily_unavailable' || error === 'server_error') return new RefreshFault('temporary', fault)
  return new RefreshFault(isOutage(thrown) ? 'temporary' : 'answer', fault)
}

/** The provider's error code and status, wherever openid-client put them. */
function factsOf(thrown: unknown): { error?: unknown; status?: number } {
  if (!(thrown instanceof Error)) return {}
  const { error, status, cause } = thrown as { error?: unknown; status?: unknown; cause?: unknown }
  // By its shape: `@hono/node-server` and others put a Response of their own in the place of the global one.
  const of = isRecord(cause) && !(cause instanceof Error) && typeof cause.status === 'number' ? cause.status : status
  if (typeof error === 'string' || typeof of === 'number') {
    return { error, ...(typeof of === 'number' && { status: of }) }
  }
  return factsOf(cause)
}

/** Whether there was no answer: no connection, or not in time. */
function isOutage(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  if (thrown.name === 'TimeoutError' || thrown.name === 'AbortError') return true
  if (thrown instanceof TypeError && thrown.message === 'fetch failed') return true
  const { code } = thrown as { code?: unknown }
  if (typeof code === 'string' && /^(E[A-Z]+|UND_ERR_\w+)$/.test(code)) return true
  return isOutage(thrown.cause)
}
