/** Quirks of the providers in `rows/oidc-b.ts`: what a whole sign-in with their own kind of answer comes to. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import LinkedIn from '../../lib/providers/linkedin.js'
import Passage from '../../lib/providers/passage.js'
import Salesforce from '../../lib/providers/salesforce.js'
import SimpleLogin from '../../lib/providers/simplelogin.js'
import Slack from '../../lib/providers/slack.js'
import Twitch from '../../lib/providers/twitch.js'
import UnitedEffects from '../../lib/providers/united-effects.js'
import type { ConfiguredProvider } from '../../lib/types/provider.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import { startApp, target } from '../support/app.js'
import type { Claims, Reply } from '../support/hostile-provider.js'
import { thrownBy } from '../support/rejection.js'
import { type Answers, answerAt, asked, lastRequest, openIdAnswers, reroute } from './internet.js'

/** Checks whether the address of a stored user is verified. */
function isProved(user: object | undefined): boolean {
  return user !== undefined && 'emailVerified' in user && user.emailVerified instanceof Date
}

describe('OpenID Connect providers with quirks', () => {
  const stage = useStage()
  const credentials = { clientId: 'client', clientSecret: 'a-client-secret' }

  /** A sign-in with a provider; `claims` are the id_token's, `change` is made to the token answer. */
  async function signIn(
    create: (options: object) => ConfiguredProvider,
    document: Parameters<typeof openIdAnswers>[1],
    { claims = {}, change, answers = {} }: { claims?: Claims; change?: (reply: Reply) => Reply; answers?: Answers },
  ) {
    const given = create({ ...credentials, [customFetch]: reroute(stage.provider) })
    const adapter = memoryAdapter()
    await stage.restart({}, { providers: [given], adapter })
    const tokens = async ({ body }: { body: Readonly<Record<string, string>> }) => {
      const reply = await stage.provider.tokens(body, { iss: document.issuer, ...claims })
      return change ? change(reply) : reply
    }
    answerAt(stage.provider, { ...openIdAnswers(stage.provider, document, tokens), ...answers })
    return stage.browser.get(stage.provider.authorize(await stage.begin(given.id), { iss: null }))
  }

  describe('LinkedIn', () => {
    const document = {
      issuer: 'https://www.linkedin.com/oauth',
      authorization_endpoint: 'https://www.linkedin.com/oauth/v2/authorization',
      token_endpoint: 'https://www.linkedin.com/oauth/v2/accessToken',
      userinfo_endpoint: 'https://api.linkedin.com/v2/userinfo',
      jwks_uri: 'https://www.linkedin.com/oauth/openid/jwks',
    }

    for (const [said, proved] of [
      ['true', true],
      [true, true],
      ['false', false],
      [undefined, false],
    ] as const) {
      it(`signs in by state alone, with an address that is ${JSON.stringify(said)} by its own word`, async () => {
        stage.provider.person = { sub: '782bbtaQ', name: 'Ada', email: 'ada@example.com', email_verified: said }
        await stage.expectSignedIn(await signIn(LinkedIn, document, { claims: { nonce: undefined } }))
        const [told] = stage.signedIn
        expect(told?.account).to.include({ provider: 'linkedin', type: 'oidc', providerAccountId: '782bbtaQ' })
        expect(isProved(told?.user)).to.equal(proved)
      })
    }

    it('is sent the secret in the body, and no PKCE, which it answers with invalid_client', async () => {
      stage.provider.person = { sub: '1' }
      await stage.expectSignedIn(await signIn(LinkedIn, document, { claims: { nonce: undefined } }))
      const { body, headers } = lastRequest(stage.provider, 'www.linkedin.com/oauth/v2/accessToken')
      expect(body).to.include({ client_id: 'client', client_secret: 'a-client-secret' })
      expect(body).not.to.have.property('code_verifier')
      expect(headers).not.to.have.property('authorization')
    })
  })

  describe('SimpleLogin', () => {
    const document = {
      issuer: 'https://app.simplelogin.io',
      authorization_endpoint: 'https://app.simplelogin.io/oauth2/authorize',
      token_endpoint: 'https://app.simplelogin.io/oauth2/token',
      jwks_uri: 'https://app.simplelogin.io/jwks',
    }

    it('signs in with an id_token without the nonce', async () => {
      stage.provider.person = { sub: '4711', id: 4711, name: 'Ada', email: 'x@alias.example', email_verified: true }
      await stage.expectSignedIn(await signIn(SimpleLogin, document, { claims: { nonce: undefined } }))
      expect(stage.signedIn[0]?.account).to.include({ providerAccountId: '4711' })
      expect(isProved(stage.signedIn[0]?.user)).to.equal(true)
    })
  })

  describe('Twitch', () => {
    const document = {
      issuer: 'https://id.twitch.tv/oauth2',
      authorization_endpoint: 'https://id.twitch.tv/oauth2/authorize',
      token_endpoint: 'https://id.twitch.tv/oauth2/token',
      jwks_uri: 'https://id.twitch.tv/oauth2/keys',
    }
    const withScope = (scope: unknown) => (reply: Reply) => ({ body: { ...(reply.body as object), scope } })

    for (const [scope, stored] of [
      [['openid', 'user:read:email'], 'openid user:read:email'],
      ['openid user:read:email', 'openid user:read:email'],
    ] as const) {
      it(`takes scopes as ${Array.isArray(scope) ? 'an array' : 'a text'}`, async () => {
        stage.provider.person = { sub: '713936733', preferred_username: 'ada' }
        await stage.expectSignedIn(await signIn(Twitch, document, { change: withScope(scope) }))
        expect(stage.signedIn[0]?.account).to.include({ scope: stored, providerAccountId: '713936733' })
        expect(stage.signedIn[0]?.user).to.include({ name: 'ada', email: null })
      })
    }

    for (const [what, body, reason] of [
      ['of its own form', { status: 400, message: 'Invalid authorization code' }, /invalid_request \(Invalid authoriz/],
      ['of the standard', { error: 'invalid_grant', message: 'x' }, /answered with an error: invalid_grant/],
      ['that is no JSON', 'oops', /unexpected HTTP response/],
    ] as const) {
      it(`reports an error ${what}`, async () => {
        const response = await signIn(Twitch, document, { change: () => ({ status: 400, body }) })
        await stage.expectRefused(response, 'OAuthCallbackError', reason)
      })
    }
  })

  describe('Slack', () => {
    const document = {
      issuer: 'https://slack.com',
      authorization_endpoint: 'https://slack.com/openid/connect/authorize',
      token_endpoint: 'https://slack.com/api/openid.connect.token',
      jwks_uri: 'https://slack.com/openid/connect/keys',
    }

    it('signs in by nonce and state, without PKCE', async () => {
      stage.provider.person = { sub: 'U0R7MFMJM', 'https://slack.com/team_id': 'T0R7GR7NW' }
      const ok = (reply: Reply) => ({ body: { ok: true, ...(reply.body as object) } })
      await stage.expectSignedIn(await signIn(Slack, document, { change: ok }))
      expect(lastRequest(stage.provider, 'slack.com/api/openid.connect.token').body).not.to.have.property(
        'code_verifier',
      )
    })

    it('reports an error that comes with status 200', async () => {
      const response = await signIn(Slack, document, { change: () => ({ body: { ok: false, error: 'invalid_code' } }) })
      await stage.expectRefused(response, 'OAuthCallbackError', /answered with an error: invalid_code/)
    })

    it('refuses an id_token without the nonce', async () => {
      const response = await signIn(Slack, document, { claims: { nonce: undefined } })
      await stage.expectRefused(response, 'OAuthCallbackError', /nonce/)
    })
  })

  describe('Salesforce', () => {
    const document = {
      issuer: 'https://login.salesforce.com',
      authorization_endpoint: 'https://login.salesforce.com/services/oauth2/authorize',
      token_endpoint: 'https://login.salesforce.com/services/oauth2/token',
      userinfo_endpoint: 'https://login.salesforce.com/services/oauth2/userinfo',
      jwks_uri: 'https://login.salesforce.com/id/keys',
    }
    const sub = 'https://login.salesforce.com/id/00Dx0000000BV7z/005x00000012Q9P'
    const userinfo = 'login.salesforce.com/services/oauth2/userinfo'

    it('reads the user from the userinfo endpoint', async () => {
      stage.provider.person = { sub }
      const answers = { [userinfo]: { sub, name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true } }
      await stage.expectSignedIn(await signIn(Salesforce, document, { answers }))
      expect(asked(stage.provider)).to.include(userinfo)
      expect(stage.signedIn[0]?.user).to.include({ name: 'Ada Lovelace', email: 'ada@example.com' })
      expect(stage.signedIn[0]?.account).to.include({ providerAccountId: sub })
    })

    it('rejects a userinfo answer about another user', async () => {
      stage.provider.person = { sub }
      const response = await signIn(Salesforce, document, { answers: { [userinfo]: { sub: `${sub}x` } } })
      await stage.expectRefused(response, 'OAuthCallbackError', /sub/)
    })
  })

  describe('United Effects', () => {
    it('asks for tokens for its issuer, also where the environment names it', async () => {
      const issuer = stage.provider.issuer
      const env = { AUTH_UNITED_EFFECTS_ID: 'client', AUTH_UNITED_EFFECTS_ISSUER: issuer }
      const before = { ...process.env }
      Object.assign(process.env, env)
      try {
        const app = await startApp({ providers: [UnitedEffects] })
        const url = new URL(target(await app.browser().submit('/auth/signin/united-effects')))
        expect(url.searchParams.get('resource')).to.equal(issuer)
        await app.close()
      } finally {
        for (const name of Object.keys(env)) delete process.env[name]
        Object.assign(process.env, before)
      }
    })
  })

  it('Passage says that it is gone, as a function in `providers` too', async () => {
    expect(thrownBy(() => Passage({})).message).to.match(/1Password .* 2026-01-16/)
    const error = await startApp({ providers: [Passage] }).catch((thrown: unknown) => thrown)
    expect(String(error)).to.match(/2026-01-16/)
  })
})
