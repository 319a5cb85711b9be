/** Options of the protocol, resolved. */
import type { PrivateJwk } from '../types/protocol.js'

/** What goes beyond the usual request and answer. */
export interface ResolvedProtocol {
  readonly pushed: boolean | 'auto'
  /** The authorization request is signed with it. */
  readonly requestKey?: PrivateJwk
  /** The answer is signed (JARM). */
  readonly signedAnswer: boolean
  /** Empty: nothing is decrypted. */
  readonly decryptionKeys: readonly PrivateJwk[]
  /** One of these is required as `acr`. Absent: any will do. */
  readonly essentialAcr?: readonly unknown[]
  /** What providers may know of our keys. */
  readonly publicKeys: ReadonlyArray<Readonly<Record<string, unknown>>>
}
