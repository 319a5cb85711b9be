/** What a session is called outside: in lists, in events. */
import { shortHash } from '../crypto/hash.js'

/**
 * Names a session from its beginning to its end, and opens nothing.
 *
 * @param name The `sid` of a JWT session, or the token of a database session as it is stored.
 */
export function sessionIdOf(name: string): string {
  return shortHash(`session id ${name}`)
}
