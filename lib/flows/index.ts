/**
 * One flow for each kind of provider. A kind without a flow does not compile. The OAuth flow imports openid-client and
 * jose, which take longer to load than everything else, so it is loaded at the first OAuth sign-in.
 *
 * Requests have passed their checks before they get here. Each sign-in method is counted here, before its work
 * (`limits/`).
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

/** Loads the functions for passwords that the library stores. Its `signIn` is called by `flows`. */
export const loadPasswords = lazily('Passwords', () => import('../features/passwords/entry.js'))

/** The flow for typed credentials. The application checks them, or the library itself (`Password`). */
const typedFlow: Flow<'credentials'> = {
  ...credentialsFlow,
  async finish(context, provider) {
    if (!keepsPasswords(provider)) return credentialsFlow.finish(context, provider)
    return (await loadPasswords()).signIn(context, provider)
  },
}

/** Functions for sign-outs at a provider, and for sign-outs that a provider reports. */
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

/** Functions that exchange, refresh and revoke a provider's tokens after the sign-in. */
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

/**
 * Returns the options of a passkey ceremony. Rejects incomplete queries, pages of another site, and too many requests.
 */
export async function passkeyOptions(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
): Promise<CeremonyOptions> {
  assertNotStray(context)
  await counted(context, { rule: 'passkeyOptions' })
  return optionsOf(context, provider)
}

/** Returns the options for a second factor: for the passkeys of this user, in this attempt or session. */
export async function secondFactorOptions(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  whose: { userId: string; startedBy: string },
): Promise<CeremonyOptions> {
  assertNotStray(context)
  await counted(context, { rule: 'passkeyOptions' })
  return secondOptionsOf(context, provider, whose)
}

/** Returns the flow of a provider, typed by its kind, so that callers need not know the kind. */
export function flowOf<K extends FlowKind>(provider: { readonly kind: K }): Flow<K> {
  return flows[provider.kind]
}
