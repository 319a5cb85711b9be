/**
 * The attempts of OAuth and OpenID Connect, from the redirect to the provider until the return. They store state (RFC
 * 6749 §10.12), nonce (OpenID Connect Core §15.5.2), PKCE verifier (RFC 7636), provider, client and redirect URI.
 *
 * Each is in one of five cookies, so that five tabs can sign in. Tabs that start at the same time send the same
 * cookies, because no response has reached the browser yet. So the process remembers for a few seconds which cookies it
 * gave to a browser. Otherwise both tabs would get the same one, and only the second could sign in.
 */

import { decodeJwt } from 'jose'
import { parseJson } from '../../base/json.js'
import { BoundedMap, perOwner, type SiteMemory } from '../../base/memory.js'
import type { AuthContext, Connection, DpopKey, ResolvedOAuthProvider } from '../../contracts/index.js'
import { equalText } from '../../crypto/hash.js'
import { randomText } from '../../crypto/random.js'
import { seal, unseal } from '../../crypto/seal.js'
import { InvalidCheck } from '../../errors.js'
import { clearUntilFits } from '../../http/cookie-budget.js'
import { isLoopbackHost } from '../../http/ip-addresses.js'
import type { AuthResponse } from '../../http/message.js'
import { safeRedirect, singleParam } from '../../http/urls.js'
import { browserId } from '../../session/browser.js'
import type { Profile } from '../../types/identity.js'
import { Attempts, attemptCookie, attemptMaxAge, clearAttempt, type PresentedAttempt } from '../attempt.js'

/** A sign-in with a provider that has started. */
export interface Transaction {
  readonly provider: string
  readonly clientId: string
  readonly redirectUri: string
  readonly callbackUrl: string
  readonly state: string
  readonly nonce?: string
  readonly codeVerifier?: string
  /** The maximum age of the authentication, in seconds (OpenID Connect Core §3.1.2.1). */
  readonly maxAuthAge?: number
  /** The session in which it was started (`SessionOwner.key`), if an adapter can link accounts. */
  readonly startedBy?: string
  /** The key to which tokens will be bound. */
  readonly dpopKey?: DpopKey
  /** Present if the signed-in user connects an account, instead of signing in. */
  readonly connection?: Connection
  /** In milliseconds since the epoch. */
  readonly startedAt: number
}

/** The transactions. A return is identified by its `state`. */
export const transactions = new Attempts<Transaction>('transaction')

/** Stores a transaction in the first free cookie, or instead of the oldest. */
export async function storeTransaction(context: AuthContext, transaction: Transaction): Promise<void> {
  const held = await transactions.presented(context, slots)
  const chosen = chooseSlot(context, held)
  await transactions.storeInCookie(context, chosen, transaction)
  const others = held.filter(({ slot }) => slot !== chosen)
  others.sort((one, other) => one.attempt.startedAt - other.attempt.startedAt)
  clearUntilFits(
    context.cookies,
    others.map(({ slot }) => attemptCookie(context, slot)),
  )
}

/**
 * Returns the transaction of a return. It is used up from then on, and its cookie is cleared, even if the sign-in
 * fails.
 *
 * @throws {@link InvalidCheck} if this browser has none for that state, provider, client and redirect URI.
 */
export async function takeTransaction(
  context: AuthContext,
  provider: ResolvedOAuthProvider,
  returned: { state: string | undefined; redirectUri: string },
): Promise<Transaction> {
  const { state, redirectUri } = returned
  if (!state) throw new InvalidCheck('The callback request has no state, or several.')
  const held = await transactions.presented(context, slots)
  const found = held.find(({ attempt }) => equalText(attempt.state, state))
  if (!found) {
    throw transactions.invalidCheck(context, state, missingTransactionMessage(context, held.length > 0))
  }
  const { attempt: transaction, slot } = found
  clearAttempt(context, slot)
  releaseSlot(context, slot)
  if (transaction.provider !== provider.id || transaction.clientId !== provider.clientId) {
    throw new InvalidCheck('The sign-in was started with another provider or client.')
  }
  if (transaction.redirectUri !== redirectUri) {
    throw new InvalidCheck('The return came to another URL than the one the sign-in was started with.')
  }
  await transactions.consume(context, state, 'The sign-in was completed before.')
  return transaction
}

