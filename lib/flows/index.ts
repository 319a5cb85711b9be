/**
 * One flow for each kind of provider. A kind without a flow does not compile. The OAuth flow imports openid-client and
 * jose, which take longer to load than everything else, so it is loaded at the first OAuth sign-in.
 *
 * Requests have passed their checks before they get here. Each sign-in method is counted here, before its work
 * (`limits/`).
 */
import { createLazyLoader } from '../base/lazy-loader.js'
import type { AuthContext, Flow, FlowKind, ResolvedWebAuthnProvider } from '../contracts/index.js'
import { countAttempt, withRateLimit } from '../features/limits/attempts.js'
import { RejectedLogoutToken } from '../features/logout/provider-session.js'
import { keepsPasswords } from '../features/passwords/store.js'
import { credentialsFlow } from './credentials/index.js'
import { emailFlow } from './email/index.js'
import { assertNotCrossSiteLoad, withLimits } from './rate-limited-flow.js'
import {
  type CeremonyOptions,
  passkeyOptions as optionsOf,
  secondFactorOptions as secondOptionsOf,
  webauthnFlow,
} from './webauthn/index.js'

export {
  completePendingSignOut,
  createPendingSignOut,
  forgetProviderSession,
  logoutCookie,
  RejectedLogoutToken,
  readProviderSession,
  storeProviderSession,
} from '../features/logout/provider-session.js'
export { startEmailChange } from './email/index.js'
export { againField, asksAgain, readMailedAddress } from './email/mailed-address.js'
export { readLatestLink } from './email/requested-link.js'
export { isKnownForPassword, passwordBrowserKey } from './rate-limited-flow.js'

const loadOAuth = createLazyLoader('Sign-in with OAuth', () => import('./oauth/index.js'))

const oauthFlow: Flow<'oauth'> = {
  start: async (...request) => (await loadOAuth()).startOAuth(...request),
  complete: async (...request) => (await loadOAuth()).completeOAuth(...request),
  callbackMethods: (provider) => (provider.formPost ? ['GET', 'POST'] : ['GET']),
  hasOwnForm: false,
}

/** Loads the functions for passwords that the library stores. Its `signInWithPassword` is called by `flows`. */
export const loadPasswords = createLazyLoader('Passwords', () => import('../features/passwords/entry.js'))

/** The flow for typed credentials. The application checks them, or the library itself (`Password`). */
const credentialsOrPasswordFlow: Flow<'credentials'> = {
  ...credentialsFlow,
  async complete(context, provider) {
    if (!keepsPasswords(provider)) return credentialsFlow.complete(context, provider)
    return (await loadPasswords()).signInWithPassword(context, provider)
  },
}

/** Functions for sign-outs at a provider, and for sign-outs that a provider reports. */
export const oauthLogout: OAuthLogout = {
  endSessionEndpoint: async (...request) => (await loadOAuth()).endSessionEndpoint(...request),
  endSessionUrl: async (...request) => (await loadOAuth()).endSessionUrl(...request),
  readLogoutToken: (context, provider) =>
    withRateLimit(
      context,
      { rule: 'logoutToken' },
      async () => (await loadOAuth()).readLogoutToken(context, provider),
      (error) => error instanceof RejectedLogoutToken,
    ),
  revokeToken: async (...request) => (await loadOAuth()).revokeToken(...request),
  readFrontchannel: async (...request) => (await loadOAuth()).readFrontchannel(...request),
}

/** Functions that exchange, refresh and revoke a provider's tokens after the sign-in. */
export const oauthTokens: OAuthTokens = {
  startConnection: async (context, ...request) => {
    await countAttempt(context, { rule: 'oauthStart' })
    return (await loadOAuth()).startOAuth(context, ...request)
  },
  exchangeToken: async (...request) => (await loadOAuth()).exchangeToken(...request),
  prepareRefresh: async (...request) => (await loadOAuth()).prepareRefresh(...request),
  revokeStoredTokens: async (...request) => (await loadOAuth()).revokeStoredTokens(...request),
  sendKeyBound: async (...request) => (await loadOAuth()).sendKeyBound(...request),
}

type OAuthTokens = Pick<
  typeof import('./oauth/index.js'),
  'exchangeToken' | 'prepareRefresh' | 'revokeStoredTokens' | 'sendKeyBound'
> & {
  readonly startConnection: typeof import('./oauth/index.js').startOAuth
}

type OAuthLogout = Pick<
  typeof import('./oauth/index.js'),
  'endSessionEndpoint' | 'endSessionUrl' | 'readFrontchannel' | 'readLogoutToken' | 'revokeToken'
>

/** The flows by kind. */
export const flows: { readonly [K in FlowKind]: Flow<K> } = {
  credentials: withLimits('credentials', credentialsOrPasswordFlow),
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
  assertNotCrossSiteLoad(context)
  await countAttempt(context, { rule: 'passkeyOptions' })
  return optionsOf(context, provider)
}

/** Returns the options for a second factor: for the passkeys of this user, in this attempt or session. */
export async function secondFactorOptions(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  subject: { userId: string; startedBy: string },
): Promise<CeremonyOptions> {
  assertNotCrossSiteLoad(context)
  await countAttempt(context, { rule: 'passkeyOptions' })
  return secondOptionsOf(context, provider, subject)
}

/** Returns the flow of a provider, typed by its kind, so that callers need not know the kind. */
export function flowOf<K extends FlowKind>(provider: { readonly kind: K }): Flow<K> {
  return flows[provider.kind]
}
