/** The error for a refresh that brought no new tokens. */

/**
 * The kinds of refresh errors.
 *
 * - `grant`: the refresh token is no longer valid.
 * - `scope`: the grant does not cover the requested scope.
 * - `temporary`: the provider was not available.
 * - `answer`: the provider rejected the client, or its answer is invalid.
 */
export type RefreshFaultKind = 'grant' | 'scope' | 'temporary' | 'answer'

/** The new refresh token of an answer that was rejected. The one that was sent is used up. */
export interface RotatedToken {
  readonly refreshToken: string
  /** True if the answer had an ID token, which may be the reason. */
  readonly isUnverified: boolean
}

/** The right to send the refresh token. */
export interface RefreshPermission {
  /** True if it may still be sent. */
  readonly isHeld: boolean
}

/** The error of a refresh. Its message and `cause` are safe to log. */
export class RefreshFault extends Error {
  constructor(
    readonly kind: RefreshFaultKind,
    cause: Error,
    readonly rotated?: RotatedToken,
  ) {
    super(cause.message, { cause })
    this.name = 'RefreshFault'
  }
}
