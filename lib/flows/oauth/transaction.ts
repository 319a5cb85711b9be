/**
 * The attempts of OAuth and OpenID Connect, from the redirect to the provider to the way back. They keep state (RFC 6749
 * §10.12), nonce (OpenID Connect Core §15.5.2), PKCE verifier (RFC 7636), provider, client and redirect URI.
 *
 * Each has a cookie of its own, one of five, so that five tabs can sign in. Tabs that begin at the same time send the same
 * cookies, because no answer has reached the browser yet. So the process remembers for a few seconds which cookies it gave to
 * a browser; else both tabs would get the same one, and only the second could sign in.
 */

import { decodeJwt } from 'jose'
import { parseJson } from '../../base/json.js'
import { BoundedMap, perOwner, type SiteMemory } from '../../base/memory.js'
import type { AuthContext, Connection, GrantKey, ResolvedOAuthProvider } from '../../contracts/index.js'
import { equalText } from '../../crypto/hash.js'
import { randomText } from '../../crypto/random.js'
import { seal, unseal } from '../../crypto/seal.js'
import { InvalidCheck } from '../../errors.js'
import { makeRoom } from '../../http/cookie-budget.js'
import type { AuthResponse } from '../../http/message.js'
import { onlyValue, safeRedirect } from '../../http/urls.js'
import { browserId } from '../../session/browser.js'
import type { Profile } from '../../types/identity.js'
import { Attempts, attemptCookie, attemptMaxAge, clearAttempt, type HeldAttempt } from '../attempt.js'

