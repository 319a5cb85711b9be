/** Nouns of passkeys: the provider's options, and what is asked of authenticators. */

import type { Awaitable } from './identity.js'
import type { WebAuthnProviderType } from './provider-ids.js'
import type { CommonProviderOptions, CredentialInput, OAuthProviderButtonStyles } from './provider-parts.js'

/** The site as authenticators know it (WebAuthn Level 3 §4, "Relying Party"). Never read from a request. */
export interface RelyingParty {
  /**
   * The domain that passkeys belong to: the site's host, or a parent domain of it for several subdomains. Changing it later
   * loses every passkey. Default: the host of `AUTH_URL`; `localhost` where that is not set outside production.
   */
  id?: string
  /** What authenticators show. Default: the id. */
  name?: string
  /**
   * Where passkeys may be used: origins such as `https://app.example.com`, and those of native apps
   * (`android:apk-key-hash:…`). Default: the origin of `AUTH_URL`; any port of `http://localhost` where that is not set
   * outside production.
   */
  origin?: string | readonly string[]
}

/** Who wants to make an account, or to be told which passkeys are theirs. */
export interface PasskeyUserInfo {
  /** The address of the account. It counts as unverified. */
  email?: string | null
  /** The name to show. */
  name?: string | null
}

/** What may be asked of an authenticator when a person signs in (WebAuthn Level 3 §5.5). */
export interface PasskeyAuthenticationOptions {
  /** `required`: fingerprint, face or PIN. `preferred` and `discouraged` let a key in that was only touched. Default `required`. */
  userVerification?: 'required' | 'preferred' | 'discouraged'
  /** Client extensions (WebAuthn Level 3 §9). */
  extensions?: Readonly<Record<string, unknown>>
}

/** What may be asked of an authenticator when a passkey is made (WebAuthn Level 3 §5.4). */
export interface PasskeyRegistrationOptions {
  /** Which authenticators may be used (WebAuthn Level 3 §5.4.4). */
  authenticatorSelection?: {
    /** `platform`: built into the device. `cross-platform`: a security key or a phone. Default: either. */
    authenticatorAttachment?: 'platform' | 'cross-platform'
    /** `required`: the passkey is found without a name. Default `required` (`Passkey`), `preferred` (`WebAuthn`). */
    residentKey?: 'required' | 'preferred' | 'discouraged'
    /** Default `required`. */
    userVerification?: 'required' | 'preferred' | 'discouraged'
  }
  /** Default `none`. */
  attestationType?: 'none' | 'direct' | 'enterprise'
  /** Client extensions (WebAuthn Level 3 §9). */
  extensions?: Readonly<Record<string, unknown>>
  /** Which kind browsers offer first, by hints (WebAuthn Level 3 §5.8.7). Default: they decide. */
  preferredAuthenticatorType?: 'securityKey' | 'localDevice' | 'remoteDevice'
  /** COSE algorithms, the best first. Default EdDSA, ES256, RS256: `[-8, -7, -257]`. */
  supportedAlgorithmIDs?: readonly number[]
}

/** A provider of passkeys. */
export interface WebAuthnConfig extends CommonProviderOptions {
  type: WebAuthnProviderType
  /** The site as authenticators know it. Default: from `AUTH_URL`. */
  relyingParty?: RelyingParty
  /** @deprecated The spelling of Auth.js. Use `relyingParty`. */
  relayingParty?: RelyingParty
  /** Offer passkeys in the browser's autofill on the sign-in page. One provider at the most. Default `true`. */
  enableConditionalUI?: boolean
  /** The inputs for making an account. Default: `email`. None: nobody makes an account with a passkey. */
  formFields?: Record<string, CredentialInput>
  /** What is asked of an authenticator at a sign-in. */
  authenticationOptions?: PasskeyAuthenticationOptions
  /** What is asked of an authenticator when a passkey is made. */
  registrationOptions?: PasskeyRegistrationOptions
  /** Milliseconds a browser waits for the person. Default 300000 (5 minutes). */
  timeout?: number
  /**
   * Reads who is asking from the request for options: its query has the form's fields. `null`: nobody that an account can
   * be made for. It proves nothing: the address counts as unverified. Default: `email` and `name` of the query.
   */
  getUserInfo?(request: Request): Awaitable<PasskeyUserInfo | null>
  /** Look of the button on the built-in page. */
  style?: OAuthProviderButtonStyles
  /** What the developer passed to the provider's function; merged over the rest. */
  options?: object
}

/** What a developer may pass to the function of a provider of passkeys. */
export type WebAuthnUserConfig = Partial<Omit<WebAuthnConfig, 'type' | 'options' | 'relayingParty'>>
