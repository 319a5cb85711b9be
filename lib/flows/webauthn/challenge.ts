/**
 * The attempts of passkeys. The sealed value is itself the challenge that the authenticator signs (WebAuthn Level 3
 * §13.4.3). Its facts come back inside it, with any number of open tabs, and without a cookie.
 */

import type { AdapterStore, AuthContext, ResolvedWebAuthnProvider } from '../../contracts/index.js'
import { sha256 } from '../../crypto/hash.js'
import { AdapterError, InvalidCheck } from '../../errors.js'
import { type Attempt, Attempts, attemptMaxAge } from '../attempt.js'
import { decodeBase64UrlText } from './encoding.js'

/** The kind of a ceremony. */
export type Ceremony = 'authenticate' | 'register'

/** The facts of a challenge. */
export interface ChallengeFacts {
  readonly ceremony: Ceremony
  /** The session in which it was requested (`SessionOwner.key`). */
  readonly startedBy?: string
  /** For a sign-in: the email address whose passkeys were listed. For a sign-up: the new user's. */
  readonly email?: string
  /** The new user's name. */
  readonly name?: string
  /** The user handle of the new passkey. */
  readonly handle?: string
}

/** A challenge that came back. */
export type OpenedChallenge = Attempt<ChallengeFacts>

/** The challenges. A response is identified by its challenge's id. */
export const challenges = new Attempts<ChallengeFacts>('passkey-challenge')

/** Creates a challenge, as text whose UTF-8 bytes the authenticator signs. */
export function createChallenge(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  facts: ChallengeFacts,
): Promise<string> {
  return challenges.seal(context, facts, challengeScope(provider))
}

/**
 * Opens the challenge of a response, and consumes it: even after a rejected response, the next one needs another
 * challenge.
 *
 * @throws {@link InvalidCheck} if it is invalid, expired, used, or belongs to another ceremony, provider or browser.
 */
export async function consumeChallenge(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  { ceremony, challenge }: { readonly ceremony: Ceremony; readonly challenge: string },
): Promise<OpenedChallenge> {
  const opened = await challenges.open(context, decodeBase64UrlText(challenge), challengeScope(provider))
  if (!opened?.isHere || opened.attempt.ceremony !== ceremony) {
    const message = 'The challenge has expired, or was created for another browser or purpose.'
    throw challenges.invalidCheck(context, opened?.attempt.id, message)
  }
  await challenges.consume(context, opened.attempt.id, 'The challenge was used before.')
  return opened.attempt
}

/**
 * Stores that the challenge is used, for other processes, if the adapter supports such notes and deletes them itself.
 *
 * @throws {@link InvalidCheck} if another process has used it.
 */
export async function storeUsedChallenge({ id }: OpenedChallenge, store: AdapterStore): Promise<void> {
  if (!store.abilities.noteChallenges) return
  const note = { identifier: 'passkey challenge', token: sha256(id).toString('hex') }
  const expires = new Date(Date.now() + attemptMaxAge * 1000)
  await store.createVerificationToken({ ...note, expires }).catch((error: unknown) => {
    if (!(error instanceof AdapterError)) throw error
    throw new InvalidCheck('The challenge was used before, or its use could not be stored.', error)
  })
}

/** Returns the provider and relying party. Others of the same mount may have different rules for accounts. */
function challengeScope({ id, relyingParty }: ResolvedWebAuthnProvider): readonly string[] {
  return [id, relyingParty.id]
}
