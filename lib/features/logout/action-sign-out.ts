/**
 * The provider's part of a sign-out: whether the user signs out there too, the redirect to the provider, and the
 * return.
 */

import { requestedProvider } from '../../actions/request.js'
import { withTimeout } from '../../base/timeout.js'
import type { AuthContext, ProviderSession, ResolvedConfig, ResolvedOAuthProvider } from '../../contracts/index.js'
import { InvalidProvider, toError } from '../../errors.js'
import {
  beginLeaving,
  finishLeaving,
  forgetProviderSession,
  oauthLogout,
  readProviderSession,
} from '../../flows/index.js'
import type { SafeRedirect } from '../../http/message.js'
import { onlyValue, safeRedirect } from '../../http/urls.js'

/** The provider that signed the user in, and the data for a sign-out there. */
export interface SignedInBy {
  readonly provider: ResolvedOAuthProvider
  readonly session: ProviderSession
}

/** Returns the provider by which the user signed in in this browser; `undefined` if it is not known. */
export async function signedInBy(context: AuthContext): Promise<SignedInBy | undefined> {
  const session = await readProviderSession(context)
  if (!session) return undefined
  const provider = context.config.providers.get(session.provider)
  return provider?.kind === 'oauth' ? { provider, session } : undefined
}

/** Milliseconds that the sign-out page waits for a provider's metadata. It can be shown without them. */
const patience = 2_000

/** Returns the provider's name for the sign-out page, and whether the user has a choice. */
export async function offerOf(
  context: AuthContext,
): Promise<{ readonly name: string; readonly isOptional: boolean } | undefined> {
  const by = await signedInBy(context)
  if (!by) return undefined
  const { provider } = by
  const { logger, timeout } = context.config
  try {
    const asked = oauthLogout.endSessionEndpoint(provider, timeout)
    if ((await withTimeout(asked, Math.min(patience, timeout), 'the metadata')) === undefined) return undefined
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
export async function leave(
  context: AuthContext,
  by: SignedInBy | undefined,
  callbackUrl: SafeRedirect,
): Promise<SafeRedirect> {
  const { body } = context.request
  const federated = body.federated === true || body.federated === 'true'
  if (context.ownCall && !by && concernsProviders(context.config, federated)) {
    const leaving = await beginLeaving(context, { callbackUrl, federated })
    return context.urls.endpoint('signout', undefined, { leaving })
  }
  return leaveProvider(context, by, { callbackUrl, federated })
}

/** Clears the stored provider session, and returns the provider's sign-out URL, if the user signs out there too. */
async function leaveProvider(context: AuthContext, by: SignedInBy | undefined, { callbackUrl, federated }: Leaving) {
  forgetProviderSession(context)
  if (!by) return callbackUrl
  revokeTokens(context, by)
  return (await providerUrl(context, by, { callbackUrl, federated })) ?? callbackUrl
}

interface Leaving {
  readonly callbackUrl: SafeRedirect
  readonly federated: boolean
}

/** Continues a sign-out at our endpoint; `undefined` if there is none, or it began in another browser. */
export async function goOnLeaving(context: AuthContext): Promise<SafeRedirect | undefined> {
  const { method, url } = context.request
  const sealed = onlyValue(url.searchParams, 'leaving')
  if (sealed === undefined || method !== 'GET') return undefined
  const found = await finishLeaving(context, sealed)
  if (!found) return undefined
  const { federated = false } = found
  const callbackUrl = safeRedirect(new URL(found.callbackUrl))
  return leaveProvider(context, await signedInBy(context), { callbackUrl, federated })
}

/** Checks whether a sign-out may involve any of the providers. */
function concernsProviders({ providers }: ResolvedConfig, federated: boolean): boolean {
  return [...providers.values()].some(
    (provider) => provider.kind === 'oauth' && (provider.logout.revokeTokens || isAsked(provider, federated)),
  )
}

/** Checks whether the user signs out at the provider, by its option. With `ask`, the user decides. */
function isAsked({ logout }: ResolvedOAuthProvider, federated: boolean): boolean {
  return logout.rpInitiated === 'always' || (logout.rpInitiated === 'ask' && federated)
}

/** Returns the URL of the sign-out at the provider; `undefined` if there is none, or it fails. Never rejects. */
async function providerUrl(
  context: AuthContext,
  { provider, session }: SignedInBy,
  { callbackUrl, federated }: Leaving,
): Promise<SafeRedirect | undefined> {
  if (!isAsked(provider, federated)) return undefined
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
function revokeTokens({ background, config }: AuthContext, { provider, session }: SignedInBy): void {
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
  const found = await finishLeaving(context, onlyValue(url.searchParams, 'state'), provider.id)
  return found && safeRedirect(new URL(found.callbackUrl))
}
