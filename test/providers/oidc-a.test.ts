/** Quirks of OpenID Connect providers, from A to K, each in a whole sign-in as its servers answer. */
import { expect } from 'chai'
import { replacePlaceholders } from '../../lib/config/merge-provider.js'
import AzureAD from '../../lib/providers/azure-ad.js'
import AzureADB2C from '../../lib/providers/azure-ad-b2c.js'
import BankIDNorway from '../../lib/providers/bankid-no.js'
import Cognito from '../../lib/providers/cognito.js'
import Descope from '../../lib/providers/descope.js'
import DuendeIdentityServer6 from '../../lib/providers/duende-identity-server6.js'
import Frontegg from '../../lib/providers/frontegg.js'
import FusionAuth from '../../lib/providers/fusionauth.js'
import IdentityServer4 from '../../lib/providers/identity-server4.js'
import type { OAuthConfig } from '../../lib/types/provider.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import type { ReceivedRequest, Reply } from '../support/hostile-provider.js'
import { type Answers, answerAt, asked, lastRequest, reroute } from './internet.js'

const person = { sub: 'sub-1', name: 'Ada Lovelace', email: 'ada@example.com' }

describe('Quirks of OpenID Connect providers', () => {
  const stage = useStage()

  /** The application with this provider alone, at its real address. */
  async function start(create: (options: object) => OAuthConfig<never>, options: object = {}) {
    const given = { clientId: 'client', clientSecret: 'a-client-secret', ...options }
    await stage.restart({}, { providers: [create({ ...given, [customFetch]: reroute(stage.provider) })] })
    stage.provider.person = person
  }

  /** Its discovery document, keys and tokens; `change` makes its own token answer of the usual one. */
  function answer(
    discoveryUrl: string,
    {
      claims = {},
      change = (reply) => reply,
      ...document
    }: Record<string, unknown> & {
      issuer: string
      claims?: object
      change?: (reply: Reply) => Reply
    },
    others: Answers = {},
  ) {
    const found = {
      authorization_endpoint: 'https://op.test/authorize',
      token_endpoint: 'https://op.test/token',
      userinfo_endpoint: 'https://op.test/userinfo',
      jwks_uri: 'https://op.test/keys',
    }
    const tokens = async ({ body }: ReceivedRequest) =>
      change(await stage.provider.tokens(body, { iss: document.issuer, ...claims }))
    answerAt(stage.provider, {
      [discoveryUrl]: { ...found, ...document },
      'op.test/keys': () => ({ body: stage.provider.jwks }),
      [String(document.token_endpoint ?? found.token_endpoint).replace('https://', '')]: tokens,
      ...others,
    })
  }

  const signIn = async (id: string) => stage.browser.get(stage.provider.authorize(await stage.begin(id), { iss: null }))
  const bodyOf = (reply: Reply) => reply.body as Record<string, unknown>

  describe('azure-ad', () => {
    const issuerOf = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`
    const tenant = '9188040d-6c67-4c5b-b112-36a304b66dad'
    const discovery = 'login.microsoftonline.com/common/v2.0/.well-known/openid-configuration'

    it('signs in users of any tenant', async () => {
      await start(AzureAD)
      answer(discovery, { issuer: issuerOf('{tenantid}'), claims: { iss: issuerOf(tenant), tid: tenant } })
      await stage.expectSignedIn(await signIn('azure-ad'))
      expect(stage.signedIn[0]?.account).to.include({ provider: 'azure-ad', providerAccountId: 'sub-1' })
    })

    it('refuses a token whose issuer is another tenant than its tid', async () => {
      await start(AzureAD)
      answer(discovery, { issuer: issuerOf('{tenantid}'), claims: { iss: issuerOf('other'), tid: tenant } })
      await stage.expectRefused(await signIn('azure-ad'), 'OAuthCallbackError', /"iss"/)
    })
  })

  describe('azure-ad-b2c', () => {
    const issuer = 'https://contoso.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/'
    const flow = 'contoso.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/b2c_1_signin/v2.0'
    const discovery = `${flow}/.well-known/openid-configuration`
    /** Returns the answer of B2C if no API was requested. */
    const withoutAccessToken = (reply: Reply): Reply => {
      const { id_token } = bodyOf(reply)
      return { body: { id_token, token_type: 'Bearer', not_before: 1, id_token_expires_in: 3600, scope: 'openid' } }
    }

    beforeEach(() => start(AzureADB2C, { issuer, wellKnown: `https://${discovery}` }))

    it('signs in without an access token, by the discovery document of a user flow', async () => {
      answer(discovery, { issuer, change: withoutAccessToken, claims: { email: undefined, emails: [person.email] } })
      await stage.expectSignedIn(await signIn('azure-ad-b2c'))
      expect(asked(stage.provider)[0]).to.equal(discovery)
      expect(stage.signedIn[0]?.user).to.include({ name: person.name, email: person.email })
    })

    it('keeps an access token that there is', async () => {
      answer(discovery, { issuer, change: (reply) => ({ body: { ...bodyOf(reply), access_token: 'for-an-api' } }) })
      await stage.expectSignedIn(await signIn('azure-ad-b2c'))
      expect(stage.signedIn[0]?.account?.access_token).to.equal('for-an-api')
    })

    it('refuses an answer without any token, and tells an error', async () => {
      answer(discovery, { issuer, change: () => ({ body: { token_type: 'Bearer' } }) })
      await stage.expectRefused(await signIn('azure-ad-b2c'), 'OAuthCallbackError', /access_token/)
    })

    it('tells the error that B2C answers', async () => {
      answer(discovery, { issuer, change: () => ({ status: 400, body: { error: 'invalid_grant' } }) })
      await stage.expectRefused(await signIn('azure-ad-b2c'), 'OAuthCallbackError', /invalid_grant/)
    })
  })

  describe('bankid-no', () => {
    const issuer = 'https://auth.bankid.no/auth/realms/prod'
    const discovery = 'auth.bankid.no/auth/realms/prod/.well-known/openid-configuration'
    const signed = async (key: 'own' | 'stranger', claims: object = {}): Promise<Reply> => ({
      headers: { 'content-type': 'application/jwt' },
      body: await stage.provider.signIdToken({ iss: issuer, aud: 'client', ...person, ...claims }, { key }),
    })

    beforeEach(() => start(BankIDNorway))

    it('reads the signed answer of the userinfo endpoint', async () => {
      answer(
        discovery,
        { issuer, claims: { name: undefined, email: undefined } },
        { 'op.test/userinfo': () => signed('own') },
      )
      await stage.expectSignedIn(await signIn('bankid-no'))
      expect(stage.signedIn[0]?.user).to.include({ name: person.name, email: person.email, image: null })
      const { body, headers } = lastRequest(stage.provider, 'op.test/token')
      expect(body).to.include({ client_id: 'client', client_secret: 'a-client-secret' })
      expect(headers.authorization).to.equal(undefined)
    })

    for (const [what, reply, reason] of [
      ['signed by a stranger', () => signed('stranger'), /signature|key/i],
      ['about somebody else', () => signed('own', { sub: 'sub-2' }), /sub/],
      ['that is not signed', () => ({ body: person }), /JWT UserInfo Response|content-type|response/i],
    ] as const) {
      it(`refuses an answer ${what}`, async () => {
        answer(discovery, { issuer }, { 'op.test/userinfo': reply as () => Reply })
        await stage.expectRefused(await signIn('bankid-no'), 'OAuthCallbackError', reason)
      })
    }
  })

  describe('cognito', () => {
    it('knows `email_verified` as a boolean and as text', () => {
      const { emailVerified } = Cognito()
      for (const [told, proved] of [
        [true, true],
        ['true', true],
        [false, false],
        ['false', false],
        [undefined, undefined],
      ] as const) {
        expect(emailVerified?.({ sub: '1', ...(told !== undefined && { email_verified: told }) })).to.equal(proved)
      }
    })
  })

  for (const [id, create] of [
    ['duende-identity-server6', DuendeIdentityServer6],
    ['identity-server4', IdentityServer4],
  ] as const) {
    it(`${id} tells name and address at the userinfo endpoint only`, async () => {
      const issuer = 'https://login.example'
      await start(create, { issuer })
      answer(
        'login.example/.well-known/openid-configuration',
        { issuer, claims: { name: undefined, email: undefined } },
        { 'op.test/userinfo': { ...person, email_verified: true } },
      )
      await stage.expectSignedIn(await signIn(id))
      expect(stage.signedIn[0]?.user).to.include({ name: person.name, email: person.email })
    })
  }

  it('frontegg has its keys from a document at another path', async () => {
    const issuer = 'https://acme.frontegg.com'
    await start(Frontegg, { issuer })
    const document = { issuer, token_endpoint: `${issuer}/oauth/token` }
    answer('acme.frontegg.com/oauth/.well-known/openid-configuration', document)
    await stage.expectSignedIn(await signIn('frontegg'))
    expect(asked(stage.provider)).to.deep.equal([
      'acme.frontegg.com/oauth/.well-known/openid-configuration',
      'acme.frontegg.com/oauth/token',
      'op.test/keys',
    ])
  })

  it('descope has an issuer for each project, which another one replaces', async () => {
    for (const [options, issuer] of [
      [{ clientId: 'P2abc' }, 'https://api.descope.com/P2abc'],
      [{ clientId: 'P2abc', issuer: 'https://auth.acme.example/P2abc' }, 'https://auth.acme.example/P2abc'],
    ] as const) {
      await start(Descope, options)
      answer(`${issuer.slice('https://'.length)}/.well-known/openid-configuration`, { issuer })
      await stage.expectSignedIn(await signIn('descope'))
    }
  })

  describe('fusionauth', () => {
    const issuer = 'https://auth.example'
    const discovery = 'auth.example/.well-known/openid-configuration'
    const challenged = (status: number, body: (reply: Reply) => unknown) => (reply: Reply) => ({
      status,
      headers: { 'www-authenticate': 'TokenAuthentication' },
      body: body(reply),
    })

    it('tells the error that comes with a challenge', async () => {
      await start(FusionAuth, { issuer })
      answer(discovery, { issuer, change: challenged(400, () => ({ error: 'invalid_grant' })) })
      await stage.expectRefused(await signIn('fusionauth'), 'OAuthCallbackError', /invalid_grant/)
    })

    it('keeps the challenge of a refusal', async () => {
      await start(FusionAuth, { issuer })
      answer(discovery, { issuer, change: challenged(401, () => ({ error: 'invalid_client' })) })
      await stage.expectRefused(await signIn('fusionauth'), 'OAuthCallbackError', /challenge/i)
    })

    it('asks for one tenant where the server has several', async () => {
      await start(FusionAuth, { issuer: `${issuer}/`, tenantId: 'a b&c' })
      answer(discovery, { issuer })
      const url = new URL(await stage.begin('fusionauth'))
      expect(url.searchParams.get('tenantId')).to.equal('a b&c')
      expect(url.searchParams.get('scope')).to.equal('openid offline_access email profile')
      expect(lastRequest(stage.provider, discovery).query.get('tenantId')).to.equal('a b&c')
    })
  })
})

