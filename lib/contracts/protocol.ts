/** Options of the protocol, resolved. */
import type { ClientCertificate, PrivateJwk } from '../types/protocol.js'

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
  /** What the options must keep. The answer names its issuer then. */
  readonly profile?: 'fapi2' | 'fapi2-message-signing'
  /** Connections show it (RFC 8705). A function: whoever looks at the configuration sees no key. */
  readonly certificate?: () => ClientCertificate
  /** Tokens are bound to a key of this algorithm (RFC 9449). */
  readonly dpop?: { readonly alg: string }
  /** What providers may know of our keys. */
  readonly publicKeys: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** The private key of a grant, as a JSON Web Key: its tokens are of use with it only (RFC 9449). */
export type GrantKey = Readonly<Record<string, unknown>>
