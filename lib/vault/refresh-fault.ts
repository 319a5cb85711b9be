/** Why a provider gave no new tokens. */

/**
 * - `grant`: the refresh token is not good any more.
 * - `scope`: the grant does not cover what was asked for.
 * - `temporary`: the provider was not there, or could not just then.
 * - `answer`: it refused us, or what it said cannot be used.
 */
export type RefreshFaultKind = 'grant' | 'scope' | 'temporary' | 'answer'

/** `cause` is safe to log, and so is the message. */
export class RefreshFault extends Error {
  constructor(
    readonly kind: RefreshFaultKind,
    cause: Error,
  ) {
    super(cause.message, { cause })
    this.name = 'RefreshFault'
  }
}
