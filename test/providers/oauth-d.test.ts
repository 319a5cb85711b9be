/** Whole sign-ins with TikTok, VK, WeChat and others, as their servers answer: what is special about each. */
import { expect } from 'chai'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import TikTok from '../../lib/providers/tiktok.js'
import Trakt from '../../lib/providers/trakt.js'
import Twitter from '../../lib/providers/twitter.js'
import VK from '../../lib/providers/vk.js'
import Webex from '../../lib/providers/webex.js'
import WeChat from '../../lib/providers/wechat.js'
import Wikimedia from '../../lib/providers/wikimedia.js'
import WorkOS, { type WorkOSOptions } from '../../lib/providers/workos.js'
import Zoom from '../../lib/providers/zoom.js'
import type { Provider } from '../../lib/types/provider.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import { createLog, secret } from '../support/app.js'
import { thrownBy } from '../support/rejection.js'
import { type Answers, answerAt, asked, lastRequest, reroute } from './internet.js'
import { rows } from './rows/oauth-d.js'

const token = { access_token: 'an-access-token', token_type: 'bearer' }
const client = { clientId: 'client', clientSecret: 'a-client-secret' }
const bearer = `Bearer ${token.access_token}`

describe('the quirk of', () => {
  const stage = useStage()

  /** The provider of the catalogue, at addresses that answer so. */
  async function set(create: (options: object) => unknown, answers: Answers, options: object = {}): Promise<void> {
    const given = create({ ...client, ...options, [customFetch]: reroute(stage.provider) })
    await stage.restart({}, { providers: [given as Provider] })
    answerAt(stage.provider, answers)
  }

  async function signIn(id: string) {
    return stage.browser.get(stage.provider.authorize(await stage.begin(id), { iss: null }))
  }

  /** Returns the profile of the first user of the table. */
  const told = (id: string): object => rows[id]?.people[0]?.profile ?? {}

  describe('TikTok', () => {
    const [tokenUrl, me] = ['open.tiktokapis.com/v2/oauth/token/', 'open.tiktokapis.com/v2/user/info/']

    it('receives the client as `client_key`, and the requested fields', async () => {
      const tokens = { ...token, token_type: 'Bearer', open_id: 'x', scope: 'user.info.basic', expires_in: 86400 }
      await set(TikTok, { [tokenUrl]: tokens, [me]: told('tiktok') })
      await stage.expectSignedIn(await signIn('tiktok'))
      const { body, headers } = lastRequest(stage.provider, tokenUrl)
      const { code, code_verifier, ...rest } = body
      expect([code, code_verifier].every((text) => /^[\w-]+$/.test(text ?? ''))).to.equal(true)
      expect(rest).to.deep.equal({
        client_key: 'client',
        client_secret: 'a-client-secret',
        grant_type: 'authorization_code',
        redirect_uri: `${stage.app.origin}/auth/callback/tiktok`,
      })
      expect(headers['content-type']).to.match(/^application\/x-www-form-urlencoded/)
      const { query, headers: sent } = lastRequest(stage.provider, me)
      expect(Object.fromEntries(query)).to.deep.equal({ fields: 'open_id,avatar_url,display_name' })
      expect(sent.authorization).to.equal(bearer)
    })

    for (const status of [200, 400]) {
      it(`reports its error that comes with status ${status}`, async () => {
        const error = { error: 'invalid_grant', error_description: 'Authorization code is expired.', log_id: 'x' }
        await set(TikTok, { [tokenUrl]: () => ({ status, body: error }) })
        await stage.expectRefused(await signIn('tiktok'), 'OAuthCallbackError', /invalid_grant/)
      })
    }
  })

  describe('Trakt', () => {
    const [tokenUrl, me] = ['api.trakt.tv/oauth/token', 'api.trakt.tv/users/me']

    it('receives the version of the API, the app and a User-Agent', async () => {
      await set(Trakt, { [tokenUrl]: token, [me]: told('trakt') })
      await stage.expectSignedIn(await signIn('trakt'))
      const { headers, query } = lastRequest(stage.provider, me)
      expect(headers).to.include({ authorization: bearer, 'trakt-api-key': 'client', 'trakt-api-version': '2' })
      expect(headers['user-agent']).to.match(/\S/)
      expect(query.get('extended')).to.equal('full')
    })

    it('is no person where it refuses', async () => {
      await set(Trakt, { [tokenUrl]: token, [me]: () => ({ status: 423, body: {} }) })
      await stage.expectRefused(await signIn('trakt'), 'OAuthCallbackError', /status 423/)
    })
  })

  describe('X', () => {
    const [tokenUrl, me] = ['api.x.com/2/oauth2/token', 'api.x.com/2/users/me']

    it('tells an address where the developer asks for it, and only a confirmed one', async () => {
      const profile = rows.twitter?.people[1]?.profile ?? {}
      await set(
        Twitter,
        { [tokenUrl]: token, [me]: profile },
        { userinfo: { params: { 'user.fields': 'profile_image_url,confirmed_email' } } },
      )
      await stage.expectSignedIn(await signIn('twitter'))
      const { query } = lastRequest(stage.provider, me)
      expect(query.get('user.fields')).to.equal('profile_image_url,confirmed_email')
      expect(stage.signedIn[0]?.user.email).to.equal('ada@example.com')
      const data = { id: '1', username: 'ada' }
      expect(Twitter().emailVerified?.({ data: { ...data, confirmed_email: 'ada@example.com' } })).to.equal(true)
      expect(Twitter().emailVerified?.({ data })).to.equal(undefined)
    })

    it('otherwise receives a request for the picture only', async () => {
      await set(Twitter, { [tokenUrl]: token, [me]: told('twitter') })
      await stage.expectSignedIn(await signIn('twitter'))
      expect(lastRequest(stage.provider, me).query.get('user.fields')).to.equal('profile_image_url')
    })
  })

  describe('VK', () => {
    const [tokenUrl, me] = ['oauth.vk.ru/access_token', 'api.vk.ru/method/users.get']
    const answers = rows.vk?.answers ?? {}

    it('returns the address with the tokens, and the user in a list', async () => {
      await set(VK, answers)
      await stage.expectSignedIn(await signIn('vk'))
      expect(stage.signedIn[0]?.user).to.include({ name: 'Ada Lovelace', email: 'ada@example.com' })
      expect(stage.signedIn[0]?.account).to.include({ providerAccountId: '210700286', token_type: 'bearer' })
      expect(lastRequest(stage.provider, tokenUrl).query.get('v')).to.equal('5.131')
      const { query, headers } = lastRequest(stage.provider, me)
      expect(Object.fromEntries(query)).to.deep.equal({ fields: 'photo_100', v: '5.131' })
      expect(headers.authorization).to.match(/^Bearer 533bacf0/)
    })

    it('may tell no address', async () => {
      await set(VK, { ...answers, [tokenUrl]: { access_token: 'x', expires_in: 0, user_id: 1 } })
      await stage.expectSignedIn(await signIn('vk'))
      expect(stage.signedIn[0]?.user.email).to.equal(null)
    })

    for (const [what, changes, reason] of [
      ['in place of the person', { [me]: { error: { error_code: 5, error_msg: 'User authorization failed' } } }, /5/],
      [
        'in place of tokens',
        { [tokenUrl]: () => ({ status: 401, body: { error: 'invalid_grant' } }) },
        /invalid_grant/,
      ],
      ['and nobody', { [me]: { response: [] } }, /error 200/],
    ] as ReadonlyArray<[string, Answers, RegExp]>) {
      it(`signs no user in if it answers with an error ${what}`, async () => {
        await set(VK, { ...answers, ...changes })
        await stage.expectRefused(await signIn('vk'), 'OAuthCallbackError', reason)
      })
    }
  })

  describe('Webex', () => {
    for (const slash of ['', '/']) {
      it(`is asked at another API, written with "${slash}" at the end`, async () => {
        const answers = { 'api.gov.example/v1/access_token': token, 'api.gov.example/v1/people/me': told('webex') }
        await set(Webex, answers, { apiBaseUrl: `https://api.gov.example/v1${slash}` })
        const begun = await stage.begin('webex')
        expect(begun).to.match(/^https:\/\/api\.gov\.example\/v1\/authorize\?/)
        await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(begun, { iss: null })))
        expect(asked(stage.provider)).to.deep.equal(Object.keys(answers))
      })
    }
  })

  describe('WeChat', () => {
    const [tokenUrl, me] = ['api.weixin.qq.com/sns/oauth2/access_token', 'api.weixin.qq.com/sns/userinfo']
    const answers = rows.wechat?.answers ?? {}

    it('receives all values in the query, under its own names', async () => {
      await set(WeChat, answers)
      await stage.expectSignedIn(await signIn('wechat'))
      const asking = lastRequest(stage.provider, tokenUrl)
      const { code, ...rest } = Object.fromEntries(asking.query)
      expect(asking.method).to.equal('GET')
      expect(code).to.match(/^[\w-]+$/)
      expect(rest).to.deep.equal({ appid: 'client', secret: 'a-client-secret', grant_type: 'authorization_code' })
      const openid = 'oLVPpjqs9BhvzwPj5A-vTYAX3GLc'
      const { query } = lastRequest(stage.provider, me)
      expect(Object.fromEntries(query)).to.deep.equal({ access_token: '57_vDX6bS', openid, lang: 'zh_CN' })
      expect(stage.signedIn[0]?.account).to.include({
        providerAccountId: 'o6_bmasdasdsad6_2sgVt7hMZOPfL',
        refresh_token: '57_RgQ2',
        token_type: 'bearer',
      })
    })

    for (const [options, page, scope] of [
      [{}, 'oauth2/authorize', 'snsapi_userinfo'],
      [{ platformType: 'OfficialAccount' }, 'oauth2/authorize', 'snsapi_userinfo'],
      [{ platformType: 'WebsiteApp' }, 'qrconnect', 'snsapi_login'],
    ] as const) {
      it(`begins at its page for ${JSON.stringify(options)}, with the fragment that it wants`, async () => {
        await set(WeChat, answers, options)
        const url = new URL(await stage.begin('wechat'))
        expect(url.origin + url.pathname).to.equal(`https://open.weixin.qq.com/connect/${page}`)
        expect(url.searchParams.get('scope')).to.equal(scope)
        expect(url.hash).to.equal('#wechat_redirect')
      })
    }

    for (const address of [tokenUrl, me]) {
      it(`signs no user in if ${address} answers with an error of status 200`, async () => {
        await set(WeChat, { ...answers, [address]: { errcode: 40029, errmsg: 'invalid code' } })
        await stage.expectRefused(await signIn('wechat'), 'OAuthCallbackError', /40029: invalid code/)
        expect(stage.lastFault()).not.to.include('a-client-secret')
      })
    }
  })

  describe('WorkOS', () => {
    const resolve = (options: WorkOSOptions) =>
      resolveConfig({ providers: [WorkOS({ ...client, ...options })], secret, logger: createLog().logger }, readEnv({}))

    it('leaves the type of the token out', async () => {
      const answers = { ...rows.workos?.answers, 'api.workos.com/sso/profile': told('workos') }
      await set(WorkOS, answers, { organization: 'org_1' })
      const begun = await stage.begin('workos')
      const { searchParams } = new URL(begun)
      expect(searchParams.get('organization')).to.equal('org_1')
      expect(searchParams.has('connection')).to.equal(false)
      await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(begun, { iss: null })))
      expect(stage.signedIn[0]?.account).to.include({ token_type: 'bearer' })
    })

    it('reports its error', async () => {
      const error = { error: 'invalid_grant', error_description: 'The code has expired or is invalid.' }
      await set(WorkOS, { 'api.workos.com/sso/token': () => ({ status: 400, body: error }) }, { provider: 'authkit' })
      await stage.expectRefused(await signIn('workos'), 'OAuthCallbackError', /invalid_grant/)
    })

    it('is one of three ways, which must be said', () => {
      for (const options of [{}, { connection: '' }, { authorization: { params: { prompt: 'login' } } }]) {
        const { message } = thrownBy(() => resolve(options))
        expect(message).to.match(/"workos".*`connection`, `organization` and `provider`/)
      }
      for (const options of [
        { connection: 'conn_1' },
        { organization: 'org_1' },
        { provider: 'GoogleOAuth' },
        { authorization: { params: { organization: 'org_1' } } },
        { authorization: { allowedParams: ['organization'] } },
        { authorization: 'https://api.workos.com/sso/authorize?domain=example.com' },
        { authorization: { url: 'https://api.workos.com/sso/authorize?domain=example.com' } },
      ]) {
        expect([...resolve(options).providers.keys()]).to.deep.equal(['workos'])
      }
    })

    it('may be chosen by the browser only if the developer allows it', async () => {
      for (const [options, sent] of [
        [{ authorization: { allowedParams: ['organization'] } }, 'org_2'],
        [{ organization: 'org_1' }, 'org_1'],
      ] as const) {
        await set(WorkOS, {}, options)
        const { searchParams } = new URL(await stage.begin('workos', '?organization=org_2'))
        expect(searchParams.get('organization')).to.equal(sent)
      }
    })

    it('may be asked at another issuer, with a slash at the end or none', async () => {
      for (const issuer of ['https://auth.example', 'https://auth.example/']) {
        await set(WorkOS, {}, { issuer, connection: 'conn_1' })
        expect(await stage.begin('workos')).to.match(/^https:\/\/auth\.example\/sso\/authorize\?/)
      }
    })
  })

  for (const [create, id, name] of [
    [TikTok, 'TIKTOK', 'client_key'],
    [WeChat, 'WECHAT', 'appid'],
  ] as const) {
    it(`${name} is the client's id of the environment, too`, () => {
      const env = readEnv({ [`AUTH_${id}_ID`]: 'of the environment', [`AUTH_${id}_SECRET`]: 'x' })
      for (const given of [create, create()]) {
        const { providers } = resolveConfig({ providers: [given as Provider], secret, logger: createLog().logger }, env)
        expect([...providers.values()][0]).to.have.nested.property(`authorization.params.${name}`, 'of the environment')
      }
    })
  }

  it('Wikimedia is a word of its own for a confirmed address', () => {
    const words = [true, false, undefined].map((confirmed_email) =>
      Wikimedia().emailVerified?.({
        sub: 1,
        username: 'Ada',
        ...(confirmed_email !== undefined && { confirmed_email }),
      }),
    )
    expect(words).to.deep.equal([true, false, undefined])
  })

  it('Zoom is a number for a verified address', () => {
    const words = ([1, 0, undefined] as const).map((verified) =>
      Zoom().emailVerified?.({ id: '1', ...(verified !== undefined && { verified }) }),
    )
    expect(words).to.deep.equal([true, false, undefined])
  })
})
