/** The tokens of sign-in links: random, or created by the developer's `generateVerificationToken`. */
import type { AuthContext, ResolvedEmailProvider, SecurityStamp } from '../../contracts/index.js'
import { randomHex } from '../../crypto/random.js'
import { CallbackRouteError } from '../../errors.js'
import { createLink, spendLink, verificationTokens } from '../../links/index.js'
import { readStamp, requestMark } from '../../session/security-stamp.js'
import { requireStore } from '../../store/guard.js'
import { findByAddress } from '../../users/records.js'
import { areCodesExhausted, assertCodesLimited, assertShortCode, maxCodeAge } from './short-codes.js'
import { isShortCode, isToken, maxTokenLength, minTokenLength, tokenHashes } from './token-format.js'

/**
 * Creates and stores a token. Older ones of the address end. `hash` identifies it in the browser that requested it,
 * `kept` in the database.
 */
export async function createToken(context: AuthContext, provider: ResolvedEmailProvider, address: string) {
  const { config } = context
  const token: unknown = (await areCodesExhausted(config, provider)) ? randomHex(32) : await provider.generateToken()
  if (!isToken(token)) {
    throw new CallbackRouteError(
      `\`generateVerificationToken\` of the provider "${provider.id}" must return a text of ${minTokenLength} to ${maxTokenLength} characters.`,
    )
  }
  assertCodesLimited(provider, token)
  const lifetime = isShortCode(token) ? Math.min(provider.maxAge, maxCodeAge) : provider.maxAge
  const stamp = await verifiedUserStamp(context, address)
  const link = {
    hashes: tokenHashes(provider, address, token, stamp?.value),
    place: verificationTokens(config, provider, address),
  }
  const [hash = ''] = tokenHashes(provider, address, token)
  const [kept = ''] = link.hashes
  return { token, hash, kept, ...(await createLink(link, lifetime)) }
}

/**
 * Consumes a token.
 *
 * @returns The security stamp that makes the token valid. A later end of the user's sessions ends the sign-in too.
 * @throws Verification if no such token exists for this provider and address, or it has expired.
 * @throws TooManyRequests if the client tries too many.
 */
export async function consumeToken(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  { address, token }: { address: string; token: string },
): Promise<SecurityStamp | undefined> {
  await assertShortCode(context, provider, { address, token })
  const stamp = await verifiedUserStamp(context, address)
  const place = verificationTokens(context.config, provider, address)
  await spendLink({ hashes: tokenHashes(provider, address, token, stamp?.value), place })
  return stamp
}

/**
 * Reads the security stamp of the user who has verified an email address. A user with the unverified address must not
 * end the links of its owner, because a link verifies the address, and ends earlier sessions. Such a user has an empty
 * stamp that never changes.
 */
async function verifiedUserStamp(context: AuthContext, address: string): Promise<SecurityStamp | undefined> {
  const { config } = context
  if (!config.session.stamps) return undefined
  const { user } = await findByAddress(config, requireStore(config), address)
  // The same work is done without such a user.
  return readStamp(config, { userId: user?.emailVerified ? user.id : '', mark: requestMark(context) })
}
