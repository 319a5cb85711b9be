/** The resolved protocol options. */
import type { ClientCertificate, PrivateJwk } from '../types/protocol.js'

/** The options beyond the standard request and response. */
export interface ResolvedProtocol {
  readonly pushedRequests: boolean | 'auto'
  /** The key that signs the authorization request. */
  readonly requestKey?: PrivateJwk
  /** `true` if the response is signed (JARM). */
  readonly signedResponse: boolean
  /** The keys that decrypt. Empty: nothing is decrypted. */
  readonly decryptionKeys: readonly PrivateJwk[]
  /** The accepted values of `acr`. Absent: all. */
  readonly essentialAcr?: readonly unknown[]
  /** The profile that the options must satisfy. The response must then name its issuer. */
  readonly profile?: 'fapi2' | 'fapi2-message-signing'
  /** Returns the client certificate (RFC 8705). A function, so that printing the configuration reveals no key. */
  readonly certificate?: () => ClientCertificate
  /** The algorithm of the key to which tokens are bound (RFC 9449). */
  readonly dpop?: { readonly alg: string }
  /** The public keys that are published for providers. */
  readonly publicKeys: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** The private key of a grant, as a JSON Web Key. Its tokens can only be used with it (RFC 9449). */
export type DpopKey = Readonly<Record<string, unknown>>
