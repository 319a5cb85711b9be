/** The part of a sign-out that concerns the provider: whether it is asked for, where the person is sent, and the way back. */
import { withTimeout } from '../base/timeout.js'
import type { AuthContext, ProviderSession, ResolvedOAuthProvider } from '../contracts/index.js'
import { InvalidProvider, toError } from '../errors.js'
import { oauthLogout, readProviderSession } from '../flows/index.js'
import type { SafeRedirect } from '../http/message.js'
import { requestedProvider } from './request.js'

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

/** Where the person is to be signed out, too; `undefined` where that is nowhere, or cannot be. Never rejects. */
export async function providerSignOutUrl(
  context: AuthContext,
  by: SignedInBy | undefined,
  callbackUrl: SafeRedirect,
): Promise<SafeRedirect | undefined> {
  if (!by || !isAsked(context, by.provider)) return undefined
  const { logger } = context.config
  const { id } = by.provider
  try {
    const url = await oauthLogout.endSessionUrl(context, by.provider, { session: by.session, callbackUrl })
    if (url === undefined) {
      logger.warn('provider-sign-out', `The provider "${id}" has no end_session_endpoint: people stay signed in there.`)
    }
    return url
  } catch (thrown) {
    const { message } = toError(thrown)
    logger.warn('provider-sign-out', `Somebody stays signed in at the provider "${id}": ${message}`)
    return undefined
  }
}

/** The provider's option decides; where it says `ask`, the field `federated` of the form or the JSON body. */
function isAsked({ request }: AuthContext, { logout }: ResolvedOAuthProvider): boolean {
  const { federated } = request.body
  if (logout.rpInitiated === 'never') return false
  return logout.rpInitiated === 'always' || federated === true || federated === 'true'
}

/** Has the provider take the tokens of the sign-in back, in the background. */
export function revokeTokens({ background, config }: AuthContext, by: SignedInBy | undefined): void {
  const token = by?.session.token
  if (!by || !token || !by.provider.logout.revokeTokens) return
  const revoked = oauthLogout.revokeToken(config, by.provider, token).catch((error: unknown) => {
    const { message } = toError(error)
    config.logger.warn('tokens-not-revoked', `The tokens of "${by.provider.id}" could not be revoked: ${message}`)
  })
  background.run(revoked)
}

/** Where the person who comes back from the provider goes; `undefined` where nobody's URL may be followed. */
export async function signedOutUrl(context: AuthContext): Promise<SafeRedirect | undefined> {
  const provider = requestedProvider(context)
  if (provider?.kind !== 'oauth') throw new InvalidProvider('The provider signs nobody out.')
  return context.request.method === 'HEAD' ? undefined : oauthLogout.finishEndSession(context, provider)
}
