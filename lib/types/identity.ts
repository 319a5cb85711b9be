/** The types of the user, the account at a provider, and the provider's profile. Open to module augmentation. */
import type { ProviderType } from './provider-ids.js'

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

/** A user, as returned by a provider's `profile` callback and as included in sessions. */
export interface DefaultUser {
  /** The id: that of the stored user if there is an adapter, otherwise the provider's id of the user. */
  id?: string
  /** The name to show. `null` or absent if the provider does not return one. */
  name?: string | null
  /** The email address, verified or not. `null` or absent if the provider does not return one. */
  email?: string | null
  /** The URL of a picture. `null` or absent if the provider does not return one. */
  image?: string | null
}

/** A user. Open to augmentation. */
export interface User extends DefaultUser {}

/** An entry of `authorization_details` (RFC 9396 §2). */
export interface AuthorizationDetails {
  /** The kind of authorization, which determines the other fields. The provider defines it (RFC 9396 §2). */
  readonly type: string
  /** The URLs of the resource servers (RFC 9396 §2.2). */
  readonly locations?: string[]
  /** The actions at the resource, such as `read` (RFC 9396 §2.2). */
  readonly actions?: string[]
  /** The kinds of data (RFC 9396 §2.2). */
  readonly datatypes?: string[]
  /** The requested privileges at the resource (RFC 9396 §2.2). */
  readonly privileges?: string[]
  /** A single resource, such as an account number (RFC 9396 §2.2). */
  readonly identifier?: string
  readonly [parameter: string]: unknown
}

/** The response of a token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). All fields are optional. */
export interface TokenSet {
  /** The access token, for the provider's API (RFC 6749 §1.4). */
  readonly access_token?: string
  /** The refresh token, which gets new access tokens (RFC 6749 §1.5). Many providers issue one on request only. */
  readonly refresh_token?: string
  /** The id_token as received: a signed JWT about the sign-in (OpenID Connect Core §2). */
  readonly id_token?: string
  /** The granted scopes, separated by spaces (RFC 6749 §3.3). Absent if all requested scopes are granted. */
  readonly scope?: string
  /** Always lower-cased: the value is case-insensitive (RFC 6749 §5.1). */
  readonly token_type?: Lowercase<string>
  /** The lifetime of the access token in seconds, counted from the response. */
  readonly expires_in?: number
  /** The time at which the access token expires, in seconds since the epoch; calculated from `expires_in`. */
  readonly expires_at?: number
  /** The granted authorization details (RFC 9396 §7). */
  readonly authorization_details?: AuthorizationDetails[]
}

/** The link between a user and a provider, with the token set that the provider returned. */
export interface Account extends TokenSet {
  /** The id of the provider in the configuration. */
  provider: string
  /** The user's id at the provider; for email the address, for credentials the `id` that `authorize` returned. */
  providerAccountId: string
  /** The type of the provider: `oidc`, `oauth`, `email`, `credentials` or `webauthn`. */
  type: ProviderType
  /** The id of the user to whom the account belongs. */
  userId?: string
  [claim: string]: unknown
}

/** The user's profile at a provider, by the OpenID Connect standard claims (Core §5.1). Any claim may follow. */
export interface Profile {
  /** The subject identifier: the permanent id of the user at the provider. */
  sub?: string | null
  /** The permanent id at providers of OAuth 2.0 that are not OpenID Connect. */
  id?: string | null
  /** The full name to show. */
  name?: string | null
  /** The first name, or several. */
  given_name?: string | null
  /** The family name, or several. */
  family_name?: string | null
  /** The middle name, or several. */
  middle_name?: string | null
  /** The casual name. */
  nickname?: string | null
  /** The user name at the provider. Neither unique nor permanent. */
  preferred_username?: string | null
  /** The URL of the user's page at the provider. */
  profile?: string | null
  /** The URL of a picture of the user; some providers nest it in an object. */
  picture?: unknown
  /** The URL of the user's own site. */
  website?: string | null
  /** The email address. It is verified only if `email_verified` is `true`. */
  email?: string | null
  /** `true` if the provider has verified the email address. Any other value is treated as unverified. */
  email_verified?: boolean | null
  /** The gender, in the provider's words. */
  gender?: string | null
  /** The day of birth as `YYYY-MM-DD`. The year is `0000` if it is omitted, and may be the whole value. */
  birthdate?: string | null
  /** The time zone by its IANA name, such as `Europe/Paris`. */
  zoneinfo?: string | null
  /** The language, as a BCP 47 tag such as `de-CH`. */
  locale?: string | null
  /** The telephone number, usually as E.164: `+1 425 555 1212`. */
  phone_number?: string | null
  /** The time of the last change: seconds since the epoch with OpenID Connect, also a text at other providers. */
  updated_at?: Date | string | number | null
  /** The postal address, in parts. */
  address?: {
    /** The name of the country. */
    country?: string | null
    /** The whole address, formatted for a label; it may have line breaks. */
    formatted?: string | null
    /** The city. */
    locality?: string | null
    /** The postal code. */
    postal_code?: string | null
    /** The state, province or region. */
    region?: string | null
    /** The street and number; the text may have line breaks. */
    street_address?: string | null
  } | null
  [claim: string]: unknown
}

/** The key of an account at a provider. */
export interface AccountKey {
  /** The id of the provider in the configuration. */
  provider: string
  /** The user's id at the provider. The comparison is exact and case-sensitive. */
  providerAccountId: string
}
