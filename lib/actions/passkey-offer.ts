/**
 * The offer of a passkey after a sign-in with a password: once for each user in each browser, with a link to skip it.
 * It is shown only to users of the built-in sign-in page who have no passkey yet, and a failure never stops a sign-in.
 */
import { readCallbackUrl } from '../callbacks/index.js'
import type { AuthContext, ResolvedProvider, ResolvedWebAuthnProvider, SignInResult } from '../contracts/index.js'
import { shortHmac } from '../crypto/hash.js'
import { includesHash, keyedHashes } from '../crypto/keyed-hashes.js'
import { toError } from '../errors.js'
import { type AuthResponse, prefersJson, type SafeRedirect } from '../http/message.js'
import { pageResponse, renderPasskeyOffer } from '../pages/index.js'
import { csrfTokenForForm } from '../session/csrf.js'
import type { CookieOption } from '../types/cookies.js'
import { wantsUrl } from './failure.js'

/** In seconds: the longest that browsers keep a cookie (RFC 6265bis §5.5). */
const offeredMaxAge = 400 * 24 * 60 * 60
/** The maximum number of users that a browser remembers, such as those of a family. */
const mostUsers = 5

/** A sign-in with a password that has ended with a session. */
interface StartedSignIn {
  readonly signedIn: SignInResult
  readonly to: SafeRedirect
}

/** Returns the URL of the offer if the user gets one now; `undefined` otherwise. */
export async function passkeyOfferUrl(context: AuthContext, started: StartedSignIn): Promise<SafeRedirect | undefined> {
  const { signedIn, to } = started
  const { id: userId } = signedIn.user
  // Without a stored user there is no account for a passkey.
  if (userId === undefined || signedIn.isNewUser === undefined || !isOwnForm(context)) return undefined
  const provider = offeredProvider(context)
  if (!provider || isOffered(context, userId)) return undefined
  try {
    if ((await context.config.store?.listAuthenticators(userId))?.length !== 0) return undefined
  } catch (error) {
    context.config.logger.error(toError(error))
    return undefined
  }
  rememberOffer(context, userId)
  return context.urls.endpoint('signin', provider.id, { [offerParam]: '1', callbackUrl: to })
}

/** The mark of the offer in the URL of the sign-in page of a passkey provider. */
const offerParam = 'offer'

/** Checks whether a request is for the offer. */
export function isPasskeyOffer(
  { request }: AuthContext,
  provider: ResolvedProvider | undefined,
): provider is ResolvedWebAuthnProvider {
  return provider?.kind === 'webauthn' && request.url.searchParams.get(offerParam) === '1'
}

/** Returns the page with the offer. The passkey is added to the account of the session. */
export async function passkeyOffer(context: AuthContext, provider: ResolvedWebAuthnProvider): Promise<AuthResponse> {
  const { urls } = context
  const callbackUrl = await readCallbackUrl(context)
  const csrfToken = csrfTokenForForm(context)
  return pageResponse(context, 200, (frame) =>
    renderPasskeyOffer({
      ...{ frame, csrfToken, callbackUrl },
      action: urls.endpoint('callback', provider.id),
      optionsUrl: urls.endpoint('webauthn-options', provider.id),
    }),
  )
}

/** Checks whether the built-in form was submitted. Scripts and custom pages go directly to the requested page. */
function isOwnForm({ request, urls }: AuthContext): boolean {
  const isForm = request.method === 'POST' && request.body.navigation === 'form'
  return isForm && !wantsUrl(request) && !prefersJson(request.headers) && urls.customPage('signIn') === undefined
}

function offeredProvider({ config, urls }: AuthContext): ResolvedWebAuthnProvider | undefined {
  for (const provider of config.providers.values()) {
    if (provider.kind !== 'webauthn' || !provider.offersAfterPassword) continue
    if (provider.relyingParty.isOrigin(urls.origin)) return provider
  }
  return undefined
}

function isOffered(context: AuthContext, userId: string): boolean {
  const hashes = offerHashes(context, userId)
  return offersOf(context).some((offer) => includesHash(hashes, offer))
}

function rememberOffer(context: AuthContext, userId: string): void {
  const [hash = ''] = offerHashes(context, userId)
  const value = [hash, ...offersOf(context)].slice(0, mostUsers).join('~')
  const expires = new Date(Date.now() + offeredMaxAge * 1000)
  context.cookies.set(passkeyOfferCookie(context, { maxAge: offeredMaxAge, expires }), value)
}

function offersOf(context: AuthContext): string[] {
  const value = context.cookies.get(passkeyOfferCookie(context).name) ?? ''
  return value.split('~', mostUsers).filter((offer) => /^[\w-]{22}$/.test(offer))
}

/** Returns keyed hashes, so that the cookie does not name the user. */
function offerHashes({ config }: AuthContext, userId: string): string[] {
  return keyedHashes(config, 'passkey offer', [userId], shortHmac)
}

/** Returns the cookie, at the path of the mount. */
function passkeyOfferCookie(
  { cookiePolicy, request }: AuthContext,
  own: Pick<CookieOption['options'], 'maxAge' | 'expires'> = {},
): CookieOption {
  const { name, options } = cookiePolicy.passkeyOffer
  return { name, options: { ...options, ...own, path: request.basePath || '/' } }
}
