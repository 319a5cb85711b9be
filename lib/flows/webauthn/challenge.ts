/**
 * The attempts of passkeys. The sealed value is itself the challenge that the authenticator signs (WebAuthn Level 3 §13.4.3):
 * what it was made for comes back inside it, however many tabs are open, and no cookie is needed.
 */

import type { AuthContext, ResolvedWebAuthnProvider, Store } from '../../contracts/index.js'
import { sha256 } from '../../crypto/hash.js'
import { AdapterError, InvalidCheck } from '../../errors.js'
import { type Attempt, Attempts, attemptMaxAge } from '../attempt.js'
import { textOf } from './encoding.js'

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
export type OpenedChallenge = Attempt<ChallengeFacts>

/** An answer is known by its challenge's id. */
export const challenges = new Attempts<ChallengeFacts>('passkey-challenge')

/** Makes a challenge, as text whose UTF-8 bytes the authenticator signs. */
export function createChallenge(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  facts: ChallengeFacts,
): Promise<string> {
  return challenges.seal(context, facts, placeOf(provider))
}

/**
 * Opens the challenge of an answer, and uses it up: whatever becomes of the answer, the next one needs another.
 *
 * @throws {@link InvalidCheck} when it is not ours, of another ceremony, provider or browser, too old, or used.
 */
export async function useChallenge(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  { ceremony, challenge }: { readonly ceremony: Ceremony; readonly challenge: string },
): Promise<OpenedChallenge> {
  const opened = await challenges.open(context, textOf(challenge), placeOf(provider))
  if (!opened?.isHere || opened.attempt.ceremony !== ceremony) {
    const message = 'The challenge is too old, of another browser, or was made for something else.'
    throw challenges.refusal(context, opened?.attempt.id, message)
  }
  await challenges.use(context, opened.attempt.id, 'The challenge was used before.')
  return opened.attempt
}

/**
 * Tells other processes that the challenge is used, where the adapter keeps such notes and clears them away by itself.
 *
 * @throws {@link InvalidCheck} when another process has seen it before.
 */
export async function noteChallenge({ id }: OpenedChallenge, store: Store): Promise<void> {
  if (!store.can.noteChallenges) return
  const note = { identifier: 'passkey challenge', token: sha256(id).toString('hex') }
  const expires = new Date(Date.now() + attemptMaxAge * 1000)
  await store.createVerificationToken({ ...note, expires }).catch((error: unknown) => {
    if (!(error instanceof AdapterError)) throw error
    throw new InvalidCheck('The challenge was used before, or it could not be noted that it is used.', error)
  })
}

/** Another provider or relying party of the same mount has rules of its own about who may have an account. */
function placeOf({ id, relyingParty }: ResolvedWebAuthnProvider): readonly string[] {
  return [id, relyingParty.id]
}
