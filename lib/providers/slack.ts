/** Slack — https://docs.slack.dev/authentication/sign-in-with-slack · callback: <origin>/auth/callback/slack */
import type { OIDCConfig, OIDCUserConfig } from './types.js'

/** Claims of Slack's id_token. */
export interface SlackProfile {
  sub: string
  name?: string
  email?: string
  email_verified?: boolean
  picture?: string
  'https://slack.com/user_id'?: string
  'https://slack.com/team_id'?: string
  'https://slack.com/team_name'?: string
  'https://slack.com/team_domain'?: string
  [claim: string]: unknown
}

/** Signs in with Slack. The app needs the user scopes `openid`, `profile` and `email`; the callback URL must be https. */
export default function Slack(options: OIDCUserConfig<SlackProfile> = {}): OIDCConfig<SlackProfile> {
  return {
    id: 'slack',
    name: 'Slack',
    type: 'oidc',
    issuer: 'https://slack.com',
    // No PKCE here.
    checks: ['nonce'],
    // There are no public clients: a missing secret is told at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    style: { brandColor: '#611f69' },
    options,
  }
}
