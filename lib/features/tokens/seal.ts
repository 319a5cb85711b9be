/**
 * Encrypts stored tokens together with their account and user. A record that was copied to another user in the database
 * cannot be opened there.
 */
import { isRecord } from '../../base/guards.js'
import { sealPersistent, unsealPersistent } from '../../crypto/seal.js'
import type { AccountKey } from '../../types/adapter.js'
import type { TokenSet } from '../../types/identity.js'

/** The tokens of a set that are kept. */
const keptNames = ['access_token', 'refresh_token', 'id_token', 'token_type', 'scope', 'expires_at'] as const

/** The stored tokens of an account. */
export interface KeptTokens extends Pick<TokenSet, (typeof keptNames)[number]> {
  /** The scope of the grant, which a refreshed token can have (RFC 6749 §6). Absent if it equals `scope`. */
  readonly granted?: string
  /** The refresh token of a later sign-in with a smaller scope, for use when the other one is no longer valid. */
  readonly spare?: string
  /** Seconds that the access token was valid when it was issued. */
  readonly expires_in?: number
  /** The claims of an ID token that a later one must repeat (OpenID Connect Core §12.2), instead of the ID token. */
  readonly subject?: Readonly<Record<'iss' | 'sub' | 'aud' | 'auth_time', unknown>>
  /** True if the refresh token came with a rejected ID token. The next answer must have a valid one. */
  readonly unverified?: boolean
  /** The private key that the tokens are bound to (RFC 9449), as a JWK. */
  readonly dpop?: Readonly<Record<string, unknown>>
}

/** A sealer of the tokens of a record. */
export interface Sealer {
  seal(tokens: KeptTokens, owner: TokenOwner): Promise<string>
  /** Opens sealed tokens; `null` if they belong to another account or user, or no secret opens them. */
  open(sealed: string, owner: TokenOwner): Promise<KeptTokens | null>
}

/** The account and user of tokens. */
export interface TokenOwner extends AccountKey {
  readonly userId: string
}

/**
 * Seals the tokens of an account with the first secret.
 *
 * @param tokens Unknown members are left out, and those of a wrong type.
 */
export function sealTokens(
  tokens: Readonly<Record<string, unknown>> | KeptTokens,
  owner: TokenOwner,
  secrets: readonly string[],
): Promise<string> {
  const { provider, providerAccountId, userId } = owner
  const payload = { provider, providerAccountId, userId, tokens: toKept({ ...tokens }) }
  return sealPersistent('provider-tokens', payload, secrets)
}

/**
 * Opens tokens that {@link sealTokens} sealed for this account and user, with any of the secrets.
 *
 * @returns `null` if no secret opens them, or they were sealed for another account or user.
 */
export async function openTokens(
  sealed: string,
  owner: TokenOwner,
  secrets: readonly string[],
): Promise<KeptTokens | null> {
  const payload = await unsealPersistent('provider-tokens', sealed, secrets)
  if (!payload || !isRecord(payload.tokens)) return null
  const names = ['provider', 'providerAccountId', 'userId'] as const
  return names.every((name) => payload[name] === owner[name]) ? toKept(payload.tokens) : null
}

/** Returns the kept members of a token set. Members of a provider's answer can have any type. */
export function toKept(tokens: Readonly<Record<string, unknown>>): KeptTokens {
  const { expires_at: expiresAt, expires_in: expiresIn, granted, spare, subject, unverified, dpop } = tokens
  const texts = keptNames
    .map((name) => [name, tokens[name]] as const)
    .filter(([name, value]) => name !== 'expires_at' && typeof value === 'string' && value !== '')
  return {
    ...Object.fromEntries(texts),
    ...(isTime(expiresAt) && { expires_at: expiresAt }),
    ...(typeof expiresIn === 'number' && Number.isFinite(expiresIn) && { expires_in: expiresIn }),
    ...(typeof granted === 'string' && { granted }),
    ...(typeof spare === 'string' && { spare }),
    ...(isRecord(subject) && { subject: subject as KeptTokens['subject'] }),
    ...(unverified === true && { unverified }),
    ...(isRecord(dpop) && { dpop }),
  }
}

/** Checks whether a value is a number of seconds that every database can store. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER
}
