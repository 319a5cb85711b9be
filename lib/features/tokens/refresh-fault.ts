/** Why a provider gave no new tokens. */

/**
 * - `grant`: the refresh token is not good any more.
 * - `scope`: the grant does not cover what was asked for.
 * - `temporary`: the provider was not there, or could not just then.
 * - `answer`: it refused us, or what it said cannot be used.
 */
export type RefreshFaultKind = 'grant' | 'scope' | 'temporary' | 'answer'

/** The new refresh token of an answer that was not accepted. The one that was sent is used up. */
export interface Rotated {
  readonly refreshToken: string
  /** Whether the answer had an id_token, which may be why it was not accepted. */
  readonly isUnverified: boolean
}

/** The right to send the refresh token. */
export interface AskedUnder {
  /** Whether it may still be sent. */
  readonly isHeld: boolean
}

/** `cause` is safe to log, and so is the message. */
export class RefreshFault extends Error {
  constructor(
    readonly kind: RefreshFaultKind,
    cause: Error,
    readonly rotated?: Rotated,
  ) {
    super(cause.message, { cause })
    this.name = 'RefreshFault'
  }
}
