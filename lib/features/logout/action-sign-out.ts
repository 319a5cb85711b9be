/** The part of a sign-out that concerns the provider: whether it is asked for, where the person is sent, and the way back. */

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

/** A provider that signed the person in here, and may sign them out there. */
export interface SignedInBy {
  readonly provider: ResolvedOAuthProvider
  readonly session: ProviderSession
}

/** By which provider the person was signed in in this browser; `undefined` where nothing is kept of that. */
export async function signedInBy(context: AuthContext): Promise<SignedInBy | undefined> {
  const session = await readProviderSession(context)
  if (!session) return undefined
  const provider = context.config.providers.get(session.provider)
  return provider?.kind === 'oauth' ? { provider, session } : undefined
}

/** Milliseconds that the sign-out page waits for a provider's metadata. It can be shown without them. */
const patience = 2_000

/** What the sign-out page says of the provider: its name, and whether the person has a choice. */
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
    logger.debug('the sign-out page is shown without its provider, whose metadata cannot be had', { id: provider.id })
    return undefined
  }
  return { name: provider.name, isOptional: provider.logout.rpInitiated === 'ask' }
}

/**
 * Where a person goes whose session here has ended: to the provider, where that is asked for. The application's own code answers
 * at paths to which the cookie does not come that says who the provider is: then they come by our endpoint.
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

/** Forgets by which provider the person was signed in, and sends them there, where that is asked for. */
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

/** Goes on for who comes by our endpoint; `undefined` where nobody does, or not in this browser. */
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

/** Whether a sign-out may concern one of the providers, whichever it was. */
function concernsProviders({ providers }: ResolvedConfig, federated: boolean): boolean {
  return [...providers.values()].some(
    (provider) => provider.kind === 'oauth' && (provider.logout.revokeTokens || isAsked(provider, federated)),
  )
}

/** The provider's option decides; where it says `ask`, the person. */
function isAsked({ logout }: ResolvedOAuthProvider, federated: boolean): boolean {
  return logout.rpInitiated === 'always' || (logout.rpInitiated === 'ask' && federated)
}

/** Where the person is to be signed out, too; `undefined` where that is nowhere, or cannot be. Never rejects. */
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
      warn(`The provider "${provider.id}" has no end_session_endpoint: people stay signed in there.`)
    }
    return url
  } catch (thrown) {
    warn(`Somebody stays signed in at the provider "${provider.id}": ${toError(thrown).message}`)
    return undefined
  }
}

/** Has the provider take the tokens of the sign-in back, in the background. */
function revokeTokens({ background, config }: AuthContext, { provider, session }: SignedInBy): void {
  const { token } = session
  if (!token || !provider.logout.revokeTokens) return
  const revoked = oauthLogout.revokeToken(config, provider, token).catch((error: unknown) => {
    const { message } = toError(error)
    config.logger.warn('tokens-not-revoked', `The tokens of "${provider.id}" could not be revoked: ${message}`)
  })
  background.run(revoked)
}

/** Where the person who comes back from the provider goes; `undefined` where nobody's URL may be followed. */
export async function signedOutUrl(context: AuthContext): Promise<SafeRedirect | undefined> {
  const provider = requestedProvider(context)
  if (provider?.kind !== 'oauth') throw new InvalidProvider('The provider signs nobody out.')
  const { method, url } = context.request
  if (method === 'HEAD') return undefined
  const found = await finishLeaving(context, onlyValue(url.searchParams, 'state'), provider.id)
  return found && safeRedirect(new URL(found.callbackUrl))
}
