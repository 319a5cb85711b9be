/**
 * Short codes. A developer's `generateVerificationToken` may create tokens that are short enough to type, and so to
 * guess. Such a code is valid for ten minutes, in the browser that requested it, and until a few wrong ones were tried
 * there. So an attacker can neither guess the code of another user nor use up the tries for it. The engine's own tokens
 * are long, and not limited.
 */

import type { AuthContext, ResolvedConfig, ResolvedEmailProvider } from '../../contracts/index.js'
import { includesHash } from '../../crypto/keyed-hashes.js'
import { CallbackRouteError, Verification } from '../../errors.js'
import { consumeKeyedAttempt, isLimitReached, limitKey } from '../../features/limits/attempts.js'
import { requireStore } from '../../store/guard.js'
import { type RequestedLink, readRequestedLink } from './requested-link.js'
import { isShortCode, tokenHashes } from './token-format.js'

/** The maximum lifetime of a short code, in seconds, even if `maxAge` is longer. */
export const maxCodeAge = 10 * 60

/** The limit of wrong codes for one right code. The window, in seconds, is longer than the lifetime of a code. */
const perCode = { limit: 5, window: 15 * 60 }
/**
 * The limit of wrong codes for one provider, of all addresses and clients. It stops an attacker who tries one code for
 * many addresses.
 */
const perProvider = { limit: 100, window: 60 * 60 }

/** Rejects short codes of a provider without a `limit`: an attacker could request codes until a guess is right. */
export function assertCodesLimited(provider: ResolvedEmailProvider, token: string): void {
  if (!isShortCode(token) || provider.limit) return
  throw new CallbackRouteError(
    `\`generateVerificationToken\` of the provider "${provider.id}" returns short codes, but with \`limit: false\` clients may request any number of them. Keep \`limit\`, or return tokens of 20 characters or more.`,
  )
}

/** Checks whether too many wrong codes were tried to accept any for now. New emails contain long tokens then. */
export async function areCodesExhausted(config: ResolvedConfig, provider: ResolvedEmailProvider): Promise<boolean> {
  return provider.config.generateVerificationToken
    ? isLimitReached(config, providerKey(config, provider), perProvider)
    : false
}

/**
 * Checks a short code; long tokens pass. Each try is counted before the comparison, and a right code is refunded. The
 * last allowed wrong try ends the right code.
 *
 * @throws {@link Verification} for a wrong code, after too many, and in a browser that requested none.
 * @throws {@link TooManyRequests} if the client exceeds the provider's `limit`.
 */
export async function assertShortCode(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  { address, token }: { address: string; token: string },
): Promise<void> {
  if (!isShortCode(token) || !provider.config.generateVerificationToken) return
  const { config } = context
  const request = await readRequestedLink(context, provider, address)
  if (!request) throw new Verification('A short code is valid only in the browser that requested it.')
  const ofCode = codeKey(config, provider, request)
  const taken = await consumeKeyedAttempt(context, {
    rule: 'mailToken',
    scope: provider.id,
    ...(provider.limit && { client: { limit: provider.limit.perClient, window: provider.limit.window } }),
    others: [
      { ...perCode, key: ofCode },
      { ...perProvider, key: providerKey(config, provider) },
    ],
  })
  if (!taken) throw new Verification('Too many wrong codes. Ask for a new link.')
  if (includesHash(tokenHashes(provider, address, token), request.hash)) return taken.refund()
  // The code is deleted from the database too, because other processes, and this one after a restart, may have other
  // counts.
  if (await isLimitReached(config, ofCode, perCode)) {
    await requireStore(config).useVerificationToken({ identifier: address, token: request.kept ?? request.hash })
  }
  if (await areCodesExhausted(config, provider)) config.logger.warn('codes-guessed', guessingWarning(provider))
  throw new Verification('The code is wrong.')
}

function codeKey(config: ResolvedConfig, { id }: ResolvedEmailProvider, { hash }: RequestedLink): string {
  return limitKey(config, ['short codes', id, 'code', hash])
}

function providerKey(config: ResolvedConfig, { id }: ResolvedEmailProvider): string {
  return limitKey(config, ['short codes', id, 'all'])
}

function guessingWarning({ id }: ResolvedEmailProvider): string {
  return `${perProvider.limit} wrong codes of the provider "${id}" were tried within an hour. Someone may be guessing. Until there are fewer, codes are rejected and new emails contain long tokens.`
}
