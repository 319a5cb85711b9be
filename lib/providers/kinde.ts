/** Kinde — https://docs.kinde.com/build/applications · callback: <origin>/auth/callback/kinde */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Kinde's id_token. */
export interface KindeProfile extends OIDCProfile {
  org_codes?: string[]
}

/**
 * Signs in with Kinde. `issuer` is `https://<subdomain>.kinde.com` or your own domain. Create a back-end web
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
