/** Vipps MobilePay — https://developer.vippsmobilepay.com/docs/APIs/login-api · callback: <origin>/auth/callback/vipps */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The response of Vipps' userinfo endpoint. */
export type VippsProfile = OIDCProfile

/**
 * Signs in with Vipps MobilePay. Set up "Login" with the callback URL in the business portal. In the test environment `issuer`
 * is `https://apitest.vipps.no/access-management-1.0/access/`.
 *
 * Environment: `AUTH_VIPPS_ID` and `AUTH_VIPPS_SECRET`. https://developer.vippsmobilepay.com/docs/APIs/login-api
 */
export default function Vipps(options: OIDCUserConfig<VippsProfile> = {}): OIDCConfig<VippsProfile> {
  return {
    id: 'vipps',
    name: 'Vipps',
    type: 'oidc',
    issuer: 'https://api.vipps.no/access-management-1.0/access/',
    authorization: { params: { scope: 'openid name email' } },
    // Name and email address are at the userinfo endpoint only.
    idToken: false,
    checks: ['pkce', 'state', 'nonce'],
    // There are no public clients, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    style: { brandColor: '#f05c18' },
    options,
  }
}
