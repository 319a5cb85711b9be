/**
 * The endpoint `GET|POST app`: a signed-in user approves that an app gets a session. The app gets a code at one of its redirect URLs. No
 * app is approved without the user (RFC 8252 §8.6), and nothing is sent to a URL that was not checked.
 */
import { canonicalUrl } from '../../actions/requested-provider.js'
import type { AuthContext, ResolvedApp, ResolvedApps } from '../../contracts/index.js'
import { InvalidRequest } from '../../errors.js'
import type { AuthResponse, SafeRedirect } from '../../http/message.js'
import { safeRedirect, singleParam } from '../../http/urls.js'
import { pageResponse } from '../../pages/index.js'
import { isStored, rejectionReasonOf, type StoredPrincipal, writeProofs } from '../../principal/index.js'
import { assertCsrf, csrfTokenForForm } from '../../session/csrf.js'
import { readStamp } from '../../session/security-stamp.js'
import { renderApp } from './page-app.js'
import { createCode } from './store.js'

/** A checked request of an app. */
interface AppRequest {
  readonly id: string
  readonly app: ResolvedApp
  readonly redirectUri: string
  readonly challenge: string
  readonly state: string
  /** The URL of this request, with the checked parameters only. */
  readonly url: SafeRedirect
}

/** Answers `app`: GET asks the user, and POST approves. @throws {@link InvalidRequest} for a request that no configured app makes. */
export async function authorize(context: AuthContext, apps: ResolvedApps): Promise<AuthResponse> {
  const { request, sessions, urls } = context
  const asked = readAppRequest(context, apps)
  const isPost = request.method === 'POST'
  if (isPost) assertCsrf(context)
  const elsewhere = isPost ? undefined : canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  const reading = await sessions.read(context, { writable: true })
  const principal = await reading?.principal()
  if (!reading || !principal) return askToSignIn(context, asked)
  if (!isStored(principal))
    throw new InvalidRequest('Apps need a stored user, and the signed-in user is not stored.', 403)
  // A session that allows no lasting change cannot begin one that outlives it. The user can sign in again.
  if (rejectionReasonOf(principal, 'authorizeApp', undefined)) return askToSignIn(context, asked)
  // The user saw the page in this session. Otherwise another user may have signed in since, and is asked.
  if (isPost && request.body.session === principal.id) return approve(context, apps, asked, principal)
  const page = {
    name: asked.app.name,
    user: reading.session.user ?? {},
    session: principal.id,
    action: asked.url,
    csrfToken: csrfTokenForForm(context),
    cancelUrl: responseUrl(context, asked, { error: 'access_denied' }),
    signOutUrl: urls.page('signOut', { callbackUrl: asked.url }),
  }
  return pageResponse(context, 200, (frame) => renderApp({ ...page, frame }))
}

function askToSignIn({ urls }: AuthContext, { url }: AppRequest): AuthResponse {
  return { kind: 'redirect', to: urls.page('signIn', { callbackUrl: url }) }
}

/** Sends a code to the app, for a session with the facts of this one. */
async function approve(
  context: AuthContext,
  apps: ResolvedApps,
  asked: AppRequest,
  principal: StoredPrincipal,
): Promise<AuthResponse> {
  const { config, sessions } = context
  const { userId, id, name: session, sid, proofs, startedAt, organization, provider } = principal
  // All logouts until now are known. The stamp is stored as JSON, which has no infinity.
  const link = provider && { ...provider, at: Number.MAX_SAFE_INTEGER }
  // Read before the session is looked up: a later end changes the stamp.
  const stamp = await readStamp(config, { userId, sid, link })
  if (!(await sessions.isLive(context, id))) return askToSignIn(context, asked)
  const code = await createCode(config, apps, {
    userId,
    app: asked.id,
    redirectUri: asked.redirectUri,
    challenge: asked.challenge,
    session,
    proofs: writeProofs(proofs),
    startedAt,
    organization,
    provider,
    stamp,
  })
  return { kind: 'redirect', to: responseUrl(context, asked, { code }) }
}

/** Returns the redirect URL with a response, and with the issuer, by which a client of several servers notices a mix-up (RFC 9207). */
function responseUrl(
  { request, urls }: AuthContext,
  { redirectUri, state }: AppRequest,
  answer: Readonly<Record<string, string>>,
): SafeRedirect {
  const url = new URL(redirectUri)
  url.search = new URLSearchParams({ ...answer, state, iss: urls.origin + request.basePath }).toString()
  return safeRedirect(url)
}

/**
 * Reads the parameters. All are required, and none may be repeated, so that two programs never understand a different request.
 *
 * @throws {@link InvalidRequest} that names the parameter.
 */
function readAppRequest({ request, urls }: AuthContext, { clients }: ResolvedApps): AppRequest {
  const read = (name: string) => singleParam(request.url.searchParams, name) ?? ''
  const params = {
    app: read('app'),
    redirect_uri: read('redirect_uri'),
    code_challenge: read('code_challenge'),
    code_challenge_method: read('code_challenge_method'),
    state: read('state'),
  }
  const { app: id, redirect_uri: redirectUri, code_challenge: challenge, state } = params
  const app = clients.get(id)
  if (!app) throw new InvalidRequest('`app` must be the id of one app of this site.')
  if (!isRedirectUri(app, redirectUri)) {
    throw new InvalidRequest(
      '`redirect_uri` must be exactly one link of the app, or, if the app uses loopback, http://127.0.0.1:<port>/ or http://[::1]:<port>/.',
    )
  }
  if (!/^[\w-]{43}$/.test(challenge)) throw new InvalidRequest('`code_challenge` must be 43 characters of base64url.')
  if (params.code_challenge_method !== 'S256') throw new InvalidRequest('`code_challenge_method` must be S256.')
  if (!/^[\w.~-]{8,128}$/.test(state))
    throw new InvalidRequest('`state` must be 8 to 128 letters, digits, `-`, `.`, `_` and `~`.')
  return { id, app, redirectUri, challenge, state, url: urls.endpoint('app', undefined, params) }
}

/** An address of this machine with a port and a path. A name such as `localhost` can lead to another one (RFC 8252 §8.3). */
const loopbackUri = /^http:\/\/(?:127\.0\.0\.1|\[::1\]):[1-9]\d{0,4}\/[\w./~-]{0,100}$/

function isRedirectUri({ links, loopback }: ResolvedApp, text: string): boolean {
  if (links.includes(text)) return true
  // The text must be as browsers write it, without `..` and with a valid port.
  return loopback && loopbackUri.test(text) && URL.canParse(text) && new URL(text).href === text
}
