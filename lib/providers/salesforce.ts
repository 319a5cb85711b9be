/** Salesforce — https://help.salesforce.com/s/articleView?id=sf.sso_provider_openid_connect.htm · callback: <origin>/auth/callback/salesforce */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The response of Salesforce's userinfo endpoint. */
export interface SalesforceProfile extends OIDCProfile {
  /** A URL with the ids of organisation and user. */
  sub: string
  user_id?: string
  organization_id?: string
}

/**
 * Signs in with Salesforce. The connected app needs the scopes `openid`, `profile` and `email`. For a sandbox set
 * `issuer` to `https://test.salesforce.com`, for your own login page to `https://<domain>.my.salesforce.com`.
 *
 * Environment: `AUTH_SALESFORCE_ID` and `AUTH_SALESFORCE_SECRET`.
 * https://help.salesforce.com/s/articleView?id=sf.sso_provider_openid_connect.htm
 */
export default function Salesforce(options: OIDCUserConfig<SalesforceProfile> = {}): OIDCConfig<SalesforceProfile> {
  return {
    id: 'salesforce',
    name: 'Salesforce',
    type: 'oidc',
    issuer: 'https://login.salesforce.com',
    // Name and email address are at the userinfo endpoint only.
    idToken: false,
    checks: ['pkce', 'state', 'nonce'],
    style: { brandColor: '#00a1e0' },
    options,
  }
}
