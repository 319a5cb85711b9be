/**
 * The provider's part of a sign-out: whether the user signs out there too, the redirect to the provider, and the
 * return.
 */

import { requestedProvider } from '../../actions/requested-provider.js'
import { withTimeout } from '../../base/timeout.js'
import type { AuthContext, ProviderSession, ResolvedConfig, ResolvedOAuthProvider } from '../../contracts/index.js'
import { InvalidProvider, toError } from '../../errors.js'
import {
  completePendingSignOut,
  createPendingSignOut,
  forgetProviderSession,
  oauthLogout,
  readProviderSession,
} from '../../flows/index.js'
import type { SafeRedirect } from '../../http/message.js'
import { safeRedirect, singleParam } from '../../http/urls.js'

/** The provider that signed the user in, and the data for a sign-out there. */
export interface ProviderSignIn {
  readonly provider: ResolvedOAuthProvider
  readonly session: ProviderSession
}

/** Returns the provider by which the user signed in in this browser; `undefined` if it is not known. */
export async function findProviderSignIn(context: AuthContext): Promise<ProviderSignIn | undefined> {
  const session = await readProviderSession(context)
  if (!session) return undefined
  const provider = context.config.providers.get(session.provider)
  return provider?.kind === 'oauth' ? { provider, session } : undefined
}

/** Milliseconds that the sign-out page waits for a provider's metadata. It can be shown without them. */
const metadataTimeout = 2_000

/** Returns the provider's name for the sign-out page, and whether the user has a choice. */
export async function providerSignOutOffer(
  context: AuthContext,
): Promise<{ readonly name: string; readonly isOptional: boolean } | undefined> {
  const providerSignIn = await findProviderSignIn(context)
  if (!providerSignIn) return undefined
  const { provider } = providerSignIn
  const { logger, timeout } = context.config
  try {
    const asked = oauthLogout.endSessionEndpoint(provider, timeout)
    if ((await withTimeout(asked, Math.min(metadataTimeout, timeout), 'the metadata')) === undefined) return undefined
  } catch {
    logger.debug('the sign-out page is shown without the provider, because its metadata could not be loaded', {
      id: provider.id,
    })
    return undefined
  }
  return { name: provider.name, isOptional: provider.logout.rpInitiated === 'ask' }
}

/**
 * Returns the URL after a sign-out: the provider's, if the user signs out there too, otherwise `callbackUrl`.
 *
 * The cookie that names the provider is not sent to the paths of the application's own code. In that case the URL is
 * our endpoint, which continues.
 */
export async function signOutRedirectUrl(
  context: AuthContext,
  providerSignIn: ProviderSignIn | undefined,
  callbackUrl: SafeRedirect,
): Promise<SafeRedirect> {
  const { body } = context.request
  const federated = body.federated === true || body.federated === 'true'
  if (context.ownCall && !providerSignIn && mayInvolveProvider(context.config, federated)) {
    const leaving = await createPendingSignOut(context, { callbackUrl, federated })
    return context.urls.endpoint('signout', undefined, { leaving })
  }
  return endProviderSignIn(context, providerSignIn, { callbackUrl, federated })
}

/** Clears the stored provider session, and returns the provider's sign-out URL, if the user signs out there too. */
async function endProviderSignIn(
  context: AuthContext,
  providerSignIn: ProviderSignIn | undefined,
  { callbackUrl, federated }: SignOutRequest,
) {
  forgetProviderSession(context)
  if (!providerSignIn) return callbackUrl
  revokeTokens(context, providerSignIn)
  return (await providerSignOutUrl(context, providerSignIn, { callbackUrl, federated })) ?? callbackUrl
}

interface SignOutRequest {
  readonly callbackUrl: SafeRedirect
  readonly federated: boolean
}

/** Continues a sign-out at our endpoint; `undefined` if there is none, or it began in another browser. */
export async function continueSignOut(context: AuthContext): Promise<SafeRedirect | undefined> {
  const { method, url } = context.request
  const sealed = singleParam(url.searchParams, 'leaving')
  if (sealed === undefined || method !== 'GET') return undefined
  const found = await completePendingSignOut(context, sealed)
  if (!found) return undefined
  const { federated = false } = found
  const callbackUrl = safeRedirect(new URL(found.callbackUrl))
  return endProviderSignIn(context, await findProviderSignIn(context), { callbackUrl, federated })
}

/** Checks whether a sign-out may involve any of the providers. */
function mayInvolveProvider({ providers }: ResolvedConfig, federated: boolean): boolean {
  return [...providers.values()].some(
    (provider) =>
      provider.kind === 'oauth' && (provider.logout.revokeTokens || isProviderSignOutWanted(provider, federated)),
  )
}

/** Checks whether the user signs out at the provider, by its option. With `ask`, the user decides. */
function isProviderSignOutWanted({ logout }: ResolvedOAuthProvider, federated: boolean): boolean {
  return logout.rpInitiated === 'always' || (logout.rpInitiated === 'ask' && federated)
}

/** Returns the URL of the sign-out at the provider; `undefined` if there is none, or it fails. Never rejects. */
async function providerSignOutUrl(
  context: AuthContext,
  { provider, session }: ProviderSignIn,
  { callbackUrl, federated }: SignOutRequest,
): Promise<SafeRedirect | undefined> {
  if (!isProviderSignOutWanted(provider, federated)) return undefined
  const warn = (text: string) => context.config.logger.warn('provider-sign-out', text)
  try {
    const url = await oauthLogout.endSessionUrl(context, provider, { session, callbackUrl })
    if (url === undefined) {
      warn(`The provider "${provider.id}" has no end_session_endpoint, so users stay signed in there.`)
    }
    return url
  } catch (thrown) {
    warn(`A user stays signed in at the provider "${provider.id}": ${toError(thrown).message}`)
    return undefined
  }
}

/** Revokes the tokens of the sign-in at the provider, in the background. */
function revokeTokens({ background, config }: AuthContext, { provider, session }: ProviderSignIn): void {
  const { token } = session
  if (!token || !provider.logout.revokeTokens) return
  const revoked = oauthLogout.revokeToken(config, provider, token).catch((error: unknown) => {
    const { message } = toError(error)
    config.logger.warn('tokens-not-revoked', `The tokens of "${provider.id}" could not be revoked: ${message}`)
  })
  background.run(revoked)
}

/** Returns the URL for a user who comes back from the provider; `undefined` if the request has no valid `state`. */
export async function signedOutUrl(context: AuthContext): Promise<SafeRedirect | undefined> {
  const provider = requestedProvider(context)
  if (provider?.kind !== 'oauth') throw new InvalidProvider('The provider has no sign-out.')
  const { method, url } = context.request
  if (method === 'HEAD') return undefined
  const found = await completePendingSignOut(context, singleParam(url.searchParams, 'state'), provider.id)
  return found && safeRedirect(new URL(found.callbackUrl))
}
