/** Whole sign-ins with the entries that say nothing but an issuer: Auth0, Google, Keycloak. Entra is in `test/flows/oauth`. */
import { expect } from 'chai'
import Auth0 from '../../lib/providers/auth0.js'
import Google from '../../lib/providers/google.js'
import Keycloak from '../../lib/providers/keycloak.js'
import type { OAuthConfig } from '../../lib/types/provider.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import { answerAt, asked, openIdAnswers, reroute } from './internet.js'

const documents = {
  auth0: {
    // With a slash, whatever the developer wrote.
    issuer: 'https://acme.eu.auth0.com/',
    authorization_endpoint: 'https://acme.eu.auth0.com/authorize',
    token_endpoint: 'https://acme.eu.auth0.com/oauth/token',
    jwks_uri: 'https://acme.eu.auth0.com/.well-known/jwks.json',
  },
  google: {
    issuer: 'https://accounts.google.com',
    authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_endpoint: 'https://oauth2.googleapis.com/token',
    userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
    jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
  },
  keycloak: {
    issuer: 'https://sso.example/realms/main',
    authorization_endpoint: 'https://sso.example/realms/main/protocol/openid-connect/auth',
    token_endpoint: 'https://sso.example/realms/main/protocol/openid-connect/token',
    jwks_uri: 'https://sso.example/realms/main/protocol/openid-connect/certs',
    authorization_response_iss_parameter_supported: true,
  },
} as const

const cases: ReadonlyArray<{
  id: keyof typeof documents
  create: (options: object) => OAuthConfig<never>
  issuer?: string
  iss?: string
}> = [
  { id: 'auth0', create: Auth0, issuer: 'https://acme.eu.auth0.com' },
  { id: 'auth0', create: Auth0, issuer: 'https://acme.eu.auth0.com/' },
  { id: 'google', create: Google },
  { id: 'google', create: Google, iss: 'https://accounts.google.com' },
  {
    id: 'keycloak',
    create: Keycloak,
    issuer: 'https://sso.example/realms/main',
    iss: 'https://sso.example/realms/main',
  },
]

describe('OpenID Connect providers of the catalogue', () => {
  const stage = useStage()

  for (const { id, create, issuer, iss = null } of cases) {
    const document = documents[id]
    const given = () => ({
      clientId: 'client',
      clientSecret: 'a-client-secret',
      ...(issuer !== undefined && { issuer }),
      [customFetch]: reroute(stage.provider),
    })

    describe(`${id}, issuer ${issuer ?? 'by default'}, ${iss === null ? 'without' : 'with'} iss`, () => {
      beforeEach(async () => {
        await stage.restart({}, { providers: [create(given())] })
        answerAt(stage.provider, openIdAnswers(stage.provider, document))
        stage.provider.person = {
          sub: 'sub-1',
          name: 'Ada Lovelace',
          email: 'Ada@Example.com',
          picture: 'https://a.example/1',
        }
      })

      const signIn = async () => stage.browser.get(stage.provider.authorize(await stage.begin(id), { iss }))

      it('signs in, with one discovery for all', async () => {
        await stage.expectSignedIn(await signIn())
        stage.newBrowser()
        await stage.expectSignedIn(await signIn())
        const [discovery, keys, token] = Object.keys(openIdAnswers(stage.provider, document))
        expect(asked(stage.provider)).to.deep.equal([discovery, token, keys, token])
        const [told] = stage.signedIn
        expect(told?.user).to.include({ name: 'Ada Lovelace', email: 'ada@example.com', image: 'https://a.example/1' })
        expect(told?.account).to.include({ provider: id, type: 'oidc', providerAccountId: 'sub-1' })
      })

      it('refuses tokens of another issuer', async () => {
        const evil = ({ body }: { body: Readonly<Record<string, string>> }) =>
          stage.provider.tokens(body, { iss: 'https://evil.test' })
        answerAt(stage.provider, openIdAnswers(stage.provider, document, evil))
        await stage.expectRefused(await signIn(), 'OAuthCallbackError', /"iss"/)
      })
    })
  }
})
