/** Whether a token that was read is replaced by a new one, and its cookie. */
import { after } from '../../base/after.js'
import type { CookieContext, ResolvedConfig } from '../../contracts/index.js'
import { readHeader } from '../../crypto/jwe.js'
import { sessionKey } from '../../crypto/keys.js'
import { TooManyCookies } from '../../errors.js'
import { encode } from '../../jwt.js'
import type { Awaitable } from '../../types/identity.js'
import type { JWT } from '../../types/jwt.js'
import { isDue, isOfTheFuture } from '../lifetime.js'
import { writeSessionCookie } from '../session-cookie.js'
import { hasChanged, ownClaims, pinClaims } from './engine-claims.js'
import { type FoundToken, toKnown } from './held-token.js'
import { noteRenewed } from './noted.js'
import { seal } from './sealed.js'

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

/** A token that takes the place of the one that was read. */
export interface Renewal {
  readonly found: FoundToken
  readonly token: JWT
  readonly holds: () => boolean
  /** Whether the application asked for a change. */
  readonly isAsked: boolean
}

/** Writes the cookie of a renewed token. @throws {@link SessionTooLarge}; {@link TooManyCookies} where the application asked for a change. */
export async function renewToken(context: CookieContext, { found, token, holds, isAsked }: Renewal): Promise<void> {
  const { config } = context
  // Pinned again: the `session` callback had the token, too.
  const pinned = pinClaims(token, found.claims)
  const sealed = { ...(await seal(context, pinned)), holds: whileRecent(config, holds), isRenewal: !isAsked }
  try {
    writeSessionCookie(context, sealed)
  } catch (error) {
    // The session was read and is valid: cookies of the application that take the room do not sign the user out.
    if (isAsked || !(error instanceof TooManyCookies)) throw error
    config.logger.error(error)
    return
  }
  await noteRenewed(config, found.claims, toKnown(found).userId)
}

/**
 * A cookie is written by what is known a moment ago: an answer that comes late would else put the cookie of a session that was
 * ended elsewhere into the place of one that began meanwhile.
 */
export function whileRecent({ session: { revocation } }: ResolvedConfig, holds: () => boolean): () => boolean {
  return revocation ? () => revocation.isRecent() && holds() : holds
}
