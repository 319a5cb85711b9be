/** Sign-in with OAuth 2.0 and OpenID Connect: the parts of the `oauth` and `oidc` flow that need openid-client. */
import type { AuthContext, ConnectionRequest, FlowResult, ResolvedOAuthProvider } from '../../contracts/index.js'
import { AuthError, ConsentRequired, InvalidCheck, OAuthCallbackError, OAuthSignInError } from '../../errors.js'
import { providerSessionOf } from '../../features/logout/end-session.js'
import { providerLinkOf } from '../../features/logout/provider-session.js'
import type { AuthResponse, SafeRedirect } from '../../http/message.js'
import { safeRedirect } from '../../http/urls.js'
import { linkableUser, mayLink } from '../../users/linking.js'
import { authorizationUrl, createTransaction, maxAuthAge, requestedParams } from './authorization.js'
import { clientOf } from './client.js'
import { newGrantKey } from './client-authentication.js'
import { exchangeCode } from './exchange.js'
import { assertProviderUrl } from './fetch.js'
import { readProfile, toIdentity } from './identity.js'
import { isUntrustedCertificate, toCallbackError, toSafeError, untrustedCertificateAdvice } from './provider-errors.js'
import {
  createState,
  forwardAnswer,
  readCallbackParams,
  redirectUriFor,
  relayFormPost,
  returnedState,
  storeTransaction,
  type Transaction,
  takeTransaction,
  transactions,
  withPostedUser,
} from './transaction.js'

export { endSessionEndpoint, endSessionUrl } from '../../features/logout/end-session.js'
export { readFrontchannel, readLogoutToken } from '../../features/logout/receive.js'
export { sendKeyBound } from './client-authentication.js'
export { exchangeToken } from './exchange-token.js'
export { prepareRefresh } from './refresh.js'
export { revokeStoredTokens, revokeToken } from './revoke.js'

/**
 * Redirects the browser to the provider. @param connectionRequest The access that the signed-in user grants; absent for a sign-in.
 */
export async function startOAuth(
  context: AuthContext,
  provider: ResolvedOAuthProvider,
  callbackUrl: SafeRedirect,
  connectionRequest?: ConnectionRequest,
): Promise<AuthResponse> {
  const params = { ...requestedParams(context, provider), ...connectionRequest?.params }
  const connection = connectionRequest?.connection
  const startedBy = await linkableSession(context, connectionRequest)
  if (connection && context.config.store && startedBy === undefined) {
    throw new InvalidCheck(
      'No account can be linked in this session, because it started in another browser or has its own end.',
    )
  }
  const transaction = createTransaction(provider, {
    redirectUri: redirectUriFor(context, provider),
    state: await createState(context, provider),
    callbackUrl,
    maxAuthAge: maxAuthAge(provider, params),
    startedBy,
    ...(connection && { connection }),
    dpopKey: await newGrantKey(provider),
  })
  const to = await authorizationRedirect(context, provider, { transaction, params })
  await storeTransaction(context, transaction)
  return { kind: 'redirect', to }
}

/** Completes the sign-in when the user returns from the provider. */
export async function completeOAuth(context: AuthContext, provider: ResolvedOAuthProvider): Promise<FlowResult> {
  if (context.request.method === 'POST') return { kind: 'response', response: await relayFormPost(context, provider) }
  const answer = await readCallbackParams(context, provider)
  const forwarded = await forwardAnswer(context, provider, answer)
  if (forwarded) return { kind: 'response', response: forwarded }
  const transaction = await takeTransaction(context, provider, {
    state: returnedState(provider, answer),
    redirectUri: redirectUriFor(context, provider),
  })
  const { state, startedBy, callbackUrl, connection } = transaction
  const identity = await identify(context, provider, { transaction, answer }).catch((error: unknown) => {
    throw connection ? toConsentError(provider, error) : error
  })
  transactions.complete(context, state)
  return { kind: 'identity', identity: { ...identity, startedBy }, callbackUrl, connection }
}

/** Returns the error for a signed-in user who declined, or whom the provider rejected: they need no sign-in page. */
function toConsentError({ id }: ResolvedOAuthProvider, error: unknown): unknown {
  return error instanceof OAuthCallbackError ? new ConsentRequired(id, 'denied', { ...error.cause }) : error
}

/**
 * Returns the session in which the attempt starts. The account may be linked to the user of this session only. The user
 * confirmed a connection earlier (`features/tokens/action-connect`).
 */
async function linkableSession(
  context: AuthContext,
  asked: ConnectionRequest | undefined,
): Promise<string | undefined> {
  if (!asked && !mayLink(context)) return undefined
  return context.config.store && (await linkableUser(context))?.key
}

async function authorizationRedirect(
  { config }: AuthContext,
  provider: ResolvedOAuthProvider,
  request: { transaction: Transaction; params: Record<string, string> },
): Promise<SafeRedirect> {
  try {
    const client = clientOf(provider, config.timeout)
    const url = await client.verifying((configuration) => authorizationUrl(configuration, provider, request))
    assertProviderUrl(provider, url)
    return safeRedirect(url)
  } catch (error) {
    const { state, nonce, codeVerifier } = request.transaction
    const fault = toSafeError(error, [state, nonce, codeVerifier, provider.clientSecret])
    throw new OAuthSignInError(
      `The sign-in with "${provider.id}" could not be started: ${fault.message}. ${isUntrustedCertificate(error) ? untrustedCertificateAdvice : 'Check that its issuer and endpoints are right and can be reached.'}`,
      { err: fault, provider: provider.id },
    )
  }
}

async function identify(
  { config }: AuthContext,
  provider: ResolvedOAuthProvider,
  { transaction, answer }: { transaction: Transaction; answer: URLSearchParams },
) {
  const client = clientOf(provider, config.timeout)
  try {
    const exchanged = await exchangeCode(client, transaction, answer)
    const profile = withPostedUser(await readProfile(client, exchanged), provider, answer)
    const identity = await toIdentity(client, profile, exchanged)
    const providerSession = await providerSessionOf(config, client, exchanged)
    return {
      ...identity,
      tokenKey: transaction.dpopKey,
      providerSession,
      providerLink: providerLinkOf(provider, exchanged.claims),
    }
  } catch (error) {
    if (error instanceof AuthError) throw error
    const { state, nonce, codeVerifier } = transaction
    throw toCallbackError(provider.id, error, [
      ...answer.getAll('code'),
      state,
      nonce,
      codeVerifier,
      provider.clientSecret,
    ])
  }
}
