/**
 * The redirect proxy: providers want every redirect URI registered, and preview deployments have
 * new ones each day. They borrow the one of a stable deployment, which sends the answers on to them.
 *
 * Where to is in the `state`, sealed by the borrowing deployment under the shared secret, for one provider and fifteen
 * minutes; and the stable deployment's owner lists the origins that it sends to.
 */
import type { AuthContext, ResolvedOAuthProvider } from '../../contracts/index.js'
import { randomText } from '../../crypto/random.js'
import { seal, unseal } from '../../crypto/seal.js'
import { InvalidCheck } from '../../errors.js'
import type { AuthResponse } from '../../http/message.js'
import { safeRedirect } from '../../http/urls.js'

/** Seconds. */
const maxAge = 15 * 60

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
  return seal('redirect-proxy', { to: own, provider: provider.id, random }, { secrets, maxAge })
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
  const payload = await unseal('redirect-proxy', answer.get('state') ?? '', config.secrets)
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
