/** Signing a person out at the provider, too (OpenID Connect RP-Initiated Logout 1.0). */
import { definedOnly } from '../../base/guards.js'
import type { AuthContext, ProviderSession, ResolvedConfig, ResolvedOAuthProvider } from '../../contracts/index.js'
import { clientOf, type OAuthClient } from '../../flows/oauth/client.js'
import type { Exchanged } from '../../flows/oauth/exchange.js'
import { assertProviderUrl } from '../../flows/oauth/fetch.js'
import { revocableToken } from '../../flows/oauth/revoke.js'
import { redirectUriOf } from '../../flows/oauth/transaction.js'
import type { SafeRedirect } from '../../http/message.js'
import { safeRedirect } from '../../http/urls.js'
import { beginLeaving } from './provider-session.js'

/** Characters of a parameter from a browser, and of what a provider calls a person. */
const maxLength = 512

/** The provider's endpoint; `undefined` where it has none. Rejects when its metadata cannot be had. */
export async function endSessionEndpoint(
  provider: ResolvedOAuthProvider,
  timeout: number,
): Promise<string | undefined> {
  if (provider.logout.rpInitiated === 'never') return undefined
  return (await clientOf(provider, timeout).metadata()).end_session_endpoint
}

/** What is kept of a sign-in for the sign-out; `undefined` where the provider is told nothing then. */
export async function providerSessionOf(
  config: ResolvedConfig,
  client: OAuthClient,
  { claims, tokens }: Exchanged,
): Promise<ProviderSession | undefined> {
  if (!claims) return undefined
  const { provider } = client
  const { end_session_endpoint: endpoint } = await client.metadata()
  const isEnded = provider.logout.rpInitiated !== 'never' && endpoint !== undefined
  const token = provider.logout.revokeTokens ? await revocableToken(config, client, tokens) : undefined
  if (!isEnded && !token) return undefined
  const { login_hint: loginHint, sid, sub } = claims
  const logoutHint = [loginHint, sid, sub].find(isHint)
  return definedOnly({
    provider: provider.id,
    token,
    ...(isEnded && { idToken: tokens.id_token, logoutHint }),
  })
}

/**
 * The URL at the provider where the person is signed out; `undefined` where it has none. Rejects when the provider cannot be
 * asked for it, or names one that is not https.
 *
 * @param callbackUrl Where the person goes when they come back.
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
    ui_locales: localesOf(context),
    ...(await wayBack(context, provider, callbackUrl)),
  }
  for (const [name, value] of Object.entries(params)) if (value !== undefined) url.searchParams.set(name, value)
  return safeRedirect(url)
}

/** Where the provider sends the person back to. Behind a redirect proxy our own URL is not registered: it keeps them. */
async function wayBack(context: AuthContext, provider: ResolvedOAuthProvider, callbackUrl: SafeRedirect) {
  const { urls } = context
  if (redirectUriOf(context, provider) !== urls.endpoint('callback', provider.id)) return {}
  return {
    post_logout_redirect_uri: urls.endpoint('signout', provider.id),
    state: await beginLeaving(context, { callbackUrl }, provider.id),
  }
}

/** A longer one would fit neither into a cookie nor into an URL. */
function isHint(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxLength
}

/** The languages that the client asked for, else that of the page. */
function localesOf({ config, request }: AuthContext): string | undefined {
  const value = request.url.searchParams.get('ui_locales')
  return value && value.length <= maxLength ? value : config.languages.uiLocales(request)
}
