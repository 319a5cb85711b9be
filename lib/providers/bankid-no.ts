/** BankID (Norway) — https://developer.bankid.no · callback: <origin>/auth/callback/bankid-no */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The response of the userinfo endpoint. */
export interface BankIDNorwayProfile extends OIDCProfile {
  /** In ISO 8601. */
  birthdate?: string
}

/**
 * Signs in with Norwegian BankID. The client must be allowed the scopes `profile` and `email`. For another
 * identification method than `BIS`, or another language, set `authorization: { params: { login_hint: …, ui_locales: … }
 * }`.
 *
 * Environment: `AUTH_BANKID_NO_ID` and `AUTH_BANKID_NO_SECRET`. https://developer.bankid.no
 */
export default function BankIDNorway(
  options: OIDCUserConfig<BankIDNorwayProfile> = {},
): OIDCConfig<BankIDNorwayProfile> {
  return {
    id: 'bankid-no',
    name: 'BankID Norge',
    type: 'oidc',
    issuer: 'https://auth.bankid.no/auth/realms/prod',
    authorization: { params: { ui_locales: 'no', login_hint: 'BIS' } },
    // Names and email addresses are at the userinfo endpoint only, whose response is a signed JWT.
    idToken: false,
    client: { token_endpoint_auth_method: 'client_secret_post', userinfo_signed_response_alg: 'RS256' },
    checks: ['pkce', 'state', 'nonce'],
    profile: ({ sub, name, email }) => ({ id: sub, name: name ?? null, email: email ?? null, image: null }),
    style: { brandColor: '#39134c' },
    options,
  }
}
