/**
 * The tokens of mailed links: random in the mail, hashed in the database, good for one use. For each address the newest counts.
 */

import { BoundedMap, perOwner, type SiteMemory } from '../../base/memory.js'
import type { AuthContext, ResolvedConfig, ResolvedEmailProvider, SecurityStamp } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { randomHex } from '../../crypto/random.js'
import { CallbackRouteError, Verification } from '../../errors.js'
import { markOf, readStamp } from '../../session/security-stamp.js'
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
  context: AuthContext,
  provider: ResolvedEmailProvider,
  address: string,
): Promise<MailedToken> {
  const { config } = context
  const token: unknown = (await areCodesSpent(config, provider)) ? randomHex(32) : await provider.generateToken()
  if (!isToken(token)) {
    throw new CallbackRouteError(
      `\`generateVerificationToken\` of the provider "${provider.id}" must return a text of ${minLength} to ${maxLength} characters.`,
    )
  }
  assertCountable(provider, token)
  const [hash = ''] = hashes(provider, address, token)
  const [stored = ''] = hashes(provider, address, token, (await stampOf(context, address))?.value)
  const lifetime = isShortCode(token) ? Math.min(provider.maxAge, maxCodeAge) : provider.maxAge
  const expires = new Date(Date.now() + lifetime * 1000)
  await keepToken(config, provider, { identifier: address, hash: stored, expires })
  return { token, hash, expires, lifetime }
}

/**
 * Uses a token up.
 *
 * @returns The security stamp by which the token is good. What ends the sessions of the user from now on ends the sign-in.
 * @throws Verification when there is none like it for this address and provider, or it is too old.
 * @throws TooManyRequests when the client tries too many.
 */
export async function useToken(
  context: AuthContext,
  provider: ResolvedEmailProvider,
  { address, token }: { address: string; token: string },
): Promise<SecurityStamp | undefined> {
  const store = storeOf(context.config)
  await assertGuess(context, provider, { address, token, store })
  const stamp = await stampOf(context, address)
  const identified = { identifier: address, hashes: hashes(provider, address, token, stamp?.value) }
  await spendToken(context.config, provider, identified)
  return stamp
}

/**
 * Reads the security stamp of the user who has verified an email address. Whoever has only typed the address must not end the links of its
 * owner: a link verifies the address, and ends what was there before. Its stamp is that of nobody, which never changes.
 */
async function stampOf(context: AuthContext, address: string): Promise<SecurityStamp | undefined> {
  const { config } = context
  if (!config.session.stamps) return undefined
  const { user } = await findByAddress(config, storeOf(config), address)
  // The same work where there is no such user.
  return readStamp(config, { userId: user?.emailVerified ? user.id : '', mark: markOf(context) })
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
