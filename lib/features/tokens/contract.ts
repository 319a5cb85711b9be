/** The interfaces of provider tokens that other parts of the engine use. */
import type { Actor } from '../../principal/index.js'
import type { RecordStore } from '../../types/store.js'

/** The store of provider tokens, unguarded: the vault guards it. */
export interface ResolvedTokens {
  readonly store: RecordStore | 'cookie'
  /** Milliseconds that a method of the store may take. */
  readonly timeout: number
}

/**
 * The user and the session that provider tokens are used for. `id` is the public id of the session
 * (`session/session-id`).
 */
export interface TokenHolder {
  readonly userId: string
  readonly id: string
  /** The user who uses the session in place of its user. */
  readonly actor?: Actor
}

/** A grant at a provider that the application's code requests for a signed-in user, beyond their sign-in. */
export interface Connection {
  readonly provider: string
  /** The session that it is for. It is invalid in any other. */
  readonly holder: TokenHolder
  /** The scopes that the tokens must have afterwards. */
  readonly needed: readonly string[]
  /** The account at the provider. Absent: any that belongs to this user, or to no user. */
  readonly providerAccountId?: string
  /** True if the account already belongs to this user, so that the connection cannot link a new one. */
  readonly isOwn?: boolean
}

/** A connection, and the parameters of its authorization request. */
export interface ConnectionRequest {
  readonly connection: Connection
  readonly params: Readonly<Record<string, string>>
}
