/** The advanced options of OAuth 2.0 and OpenID Connect, for providers of banks, health services and governments. */

/**
 * A private asymmetric key of the application, as a JSON Web Key (RFC 7517) with `kid` and `alg`. Its public part is
 * published at `GET <mount>/jwks`.
 */
export interface PrivateJwk {
  /** The key type: `EC`, `RSA` or `OKP` (RFC 7517 §4.1). */
  readonly kty: string
  /** The id of the key among the keys of the application. */
  readonly kid: string
  /** The algorithm: `PS256`, `ES256`, `EdDSA`, `RS256` … to sign, `RSA-OAEP-256`, `ECDH-ES` … to decrypt. */
  readonly alg: string
  readonly [member: string]: unknown
}

/** A certificate by which the client authenticates, and to which tokens are bound (RFC 8705). Texts in PEM form. */
export interface ClientCertificate {
  /** The certificate, followed by those of its issuers if the provider requires them. */
  readonly cert: string
  /** The private key of the certificate. */
  readonly key: string
  /** The certificate authorities that are trusted for the provider's servers. Default: those of Node. */
  readonly ca?: string
  /** The passphrase of the key. */
  readonly passphrase?: string
}

/** A requested claim (OpenID Connect Core §5.5.1). `null`: requested in the default way. */
export type ClaimRequest = null | {
  /** `true` if the application requires the claim. Default `false`. */
  readonly essential?: boolean
  /** The requested value. */
  readonly value?: unknown
  /** The accepted values, the preferred first. */
  readonly values?: readonly unknown[]
  readonly [member: string]: unknown
}

/** The individually requested claims (OpenID Connect Core §5.5). */
export interface ClaimsRequest {
  /** The claims of the id_token, by name. */
  readonly id_token?: Readonly<Record<string, ClaimRequest>>
  /** The claims of the userinfo endpoint, by name. */
  readonly userinfo?: Readonly<Record<string, ClaimRequest>>
}

/** The options of the authorization request and response, and of encryption. */
export interface ProtocolOptions {
  /**
   * Sends the authorization request from server to server first (RFC 9126): the browser's URL has only `client_id` and
   * `request_uri`. `true`: always, with an error if the provider has no such endpoint. `auto`: if the provider's
   * metadata has one. Default `false`.
   */
  pushedAuthorizationRequests?: boolean | 'auto'
  /**
   * Signs the authorization request (RFC 9101) with the first key. The other keys are only published: add the next key
   * there before you use it.
   */
  requestObject?: {
    /** The keys. The first signs, and all are published. */
    readonly keys: readonly PrivateJwk[]
  }
  /**
   * The response mode. With `query.jwt` and `form_post.jwt` the response is signed (JARM), and a plain response is
   * rejected. Default: `query`, or the value of `authorization.params.response_mode`.
   */
  responseMode?: 'query' | 'form_post' | 'query.jwt' | 'form_post.jwt'
  /**
   * The keys for id_tokens and userinfo responses that the provider encrypts for this application. All of them decrypt;
   * the provider chooses one from `jwks`. To reject unencrypted ones, set `client.id_token_encrypted_response_alg`, or
   * the one for userinfo.
   */
  decryptionKeys?: readonly PrivateJwk[]
  /**
   * Binds tokens to a key of this application (RFC 9449), so that a stolen token is useless. `auth.tokens.fetch` signs
   * its requests. Tokens that are not bound are rejected. `true`: `{ alg: 'ES256' }`.
   */
  dpop?:
    | boolean
    | {
        /** The algorithm of the proofs (RFC 9449 §4.2). */
        readonly alg: 'ES256' | 'ES384' | 'ES512'
      }
  /**
   * The client certificate of all connections to the provider, including those of `auth.tokens.fetch` (RFC 8705). The
   * provider's `mtls_endpoint_aliases` are used if there are any. Requires the package undici.
   */
  clientCertificate?: ClientCertificate
  /**
   * Throws at construction if an option contradicts a profile of the OpenID Foundation, and requires `iss` in the
   * provider's response (RFC 9207). It sets no options. `fapi2`: FAPI 2.0 Security Profile; `fapi2-message-signing`:
   * also signed requests and responses.
   */
  securityProfile?: 'fapi2' | 'fapi2-message-signing'
  /**
   * The individually requested claims. An essential `acr` of `id_token` must be in the id_token (OpenID Connect Core
   * §5.5.1.1).
   */
  claims?: ClaimsRequest
}
