/** Who somebody is: the person, the account at a provider, and what the provider told. Open to module augmentation. */
import type { ProviderType } from './provider-ids.js'

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

/** The person, as a provider's `profile` callback returns it and as sessions show it. */
export interface DefaultUser {
  id?: string
  name?: string | null
  email?: string | null
  image?: string | null
}

/** The person. Open to augmentation. */
export interface User extends DefaultUser {}

/** An entry of `authorization_details` (RFC 9396 §2). */
export interface AuthorizationDetails {
  readonly type: string
  readonly locations?: string[]
  readonly actions?: string[]
  readonly datatypes?: string[]
  readonly privileges?: string[]
  readonly identifier?: string
  readonly [parameter: string]: unknown
}

/** The answer of a token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). All fields are optional. */
export interface TokenSet {
  readonly access_token?: string
  readonly refresh_token?: string
  readonly id_token?: string
  readonly scope?: string
  /** Always lower-cased: the value is case-insensitive (RFC 6749 §5.1). */
  readonly token_type?: Lowercase<string>
  /** Seconds the access token lives, counted from the answer. */
  readonly expires_in?: number
  /** Seconds since the epoch at which the access token expires; calculated from `expires_in`. */
  readonly expires_at?: number
  readonly authorization_details?: AuthorizationDetails[]
}

/** The link between a person and a provider, with the token set that the provider returned. */
export interface Account extends TokenSet {
  /** The id of the provider in the configuration. */
  provider: string
  /** The person's id at the provider; for e-mail the address, for credentials the `id` that `authorize` returned. */
  providerAccountId: string
  type: ProviderType
  /** The id of the person this account belongs to. */
  userId?: string
  [claim: string]: unknown
}

/** What a provider tells about a person, by the OpenID Connect standard claims (Core §5.1). Any claim may follow. */
export interface Profile {
  sub?: string | null
  id?: string | null
  name?: string | null
  given_name?: string | null
  family_name?: string | null
  middle_name?: string | null
  nickname?: string | null
  preferred_username?: string | null
  profile?: string | null
  picture?: unknown
  website?: string | null
  email?: string | null
  email_verified?: boolean | null
  gender?: string | null
  birthdate?: string | null
  zoneinfo?: string | null
  locale?: string | null
  phone_number?: string | null
  updated_at?: Date | string | number | null
  address?: {
    country?: string | null
    formatted?: string | null
    locality?: string | null
    postal_code?: string | null
    region?: string | null
    street_address?: string | null
  } | null
  [claim: string]: unknown
}

/** The names under which one provider's account is found. */
export interface AccountKey {
  provider: string
  providerAccountId: string
}
