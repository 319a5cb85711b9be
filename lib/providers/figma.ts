/** Figma — https://developers.figma.com/docs/rest-api/authentication · callback: <origin>/auth/callback/figma */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The response of Figma's endpoint of the current user. */
export interface FigmaProfile {
  id: string
  handle: string
  email?: string
  img_url?: string
  [field: string]: unknown
}

/**
 * Signs in with Figma. The OAuth app there needs the scope `current_user:read` and the callback URL.
 *
 * Environment: `AUTH_FIGMA_ID` and `AUTH_FIGMA_SECRET`. https://developers.figma.com/docs/rest-api/authentication
 */
export default function Figma(options: OAuthUserConfig<FigmaProfile> = {}): OAuth2Config<FigmaProfile> {
  return {
    id: 'figma',
    name: 'Figma',
    type: 'oauth',
    // The smallest scope that identifies the user; the older `files:read` allows access to all files and is deprecated.
    authorization: { url: 'https://www.figma.com/oauth', params: { scope: 'current_user:read' } },
    token: 'https://api.figma.com/v1/oauth/token',
    userinfo: 'https://api.figma.com/v1/me',
    checks: ['state'],
    // There are no public clients, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ id, handle, email, img_url }) => ({
      id: String(id),
      name: handle ?? null,
      email: email ?? null,
      image: img_url ?? null,
    }),
    style: {
      brandColor: '#ff7237',
      mark: 'M15.852 8.981h-4.588V0h4.588c2.476 0 4.49 2.014 4.49 4.49s-2.014 4.491-4.49 4.491zM12.735 7.51h3.117c1.665 0 3.019-1.355 3.019-3.019s-1.355-3.019-3.019-3.019h-3.117V7.51zm0 1.471H8.148c-2.476 0-4.49-2.014-4.49-4.49S5.672 0 8.148 0h4.588v8.981zm-4.587-7.51c-1.665 0-3.019 1.355-3.019 3.019s1.354 3.02 3.019 3.02h3.117V1.471H8.148zm4.587 15.019H8.148c-2.476 0-4.49-2.014-4.49-4.49s2.014-4.49 4.49-4.49h4.588v8.98zM8.148 8.981c-1.665 0-3.019 1.355-3.019 3.019s1.355 3.019 3.019 3.019h3.117V8.981H8.148zM8.172 24c-2.489 0-4.515-2.014-4.515-4.49s2.014-4.49 4.49-4.49h4.588v4.441c0 2.503-2.047 4.539-4.563 4.539zm-.024-7.51a3.023 3.023 0 0 0-3.019 3.019c0 1.665 1.365 3.019 3.044 3.019 1.705 0 3.093-1.376 3.093-3.068v-2.97H8.148zm7.704 0h-.098c-2.476 0-4.49-2.014-4.49-4.49s2.014-4.49 4.49-4.49h.098c2.476 0 4.49 2.014 4.49 4.49s-2.014 4.49-4.49 4.49zm-.097-7.509c-1.665 0-3.019 1.355-3.019 3.019s1.355 3.019 3.019 3.019h.098c1.665 0 3.019-1.355 3.019-3.019s-1.355-3.019-3.019-3.019h-.098z',
    },
    options,
  }
}