describe('fillUrls(provider, fromEnv)', () => {
  const provider = {
    issuer: 'https://op.example/{clientId}/',
    wellKnown: '{issuer}/oauth/discovery',
    token: { url: '{issuer}/token', params: { audience: '{issuer}' } },
    scope: '{issuer}',
  }

  it('fills in the issuer, without a slash at its end, and the client id', () => {
    expect(replacePlaceholders(provider, { clientId: 'a/$&' })).to.deep.equal({
      issuer: 'https://op.example/a%2F%24%26/',
      wellKnown: 'https://op.example/a%2F%24%26/oauth/discovery',
      token: { url: 'https://op.example/a%2F%24%26/token', params: { audience: '{issuer}' } },
      scope: '{issuer}',
    })
  })

  it('takes the client id of the options before that of the environment', () => {
    const fromEnv = { clientId: 'env' }
    expect(replacePlaceholders({ ...provider, clientId: 'own' }, fromEnv).issuer).to.equal('https://op.example/own/')
    expect(replacePlaceholders({ ...provider, client: { client_id: 'own' } }, fromEnv).issuer).to.equal(
      'https://op.example/own/',
    )
  })

  it('leaves an URL out for which something is missing', () => {
    const { issuer, wellKnown, token } = replacePlaceholders(provider, {})
    expect([issuer, wellKnown, token.url]).to.deep.equal([undefined, undefined, undefined])
  })

  it('leaves Microsoft’s own placeholder, and symbols, alone', () => {
    const issuer = 'https://login.microsoftonline.com/{tenantid}/v2.0'
    const own: typeof fetch = () => Promise.reject(new Error('unused'))
    const filled = replacePlaceholders({ issuer, [customFetch]: own }, {})
    expect(filled.issuer).to.equal(issuer)
    expect(filled[customFetch]).to.equal(own)
  })
})
