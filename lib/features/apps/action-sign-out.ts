/** The endpoint `POST app-signout`: an app ends its session, which it presents as a bearer token. */
import { endSession } from '../../actions/end-session.js'
import type { AuthContext } from '../../contracts/index.js'
import { InvalidRequest } from '../../errors.js'
import { CookieJar } from '../../http/cookies.js'
import { type AuthResponse, header } from '../../http/message.js'
import { bearerToken } from '../../jwt.js'
import { isBearerRequest } from '../../session/bearer.js'

/**
 * Answers `app-signout`. No page of another site can send the header, so no CSRF token is needed. The answer is the same for a session
 * that has ended before (RFC 7009 §2.2).
 *
 * @throws {@link InvalidRequest} without a token.
 */
export async function signOutApp(context: AuthContext): Promise<AuthResponse> {
  const { config, request, cookiePolicy, sessions } = context
  const token = bearerToken(header(request.headers, 'authorization'))
  if (token === undefined || !isBearerRequest(config, request.headers))
    throw new InvalidRequest(
      'Send the token in the header `Authorization: Bearer <token>`, and no session cookie.',
      401,
    )
  const cookies = new CookieJar(`${cookiePolicy.sessionToken.name}=${encodeURIComponent(token)}`)
  const own = { ...context, cookies }
  if (await sessions.holder(own, undefined)) await endSession(own)
  return { kind: 'empty', status: 204 }
}
