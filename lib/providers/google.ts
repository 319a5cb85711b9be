/** Google — https://developers.google.com/identity/openid-connect · callback: <origin>/auth/callback/google */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Google's id_token. */
export interface GoogleProfile extends OIDCProfile {
  name: string
  email: string
  email_verified: boolean
  /** The Google Workspace domain. */
  hd?: string
}

/**
 * Signs in with Google. Create an OAuth client of type "Web application" and add the callback URL there.
 *
 * Environment: `AUTH_GOOGLE_ID` and `AUTH_GOOGLE_SECRET`. https://developers.google.com/identity/openid-connect
 */
export default function Google(options: OIDCUserConfig<GoogleProfile> = {}): OIDCConfig<GoogleProfile> {
  return {
    id: 'google',
    name: 'Google',
    type: 'oidc',
    issuer: 'https://accounts.google.com',
    // There are no public clients for web applications, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    style: {
      brandColor: '#1a73e8',
      mark: [
        {
          color: '#4285F4',
          path: 'M23.49 12.27c0-.79-.07-1.54-.19-2.27H12v4.51h6.47c-.29 1.48-1.14 2.73-2.4 3.58v3h3.86c2.26-2.09 3.56-5.17 3.56-8.82z',
        },
        {
          color: '#34A853',
          path: 'M12 24c3.24 0 5.95-1.08 7.93-2.91l-3.86-3c-1.08.72-2.45 1.16-4.07 1.16-3.13 0-5.78-2.11-6.73-4.96H1.29v3.09C3.26 21.3 7.31 24 12 24z',
        },
        {
          color: '#FBBC05',
          path: 'M5.27 14.29c-.25-.72-.38-1.49-.38-2.29s.14-1.57.38-2.29V6.62H1.29C.47 8.24 0 10.06 0 12s.47 3.76 1.29 5.38l3.98-3.09z',
        },
        {
          color: '#EA4335',
          path: 'M12 4.75c1.77 0 3.35.61 4.6 1.8l3.42-3.42C17.95 1.19 15.24 0 12 0 7.31 0 3.26 2.7 1.29 6.62l3.98 3.09c.95-2.85 3.6-4.96 6.73-4.96z',
        },
      ],
    },
    options,
  }
}
