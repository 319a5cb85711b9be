/** The options of passkey providers, and of the ceremonies with authenticators. */

import type { Awaitable } from './identity.js'
import type { WebAuthnProviderType } from './provider-ids.js'
import type { CommonProviderOptions, CredentialInput, OAuthProviderButtonStyles } from './provider-parts.js'

/** The site, as authenticators identify it (WebAuthn Level 3 §4, "Relying Party"). Never read from a request. */
export interface RelyingParty {
  /**
   * The domain of the passkeys: the site's host, or a parent domain for several subdomains. A later change makes every
   * passkey unusable. Default: the host of `AUTH_URL`; outside production `localhost` if that is not set.
   */
  id?: string
  /** The name that authenticators show. Default: the id. */
  name?: string
  /**
   * The origins where passkeys may be used, such as `https://app.example.com`, and those of native apps
   * (`android:apk-key-hash:…`). Default: the origin of `AUTH_URL`; outside production any port of `http://localhost` if
   * that is not set.
   */
  origin?: string | readonly string[]
}

/** A visitor who creates an account or requests their passkeys. */
export interface PasskeyUserInfo {
  /** The email address of the account. It is treated as unverified. */
  email?: string | null
  /** The name to show. */
  name?: string | null
}

/** The options of a sign-in with an authenticator (WebAuthn Level 3 §5.5). */
export interface PasskeyAuthenticationOptions {
  /**
   * `required`: fingerprint, face or PIN. `preferred` and `discouraged` accept a key that was only touched. Default
   * `required`.
   */
  userVerification?: 'required' | 'preferred' | 'discouraged'
  /** The client extensions (WebAuthn Level 3 §9). */
  extensions?: Readonly<Record<string, unknown>>
}

/** The options of the creation of a passkey (WebAuthn Level 3 §5.4). */
export interface PasskeyRegistrationOptions {
  /** The allowed authenticators (WebAuthn Level 3 §5.4.4). */
  authenticatorSelection?: {
    /** `platform`: built into the device. `cross-platform`: a security key or a phone. Default: both. */
    authenticatorAttachment?: 'platform' | 'cross-platform'
    /**
     * `required`: a discoverable credential, for sign-ins without a user name. Default `required` (`Passkey`),
     * `preferred` (`WebAuthn`).
     */
    residentKey?: 'required' | 'preferred' | 'discouraged'
    /** `required`: fingerprint, face or PIN. Default `required`. */
    userVerification?: 'required' | 'preferred' | 'discouraged'
  }
  /** The requested attestation. Default `none`. */
  attestationType?: 'none' | 'direct' | 'enterprise'
  /** The client extensions (WebAuthn Level 3 §9). */
  extensions?: Readonly<Record<string, unknown>>
  /** The kind that browsers offer first, as a hint (WebAuthn Level 3 §5.8.7). Default: the browser's choice. */
  preferredAuthenticatorType?: 'securityKey' | 'localDevice' | 'remoteDevice'
  /** The COSE algorithms, the best first. Default EdDSA, ES256, RS256: `[-8, -7, -257]`. */
  supportedAlgorithmIDs?: readonly number[]
}

/** A passkey provider. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: WebAuthnProviderType
  /** The site, as authenticators identify it. Default: from `AUTH_URL`. */
  relyingParty?: RelyingParty
  /** @deprecated The spelling of Auth.js. Use `relyingParty`. */
  relayingParty?: RelyingParty
  /** Offers passkeys in the browser's autofill on the sign-in page. At most one provider. Default `true`. */
  enableConditionalUI?: boolean
  /**
   * Offers a passkey on a page after a sign-in with a password: once for each user in each browser, if the user has no
   * passkey. Only after the built-in sign-in page. Default `true`.
   */
  offerAfterPassword?: boolean
  /** The inputs for a new account. Default: `email`. With none, accounts cannot be created with a passkey. */
  formFields?: Record<string, CredentialInput>
  /** The options of a sign-in. */
  authenticationOptions?: PasskeyAuthenticationOptions
  /** The options of the creation of a passkey. */
  registrationOptions?: PasskeyRegistrationOptions
  /** Milliseconds that a browser waits for the user. Default 300000 (5 minutes). */
  timeout?: number
  /**
   * Returns the visitor from the request for options, whose query has the form's fields. `null` if no account can be
   * created. The address is treated as unverified. Default: `email` and `name` of the query.
   */
  getUserInfo?(request: Request): Awaitable<PasskeyUserInfo | null>
  /** The look of the button on the built-in page. */
  style?: OAuthProviderButtonStyles
  /** The options that the developer passed to the provider's function, merged over the others. */
  options?: object
}

/** The options of the function of a passkey provider. */
export type WebAuthnUserConfig = Partial<Omit<WebAuthnConfig, 'type' | 'options' | 'relayingParty'>>
