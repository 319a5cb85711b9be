/** Makes the token of a database session. */
import type { ResolvedConfig, Store } from '../../contracts/index.js'
import { randomText } from '../../crypto/random.js'
import {
  type HashedToken,
  hashSessionToken,
  type SessionToken,
  toSessionToken,
  withStart,
} from '../../crypto/stored-token.js'
import { CallbackRouteError } from '../../errors.js'
import { endOf } from '../lifetime.js'

/** A new token: for the cookie, and as it is stored. */
export interface NewToken {
  readonly token: SessionToken
  readonly stored: HashedToken
  /** When its session will end. */
  readonly expires: Date
}

/** Characters. 16 of base64 are 96 bits, the least that nobody guesses. */
const minLength = 16
const attempts = 3
/** What a cookie takes without growing to a multiple (RFC 6265bis §4.1.1). */
const cookieText = /^[\x21-\x7e]+$/

/**
 * A token that no session has.
 *
 * @throws {@link CallbackRouteError} when the developer's `generateSessionToken` makes none that can be used.
 */
export async function createSessionToken(config: ResolvedConfig, store: Store): Promise<NewToken> {
  const { generateSessionToken } = config.session
  if (!generateSessionToken) return complete(config, randomText(32))
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const made: unknown = generateSessionToken()
    if (typeof made !== 'string' || made.length < minLength || !cookieText.test(made)) {
      throw new CallbackRouteError(
        `\`session.generateSessionToken\` must return ${minLength} random characters or more, ASCII without spaces.`,
      )
    }
    const created = complete(config, made)
    if (!(await store.getSessionAndUser(created.stored))) return created
  }
  throw new CallbackRouteError('`session.generateSessionToken` returns the same token again and again.')
}

function complete(config: ResolvedConfig, made: string): NewToken {
  const now = Date.now()
  // In whole seconds, as the token says it.
  const startedAt = Math.floor(now / 1000)
  const token = toSessionToken(config.session.absoluteMaxAge === undefined ? made : withStart(made, startedAt))
  if (!token) throw new CallbackRouteError('`session.generateSessionToken` returned a token that is too long.')
  return { token, stored: hashSessionToken(token), expires: new Date(endOf(config, now, startedAt * 1000)) }
}
