/** Who somebody is: the person, the account at a provider, and what the provider told. Open to module augmentation. */
import type { ProviderType } from './provider-ids.js'

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

/** The person, as a provider's `profile` callback returns it and as sessions show it. */
export interface DefaultUser {
  /** The id of the person: that of the stored user with an adapter, else what the provider calls them. */
  id?: string
  /** The name to show. `null` or absent where the provider tells none. */
  name?: string | null
  /** The address. `null` or absent where the provider tells none. Whether it is proved does not stand here. */
  email?: string | null
  /** URL of a picture. `null` or absent where the provider tells none. */
  image?: string | null
}

/** The person. Open to augmentation. */
export interface User extends DefaultUser {}

/** An entry of `authorization_details` (RFC 9396 §2). */
export interface AuthorizationDetails {
  /** What kind of authorization it is; it says which other fields there are. The provider defines it (RFC 9396 §2). */
  readonly type: string
  /** URLs of the resource servers that it is for (RFC 9396 §2.2). */
  readonly locations?: string[]
  /** What may be done there, such as `read` (RFC 9396 §2.2). */
  readonly actions?: string[]
  /** Which kinds of data it is for (RFC 9396 §2.2). */
  readonly datatypes?: string[]
  /** Which privileges are asked for at the resource (RFC 9396 §2.2). */
  readonly privileges?: string[]
  /** A single resource, such as an account number (RFC 9396 §2.2). */
  readonly identifier?: string
  readonly [parameter: string]: unknown
}

/** The answer of a token endpoint (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). All fields are optional. */
export interface TokenSet {
  /** The access token, for the provider's API (RFC 6749 §1.4). */
  readonly access_token?: string
  /** The refresh token, by which new access tokens are asked for (RFC 6749 §1.5). Many providers give one on request only. */
  readonly refresh_token?: string
  /** The id_token as it came: a signed JWT about the sign-in (OpenID Connect Core §2). */
  readonly id_token?: string
  /** The granted scopes, separated by spaces (RFC 6749 §3.3). Absent where all that were asked for are granted. */
  readonly scope?: string
  /** Always lower-cased: the value is case-insensitive (RFC 6749 §5.1). */
  readonly token_type?: Lowercase<string>
  /** Seconds the access token lives, counted from the answer. */
  readonly expires_in?: number
  /** Seconds since the epoch at which the access token expires; calculated from `expires_in`. */
  readonly expires_at?: number
  /** What was granted in detail (RFC 9396 §7). */
  readonly authorization_details?: AuthorizationDetails[]
}

/** The link between a person and a provider, with the token set that the provider returned. */
export interface Account extends TokenSet {
  /** The id of the provider in the configuration. */
  provider: string
  /** The person's id at the provider; for e-mail the address, for credentials the `id` that `authorize` returned. */
  providerAccountId: string
  /** The kind of the provider: `oidc`, `oauth`, `email`, `credentials` or `webauthn`. */
  type: ProviderType
  /** The id of the person this account belongs to. */
  userId?: string
  [claim: string]: unknown
}

/** What a provider tells about a person, by the OpenID Connect standard claims (Core §5.1). Any claim may follow. */
export interface Profile {
  /** The subject identifier: what the provider calls the person for ever. */
  sub?: string | null
  /** The same at providers of OAuth 2.0 that are not OpenID Connect. */
  id?: string | null
  /** The full name, ready to be shown. */
  name?: string | null
  /** The first name, or several. */
  given_name?: string | null
  /** The family name, or several. */
  family_name?: string | null
  /** The middle name, or several. */
  middle_name?: string | null
  /** What the person is called in everyday life. */
  nickname?: string | null
  /** The name the person goes by at the provider. Neither unique nor permanent. */
  preferred_username?: string | null
  /** URL of the person's page at the provider. */
  profile?: string | null
  /** URL of a picture of the person; some providers nest it in an object. */
  picture?: unknown
  /** URL of the person's own site. */
  website?: string | null
  /** The address. It is proved only where `email_verified` is `true`. */
  email?: string | null
  /** Whether the provider has proved that the address is the person's. Only the boolean `true` counts. */
  email_verified?: boolean | null
  /** The gender, in the provider's words. */
  gender?: string | null
  /** The day of birth as `YYYY-MM-DD`; `0000` stands for a year that is not told, and the year may stand alone. */
  birthdate?: string | null
  /** The time zone by its IANA name, such as `Europe/Paris`. */
  zoneinfo?: string | null
  /** The language, as a BCP 47 tag such as `de-CH`. */
  locale?: string | null
  /** The telephone number, usually as E.164: `+1 425 555 1212`. */
  phone_number?: string | null
  /** When the profile was changed: seconds since the epoch with OpenID Connect, at other providers a text as well. */
  updated_at?: Date | string | number | null
  /** The postal address, in parts. */
  address?: {
    /** The country's name. */
    country?: string | null
    /** The whole address, ready for a label; it may have line breaks. */
    formatted?: string | null
    /** The city. */
    locality?: string | null
    /** The postal code. */
    postal_code?: string | null
    /** The state, province or region. */
    region?: string | null
    /** Street and number; it may have line breaks. */
    street_address?: string | null
  } | null
  [claim: string]: unknown
}

/** The names under which one provider's account is found. */
export interface AccountKey {
  /** The id of the provider in the configuration. */
  provider: string
  /** The person's id at the provider. Compared exactly, upper and lower case included. */
  providerAccountId: string
}