/** Cookies of `localhost` are not sent to 127.0.0.1, so a sign-in that begins there cannot be completed here. */
function missingTransactionMessage({ config, urls: { origin } }: AuthContext, hasOthers: boolean): string {
  const { hostname, port } = new URL(origin)
  const general =
    'This browser has no open sign-in for the returned state. It has expired, was used, or belongs to another browser.'
  if (hasOthers || config.production || !isLoopbackHost(hostname)) return general
  const other = `http://${hostname === 'localhost' ? '127.0.0.1' : 'localhost'}${port && `:${port}`}`
  return `${general} Or it began at ${other}, whose cookies are not sent to ${origin}. Open the site at ${origin} from the beginning.`
}

/* ---- the five cookies --------------------------------------------------------------------------------------- */

/** The numbers at the end of the cookie names. */
const slots = [0, 1, 2, 3, 4] as const
type Slot = (typeof slots)[number]

/** The time that a browser may need to store a cookie, in milliseconds. */
const slotGraceTime = 10 * 1000

/** The cookies that each browser was given lately, with their times in milliseconds since the epoch. */
const slotsGivenTo = perOwner((_site: SiteMemory) => new BoundedMap<string, Map<Slot, number>>(1000))

/** Returns the first free cookie, or the one that has been taken for the longest time. */
function chooseSlot(context: AuthContext, held: ReadonlyArray<PresentedAttempt<Transaction, Slot>>): Slot {
  const recent = recentSlots(context)
  const takenAt = (slot: Slot) =>
    Math.max(
      recent?.get(slot) ?? Number.NEGATIVE_INFINITY,
      ...held.filter((entry) => entry.slot === slot).map(({ attempt }) => attempt.startedAt),
    )
  const chosen = slots.reduce<Slot>((best, slot) => (takenAt(slot) < takenAt(best) ? slot : best), slots[0])
  recent?.set(chosen, Date.now())
  return chosen
}

/** Frees the cookie. */
function releaseSlot(context: AuthContext, slot: Slot): void {
  const browser = browserId(context)
  if (browser !== undefined) slotsGivenTo(context.config.memory).get(browser)?.delete(slot)
}

/**
 * Returns the cookies that the browser was given within the grace time; `undefined` if browsers cannot be
 * distinguished.
 */
function recentSlots(context: AuthContext): Map<Slot, number> | undefined {
  const browser = browserId(context)
  if (browser === undefined) return undefined
  const browsers = slotsGivenTo(context.config.memory)
  const now = Date.now()
  const recent = new Map([...(browsers.get(browser) ?? [])].filter(([, at]) => now - at < slotGraceTime))
  // It is inserted again, so that the map is in the order of the last use.
  browsers.delete(browser)
  browsers.set(browser, recent)
  return recent
}

/* ---- answer ------------------------------------------------------------------------------------------------------ */

// Reads the provider's response before it is verified.

/**
 * Returns the `state`, which identifies the attempt. In a signed response (JARM §4.1) it is in the token. It is read
 * before the signature is verified, and compared again afterwards. A plain response is then rejected.
 */
export function returnedState(
  { protocol }: Pick<ResolvedOAuthProvider, 'protocol'>,
  answer: URLSearchParams,
): string | undefined {
  if (!protocol.signedResponse) return singleParam(answer, 'state')
  try {
    const { state } = decodeJwt(singleParam(answer, 'response') ?? '')
    return typeof state === 'string' ? state : undefined
  } catch {
    return undefined
  }
}

/* ---- redirect proxy ---------------------------------------------------------------------------------------------- */

