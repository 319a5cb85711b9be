/** Mailchimp — https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2 · callback: <origin>/auth/callback/mailchimp */
import type { TokenSet } from '../types.js'
import type { OAuth2Config, OAuthUserConfig, TokenEndpoint } from './types.js'

/** What Mailchimp's metadata endpoint tells. */
export interface MailchimpProfile {
  accountname?: string
  /** The data centre, which is part of the URL of the API. */
  dc?: string
  api_endpoint?: string
  login: { login_id: number; login_name?: string; email?: string; avatar?: string | null; [field: string]: unknown }
  [field: string]: unknown
}

/** Signs in with Mailchimp. Register an app with the callback URL; in development on `127.0.0.1`, not `localhost`. */
export default function Mailchimp(options: OAuthUserConfig<MailchimpProfile> = {}): OAuth2Config<MailchimpProfile> {
  return {
    id: 'mailchimp',
    name: 'Mailchimp',
    type: 'oauth',
    // It knows no scopes.
    authorization: 'https://login.mailchimp.com/oauth2/authorize',
    token: { url: 'https://login.mailchimp.com/oauth2/token', conform },
    userinfo: 'https://login.mailchimp.com/oauth2/metadata',
    // There are no public clients: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    profile: ({ login, accountname }) => ({
      id: String(login.login_id),
      name: accountname ?? login.login_name ?? null,
      email: login.email ?? null,
      image: null,
    }),
    style: { brandColor: '#000000' },
    options,
  }
}

/** Its answer has no type, the scope `null`, and a life of 0 seconds, which is to say that the token does not end. */
const conform: NonNullable<TokenEndpoint['conform']> = async (response) => {
  if (!response.ok) return undefined
  const { expires_in: expiresIn, scope, ...tokens } = (await response.json()) as TokenSet & { scope?: string | null }
  return Response.json({
    token_type: 'bearer',
    ...tokens,
    ...(expiresIn && { expires_in: expiresIn }),
    ...(scope && { scope }),
  })
}
