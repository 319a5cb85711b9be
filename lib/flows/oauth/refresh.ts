/** New tokens by a refresh token (RFC 6749 §6), and the checks of an id_token that comes with them (OpenID Connect Core §12.2). */

import * as oidc from 'openid-client'
import { isRecord } from '../../base/guards.js'
import type { ResolvedConfig, ResolvedOAuthProvider } from '../../contracts/index.js'
import {
  type AskedUnder,
  RefreshFault,
  type RefreshFaultKind,
  type Rotated,
} from '../../features/tokens/refresh-fault.js'
import type { KeptTokens } from '../../features/tokens/seal.js'
import { subjectIn } from '../../features/tokens/subject.js'
import type { TokenSet } from '../../types/identity.js'
import { clientOf, isHmacPinned, type TokenAsking } from './client.js'
import { assertBound, dpopOptions, newGrantKey } from './client-authentication.js'
import { checkTokens } from './exchange.js'
import { toFault } from './provider-errors.js'

/** What a provider gave. `dpop`: the key that the tokens are bound to, where there was none. */
export type Refreshed = TokenSet & Pick<KeptTokens, 'dpop'>

/**
 * Asks for new tokens.
 *
 * @param scope What to ask for; absent: what was granted.
 * @param under The refresh token is not sent once this is not held any more.
 * @throws {@link RefreshFault}
 */
export type RefreshTokens = (tokens: KeptTokens, scope: string | undefined, under: AskedUnder) => Promise<Refreshed>

/**
 * Milliseconds in which the token endpoint may answer at the least, however short the `timeout` is. Nobody waits for so long: callers leave
 * earlier. But who ends a request loses the refresh token that its answer would have brought. Proxies before a provider answer in its
 * place by then (502, 504).
 */
const leastPatience = 60 * 1000

/**
 * Prepares to refresh: fetches metadata and keys, before the refresh token is used up and while nobody waits for a lease.
 *
 * @returns What asks the provider.
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
    const answered = new Answered(under, Math.max(leastPatience, 2 * config.timeout))
    try {
      const params = { ...provider.token.params, ...(scope !== undefined && { scope }) }
      // What was stored before the option was set is not bound yet.
      const key = tokens.dpop ?? (await newGrantKey(provider))
      const bound = await dpopOptions(provider, key)
      const answer = await client.verifying(
        (configuration) => oidc.refreshTokenGrant(configuration, refreshToken, params, bound),
        answered,
      )
      const { tokens: fresh, claims } = await checkTokens(provider, answer, tokens.unverified === true)
      if (claims) assertSameSubject(tokens, claims)
      assertBound(key, fresh)
      return key ? { ...fresh, dpop: key } : fresh
    } catch (error) {
      const secrets = [refreshToken, old, tokens.id_token, clientSecret, ...answered.secrets]
      throw toRefreshFault(error, secrets, answered.rotated(provider, refreshToken))
    }
  }
}

/** Notes what the token endpoint answered: also where it is not accepted, the refresh token in it is the only good one. */
class Answered implements TokenAsking {
  readonly #under: AskedUnder
  #members: Readonly<Record<string, unknown>> = {}

  constructor(
    under: AskedUnder,
    readonly patience: number,
  ) {
    this.#under = under
  }

  readonly beforeSend = (): void => {
    if (!this.#under.isHeld)
      throw new DOMException('this process stood still for too long, and sent nothing', 'AbortError')
  }

  readonly onAnswer = (answer: Readonly<Record<string, unknown>>): void => {
    this.#members = { ...this.#members, ...answer }
  }

  /** The texts that no error may repeat. */
  get secrets(): string[] {
    const { access_token, refresh_token, id_token } = this.#members
    return [access_token, refresh_token, id_token].filter((text) => typeof text === 'string')
  }

  /** The refresh token in the answer; `undefined` where there is none, and the one that was sent is still good. */
  rotated({ type }: ResolvedOAuthProvider, sent: string): Rotated | undefined {
    const { refresh_token: refreshToken, id_token: idToken } = this.#members
    if (typeof refreshToken !== 'string' || refreshToken === '' || refreshToken === sent) return undefined
    return { refreshToken, isUnverified: type === 'oidc' && idToken !== undefined }
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

/** What a refusal, or an outage, means. @param rotated The refresh token of an answer that came all the same. */
export function toRefreshFault(
  thrown: unknown,
  secrets: ReadonlyArray<string | undefined>,
  rotated?: Rotated,
): RefreshFault {
  return new RefreshFault(kindOf(thrown), toFault(thrown, secrets), rotated)
}

function kindOf(thrown: unknown): RefreshFaultKind {
  const { error, status } = factsOf(thrown)
  if (endedGrants.includes(error)) return 'grant'
  if (error === 'invalid_scope') return 'scope'
  if (status !== undefined && (status >= 500 || status === 429 || status === 408)) return 'temporary'
  if (error === 'temporarily_unavailable' || error === 'server_error') return 'temporary'
  return isOutage(thrown) ? 'temporary' : 'answer'
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
