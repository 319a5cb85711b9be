/**
 * NetSuite — https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_158081944642.html
 * callback: <origin>/auth/callback/netsuite (https)
 */
import type { OAuth2Config, OAuthUserConfig } from '../types/provider.js'

/** The result of `runtime.getCurrentUser()`, as the RESTlet at `userinfo` returns it. */
export interface NetSuiteProfile {
  id: number | string
  name?: string | null
  /** Set by the account's administrator, so it is never proof of an identity. */
  email?: string | null
  [field: string]: unknown
}

/** The options of the provider; `accountID` (such as `1234567` or `1234567_SB1`) and `userinfo` are required. */
export type NetSuiteOptions = OAuthUserConfig<NetSuiteProfile> & {
  /** The account's id, such as `1234567`, or `1234567_SB1` for a sandbox. Required. */
  accountID?: string
}

/**
 * Signs in with NetSuite. The integration record needs "Authorization Code Grant", the scopes and the callback URL. The
 * scopes allow no user endpoint, so `userinfo` is the external URL of a RESTlet that returns
 * `runtime.getCurrentUser()`.
 *
 * Environment: `AUTH_NETSUITE_ID` and `AUTH_NETSUITE_SECRET`.
 * https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/section_158081944642.html
 */
export default function NetSuite(options: NetSuiteOptions = {}): OAuth2Config<NetSuiteProfile> {
  // In host names a sandbox is `1234567-sb1`.
  const account = options.accountID?.toLowerCase().replaceAll('_', '-')
  return {
    id: 'netsuite',
    name: 'NetSuite',
    type: 'oauth',
    authorization: {
      /** Read when the configuration is resolved, when a missing account is reported. */
      get url() {
        if (account) return `https://${account}.app.netsuite.com/app/login/oauth2/authorize.nl`
        throw new TypeError('Provider "netsuite": `accountID` is missing. Pass it: it is part of NetSuite’s addresses.')
      },
      params: { scope: 'restlets rest_webservices' },
    },
    token: `https://${account ?? 'system'}.suitetalk.api.netsuite.com/services/rest/auth/oauth2/v1/token`,
    profile: ({ id, name, email }) => ({ id: String(id), name: name ?? null, email: email ?? null, image: null }),
    style: { brandColor: '#181a1b' },
    options,
  }
}
