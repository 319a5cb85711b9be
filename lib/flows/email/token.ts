/** The token of a mailed link: random in the mail, hashed in the database, good for one use. */
import type { AuthContext, ResolvedEmailProvider } from '../../contracts/index.js'
import { randomHex } from '../../crypto/random.js'
import { CallbackRouteError } from '../../errors.js'
import { storeOf } from '../../store/store-of.js'
import { areCodesSpent, assertCountable, assertGuess, maxCodeAge } from './guesses.js'
import { keepToken, spendToken } from './stored-token.js'
import { hashes, isShortCode, isToken, maxLength, minLength } from './token-form.js'

/** A link's token. */
export interface MailedToken {
  readonly token: string
  /** As it is stored. */
  readonly hash: string
  readonly expires: Date
  /** Seconds. */
  readonly lifetime: number
}

/** Makes and stores a token. Older ones of the address end. */
export async function createToken(
  { config }: AuthContext,
  provider: ResolvedEmailProvider,
  address: string,
): Promise<MailedToken> {
  const token: unknown = areCodesSpent(config, provider) ? randomHex(32) : await provider.generateToken()
  if (!isToken(token)) {
    throw new CallbackRouteError(
      `\`generateVerificationToken\` of the provider "${provider.id}" must return a text of ${minLength} to ${maxLength} characters.`,
    )
  }
  assertCountable(provider, token)
  const [hash = ''] = hashes(provider, address, token)
  const lifetime = isShortCode(token) ? Math.min(provider.maxAge, maxCodeAge) : provider.maxAge
  const expires = new Date(Date.now() + lifetime * 1000)
  await keepToken(config, provider, { identifier: address, hash, expires })
  return { token, hash, expires, lifetime }
}

/**
 * Uses a token up.
 *
 * @throws Verification when there is none like it for this address and provider, or it is too old.
 * @throws TooManyRequests when the client tries too many.
 */
export async function useToken(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  { address, token }: { address: string; token: string },
): Promise<void> {
  const store = storeOf(context.config)
  await assertGuess(context, provider, { address, token, store })
  await spendToken(context.config, provider, { identifier: address, hashes: hashes(provider, address, token) })
}
