/** Signs the user out at the provider (OpenID Connect RP-Initiated Logout 1.0). */
import { definedOnly } from '../../base/guards.js'
import type { AuthContext, ProviderSession, ResolvedConfig, ResolvedOAuthProvider } from '../../contracts/index.js'
import { clientOf, type OAuthClient } from '../../flows/oauth/client.js'
import type { ExchangedTokens } from '../../flows/oauth/exchange.js'
import { assertProviderUrl } from '../../flows/oauth/fetch.js'
import { revocableToken } from '../../flows/oauth/revoke.js'
import { redirectUriFor } from '../../flows/oauth/transaction.js'
import type { SafeRedirect } from '../../http/message.js'
import { safeRedirect } from '../../http/urls.js'
import { createPendingSignOut } from './provider-session.js'

/** Characters of a parameter from a browser, and of a provider's name for a user. */
const maxLength = 512

/** Returns the provider's endpoint; `undefined` if it has none. Rejects if its metadata cannot be loaded. */
export async function endSessionEndpoint(
  provider: ResolvedOAuthProvider,
  timeout: number,
): Promise<string | undefined> {
  if (provider.logout.rpInitiated === 'never') return undefined
  return (await clientOf(provider, timeout).metadata()).end_session_endpoint
}

/** Returns the data of a sign-in for the sign-out; `undefined` if the provider is not involved in it. */
export async function providerSessionOf(
  config: ResolvedConfig,
  client: OAuthClient,
  { claims, tokens }: ExchangedTokens,
): Promise<ProviderSession | undefined> {
  if (!claims) return undefined
  const { provider } = client
  const { end_session_endpoint: endpoint } = await client.metadata()
  const isEnded = provider.logout.rpInitiated !== 'never' && endpoint !== undefined
  const token = provider.logout.revokeTokens ? await revocableToken(config, client, tokens) : undefined
  if (!isEnded && !token) return undefined
  const { login_hint: loginHint, sid, sub } = claims
  const logoutHint = [loginHint, sid, sub].find(isShortHint)
  return definedOnly({
    provider: provider.id,
    token,
    ...(isEnded && { idToken: tokens.id_token, logoutHint }),
  })
}

/**
 * Returns the URL that signs the user out at the provider; `undefined` if it has none. Rejects if the metadata cannot
 * be loaded, or the URL is not https.
 *
 * @param callbackUrl The final URL, after the user comes back.
 */
export async function endSessionUrl(
  context: AuthContext,
  provider: ResolvedOAuthProvider,
  { session, callbackUrl }: { readonly session: ProviderSession; readonly callbackUrl: SafeRedirect },
): Promise<SafeRedirect | undefined> {
  const endpoint = await endSessionEndpoint(provider, context.config.timeout)
  if (endpoint === undefined) return undefined
  const url = new URL(endpoint)
  assertProviderUrl(provider, url)
  const { idToken, logoutHint } = session
  const params = {
    id_token_hint: idToken,
    logout_hint: logoutHint,
    client_id: provider.clientId,
    ui_locales: uiLocalesOf(context),
    ...(await returnParams(context, provider, callbackUrl)),
  }
  for (const [name, value] of Object.entries(params)) if (value !== undefined) url.searchParams.set(name, value)
  return safeRedirect(url)
}

/**
 * Returns the parameters for the return to this site. Behind a redirect proxy our own URL is not registered, so there
 * are none.
 */
async function returnParams(context: AuthContext, provider: ResolvedOAuthProvider, callbackUrl: SafeRedirect) {
  const { urls } = context
  if (redirectUriFor(context, provider) !== urls.endpoint('callback', provider.id)) return {}
  return {
    post_logout_redirect_uri: urls.endpoint('signout', provider.id),
    state: await createPendingSignOut(context, { callbackUrl }, provider.id),
  }
}

/** Checks whether a value is short enough for a cookie and a URL. */
function isShortHint(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxLength
}

/** Returns the languages from the query, otherwise the language of the page. */
function uiLocalesOf({ config, request }: AuthContext): string | undefined {
  const value = request.url.searchParams.get('ui_locales')
  return value && value.length <= maxLength ? value : config.languages.uiLocales(request)
}
