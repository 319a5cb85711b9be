/** Auth0 — https://auth0.com/docs/get-started/applications · callback: <origin>/auth/callback/auth0 */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Auth0's id_token. */
export type Auth0Profile = OIDCProfile

/**
 * Signs in with Auth0. `issuer` is `https://<tenant>.<region>.auth0.com`; allow the callback URL in the application.
 *
 * Environment: `AUTH_AUTH0_ID`, `AUTH_AUTH0_SECRET` and `AUTH_AUTH0_ISSUER`. https://auth0.com/docs/get-started/applications
 */
export default function Auth0(options: OIDCUserConfig<Auth0Profile> = {}): OIDCConfig<Auth0Profile> {
  return {
    id: 'auth0',
    name: 'Auth0',
    type: 'oidc',
    style: {
      brandColor: '#EB5424',
      mark: 'M21.98 7.448L19.62 0H4.347L2.02 7.448c-1.352 4.312.03 9.206 3.815 12.015L12.007 24l6.157-4.552c3.755-2.81 5.182-7.688 3.815-12.015l-6.16 4.58 2.343 7.45-6.157-4.597-6.158 4.58 2.358-7.433-6.188-4.55 7.63-.045L12.008 0l2.356 7.404 7.615.044z',
    },
    options,
  }
}
