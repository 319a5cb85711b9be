/**
 * The attempts of OAuth and OpenID Connect, from the redirect to the provider to the way back. They keep state (RFC 6749
 * §10.12), nonce (OpenID Connect Core §15.5.2), PKCE verifier (RFC 7636), provider, client and redirect URI.
 *
 * Each has a cookie of its own, one of five, so that five tabs can sign in. Tabs that begin at the same time send the same
 * cookies, because no answer has reached the browser yet. So the process remembers for a few seconds which cookies it gave to
 * a browser; else both tabs would get the same one, and only the second could sign in.
 */

import { BoundedMap, perOwner, type SiteMemory } from '../../base/memory.js'
import type { AuthContext, Connection, GrantKey, ResolvedOAuthProvider } from '../../contracts/index.js'
import { equalText } from '../../crypto/hash.js'
import { InvalidCheck } from '../../errors.js'
import { makeRoom } from '../../http/cookie-budget.js'
import { browserId } from '../../session/browser.js'
import { Attempts, attemptCookie, clearAttempt, type HeldAttempt } from '../attempt.js'

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
