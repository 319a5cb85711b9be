/** Azure AD B2C — https://learn.microsoft.com/azure/active-directory-b2c/openid-connect · callback: <origin>/auth/callback/azure-ad-b2c */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of the id_token, as the user flow returns them. */
export interface AzureADB2CProfile extends OIDCProfile {
  /** User flows return all email addresses; custom policies often one, as `email`. */
  emails?: string[]
}

/**
 * Signs in with Azure AD B2C (not sold to new customers since May 2025). The user flow returns the display name and the
 * email addresses. `issuer` is the value in its discovery document: `https://<tenant>.b2clogin.com/tfp/<tenant
 * id>/<user flow>/v2.0/`; or `https://<tenant>.b2clogin.com/<tenant id>/v2.0/`, which names no flow: then set
 * `wellKnown` too, to `https://<tenant>.b2clogin.com/<tenant id>/<user flow>/v2.0/.well-known/openid-configuration`.
 *
 * Environment: `AUTH_AZURE_AD_B2C_ID`, `AUTH_AZURE_AD_B2C_SECRET` and `AUTH_AZURE_AD_B2C_ISSUER`.
 * https://learn.microsoft.com/azure/active-directory-b2c/openid-connect
 */
export default function AzureADB2C(options: OIDCUserConfig<AzureADB2CProfile> = {}): OIDCConfig<AzureADB2CProfile> {
  return {
    id: 'azure-ad-b2c',
    name: 'Azure AD B2C',
    type: 'oidc',
    token: { conform: withAccessToken },
    profile: ({ sub, name, preferred_username, emails, email }) => ({
      id: sub,
      name: name ?? preferred_username ?? null,
      email: emails?.[0] ?? email ?? null,
      image: null,
    }),
    style: {
      brandColor: '#0072c6',
      mark: [
        {
          color: '#F25022',
          path: 'M1.5 1.5h10v10h-10z',
        },
        {
          color: '#7FBA00',
          path: 'M12.5 1.5h10v10h-10z',
        },
        {
          color: '#00A4EF',
          path: 'M1.5 12.5h10v10h-10z',
        },
        {
          color: '#FFB900',
          path: 'M12.5 12.5h10v10h-10z',
        },
      ],
    },
    options,
  }
}

/**
 * Adds an access token. Without an API's scope B2C issues none, although RFC 6749 §5.1 requires it. The id_token is
 * used instead.
 */
async function withAccessToken(response: Response): Promise<Response | undefined> {
  if (!response.ok) return undefined
  const tokens = (await response.json()) as { access_token?: string; id_token?: string }
  if (tokens.access_token || !tokens.id_token) return undefined
  return Response.json({ ...tokens, access_token: tokens.id_token })
}
