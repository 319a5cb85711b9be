/**
 * The redirect proxy: every redirect URI has to be registered with the provider, but preview deployments have new URLs all the
 * time. They use the redirect URI of a stable deployment, which forwards the answers to them.
 *
 * Where to is in the `state`, which the preview deployment seals with the shared secret, for one provider and a quarter of an
 * hour. The stable deployment forwards only to origins that its owner lists.
 */
import type { AuthContext, ResolvedOAuthProvider } from '../../contracts/index.js'
import { randomText } from '../../crypto/random.js'
import { seal, unseal } from '../../crypto/seal.js'
import { InvalidCheck } from '../../errors.js'
import type { AuthResponse } from '../../http/message.js'
import { safeRedirect } from '../../http/urls.js'
import { attemptMaxAge } from '../attempt.js'
import { stateOf } from './answer.js'

/** Where the provider sends the person: our own callback URL, or the proxy's. */
export function redirectUriOf({ urls }: AuthContext, provider: ResolvedOAuthProvider): string {
  return provider.redirectProxyUrl === undefined
    ? urls.endpoint('callback', provider.id)
    : `${provider.redirectProxyUrl}/callback/${provider.id}`
}

/** The `state` of an attempt: random text; where a proxy stands between, sealed with the way back to us. */
export async function createState(context: AuthContext, provider: ResolvedOAuthProvider): Promise<string> {
  const own = context.urls.endpoint('callback', provider.id)
  const random = randomText(32)
  if (redirectUriOf(context, provider) === own) return random
  const { secrets } = context.config
  return seal('redirect-proxy', { to: own, provider: provider.id, random }, { secrets, maxAge: attemptMaxAge })
}

/**
 * For the proxy: the redirect to the deployment that an answer belongs to; `undefined` when it is our own.
 *
 * @throws {@link InvalidCheck} when it belongs to an origin that is not listed.
 */
export async function forwardAnswer(
  context: AuthContext,
  provider: ResolvedOAuthProvider,
  answer: URLSearchParams,
): Promise<AuthResponse | undefined> {
  const { config, urls } = context
  const payload = await unseal('redirect-proxy', stateOf(provider, answer) ?? '', config.secrets)
  if (payload?.provider !== provider.id || typeof payload.to !== 'string') return undefined
  if (payload.to === urls.endpoint('callback', provider.id)) return undefined
  const to = new URL(payload.to)
  if (!config.forwardsTo(to.origin)) {
    throw new InvalidCheck(
      `The answer is for ${to.origin}, which \`redirectProxyOrigins\` does not list. Add it if that deployment is yours.`,
    )
  }
  to.search = answer.toString()
  return { kind: 'redirect', to: safeRedirect(to) }
}
