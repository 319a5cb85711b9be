/** The endpoint `GET|POST initiate/<id>`: an identity provider asks for a sign-in (OpenID Connect Core §4). */
import { findRequestedProvider } from '../../actions/requested-provider.js'
import { checkedCallbackUrl } from '../../callbacks/index.js'
import type { AuthContext } from '../../contracts/index.js'
import { InvalidProvider, InvalidRequest } from '../../errors.js'
import { flowOf } from '../../flows/index.js'
import type { AuthResponse } from '../../http/message.js'

/**
 * Begins a sign-in of our own at the identity provider. Nothing of the request is believed: `iss` must be the issuer of the connection,
 * and the target must be allowed by `callbacks.redirect`.
 *
 * @throws {@link InvalidProvider} for an id that is no connection. {@link InvalidRequest} for another issuer.
 */
export async function initiate(context: AuthContext): Promise<AuthResponse> {
  const { request, urls } = context
  const provider = await findRequestedProvider(context)
  if (provider?.kind !== 'oauth' || !provider.connection) throw new InvalidProvider('The URL names no connection.')
  const sent = (name: string): unknown =>
    request.method === 'POST' ? request.body[name] : (request.url.searchParams.get(name) ?? undefined)
  const { issuer = '' } = provider
  if (withoutSlash(sent('iss')) !== withoutSlash(issuer))
    throw new InvalidRequest('`iss` is not the issuer of the connection.')
  const url = new URL(urls.endpoint('signin', provider.id))
  const hint = sent('login_hint')
  if (typeof hint === 'string') url.searchParams.set('login_hint', hint)
  const body = { callbackUrl: sent('target_link_uri') }
  // As a call of our own, which links nothing unless a page of the site caused it: another site can send a browser here.
  const own: AuthContext = { ...context, ownCall: true, request: { ...request, url, body } }
  return flowOf(provider).start(own, provider, await checkedCallbackUrl(own))
}

function withoutSlash(issuer: unknown): string | undefined {
  return typeof issuer === 'string' ? issuer.replace(/\/$/, '') : undefined
}
