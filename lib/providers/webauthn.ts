/**
 * WebAuthn for passkeys and for security keys that cannot store any. Those are found by the typed email address. Needs
 * `npm install @simplewebauthn/server`, an adapter, `experimental: { enableWebAuthn: true }`, and in production
 * `AUTH_URL` or `relyingParty`.
 */
import type { WebAuthnConfig, WebAuthnUserConfig } from '../types/passkey.js'

/**
 * Signs users in with any WebAuthn authenticator.
 *
 * Environment: `AUTH_URL` in production. https://www.w3.org/TR/webauthn-3/
 *
 * @example
 * ```ts
 * WebAuthn({ authenticationOptions: { userVerification: 'preferred' } }) // keys without a PIN, too
 * ```
 */
export default function WebAuthn(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  const { registrationOptions } = options
  return {
    id: 'webauthn',
    name: 'WebAuthn',
    type: 'webauthn',
    ...options,
    registrationOptions: {
      ...registrationOptions,
      authenticatorSelection: { residentKey: 'preferred', ...registrationOptions?.authenticatorSelection },
    },
  }
}
