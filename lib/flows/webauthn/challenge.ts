/**
 * The challenge of a ceremony is itself a sealed value: what it was made for comes back inside it, however many tabs are
 * open. It is bound to the browser. It is good for one answer (WebAuthn Level 3 §13.4.3).
 */

import { ExpiringSet, perOwner, type SiteMemory } from '../../base/memory.js'
import type { AuthContext, ResolvedWebAuthnProvider, Store } from '../../contracts/index.js'
import { sha256, shortHash } from '../../crypto/hash.js'
import { randomText } from '../../crypto/random.js'
import { seal, unseal } from '../../crypto/seal.js'
import { AdapterError, InvalidCheck } from '../../errors.js'
import { bindBrowser, isBoundHere } from '../../session/browser.js'
import { textOf } from './encoding.js'

/** Seconds. */
const maxAge = 15 * 60

/** What a browser is asked to do. */
export type Ceremony = 'authenticate' | 'register'

/** What a challenge was made for. */
export interface ChallengeFacts {
  readonly ceremony: Ceremony
  /** The session in which it was asked for (`SessionOwner.key`). */
  readonly startedBy?: string
  /** To sign in: the address whose passkeys were named. To make an account: the new user's. */
  readonly email?: string
  /** The new user's. */
  readonly name?: string
  /** The user handle that the new passkey gets. */
  readonly handle?: string
}

/** A challenge that came back. */
export interface OpenedChallenge extends ChallengeFacts {
  /** Random. */
  readonly id: string
}

/** Makes a challenge, as text whose UTF-8 bytes the authenticator signs. */
export async function createChallenge(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  facts: ChallengeFacts,
): Promise<string> {
  const payload = { ...facts, id: randomText(16), place: placeOf(context, provider), browser: bindBrowser(context) }
  return seal('passkey-challenge', payload, { secrets: context.config.secrets, maxAge })
}

/**
 * Opens the challenge of an answer, and uses it up: whatever becomes of the answer, the next one needs another.
 *
 * @param encoded As the browser put it into `clientDataJSON`.
 * @throws {@link InvalidCheck} when it is not ours, of another ceremony, provider or browser, too old, or used.
 */
export async function useChallenge(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  { ceremony, encoded }: { ceremony: Ceremony; encoded: string },
): Promise<OpenedChallenge> {
  const { config } = context
  const payload = await unseal('passkey-challenge', textOf(encoded), config.secrets)
  const isOurs = payload?.place === placeOf(context, provider) && payload.ceremony === ceremony
  if (!payload || !isOurs || !isBoundHere(context, payload.browser)) {
    const completed = payload !== null && memoryOf(config.memory).completed.has(String(payload.id))
    throw new InvalidCheck('The challenge is too old, of another browser, or was made for something else.', {
      completed,
    })
  }
  const challenge = payload as unknown as OpenedChallenge
  const { used, completed } = memoryOf(config.memory)
  if (!used.add(challenge.id)) {
    throw new InvalidCheck('The challenge was used before.', { completed: completed.has(challenge.id) })
  }
  return challenge
}

/**
 * Tells other processes that the challenge is used, where the adapter keeps such notes and clears them away by itself.
 *
 * @throws {@link InvalidCheck} when another process has seen it before.
 */
export async function noteChallenge({ id }: OpenedChallenge, store: Store): Promise<void> {
  if (!store.can.noteChallenges) return
  const note = { identifier: 'passkey challenge', token: sha256(id).toString('hex') }
  const expires = new Date(Date.now() + maxAge * 1000)
  await store.createVerificationToken({ ...note, expires }).catch((error: unknown) => {
    if (!(error instanceof AdapterError)) throw error
    throw new InvalidCheck('The challenge was used before, or it could not be noted that it is used.', error)
  })
}

/** The answer was right. */
export function completeChallenge(context: AuthContext, { id }: OpenedChallenge): void {
  memoryOf(context.config.memory).completed.add(id)
}

/**
 * Where the challenge is good: another provider, relying party, host or mount under the same secret has rules of its own
 * about who may have an account. Ports are left out, as in cookies (RFC 6265 §8.5).
 */
function placeOf({ request, urls }: AuthContext, { id, relyingParty }: ResolvedWebAuthnProvider): string {
  return shortHash(JSON.stringify([id, relyingParty.id, new URL(urls.origin).hostname, request.basePath]))
}

/** Challenges that came back, and those whose answer was right, by their ids. */
const memoryOf = perOwner((_site: SiteMemory) => {
  const bounds = { lifetime: maxAge * 1000, capacity: 100_000, hashOf: shortHash }
  return { used: new ExpiringSet(bounds), completed: new ExpiringSet(bounds) }
})
