/**
 * Passkeys that are found without an email address. Needs `npm install @simplewebauthn/server`, an adapter,
 * `experimental: { enableWebAuthn: true }`, and in production `AUTH_URL` or `relyingParty`.
 */
import type { WebAuthnConfig, WebAuthnUserConfig } from '../types/passkey.js'

/**
 * Signs users in with a passkey: fingerprint, face or PIN, without typing.
 *
 * Environment: `AUTH_URL` in production. https://www.w3.org/TR/webauthn-3/
 *
 * @example
 * ```ts
 * Passkey({ relyingParty: { id: 'example.com', name: 'Example', origin: 'https://www.example.com' } })
 * ```
 */
export default function Passkey(options: WebAuthnUserConfig = {}): WebAuthnConfig {
  const { registrationOptions } = options
  return {
    id: 'passkey',
    name: 'Passkey',
    type: 'webauthn',
    ...options,
    registrationOptions: {
      ...registrationOptions,
      authenticatorSelection: { residentKey: 'required', ...registrationOptions?.authenticatorSelection },
    },
  }
}