// The redirect proxy. Every redirect URI has to be registered with the provider, but preview deployments have new URLs
// all the time. They use the redirect URI of a stable deployment, which forwards the responses to them. The target is
// in the `state`, which the preview deployment seals with the shared secret, for one provider and a quarter of an hour.
// The stable deployment forwards only to origins that its owner lists.

/** Returns the redirect URI: our own callback URL, or the proxy's. */
export function redirectUriFor({ urls }: AuthContext, provider: ResolvedOAuthProvider): string {
  return provider.redirectProxyUrl === undefined
    ? urls.endpoint('callback', provider.id)
    : `${provider.redirectProxyUrl}/callback/${provider.id}`
}

/** Creates the `state` of an attempt: random text; with a proxy, sealed together with our callback URL. */
export async function createState(context: AuthContext, provider: ResolvedOAuthProvider): Promise<string> {
  const own = context.urls.endpoint('callback', provider.id)
  const random = randomText(32)
  if (redirectUriFor(context, provider) === own) return random
  const { secrets } = context.config
  return seal('redirect-proxy', { to: own, provider: provider.id, random }, { secrets, maxAge: attemptMaxAge })
}

/**
 * Returns the proxy's redirect to the deployment that a response belongs to; `undefined` for our own.
 *
 * @throws {@link InvalidCheck} if its origin is not listed.
 */
export async function forwardAnswer(
  context: AuthContext,
  provider: ResolvedOAuthProvider,
  answer: URLSearchParams,
): Promise<AuthResponse | undefined> {
  const { config, urls } = context
  const payload = await unseal('redirect-proxy', returnedState(provider, answer) ?? '', config.secrets)
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

/* ---- form post --------------------------------------------------------------------------------------------------- */

// `response_mode=form_post` (OAuth 2.0 Form Post Response Mode): browsers send no `SameSite=Lax` cookies with a POST
// from the provider's site, so the attempt is missing. The POST is answered with a redirect to the same URL by GET,
// which has the cookies. The posted fields are in the query, sealed for a minute.

/** The maximum time between a provider's POST and the GET that follows it, in seconds. */
const relayMaxAge = 60

/** Answers the provider's POST with a redirect. */
export async function relayFormPost(context: AuthContext, provider: ResolvedOAuthProvider): Promise<AuthResponse> {
  const fields = Object.entries(context.request.body).filter(([, value]) => typeof value === 'string')
  const payload = { provider: provider.id, fields: Object.fromEntries(fields) }
  const sealed = await seal('form-post', payload, { secrets: context.config.secrets, maxAge: relayMaxAge })
  return { kind: 'redirect', to: context.urls.endpoint('callback', provider.id, { form_post: sealed }) }
}

/** Returns the provider's response, from the query or from the relayed POST. @throws {@link InvalidCheck} */
export async function readCallbackParams(
  { config, request }: AuthContext,
  provider: ResolvedOAuthProvider,
): Promise<URLSearchParams> {
  const sealed = request.url.searchParams.get('form_post')
  if (!provider.formPost || sealed === null) return request.url.searchParams
  const payload = await unseal('form-post', sealed, config.secrets)
  if (payload?.provider !== provider.id) {
    throw new InvalidCheck('The relayed response of the provider is invalid, or has expired.')
  }
  return new URLSearchParams(payload.fields as Record<string, string>)
}

/**
 * Adds the JSON field `user` that some providers post beside the code (Sign in with Apple: the name, at the first sign-in).
 * It is not signed, so it never replaces a claim.
 */
export function withPostedUser(profile: Profile, provider: ResolvedOAuthProvider, answer: URLSearchParams): Profile {
  const posted = provider.formPost ? answer.get('user') : null
  if (posted === null || Object.hasOwn(profile, 'user')) return profile
  const user = parseJson(posted)
  return typeof user === 'object' && user !== null ? { ...profile, user } : profile
}
