/** Slack — https://docs.slack.dev/authentication/sign-in-with-slack · callback: <origin>/auth/callback/slack */
import type { OIDCConfig, OIDCProfile, OIDCUserConfig } from '../types/provider.js'

/** The claims of Slack's id_token. */
export interface SlackProfile extends OIDCProfile {
  'https://slack.com/user_id'?: string
  'https://slack.com/team_id'?: string
  'https://slack.com/team_name'?: string
  'https://slack.com/team_domain'?: string
}

/**
 * Signs in with Slack. The app needs the user scopes `openid`, `profile` and `email`; the callback URL must be https.
 *
 * Environment: `AUTH_SLACK_ID` and `AUTH_SLACK_SECRET`. https://docs.slack.dev/authentication/sign-in-with-slack
 */
export default function Slack(options: OIDCUserConfig<SlackProfile> = {}): OIDCConfig<SlackProfile> {
  return {
    id: 'slack',
    name: 'Slack',
    type: 'oidc',
    issuer: 'https://slack.com',
    // Slack does not support PKCE here.
    checks: ['nonce'],
    // There are no public clients, so a missing secret is reported at construction.
    client: { token_endpoint_auth_method: 'client_secret_basic' },
    style: {
      brandColor: '#611f69',
      mark: [
        {
          color: '#E01E5A',
          path: 'M5.04 15.17c0 1.39-1.13 2.52-2.52 2.52S0 16.55 0 15.17s1.13-2.52 2.52-2.52h2.52v2.52zM6.31 15.17c0-1.39 1.13-2.52 2.52-2.52s2.52 1.13 2.52 2.52v6.31c0 1.39-1.13 2.52-2.52 2.52s-2.52-1.13-2.52-2.52V15.17z',
        },
        {
          color: '#36C5F0',
          path: 'M8.83 5.04c-1.39 0-2.52-1.13-2.52-2.52S7.45 0 8.83 0s2.52 1.13 2.52 2.52v2.52H8.83zM8.83 6.31c1.39 0 2.52 1.13 2.52 2.52s-1.13 2.52-2.52 2.52H2.52C1.13 11.36 0 10.22 0 8.83s1.13-2.52 2.52-2.52h6.31z',
        },
        {
          color: '#2EB67D',
          path: 'M18.96 8.83c0-1.39 1.13-2.52 2.52-2.52s2.52 1.13 2.52 2.52-1.13 2.52-2.52 2.52H18.96V8.83zM17.69 8.83c0 1.39-1.13 2.52-2.52 2.52s-2.52-1.13-2.52-2.52V2.52C12.64 1.13 13.78 0 15.17 0s2.52 1.13 2.52 2.52v6.31z',
        },
        {
          color: '#ECB22E',
          path: 'M15.17 18.96c1.39 0 2.52 1.13 2.52 2.52s-1.13 2.52-2.52 2.52-2.52-1.13-2.52-2.52V18.96h2.52zM15.17 17.69c-1.39 0-2.52-1.13-2.52-2.52s1.13-2.52 2.52-2.52h6.31c1.39 0 2.52 1.13 2.52 2.52s-1.13 2.52-2.52 2.52H15.17z',
        },
      ],
    },
    options,
  }
}
