/**
 * The tokens of mailed links: random in the mail, hashed in the database, good for one use. For each address the newest counts.
 */

import { BoundedMap, perOwner, type SiteMemory } from '../../base/memory.js'
import type { AuthContext, ResolvedConfig, ResolvedEmailProvider } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { randomHex } from '../../crypto/random.js'
import { CallbackRouteError, Verification } from '../../errors.js'
import { readStamp } from '../../session/security-stamp.js'
import { storeOf } from '../../store/store-of.js'
import { findByAddress } from '../../users/address-owner.js'
import { areCodesSpent, assertCountable, assertGuess, maxCodeAge } from './short-codes.js'
import { hashes, isShortCode, isToken, maxLength, minLength } from './token-format.js'

/** A new token. */
export interface MailedToken {
  readonly token: string
  /** By which the browser that asked knows it. */
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
  const token: unknown = (await areCodesSpent(config, provider)) ? randomHex(32) : await provider.generateToken()
  if (!isToken(token)) {
    throw new CallbackRouteError(
      `\`generateVerificationToken\` of the provider "${provider.id}" must return a text of ${minLength} to ${maxLength} characters.`,
    )
  }
  assertCountable(provider, token)
  const [hash = ''] = hashes(provider, address, token)
  const [stored = ''] = hashes(provider, address, token, await stampOf(config, address))
  const lifetime = isShortCode(token) ? Math.min(provider.maxAge, maxCodeAge) : provider.maxAge
  const expires = new Date(Date.now() + lifetime * 1000)
  await keepToken(config, provider, { identifier: address, hash: stored, expires })
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
  const stamp = await stampOf(context.config, address)
  await spendToken(context.config, provider, { identifier: address, hashes: hashes(provider, address, token, stamp) })
}

/** Returns the value of the security stamp of the user with an email address; empty where nothing has ended their sessions, or there is no user. */
async function stampOf(config: ResolvedConfig, address: string): Promise<string> {
  if (!config.session.stamps) return ''
  const { user } = await findByAddress(config, storeOf(config), address)
  // The same work where there is no user.
  return (await readStamp(config, { userId: user?.id ?? '' }))?.value ?? ''
}

/* ---- where they are stored ---------------------------------------------------------------------------------- */

/** Stores the hash of a token. Older ones of the identifier end. */
export async function keepToken(
  config: ResolvedConfig,
  provider: ResolvedEmailProvider,
  { identifier, hash, expires }: { identifier: string; hash: string; expires: Date },
): Promise<void> {
  const store = storeOf(config)
  if (store.can.deleteTokens) await store.deleteVerificationTokens(identifier)
  await store.createVerificationToken({ identifier, token: hash, expires })
  newestOf(config.memory).set(placeOf(provider, identifier), hash)
}

/**
 * Uses a token up.
 *
 * @param hashes As it may be stored: one for each secret.
 * @throws {@link Verification} when there is none like it, or it is too old.
 */
export async function spendToken(
  config: ResolvedConfig,
  provider: ResolvedEmailProvider,
  { identifier, hashes }: { identifier: string; hashes: readonly string[] },
): Promise<void> {
  const store = storeOf(config)
  const newest = newestOf(config.memory).get(placeOf(provider, identifier))
  for (const hash of hashes) {
    // Where the adapter cannot delete older tokens, this process refuses those that it has replaced.
    if (newest !== undefined && newest !== hash && !store.can.deleteTokens) continue
    const used = await store.useVerificationToken({ identifier, token: hash })
    if (!used || used.identifier !== identifier || used.token !== hash) continue
    if (used.expires.getTime() <= Date.now()) throw new Verification('The link is too old.')
    if (store.can.deleteTokens) await store.deleteVerificationTokens(identifier)
    return
  }
  throw new Verification('There is no such link: it was used, replaced by a newer one, or never sent.')
}

/** The newest token's hash, by provider and identifier. */
const newestOf = perOwner((_site: SiteMemory) => new BoundedMap<string, string>(10_000))

function placeOf({ id }: ResolvedEmailProvider, identifier: string): string {
  return shortHash(JSON.stringify([id, identifier]))
}
