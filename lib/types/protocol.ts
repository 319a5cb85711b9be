/** Options of OAuth 2.0 and OpenID Connect beyond the usual: for providers of banks, health services and governments. */

/**
 * A private key of the application's, as a JSON Web Key (RFC 7517): an asymmetric one, with `kid` and `alg`. Its public part is published
 * at `GET <mount>/jwks`.
 */
export interface PrivateJwk {
  /** The key type: `EC`, `RSA` or `OKP` (RFC 7517 §4.1). */
  readonly kty: string
  /** Names it among the keys of the application. */
  readonly kid: string
  /** What it is for: `PS256`, `ES256`, `EdDSA`, `RS256` … to sign, `RSA-OAEP-256`, `ECDH-ES` … to decrypt. */
  readonly alg: string
  readonly [member: string]: unknown
}

/** A certificate of the client's, by which it authenticates, and to which tokens are bound (RFC 8705). Texts in PEM form. */
export interface ClientCertificate {
  /** The certificate, with those of its issuers behind it where the provider wants them. */
  readonly cert: string
  /** The private key that belongs to it. */
  readonly key: string
  /** Authorities by which the provider's servers are trusted. Default: those of Node. */
  readonly ca?: string
  /** Opens the key. */
  readonly passphrase?: string
}

/** A claim that is asked for (OpenID Connect Core §5.5.1). `null`: in the usual way. */
export type ClaimRequest = null | {
  /** Whether the application cannot do without it. Default `false`. */
  readonly essential?: boolean
  /** The value that it should have. */
  readonly value?: unknown
  /** Values of which it should have one, the preferred first. */
  readonly values?: readonly unknown[]
  readonly [member: string]: unknown
}

/** Claims that are asked for one by one (OpenID Connect Core §5.5). */
export interface ClaimsRequest {
  /** Claims for the id_token, by their names. */
  readonly id_token?: Readonly<Record<string, ClaimRequest>>
  /** Claims for the userinfo endpoint, by their names. */
  readonly userinfo?: Readonly<Record<string, ClaimRequest>>
}

/** How the authorization request is sent and answered, and what is encrypted. */
export interface ProtocolOptions {
  /**
   * Send the authorization request from server to server first (RFC 9126): the browser's URL has `client_id` and `request_uri` only.
   * `true`: always, and a provider without such an endpoint is an error. `auto`: where its metadata name one. Default `false`.
   */
  pushedAuthorizationRequests?: boolean | 'auto'
  /** Sign the authorization request (RFC 9101), with the first key. Those after it are published only: put the next one there before you use it. */
  requestObject?: {
    /** The keys that sign: the first is used, and all are published. */
    readonly keys: readonly PrivateJwk[]
  }
  /**
   * How the answer comes. `query.jwt` and `form_post.jwt`: signed (JARM); a plain answer is refused then. Default: `query`, or what
   * `authorization.params.response_mode` says.
   */
  responseMode?: 'query' | 'form_post' | 'query.jwt' | 'form_post.jwt'
  /**
   * Keys for id_tokens and userinfo answers that the provider encrypts for us. All of them decrypt; the provider takes from `jwks` which
   * one it encrypts for. To refuse what comes in the clear, set `client.id_token_encrypted_response_alg`, or the one for userinfo.
   */
  decryptionKeys?: readonly PrivateJwk[]
  /**
   * Bind tokens to a key that only this application has (RFC 9449): a token that is stolen is of no use. `auth.tokens.fetch` signs what it
   * sends. A provider that gives tokens which are not bound is refused. `true`: `{ alg: 'ES256' }`.
   */
  dpop?:
    | boolean
    | {
        /** The algorithm of the proofs (RFC 9449 §4.2). */
        readonly alg: 'ES256' | 'ES384' | 'ES512'
      }
  /**
   * The certificate that all connections to the provider show, those of `auth.tokens.fetch` too (RFC 8705). Endpoints for it are used where the
   * provider names any (`mtls_endpoint_aliases`). It needs the package undici.
   */
  clientCertificate?: ClientCertificate
  /**
   * Refuses at construction what contradicts a profile of the OpenID Foundation, and requires `iss` in the provider's answer (RFC 9207). It
   * sets nothing by itself. `fapi2`: FAPI 2.0 Security Profile; `fapi2-message-signing`: also signed requests and answers.
   */
  securityProfile?: 'fapi2' | 'fapi2-message-signing'
  /** Claims that are asked for one by one. An essential `acr` of `id_token` is required back (OpenID Connect Core §5.5.1.1). */
  claims?: ClaimsRequest
}
