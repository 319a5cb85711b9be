/** An OpenID provider with one user, who signs in without a form. */
import { exportJWK, generateKeyPair } from 'jose'
import { client, user } from './people.mjs'

async function createProvider(origin) {
  // It says on the console what one should not do in production.
  const { info, warn } = console
  Object.assign(console, { info() {}, warn() {} })
  const { Provider } = await import('oidc-provider')
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(origin, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: ['http://127.0.0.1/callback'],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'bench' }] },
    cookies: { keys: ['a-key-for-cookies-of-the-provider'] },
    claims: { openid: ['sub'], profile: ['name', 'picture'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 86400 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => claims }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  Object.assign(provider.Client.prototype, { redirectUriAllowed: (value) => new URL(value).hostname === '127.0.0.1' })
  Object.assign(console, { info, warn })
  return provider
}

const claims = { sub: user.id, name: user.name, email: user.email, email_verified: true, picture: user.image }

export const variants = {
  provider: {
    async listener({ origin }) {
      const provider = await createProvider(origin)
      const callback = provider.callback()
      return (request, response) => {
        if (!request.url.startsWith('/interaction/')) return callback(request, response)
        provider.interactionFinished(request, response, { login: { accountId: user.id } }).catch((error) => {
          response.writeHead(500).end(String(error))
        })
      }
    },
  },
}
