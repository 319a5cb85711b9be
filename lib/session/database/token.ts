/** Makes the token of a database session. */
import { ExpiringSet, perOwner, type SiteMemory } from '../../base/memory.js'
import type { Beginning, ResolvedConfig } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { randomText } from '../../crypto/random.js'
import { hashSessionToken, type TokenFacts, toSessionToken, withFacts } from '../../crypto/stored-token.js'
import { CallbackRouteError } from '../../errors.js'
import { authenticationOf, writeProofs } from '../../principal/index.js'
import { endOf, nowInSeconds, ownEnd } from '../session-cookie.js'

/** How a session begins. `end`: of the session whose place it takes. */
export type TokenBeginning = Beginning & Partial<Pick<TokenFacts, 'end' | 'link'>>

/** Characters. 16 of base64 are 96 bits, the least that nobody guesses. */
const minLength = 16
const maxLength = 512
const attempts = 3
/** What a cookie takes without growing to a multiple (RFC 6265bis §4.1.1). */
const cookieText = /^[\x21-\x7e]+$/

/** What the developer's function returned lately. */
const madeOf = perOwner(
  (_site: SiteMemory) => new ExpiringSet({ lifetime: 24 * 60 * 60 * 1000, capacity: 10_000, hashOf: shortHash }),
)

/**
 * A token that no session has. One of the developer's making gets random characters of ours as well: a function that returns the
 * same again, in another process or after a restart, still gives nobody somebody else's session.
 *
 * @throws {@link CallbackRouteError} when the developer's `generateSessionToken` makes none that can be used.
 */
export function createSessionToken(config: ResolvedConfig, began: TokenBeginning) {
  const { generateSessionToken } = config.session
  if (!generateSessionToken) return complete(config, randomText(32), began)
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const made: unknown = generateSessionToken()
    if (typeof made !== 'string' || made.length < minLength || !cookieText.test(made)) {
      throw new CallbackRouteError(
        `\`session.generateSessionToken\` must return ${minLength} random characters or more, ASCII without spaces.`,
      )
    }
    if (made.length > maxLength) throw tooLong()
    if (madeOf(config.memory).add(made)) return complete(config, `${made}.${randomText(16)}`, began)
  }
  throw new CallbackRouteError('`session.generateSessionToken` returns the same token again and again.')
}

/** The token for the cookie, the same as it is stored, and when its session will end. */
function complete(config: ResolvedConfig, made: string, beginning: TokenBeginning) {
  const { maxAge, proofs, stamp: _stamp, data: _data, ...began } = beginning
  // In whole seconds, as the token says it.
  const second = nowInSeconds()
  const facts = {
    ...began,
    startedAt: began.startedAt ?? second,
    proofs: writeProofs(proofs),
    amr: authenticationOf(proofs).amr,
    ...(maxAge !== undefined && { end: ownEnd(second, maxAge) }),
  }
  const token = toSessionToken(withFacts(made, facts))
  if (!token) throw tooLong()
  return { token, stored: hashSessionToken(token), expires: new Date(endOf(config, Date.now(), facts)) }
}

function tooLong(): CallbackRouteError {
  return new CallbackRouteError(
    `\`session.generateSessionToken\` returned a token that is too long: ${maxLength} characters are the most.`,
  )
}
