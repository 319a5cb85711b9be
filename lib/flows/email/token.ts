/** The token of a mailed link: random in the mail, hashed in the database, good for one use (`design.md`, decision 6). */
import type { AuthContext, ResolvedEmailProvider } from '../../context.js'
import { hmac } from '../../crypto/hash.js'
import { deriveKey } from '../../crypto/keys.js'
import { CallbackRouteError, Verification } from '../../errors.js'
import { BoundedMap, perOwner } from '../../memory.js'
import { storeOf } from '../../store/store-of.js'
import { beginGuess, forgetGuesses } from './guesses.js'

/** Characters. Fewer could be tried out. */
const minLength = 6
const maxLength = 512

/** A link's token. */
export interface MailedToken {
  readonly token: string
  /** As it is stored. */
  readonly hash: string
  readonly expires: Date
}

/** Makes and stores a token. Older ones of the address end. */
export async function createToken(
  { config }: AuthContext,
  provider: ResolvedEmailProvider,
  address: string,
): Promise<MailedToken> {
  const store = storeOf(config)
  const token: unknown = await provider.generateToken()
  if (!isToken(token)) {
    throw new CallbackRouteError(
      `\`generateVerificationToken\` of the provider "${provider.id}" must return a text of ${minLength} to ${maxLength} characters.`,
    )
  }
  const [hash = ''] = hashes(provider, address, token)
  const expires = new Date(Date.now() + provider.maxAge * 1000)
  if (store.has('deleteVerificationTokens')) await store.deleteVerificationTokens(address)
  await store.createVerificationToken({ identifier: address, token: hash, expires })
  newestOf(config).set(address, hash)
  forgetGuesses(config, address)
  return { token, hash, expires }
}

/**
 * Uses a token up.
 *
 * @throws {@link Verification} when there is none like it for this address and provider, or it is too old.
 * @throws TooManyRequests when the client tries too many.
 */
export async function useToken(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  { address, token }: { address: string; token: string },
): Promise<void> {
  const store = storeOf(context.config)
  const guess = beginGuess(context, provider, { address, store })
  const newest = newestOf(context.config).get(address)
  for (const hash of hashes(provider, address, token)) {
    // Where the adapter cannot delete older tokens, at least this process knows better.
    if (newest !== undefined && newest !== hash && !store.has('deleteVerificationTokens')) continue
    const used = await store.useVerificationToken({ identifier: address, token: hash })
    if (!used || used.identifier !== address || used.token !== hash) continue
    if (used.expires.getTime() <= Date.now()) throw new Verification('The link is too old.')
    if (store.has('deleteVerificationTokens')) await store.deleteVerificationTokens(address)
    guess.right()
    return
  }
  await guess.wrong()
  throw new Verification('There is no such link: it was used, replaced by a newer one, or never sent.')
}

/** Whether a value can be a token at all. */
export function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length >= minLength && value.length <= maxLength
}

/** As it is stored, under each secret: good for this provider and address only. */
export function hashes({ id, secrets }: ResolvedEmailProvider, address: string, token: string): string[] {
  const text = JSON.stringify([id, address, token])
  return secrets.map((secret) => hmac(deriveKey(secret, 'server-auth email token key', { length: 32 }).bytes, text))
}

/** The newest token's hash, by address. */
const newestOf = perOwner((_config: AuthContext['config']) => new BoundedMap<string, string>(10_000))
