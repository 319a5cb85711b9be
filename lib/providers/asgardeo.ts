/** Asgardeo — https://wso2.com/asgardeo/docs/guides/authentication/oidc · callback: <origin>/auth/callback/asgardeo */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Asgardeo's id_token: the attributes that the application requests in the console. */
export interface AsgardeoProfile extends OIDCProfile {
  username?: string
}

/**
 * Signs in with Asgardeo. `issuer` is `https://api.asgardeo.io/t/<organization>/oauth2/token`, with this path. In the
 * console, allow the grant type "Code" and the callback URL, and choose the user attributes to share (email, names,
 * photo).
 *
 * Environment: `AUTH_ASGARDEO_ID`, `AUTH_ASGARDEO_SECRET` and `AUTH_ASGARDEO_ISSUER`.
 * https://wso2.com/asgardeo/docs/guides/authentication/oidc
 */
export default function Asgardeo(options: OIDCUserConfig<AsgardeoProfile> = {}): OIDCConfig<AsgardeoProfile> {
  return {
    id: 'asgardeo',
    name: 'Asgardeo',
    type: 'oidc',
    profile: ({ sub, name, given_name, family_name, username, email, picture }) => ({
      id: sub,
      name: name || [given_name, family_name].filter(Boolean).join(' ') || (username ?? null),
      email: email ?? null,
      image: picture ?? null,
    }),
    style: { brandColor: '#000000' },
    options,
  }
}
