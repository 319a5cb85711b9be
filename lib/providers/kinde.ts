/** Kinde — https://docs.kinde.com/build/applications · callback: <origin>/auth/callback/kinde */
import type { OIDCConfig, OIDCUserConfig } from '../types/provider.js'

/** Claims of Kinde's id_token. */
export interface KindeProfile {
  sub: string
  name?: string
  given_name?: string
  family_name?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  picture?: string
  org_codes?: string[]
  [claim: string]: unknown
}

/**
 * Signs in with Kinde. `issuer` is `https://<subdomain>.kinde.com` or a domain of your own. Create a back-end web
 * application and allow the callback URL there.
 *
 * Environment: `AUTH_KINDE_ID`, `AUTH_KINDE_SECRET` and `AUTH_KINDE_ISSUER`. https://docs.kinde.com/build/applications
 */
export default function Kinde(options: OIDCUserConfig<KindeProfile> = {}): OIDCConfig<KindeProfile> {
  return {
    id: 'kinde',
    name: 'Kinde',
    type: 'oidc',
    checks: ['state', 'pkce'],
    style: { brandColor: '#0F0F0F' },
    options,
  }
}
