/**
 * Token sets as they are stored: encrypted under a purpose of their own, with the account and the user inside. A row that
 * somebody with access to the database copied into another person's place does not open there.
 */
import { isRecord } from '../../base/guards.js'
import { sealLasting, unsealLasting } from '../../crypto/seal.js'
import type { AccountKey } from '../../types/adapter.js'
import type { TokenSet } from '../../types/identity.js'

/** Which tokens of a set are kept. */
const kept = ['access_token', 'refresh_token', 'id_token', 'token_type', 'scope', 'expires_at'] as const

/** What is kept of an account's tokens. */
export interface KeptTokens extends Pick<TokenSet, (typeof kept)[number]> {
  /** What the grant covers, which a refreshed token can have (RFC 6749 §6); absent where it is the same as `scope`. */
  readonly granted?: string
  /** The refresh token of a later sign-in that asked for less, for when the other one is not good any more. */
  readonly spare?: string
  /** Seconds that the access token lived when it came. */
  readonly expires_in?: number
  /** In the place of an id_token: what a later one has to say as well (OpenID Connect Core §12.2). */
  readonly subject?: Readonly<Record<'iss' | 'sub' | 'aud' | 'auth_time', unknown>>
  /** The refresh token came with an id_token that was not accepted. The next answer must have one that is. */
  readonly unverified?: boolean
  /** The private key that the tokens are bound to (RFC 9449), as a JWK. */
  readonly dpop?: Readonly<Record<string, unknown>>
}

/** Makes the text of a row, and reads it. */
export interface Sealer {
  seal(tokens: KeptTokens, owner: TokenOwner): Promise<string>
  /** Resolves to `null` where it is not this account's and user's, or no secret opens it. */
  open(sealed: string, owner: TokenOwner): Promise<KeptTokens | null>
}

/** Whose tokens they are. */
export interface TokenOwner extends AccountKey {
  readonly userId: string
}

/**
 * Seals the tokens of an account under the first secret.
 *
 * @param tokens Other members of it are left out, and so are those that are no text (`expires_at`: no number).
 */
export function sealTokens(
  tokens: Readonly<Record<string, unknown>> | KeptTokens,
  owner: TokenOwner,
  secrets: readonly string[],
): Promise<string> {
  const { provider, providerAccountId, userId } = owner
  const payload = { provider, providerAccountId, userId, tokens: toKept({ ...tokens }) }
  return sealLasting('provider-tokens', payload, secrets)
}

/**
 * Opens what {@link sealTokens} made for this account and user, with any of the secrets.
 *
 * @returns `null` where none of the secrets opens it, and where it was sealed for another account or user.
 */
export async function openTokens(
  sealed: string,
  owner: TokenOwner,
  secrets: readonly string[],
): Promise<KeptTokens | null> {
  const payload = await unsealLasting('provider-tokens', sealed, secrets)
  if (!payload || !isRecord(payload.tokens)) return null
  const names = ['provider', 'providerAccountId', 'userId'] as const
  return names.every((name) => payload[name] === owner[name]) ? toKept(payload.tokens) : null
}

/** Returns what is kept of a token set. An answer of a provider can have members of any type. */
export function toKept(tokens: Readonly<Record<string, unknown>>): KeptTokens {
  const { expires_at: expiresAt, expires_in: expiresIn, granted, spare, subject, unverified, dpop } = tokens
  const texts = kept
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

/** Checks whether a value is a number of seconds that every database can hold. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER
}
