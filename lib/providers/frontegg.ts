/** Frontegg — https://docs.frontegg.com · callback: <origin>/auth/callback/frontegg */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Frontegg's id_token. */
export interface FronteggProfile extends OIDCProfile {
  /** The URL of a picture. */
  profilePictureUrl?: string | null
  tenantId?: string
}

/**
 * Signs in with Frontegg. `issuer` is the environment's domain, `https://<subdomain>.frontegg.com`; enter the callback URL
 * under "Hosted login".
 *
 * Environment: `AUTH_FRONTEGG_ID`, `AUTH_FRONTEGG_SECRET` and `AUTH_FRONTEGG_ISSUER`. https://docs.frontegg.com
 */
export default function Frontegg(options: OIDCUserConfig<FronteggProfile> = {}): OIDCConfig<FronteggProfile> {
  return {
    id: 'frontegg',
    name: 'Frontegg',
    type: 'oidc',
    wellKnown: '{issuer}/oauth/.well-known/openid-configuration',
    authorization: '{issuer}/oauth/authorize',
    token: '{issuer}/oauth/token',
    userinfo: '{issuer}/identity/resources/users/v2/me',
    profile: ({ sub, name, email, picture, profilePictureUrl }) => ({
      id: sub,
      name: name ?? null,
      email: email ?? null,
      image: typeof picture === 'string' ? picture : (profilePictureUrl ?? null),
    }),
    style: { brandColor: '#4461f2' },
    options,
  }
}
