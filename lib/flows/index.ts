/**
 * One flow for each kind of provider. A kind without a flow does not compile. That of OAuth brings openid-client and jose, which
 * take longer to load than all the rest, so it is loaded when the first person signs in with it.
 *
 * Whoever comes here has passed the checks of the request. Each way in is counted here, before its work (`limits/`).
 */
import { lazily } from '../base/lazily.js'
import type { AuthContext, Flow, FlowKind, ResolvedWebAuthnProvider } from '../contracts/index.js'
import { counted, limited } from '../features/limits/attempts.js'
import { RefusedToken } from '../features/logout/provider-session.js'
import { keepsPasswords } from '../features/passwords/store.js'
import { assertNotStray, withLimits } from './counted.js'
import { credentialsFlow } from './credentials/index.js'
import { emailFlow } from './email/index.js'
import {
  type CeremonyOptions,
  passkeyOptions as optionsOf,
  secondFactorOptions as secondOptionsOf,
  webauthnFlow,
} from './webauthn/index.js'

export {
  beginLeaving,
  finishLeaving,
  forgetProviderSession,
  keepProviderSession,
  logoutCookie,
  RefusedToken,
  readProviderSession,
} from '../features/logout/provider-session.js'
export { passwordTyped } from './counted.js'
export { beginChange } from './email/index.js'

const loadOAuth = lazily('Sign-in with OAuth', () => import('./oauth/index.js'))

const oauthFlow: Flow<'oauth'> = {
  begin: async (...request) => (await loadOAuth()).begin(...request),
  finish: async (...request) => (await loadOAuth()).finish(...request),
  callbackMethods: (provider) => (provider.formPost ? ['GET', 'POST'] : ['GET']),
  ownForm: false,
}

/** What there is to a password that the library keeps. Its `signIn` is what `flows` calls. */
export const loadPasswords = lazily('Passwords', () => import('../features/passwords/entry.js'))

/** Whoever types something: the application checks it, or the library itself (`Password`). */
const typedFlow: Flow<'credentials'> = {
  ...credentialsFlow,
  async finish(context, provider) {
    if (!keepsPasswords(provider)) return credentialsFlow.finish(context, provider)
    return (await loadPasswords()).signIn(context, provider)
  },
}

/** Signing out at a provider, and sign-outs that a provider tells us of. */
export const oauthLogout: OAuthLogout = {
  endSessionEndpoint: async (...request) => (await loadOAuth()).endSessionEndpoint(...request),
  endSessionUrl: async (...request) => (await loadOAuth()).endSessionUrl(...request),
  readLogoutToken: (context, provider) =>
    limited(
      context,
      { rule: 'logoutToken' },
      async () => (await loadOAuth()).readLogoutToken(context, provider),
      (error) => error instanceof RefusedToken,
    ),
  revokeToken: async (...request) => (await loadOAuth()).revokeToken(...request),
  readFrontchannel: async (...request) => (await loadOAuth()).readFrontchannel(...request),
}

/** What becomes of a provider's tokens after the sign-in, and how more of them are asked for. */
export const oauthTokens: OAuthTokens = {
  beginConnection: async (context, ...request) => {
    await counted(context, { rule: 'oauthStart' })
    return (await loadOAuth()).begin(context, ...request)
  },
  exchangeToken: async (...request) => (await loadOAuth()).exchangeToken(...request),
  prepareRefresh: async (...request) => (await loadOAuth()).prepareRefresh(...request),
  revokeStored: async (...request) => (await loadOAuth()).revokeStored(...request),
  sendBound: async (...request) => (await loadOAuth()).sendBound(...request),
}

type OAuthTokens = Pick<
  typeof import('./oauth/index.js'),
  'exchangeToken' | 'prepareRefresh' | 'revokeStored' | 'sendBound'
> & {
  readonly beginConnection: typeof import('./oauth/index.js').begin
}

type OAuthLogout = Pick<
  typeof import('./oauth/index.js'),
  'endSessionEndpoint' | 'endSessionUrl' | 'readFrontchannel' | 'readLogoutToken' | 'revokeToken'
>

/** The flows by kind. */
export const flows: { readonly [K in FlowKind]: Flow<K> } = {
  credentials: withLimits('credentials', typedFlow),
  email: withLimits('email', emailFlow),
  oauth: withLimits('oauth', oauthFlow),
  webauthn: withLimits('webauthn', webauthnFlow),
}

/** What a browser needs for a ceremony with a passkey. Rejects for a query that does not say enough, for a page of another site, and after too many. */
export async function passkeyOptions(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
): Promise<CeremonyOptions> {
  assertNotStray(context)
  await counted(context, { rule: 'passkeyOptions' })
  return optionsOf(context, provider)
}

/** The same for a second factor: for the passkeys of this user, in this attempt or session. */
export async function secondFactorOptions(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  whose: { userId: string; startedBy: string },
): Promise<CeremonyOptions> {
  assertNotStray(context)
  await counted(context, { rule: 'passkeyOptions' })
  return secondOptionsOf(context, provider, whose)
}

/** The flow of a provider, bound to it, so that callers need not know its kind. */
export function flowOf<K extends FlowKind>(provider: { readonly kind: K }): Flow<K> {
  return flows[provider.kind]
}
