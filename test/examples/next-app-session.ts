/** The places where the Next.js example reads the session, and its session cookies. */
import { encode } from '../../lib/jwt.js'
import { advanceClock, restoreClock } from '../support/clock.js'

export const secret = 'a-secret-for-tests-of-at-least-32-chars'
/** The places where the session is read, each in another way. */
export const places = [
  '/account',
  '/settings',
  '/members',
  '/orders/7',
  '/door',
  '/api/me',
  '/api/whoami',
  '/server-side',
]

/** Returns a `Cookie` header with a session: two days old, so that it is to be extended, or `fresh`. */
export async function cookieOf(name: string, { prefix = '', fresh = false } = {}): Promise<string> {
  const salt = `${prefix}auth.session-token`
  if (!fresh) advanceClock(-2 * 86_400)
  const token = await encode({ token: { sub: name, name }, secret, salt })
  restoreClock()
  return `${salt}=${token}`
}

/** Returns the names of the cookies that a response sets. */
export const namesOf = (response: Response) => response.headers.getSetCookie().map((line) => line.split('=')[0])
