/** Creates the tokens of database sessions. */

import { ExpiringSet, perOwner, type SiteMemory } from '../../base/memory.js'
import { nowInSeconds } from '../../base/time.js'
import type { ResolvedConfig, SessionMetadata } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { randomText } from '../../crypto/random.js'
import {
  appendTokenMetadata,
  hashSessionToken,
  type TokenMetadata,
  toSessionToken,
} from '../../crypto/session-token.js'
import { CallbackRouteError } from '../../errors.js'
import { authenticationOf, writeActor, writeProofs } from '../../principal/index.js'
import { ownExpiry, sessionExpiry } from '../session-cookie.js'

/** The sign-in metadata of a token. `end` is that of the session that it replaces. */
export type NewTokenMetadata = SessionMetadata & Partial<Pick<TokenMetadata, 'act' | 'end' | 'link'>>

/** The least number of characters. 16 of base64 are 96 bits, which cannot be guessed. */
const minGeneratedLength = 16
const maxGeneratedLength = 512
const maxGenerationAttempts = 3
/** The characters that a cookie stores without escapes (RFC 6265bis §4.1.1). */
const cookieText = /^[\x21-\x7e]+$/

/** The recent results of the application's function. */
const recentTokensOf = perOwner(
  (_site: SiteMemory) => new ExpiringSet({ lifetime: 24 * 60 * 60 * 1000, capacity: 10_000, hashOf: shortHash }),
)

/**
 * Creates a token that no session has. One of the application's function is extended by random characters: a function
 * that repeats itself, in another process or after a restart, must not give a user another user's session.
 *
 * @throws {@link CallbackRouteError} when `generateSessionToken` returns no usable token.
 */
export function createSessionToken(config: ResolvedConfig, began: NewTokenMetadata) {
  const { generateSessionToken } = config.session
  if (!generateSessionToken) return completeToken(config, randomText(32), began)
  for (let attempt = 0; attempt < maxGenerationAttempts; attempt += 1) {
    const made: unknown = generateSessionToken()
    if (typeof made !== 'string' || made.length < minGeneratedLength || !cookieText.test(made)) {
      throw new CallbackRouteError(
        `\`session.generateSessionToken\` must return ${minGeneratedLength} random characters or more, ASCII without spaces.`,
      )
    }
    if (made.length > maxGeneratedLength) throw tokenTooLong()
    if (recentTokensOf(config.memory).add(made)) return completeToken(config, `${made}.${randomText(16)}`, began)
  }
  throw new CallbackRouteError(
    '`session.generateSessionToken` repeatedly returned the same token. Return random tokens.',
  )
}

/** Returns the token for the cookie, its stored form, and the end of its session. */
function completeToken(config: ResolvedConfig, made: string, metadata: NewTokenMetadata) {
  const { maxAge, proofs, actor, stamp: _stamp, data: _data, ...began } = metadata
  // In whole seconds, as in the token.
  const second = nowInSeconds()
  const facts = {
    ...began,
    startedAt: began.startedAt ?? second,
    proofs: writeProofs(proofs),
    amr: authenticationOf(proofs).amr,
    ...(actor && { act: writeActor(actor) }),
    ...(maxAge !== undefined && { end: ownExpiry(second, maxAge) }),
  }
  const token = toSessionToken(appendTokenMetadata(made, facts))
  if (!token) throw tokenTooLong()
  return { token, stored: hashSessionToken(token), expires: new Date(sessionExpiry(config, Date.now(), facts)) }
}

function tokenTooLong(): CallbackRouteError {
  return new CallbackRouteError(
    `\`session.generateSessionToken\` returned a token that is too long. Return at most ${maxGeneratedLength} characters.`,
  )
}
