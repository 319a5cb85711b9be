/** `POST backchannel-logout/:provider` and `GET frontchannel-logout/:provider`: somebody has signed out at the provider. */

import { tellFailure, toAuthError } from '../../actions/failure.js'
import { requestedProvider } from '../../actions/request.js'
import { perOwner } from '../../base/memory.js'
import { isRecent } from '../../base/recent.js'
import { tellEnded } from '../../callbacks/index.js'
import type { AuthContext, ProviderLogout, ResolvedOAuthProvider } from '../../contracts/index.js'
import { InvalidCheck, InvalidProvider, TooManyRequests, toError } from '../../errors.js'
import { oauthLogout, RefusedToken } from '../../flows/index.js'
import { type AuthResponse, requestInfo } from '../../http/message.js'

/**
 * From server to server: the token proves itself by its signature, so that no cookie and no CSRF token come with it. 200 where
 * there was nothing to end, too; 400 for a token that is none; 503 where it has to be sent again.
 */
export async function backchannelLogout(context: AuthContext): Promise<AuthResponse> {
  const provider = receiver(context, 'backchannel')
  try {
    const token = await oauthLogout.readLogoutToken(context, provider)
    await end(context, provider, token)
    await token.use()
    return { kind: 'empty', status: 200 }
  } catch (thrown) {
    if (thrown instanceof RefusedToken) return refuse(context, thrown)
    if (thrown instanceof TooManyRequests) throw thrown
    logFault(context, provider, thrown)
    const data = { error: 'temporarily_unavailable', error_description: 'Try again later.' }
    return { kind: 'json', status: 503, data }
  }
}

/**
 * In a frame of the provider's page. The browser sends no cookie with it, and nothing proves who asks: so it ends the session
 * whose name at the provider it knows, and no other.
 */
export async function frontchannelLogout(context: AuthContext): Promise<AuthResponse> {
  const provider = receiver(context, 'frontchannel')
  try {
    const { ancestors, logout } = await oauthLogout.readFrontchannel(context, provider)
    if (logout) await end(context, provider, logout)
    return { kind: 'frame', status: 200, ancestors }
  } catch (thrown) {
    logFault(context, provider, thrown)
    return { kind: 'frame', status: 503, ancestors: [] }
  }
}

/** The provider, where it may tell us. @throws {@link InvalidProvider} where it may not: there is no such route then. */
function receiver(context: AuthContext, way: 'backchannel' | 'frontchannel'): ResolvedOAuthProvider {
  const provider = requestedProvider(context)
  if (provider?.kind === 'oauth' && provider.logout[way]) return provider
  throw new InvalidProvider('The provider ends no sessions here.')
}

/** The request in the event is the provider's, or its frame's. */
async function end(
  { config, request, sessions }: AuthContext,
  { id }: ResolvedOAuthProvider,
  logout: ProviderLogout,
): Promise<void> {
  const ended = await sessions.endLinked(config, logout)
  await tellEnded(config, ended, { reason: 'provider', provider: id, request: requestInfo(request) })
}

/** Anybody can send such tokens: they are told to audit logs, and fill no log of errors. */
async function refuse(context: AuthContext, { message }: RefusedToken): Promise<AuthResponse> {
  const { config, request } = context
  config.logger.debug('a logout token was refused', { provider: request.providerId, reason: message })
  await tellFailure(context, new InvalidCheck(`The logout token was refused: ${message}.`))
  return { kind: 'json', status: 400, data: { error: 'invalid_request', error_description: message } }
}

/** Milliseconds. Strangers can send such requests as often as they like: while a provider or a store is away each would be an error. */
const logEvery = 60 * 1000

/** When a kind of error was logged, by its type. */
const loggedOf = perOwner((_provider: ResolvedOAuthProvider) => new Map<string, number>())

/** Logs an error once in a minute; others of its type in between are for who looks for them. */
function logFault({ config, request }: AuthContext, provider: ResolvedOAuthProvider, thrown: unknown): void {
  const error = toAuthError(request, toError(thrown))
  const logged = loggedOf(provider)
  if (isRecent(logged.get(error.type), logEvery)) {
    config.logger.debug('a logout of a provider failed once more', { provider: provider.id, type: error.type })
    return
  }
  logged.set(error.type, Date.now())
  config.logger.error(error)
}
