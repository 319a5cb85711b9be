/**
 * A sign-in attempt, from the redirect to the provider to the way back.
 *
 * Everything that has to be the same on return is sealed into one cookie: state (RFC 6749 §10.12), nonce (OpenID Connect
 * Core §15.5.2), PKCE verifier (RFC 7636), provider, client, redirect URI. Five cookies, so that five tabs can sign in.
 */

import { ExpiringSet, perOwner, type SiteMemory } from '../../base/memory.js'
import type { AuthContext, ResolvedOAuthProvider } from '../../contracts/index.js'
import { equalText, shortHash } from '../../crypto/hash.js'
import { seal, unseal } from '../../crypto/seal.js'
import { InvalidCheck } from '../../errors.js'
import { makeRoom } from '../../http/cookie-budget.js'
import { bindBrowser, isBoundHere } from '../../session/browser.js'
import type { CookieOption } from '../../types/cookies.js'
import { chooseSlot, releaseSlot, slots } from './slots.js'

/** Seconds. */
const maxAge = 15 * 60

/** A sign-in attempt. */
export interface Transaction {
  /** Random; known as used after the first return, whatever cookie still holds it. */
  readonly id: string
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
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/** Keeps the attempt in the first free slot, or in place of the oldest. */
export async function keepTransaction(context: AuthContext, transaction: Transaction): Promise<void> {
  const held = await heldTransactions(context)
  const chosen = chooseSlot(context, held)
  const cookie = cookieOf(context, chosen)
  const payload = { ...transaction, browser: bindBrowser(context) }
  const value = await seal('transaction', payload, { secrets: context.config.secrets, maxAge })
  const expires = new Date(Date.now() + maxAge * 1000)
  context.cookies.set({ name: cookie.name, options: { ...cookie.options, maxAge, expires } }, value)
  const others = held.filter(({ slot }) => slot !== chosen)
  others.sort((one, other) => one.transaction.startedAt - other.transaction.startedAt)
  makeRoom(
    context.cookies,
    others.map(({ slot }) => cookieOf(context, slot)),
  )
}

/**
 * The attempt that a return belongs to. It counts as used from here on, and its cookie is cleared, however the rest ends.
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
  const held = await heldTransactions(context)
  const found = held.find(({ transaction }) => equalText(transaction.state, state))
  if (!found) {
    throw new InvalidCheck(
      'This browser has no open sign-in for the returned state. It is too old, used, or of another browser.',
      { completed: memoryOf(context.config.memory).completed.has(state) },
    )
  }
  const { transaction, slot } = found
  context.cookies.clear(cookieOf(context, slot))
  releaseSlot(context, slot)
  if (transaction.provider !== provider.id || transaction.clientId !== provider.clientId) {
    throw new InvalidCheck('The sign-in was started with another provider or client.')
  }
  if (transaction.redirectUri !== redirectUri) {
    throw new InvalidCheck('The return came to another URL than the one the sign-in was started with.')
  }
  const { used, completed } = memoryOf(context.config.memory)
  if (!used.add(transaction.id)) {
    throw new InvalidCheck('The sign-in was completed before.', { completed: completed.has(state) })
  }
  return transaction
}

/** The attempt proved an identity: who comes back to it, by reload or a step back, is told apart from a stranger. */
export function completeTransaction(context: AuthContext, { state }: Transaction): void {
  memoryOf(context.config.memory).completed.add(state)
}

/** Those that began in this browser. */
async function heldTransactions(context: AuthContext): Promise<Array<{ slot: number; transaction: Transaction }>> {
  const sealed = slots.flatMap((slot) =>
    context.cookies.getAll(cookieOf(context, slot).name).map((value) => ({ slot, value })),
  )
  const opened = await Promise.all(
    sealed.map(async ({ slot, value }) => {
      const payload = await unseal('transaction', value, context.config.secrets)
      const isOurs = payload !== null && isBoundHere(context, payload.browser)
      return isOurs ? [{ slot, transaction: payload as unknown as Transaction }] : []
    }),
  )
  return opened.flat()
}

/** Bound to our path, so that no other request of the site carries it. */
function cookieOf({ cookiePolicy, request }: AuthContext, slot: number): CookieOption {
  const { name, options } = cookiePolicy.transaction
  return { name: `${name}.${slot}`, options: { ...options, path: request.basePath || '/' } }
}

/** Attempts that came back, by their ids; and those that proved an identity, by their states. */
const memoryOf = perOwner((_site: SiteMemory) => {
  // For as long as their cookies could come back.
  const bounds = { lifetime: maxAge * 1000, capacity: 100_000, hashOf: shortHash }
  return { used: new ExpiringSet(bounds), completed: new ExpiringSet(bounds) }
})
