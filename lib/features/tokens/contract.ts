/** Provider tokens, as the rooms of the engine speak of them. */
import type { RecordStore } from '../../types/store.js'

/** Where provider tokens are kept, as the developer gave it: `vault/` guards it. */
export interface ResolvedTokens {
  readonly store: RecordStore | 'cookie'
  /** Milliseconds that a method of the store may take. */
  readonly timeout: number
}

/** Whose provider tokens a session uses. `id`: what the session is called outside (`session/session-id`). */
export interface TokenHolder {
  readonly userId: string
  readonly id: string
}

/** What somebody who is signed in is to agree to at a provider beyond their sign-in, as the application's code wants it. */
export interface Connection {
  readonly provider: string
  /** The session that it is for. In another one it is nothing. */
  readonly holder: TokenHolder
  /** What the tokens must be good for afterwards. */
  readonly needed: readonly string[]
  /** The account at the provider. Absent: any that is this user's, or nobody's. */
  readonly providerAccountId?: string
  /** Whether the account is this user's already, so that none can become theirs by it. */
  readonly isOwn?: boolean
}

/** A connection, and the parameters of the authorization request that follow from it. */
export interface ConnectionRequest {
  readonly connection: Connection
  readonly params: Readonly<Record<string, string>>
}
