/** The interface of sessions for watching. */
import type { Proof } from '../../principal/proofs.js'
import type { KnownSession } from '../revocation/contract.js'

/** The facts by which the end of a session is found after its request. They do not refer to the request. */
export interface WatchedSession {
  /** The name of the session: `sid` of a JWT session, the stored token of a database session. */
  readonly name: string
  /** The identifiers for the store of ended sessions. */
  readonly known: KnownSession
  /** The end in milliseconds since the epoch, as far as known. Requests extend the session. */
  readonly expires: number
  /** The latest end in milliseconds since the epoch, regardless of extensions. */
  readonly latest: number
  /** The proofs at the request. Absent without `connections`, which may end the sessions that they began. */
  readonly proofs?: readonly Proof[] | undefined
  /** The stored token of the actor's own session, with which an impersonated database session ends. */
  readonly actorSession?: string | undefined
}
