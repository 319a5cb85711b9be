/** Provider tokens, as the rooms of the engine speak of them. */
import type { TokenStore } from '../types/tokens.js'

/** Where provider tokens are kept, as the developer gave it: `vault/` guards it. */
export interface ResolvedTokens {
  readonly store: TokenStore | 'cookie'
  /** Milliseconds that a method of the store may take. */
  readonly timeout: number
}

/** Whose provider tokens a session uses. `id`: what the session is called outside (`session/session-id`). */
export interface TokenHolder {
  readonly userId: string
  readonly id: string
}
