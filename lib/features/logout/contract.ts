/** Sessions at a provider: what a sign-out tells of them, and what ends with them here. */

/** What is kept of a sign-in for the sign-out at its provider. */
export interface ProviderSession {
  readonly provider: string
  /** The provider's own word, verified: it knows by it who signs out. */
  readonly idToken?: string
  /** What the provider knows the person by, where the id_token cannot be sent. */
  readonly logoutHint?: string
  /** To be revoked. */
  readonly token?: RevocableToken
}

/** A token that the provider can take back (RFC 7009 §2.1). */
export interface RevocableToken {
  readonly text: string
  readonly type: 'refresh_token' | 'access_token'
}

/** By which session at a provider somebody signed in. Both names are hashes, which no other provider's can be. */
export interface ProviderLink {
  readonly subject: string
  /** Absent where the provider does not name its sessions. */
  readonly session?: string
  /** Whether frames may end it, which prove nothing: its name is noted, so that they end nothing else. */
  readonly byFrame?: boolean
  /** When the provider said so, in seconds since the epoch by its clock. */
  readonly at: number
}

/** Tokens that were used, in any process. By names that no other token has. */
export interface UsedTokens {
  /** @throws {@link AdapterError} when the store is away. */
  has(name: string): Promise<boolean>
  /** Notes it for so many seconds. Rejects as {@link has} does. */
  add(name: string, seconds: number): Promise<void>
}

/** What a provider says has ended: a session there, or where it names none, all of a person's. The same hashes. */
export interface ProviderLogout {
  readonly subject?: string
  readonly session?: string
  /** A frame said so, and nothing proves it: what is not known here by that name leaves no trace. */
  readonly byFrame?: boolean
  /** When the provider said so, in seconds since the epoch by its clock. */
  readonly at: number
}
