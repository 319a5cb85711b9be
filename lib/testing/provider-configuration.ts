/** The configuration of the provider for tests. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { Configuration, interactionPolicy } from 'oidc-provider'
import { errorPage, type ProviderUser } from './provider-pages.js'

type Policy = ReturnType<typeof interactionPolicy.base>

interface ProviderSetup {
  readonly issuer: string
  readonly users: readonly ProviderUser[]
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  readonly policy: Policy
}

/** In seconds. */
const [minute, hour, day] = [60, 60 * 60, 24 * 60 * 60]

export function providerConfiguration({ issuer, users, client, policy }: ProviderSetup): Configuration {
  return {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        // A required value. Any URL on this machine is accepted.
        redirect_uris: [`${issuer}/callback/any`],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    interactions: { policy, url: (_context, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true, allowedPolicy: () => true } },
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: ['openid', 'offline_access'],
    claims: { openid: ['sub'], profile: profileClaims(users), email: ['email', 'email_verified'] },
    // Name and address are in the id_token too, as with large providers.
    conformIdTokenClaims: false,
    jwks: { keys: [createKey()] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: minute,
      Grant: day,
      IdToken: hour,
      Interaction: hour,
      RefreshToken: day,
      Session: day,
    },
    rotateRefreshToken: true,
    findAccount(_context, id) {
      const user = users.find(({ sub }) => sub === id)
      return user && { accountId: id, claims: () => ({ ...user }) }
    },
    // Consent is given without a question.
    async loadExistingGrant({ oidc }) {
      const { client: asking, session, provider, requestParamScopes, requestParamClaims } = oidc
      const grant = new provider.Grant({ clientId: asking?.clientId ?? '', accountId: session?.accountId ?? '' })
      grant.addOIDCScope([...requestParamScopes].join(' '))
      grant.addOIDCClaims([...requestParamClaims])
      await grant.save()
      return grant
    },
    renderError(context, { error, error_description: description }) {
      context.type = 'html'
      context.body = errorPage(description ?? error)
    },
  }
}

/** Returns the policy that requires a choice even with a session there: each test chooses its user. */
export function alwaysPrompt({ interactionPolicy: { base, Check } }: typeof import('oidc-provider')): Policy {
  const policy = base()
  const always = new Check('always_ask', 'choose who you are', 'login_required', ({ oidc }) => !oidc.result?.login)
  policy.get('login')?.checks.add(always)
  return policy
}

/** Returns the claims of the scope `profile`: all except those of the email address. */
function profileClaims(users: readonly ProviderUser[]): string[] {
  const names = new Set(['name', ...users.flatMap((user) => Object.keys(user))])
  for (const other of ['sub', 'email', 'email_verified']) names.delete(other)
  return [...names]
}

function createKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { kty: 'RSA', ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }
}
