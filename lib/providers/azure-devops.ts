/** Azure DevOps — https://learn.microsoft.com/azure/devops/integrate/get-started/authentication/azure-devops-oauth · callback: <origin>/auth/callback/azure-devops */
import type { OAuth2Config, OAuthUserConfig, TokenEndpoint } from '../types/provider.js'

/** The response of the profile service. */
export interface AzureDevOpsProfile {
  id: string
  displayName: string | null
  emailAddress: string | null
  /** The picture, a JPEG in base64. */
  coreAttributes?: { Avatar?: { value?: { value?: string | null } | null } | null } | null
  [field: string]: unknown
}

/** The options of the provider; `scope` replaces `vso.profile`, and must match the registered app. */
export type AzureDevOpsOptions = OAuthUserConfig<AzureDevOpsProfile> & {
  /** Scopes, separated by spaces. They must match the registered app. Default `vso.profile`. */
  scope?: string
}

const host = 'https://app.vssps.visualstudio.com'

/**
 * Signs in with Azure DevOps Services. For existing apps only: Microsoft registers no new ones since April 2025 and
 * removes this sign-in in 2026. Use Microsoft Entra ID for others. The app needs the scope "User profile (read)".
 *
 * Environment: `AUTH_AZURE_DEVOPS_ID` and `AUTH_AZURE_DEVOPS_SECRET`.
 * https://learn.microsoft.com/azure/devops/integrate/get-started/authentication/azure-devops-oauth
 */
export default function AzureDevOps(options: AzureDevOpsOptions = {}): OAuth2Config<AzureDevOpsProfile> {
  return {
    id: 'azure-devops',
    name: 'Azure DevOps',
    type: 'oauth',
    authorization: {
      url: `${host}/oauth2/authorize`,
      params: { response_type: 'Assertion', scope: options.scope ?? 'vso.profile' },
    },
    token: { url: `${host}/oauth2/token`, request: requestTokens },
    userinfo: `${host}/_apis/profile/profiles/me?details=true&coreAttributes=Avatar&api-version=6.0`,
    // It does not support PKCE.
    checks: ['state'],
    client: { token_endpoint_auth_method: 'client_secret_post' },
    profile: ({ id, displayName, emailAddress, coreAttributes }) => {
      const picture = coreAttributes?.Avatar?.value?.value
      return {
        id,
        name: displayName ?? null,
        email: emailAddress ?? null,
        image: picture ? `data:image/jpeg;base64,${picture}` : null,
      }
    },
    style: { brandColor: '#0078d7' },
    options,
  }
}

/** Requests the tokens. The secret is a signed assertion, and the code is another one (as in RFC 7523 §2.1). */
const requestTokens: NonNullable<TokenEndpoint['request']> = async ({ provider, params, fetch }) => {
  const body = new URLSearchParams({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: provider.clientSecret ?? '',
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: params.code,
    redirect_uri: params.redirect_uri,
  })
  const response = await fetch(`${host}/oauth2/token`, { method: 'POST', body })
  if (!response.ok) throw new Error(`Azure DevOps answered the token request with status ${response.status}`)
  const { expires_in, ...tokens } = (await response.json()) as Record<string, unknown>
  // The `token_type` is "jwt-bearer", and the seconds are a text.
  return {
    tokens: { ...tokens, token_type: 'bearer', ...(expires_in !== undefined && { expires_in: Number(expires_in) }) },
  }
}
