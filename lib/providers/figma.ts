/** Figma — https://developers.figma.com/docs/rest-api/authentication · callback: <origin>/auth/callback/figma */
import type { OAuth2Config, OAuthUserConfig } from './types.js'

/** What Figma's endpoint of the current user tells. */
export interface FigmaProfile {
  id: string
  handle: string
  email?: string
  img_url?: string
  [field: string]: unknown
}

/** Signs in with Figma. The OAuth app there needs the scope `current_user:read` and the callback URL. */
export default function Figma(options: OAuthUserConfig<FigmaProfile> = {}): OAuth2Config<FigmaProfile> {
  return {
    id: 'figma',
    name: 'Figma',
    type: 'oauth',
    // The least that tells who somebody is; `files:read`, of older days, opens all files and is deprecated.
    authorization: { url: 'https://www.figma.com/oauth', params: { scope: 'current_user:read' } },
    token: 'https://api.figma.com/v1/oauth/token',
    userinfo: 'https://api.figma.com/v1/me',
    checks: ['state'],
    // There are no public clients: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, handle, email, img_url }) => ({
      id: String(id),
      name: handle ?? null,
      email: email ?? null,
      image: img_url ?? null,
    }),
    style: { brandColor: '#ff7237' },
    options,
  }
}
