/**
 * The endpoints `POST backchannel-logout/:provider` and `GET frontchannel-logout/:provider`, for sign-outs at a
 * provider.
 */

import { emitFailure, toAuthError } from '../../actions/failure.js'
import { requestedProvider } from '../../actions/requested-provider.js'
import { perOwner } from '../../base/memory.js'
import { isRecent } from '../../base/time.js'
import { emitSessionsEnded } from '../../callbacks/index.js'
import type { AuthContext, ProviderLogout, ResolvedOAuthProvider } from '../../contracts/index.js'
import { InvalidCheck, InvalidProvider, TooManyRequests, toError } from '../../errors.js'
import { oauthLogout, RejectedLogoutToken } from '../../flows/index.js'
import { type AuthResponse, requestInfo } from '../../http/message.js'

/**
 * Answers a logout token, sent from server to server. The signature authenticates it, without cookie and CSRF token.
 * The status is 200, also if no session ended, 400 for an invalid token, and 503 if the provider should send it again.
 */
export async function backchannelLogout(context: AuthContext): Promise<AuthResponse> {
  const provider = requireLogoutProvider(context, 'backchannel')
  try {
    const token = await oauthLogout.readLogoutToken(context, provider)
    await endProviderSessions(context, provider, token)
    await token.use()
    return { kind: 'empty', status: 200 }
  } catch (thrown) {
    if (thrown instanceof RejectedLogoutToken) return rejectLogoutToken(context, thrown)
    if (thrown instanceof TooManyRequests) throw thrown
    logLogoutError(context, provider, thrown)
    const data = { error: 'temporarily_unavailable', error_description: 'Try again later.' }
    return { kind: 'json', status: 503, data }
  }
}

/**
 * Answers a frame on the provider's page. The browser sends no cookie, and the request is not authenticated. It
 * therefore ends only the session with the given name at the provider.
 */
export async function frontchannelLogout(context: AuthContext): Promise<AuthResponse> {
  const provider = requireLogoutProvider(context, 'frontchannel')
  try {
    const { ancestors, logout } = await oauthLogout.readFrontchannel(context, provider)
    if (logout) await endProviderSessions(context, provider, logout)
    return { kind: 'frame', status: 200, ancestors }
  } catch (thrown) {
    logLogoutError(context, provider, thrown)
    return { kind: 'frame', status: 503, ancestors: [] }
  }
}

/** Returns the provider, if it may send logouts this way. @throws {@link InvalidProvider} if it may not. */
function requireLogoutProvider(context: AuthContext, way: 'backchannel' | 'frontchannel'): ResolvedOAuthProvider {
  const provider = requestedProvider(context)
  if (provider?.kind === 'oauth' && provider.logout[way]) return provider
  throw new InvalidProvider(`The provider sends no logouts to this endpoint. Set \`logout.${way}\` of the provider.`)
}

/** Ends sessions. The event contains the request of the provider, or of its frame. */
async function endProviderSessions(
  { config, request, sessions }: AuthContext,
  { id }: ResolvedOAuthProvider,
  logout: ProviderLogout,
): Promise<void> {
  const ended = await sessions.endProviderSessions(config, logout)
  await emitSessionsEnded(config, ended, { reason: 'provider', provider: id, request: requestInfo(request) })
}

/**
 * Rejects a logout token. Any client can send such tokens, so they are reported to audit logs, but not logged as errors.
 */
async function rejectLogoutToken(context: AuthContext, { message }: RejectedLogoutToken): Promise<AuthResponse> {
  const { config, request } = context
  config.logger.debug('a logout token was rejected', { provider: request.providerId, reason: message })
  await emitFailure(context, new InvalidCheck(`The logout token was rejected: ${message}.`))
  return { kind: 'json', status: 400, data: { error: 'invalid_request', error_description: message } }
}

/**
 * Milliseconds. Strangers can send any number of such requests. While a provider or store fails, each would log an
 * error.
 */
const logEvery = 60 * 1000

/** The times at which errors were logged, by their type. */
const loggedTimesOf = perOwner((_provider: ResolvedOAuthProvider) => new Map<string, number>())

/** Logs an error, at most once a minute for each type. Others are logged at level `debug`. */
function logLogoutError({ config, request }: AuthContext, provider: ResolvedOAuthProvider, thrown: unknown): void {
  const error = toAuthError(request, toError(thrown))
  const logged = loggedTimesOf(provider)
  if (isRecent(logged.get(error.type), logEvery)) {
    config.logger.debug('a logout of a provider failed again', { provider: provider.id, type: error.type })
    return
  }
  logged.set(error.type, Date.now())
  config.logger.error(error)
}
