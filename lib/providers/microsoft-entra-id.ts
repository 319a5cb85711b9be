/**
 * Microsoft Entra ID — https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc
 * callback: <origin>/auth/callback/microsoft-entra-id
 */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Entra's id_token. */
export interface MicrosoftEntraIDProfile extends OIDCProfile {
  /** It can be changed by the tenant's administrator, so it is never proof of an identity. */
  email?: string
  /** The tenant, with which the issuer is compared. */
  tid: string
  /** True if the tenant proved that it owns the address's domain. An optional claim, requested in the manifest. */
  xms_edov?: boolean | string | number
  oid?: string
}

/**
 * Signs in with Microsoft. The default issuer accepts accounts of every tenant; set `issuer:
 * 'https://login.microsoftonline.com/<tenant id>/v2.0'` for one.
 *
 * Environment: `AUTH_MICROSOFT_ENTRA_ID_ID` and `AUTH_MICROSOFT_ENTRA_ID_SECRET`.
 * https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc
 */
export default function MicrosoftEntraID(
  options: OIDCUserConfig<MicrosoftEntraIDProfile> = {},
): OIDCConfig<MicrosoftEntraIDProfile> {
  const { issuer } = options
  const isOneTenant = issuer !== undefined && !/\/(?:common|organizations|consumers)\//.test(issuer)
  return {
    id: 'microsoft-entra-id',
    name: 'Microsoft',
    type: 'oidc',
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    authorization: { params: { scope: 'openid profile email User.Read' } },
    // Every tenant's administrator can set any address.
    emailVerified: ({ xms_edov: owned }) =>
      owned === undefined ? (isOneTenant ? undefined : false) : ['1', 'true'].includes(String(owned)),
    profile: ({ sub, name, email }) => ({ id: sub, name: name ?? null, email: email ?? null, image: null }),
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
