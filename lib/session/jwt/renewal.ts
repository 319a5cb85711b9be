/** Whether a token that was read is replaced by a new one. */
import { after } from '../../base/after.js'
import type { CookieContext, ResolvedConfig } from '../../contracts/index.js'
import { readHeader } from '../../crypto/jwe.js'
import { sessionKey } from '../../crypto/keys.js'
import { encode } from '../../jwt.js'
import type { Awaitable } from '../../types/identity.js'
import type { JWT } from '../../types/jwt.js'
import { isDue, isOfTheFuture } from '../lifetime.js'
import { hasChanged, ownClaims } from './engine-claims.js'
import type { FoundToken } from './held-token.js'

/** A token as it was before the `jwt` callback had it, and after. */
interface Change {
  /** `claims`: as {@link ownClaims} writes them, where they may be others by now. */
  readonly before: { readonly iat: unknown; readonly claims: string | undefined }
  readonly token: JWT
}

/** Whether the cookie is written anew without being asked to: a bearer token never is, a session of Auth.js always. */
export function isToRenew(
  { config, cookiePolicy }: CookieContext,
  { source, text }: FoundToken,
  { before: { iat, claims }, token }: Change,
): Awaitable<boolean> {
  if (source === 'bearer') return false
  if (source === 'legacy' || typeof iat !== 'number' || isDue(config, iat * 1000) || isOfTheFuture(iat)) return true
  if (claims !== undefined && hasChanged(claims, ownClaims(token))) return true
  return hasOldKey(config, cookiePolicy.sessionToken.name, text)
}

/** Whether the token was made under an older secret. It gets a new one at once, so that the old one can be dropped soon. */
function hasOldKey({ secrets, jwt }: ResolvedConfig, salt: string, text: string): Awaitable<boolean> {
  if (secrets.length === 1 || jwt.encode !== encode) return false
  const kid = readHeader(text)?.kid
  if (kid === undefined) return false
  return after(sessionKey(secrets[0], salt), ({ thumbprint }) => after(thumbprint, (newest) => kid !== newest))
}
