/** Beyond Identity — https://developer.beyondidentity.com · callback: <origin>/auth/callback/beyondidentity */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Beyond Identity's id_token. */
export type BeyondIdentityProfile = OIDCProfile

/**
 * Signs in with Beyond Identity. `issuer` is shown on the application's page in the console.
 *
 * Environment: `AUTH_BEYONDIDENTITY_ID`, `AUTH_BEYONDIDENTITY_SECRET` and `AUTH_BEYONDIDENTITY_ISSUER`.
 * https://developer.beyondidentity.com
 */
export default function BeyondIdentity(
  options: OIDCUserConfig<BeyondIdentityProfile> = {},
): OIDCConfig<BeyondIdentityProfile> {
  return {
    id: 'beyondidentity',
    name: 'Beyond Identity',
    type: 'oidc',
    profile: ({ sub, name, preferred_username, email }) => ({
      id: sub,
      name: name ?? preferred_username ?? null,
      email: email ?? null,
      image: null,
    }),
    style: { brandColor: '#5077c5' },
    options,
  }
}