/** A sign-in with a provider that has begun. */
export interface Transaction {
  readonly provider: string
  readonly clientId: string
  readonly redirectUri: string
  readonly callbackUrl: string
  readonly state: string
  readonly nonce?: string
  readonly codeVerifier?: string
  /** Seconds; the authentication must not be older (OpenID Connect Core §3.1.2.1). */
  readonly maxAuthAge?: number
  /** The session in which it was started (`SessionOwner.key`), where there is an adapter to link accounts in. */
  readonly startedBy?: string
  /** Tokens will be bound to it. */
  readonly dpopKey?: GrantKey
  /** Present where who is signed in connects an account, instead of signing in. */
  readonly connection?: Connection
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/** A return is known by its `state`. */
export const transactions = new Attempts<Transaction>('transaction')

/** Keeps a transaction in the first free cookie, or in place of the oldest. */
export async function keepTransaction(context: AuthContext, transaction: Transaction): Promise<void> {
  const held = await transactions.held(context, slots)
  const chosen = chooseSlot(context, held)
  await transactions.keep(context, chosen, transaction)
  const others = held.filter(({ slot }) => slot !== chosen)
  others.sort((one, other) => one.attempt.startedAt - other.attempt.startedAt)
  makeRoom(
    context.cookies,
    others.map(({ slot }) => attemptCookie(context, slot)),
  )
}

/**
 * The transaction that a return belongs to. It counts as used from here on, and its cookie is cleared, however the rest ends.
 *
 * @throws {@link InvalidCheck} when this browser has none for that state, provider, client and redirect URI.
 */
export async function takeTransaction(
  context: AuthContext,
  provider: ResolvedOAuthProvider,
  returned: { state: string | undefined; redirectUri: string },
): Promise<Transaction> {
  const { state, redirectUri } = returned
  if (!state) throw new InvalidCheck('The return from the provider has no state, or several.')
  const held = await transactions.held(context, slots)
  const found = held.find(({ attempt }) => equalText(attempt.state, state))
  if (!found) {
    const message =
      'This browser has no open sign-in for the returned state. It is too old, used, or of another browser.'
    throw transactions.refusal(context, state, message)
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
  await transactions.use(context, state, 'The sign-in was completed before.')
  return transaction
}

/* ---- the five cookies --------------------------------------------------------------------------------------- */

/** The numbers at the end of their names. */
const slots = [0, 1, 2, 3, 4] as const
type Slot = (typeof slots)[number]

/** Milliseconds until a browser has stored what it was sent. */
const grace = 10 * 1000

/** When each browser was given which cookie lately: milliseconds since the epoch. */
const givenOf = perOwner((_site: SiteMemory) => new BoundedMap<string, Map<Slot, number>>(1000))

/** The first free cookie, or the one that is taken for the longest time. */
function chooseSlot(context: AuthContext, held: ReadonlyArray<HeldAttempt<Transaction, Slot>>): Slot {
  const recent = recentOf(context)
  const takenAt = (slot: Slot) =>
    Math.max(
      recent?.get(slot) ?? Number.NEGATIVE_INFINITY,
      ...held.filter((entry) => entry.slot === slot).map(({ attempt }) => attempt.startedAt),
    )
  const chosen = slots.reduce<Slot>((best, slot) => (takenAt(slot) < takenAt(best) ? slot : best), slots[0])
  recent?.set(chosen, Date.now())
  return chosen
}

/** The cookie is free again. */
function releaseSlot(context: AuthContext, slot: Slot): void {
  const browser = browserId(context)
  if (browser !== undefined) givenOf(context.config.memory).get(browser)?.delete(slot)
}

/** What the browser was given within the time of grace; `undefined` where browsers cannot be told apart. */
function recentOf(context: AuthContext): Map<Slot, number> | undefined {
  const browser = browserId(context)
  if (browser === undefined) return undefined
  const browsers = givenOf(context.config.memory)
  const now = Date.now()
  const recent = new Map([...(browsers.get(browser) ?? [])].filter(([, at]) => now - at < grace))
  // Set anew, so that the map is in the order of the last use.
  browsers.delete(browser)
  browsers.set(browser, recent)
  return recent
}

/* ---- answer ------------------------------------------------------------------------------------------------------ */

// What the provider's answer says of its request, before it is verified.

/**
 * The `state`, which leads to the attempt. In a signed answer (JARM §4.1) it stands in the token: there it is read before the signature is
 * verified, and compared again afterwards. A plain answer has none then.
 */
export function stateOf(
  { protocol }: Pick<ResolvedOAuthProvider, 'protocol'>,
  answer: URLSearchParams,
): string | undefined {
  if (!protocol.signedAnswer) return onlyValue(answer, 'state')
  try {
    const { state } = decodeJwt(onlyValue(answer, 'response') ?? '')
    return typeof state === 'string' ? state : undefined
  } catch {
    return undefined
  }
}

/* ---- redirect proxy ---------------------------------------------------------------------------------------------- */

// The redirect proxy: every redirect URI has to be registered with the provider, but preview deployments have new URLs all the time.
// They use the redirect URI of a stable deployment, which forwards the answers to them.  Where to is in the `state`, which the preview
// deployment seals with the shared secret, for one provider and a quarter of an hour. The stable deployment forwards only to origins
// that its owner lists.

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

/* ---- form post --------------------------------------------------------------------------------------------------- */

// `response_mode=form_post` (OAuth 2.0 Form Post Response Mode): browsers send no `SameSite=Lax` cookies with a POST from the provider's
// site, so the attempt is missing. The POST is answered with a redirect to the same URL by GET, which has the cookies. What the provider
// sent goes along in the query, sealed for a minute.

/** Seconds between a provider's POST and the GET it is answered with. */
const maxAge = 60

/** Answers the provider's POST. */
export async function relayFormPost(context: AuthContext, provider: ResolvedOAuthProvider): Promise<AuthResponse> {
  const fields = Object.entries(context.request.body).filter(([, value]) => typeof value === 'string')
  const payload = { provider: provider.id, fields: Object.fromEntries(fields) }
  const sealed = await seal('form-post', payload, { secrets: context.config.secrets, maxAge })
  return { kind: 'redirect', to: context.urls.endpoint('callback', provider.id, { form_post: sealed }) }
}

/** What the provider sent, from the query or from the relayed POST. @throws {@link InvalidCheck} */
export async function readAnswer(
  { config, request }: AuthContext,
  provider: ResolvedOAuthProvider,
): Promise<URLSearchParams> {
  const sealed = request.url.searchParams.get('form_post')
  if (!provider.formPost || sealed === null) return request.url.searchParams
  const payload = await unseal('form-post', sealed, config.secrets)
  if (payload?.provider !== provider.id) {
    throw new InvalidCheck('The relayed answer of the provider is not ours, or too old.')
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
