/** Osso — https://ossoapp.com/docs/consume/overview · callback: <origin>/auth/callback/osso */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The profile of a user at Osso, from the company's SAML assertion. */
export interface OssoProfile {
  id: string
  email?: string | null
  name?: string | null
  /** The name of the identity provider. */
  idp?: string
  [field: string]: unknown
}

/**
 * Signs in with Osso (SAML of companies). `issuer` is the URL of your instance; allow the callback URL in the OAuth
 * client. `POST /auth/signin/osso?domain=example.com` leads directly to a company; without the parameter, Osso asks for
 * it.
 *
 * Environment: `AUTH_OSSO_ID`, `AUTH_OSSO_SECRET` and `AUTH_OSSO_ISSUER`. https://ossoapp.com/docs/consume/overview
 */
export default function Osso(options: OAuthUserConfig<OssoProfile> = {}): OAuth2Config<OssoProfile> {
  return {
    id: 'osso',
    name: 'Osso',
    type: 'oauth',
    authorization: { url: '{issuer}/oauth/authorize', allowedParams: ['domain', 'email'] },
    token: '{issuer}/oauth/token',
    userinfo: '{issuer}/oauth/me',
    // There are no public clients, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, name, email }) => ({ id, name: name ?? null, email: email ?? null, image: null }),
    style: { brandColor: '#24305e' },
    options,
  }
}
