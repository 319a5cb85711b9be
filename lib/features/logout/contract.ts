/** Sessions at a provider: the data for a sign-out there, and the links by which the provider ends sessions here. */

/** The data of a sign-in for the sign-out at its provider. */
export interface ProviderSession {
  readonly provider: string
  /** The verified ID token, by which the provider recognizes the user. */
  readonly idToken?: string
  /** The provider's name for the user, if the ID token cannot be sent. */
  readonly logoutHint?: string
  /** The token to be revoked. */
  readonly token?: RevocableToken
}

/** A token that the provider can revoke (RFC 7009 §2.1). */
export interface RevocableToken {
  readonly text: string
  readonly type: 'refresh_token' | 'access_token'
}

/** The session at a provider by which a user signed in. Both names are hashes, unique across providers. */
export interface ProviderLink {
  readonly subject: string
  /** Absent if the provider does not name its sessions. */
  readonly session?: string
  /** True if frames may end it. Frames are not authenticated, so the name is stored, and they can end nothing else. */
  readonly byFrame?: boolean
  /** The time of the sign-in by the provider's clock, in seconds since the epoch. */
  readonly at: number
}

/** Tokens that were used, in any process, by unique names. */
export interface UsedTokens {
  /** Checks whether a token was used. @throws {@link AdapterError} if the store fails. */
  has(name: string): Promise<boolean>
  /** Stores a token as used, for so many seconds. Rejects as {@link has} does. */
  add(name: string, seconds: number): Promise<void>
}

/**
 * A logout at a provider: of one session there, or of all the user's sessions if it names none. The names are the same
 * hashes.
 */
export interface ProviderLogout {
  readonly subject?: string
  readonly session?: string
  /** True if a frame sent it, without authentication. An unknown session then leaves no trace. */
  readonly byFrame?: boolean
  /** The time of the logout by the provider's clock, in seconds since the epoch. */
  readonly at: number
}
