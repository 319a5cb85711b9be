/** The peculiarities of the providers from Azure DevOps to EVE Online, as their servers answer. */
import { expect } from 'chai'
import AzureDevOps from '../../lib/providers/azure-devops.js'
import BoxyHQSAML from '../../lib/providers/boxyhq-saml.js'
import Bungie from '../../lib/providers/bungie.js'
import ClickUp from '../../lib/providers/click-up.js'
import Dribbble from '../../lib/providers/dribbble.js'
import Dropbox from '../../lib/providers/dropbox.js'
import Eventbrite from '../../lib/providers/eventbrite.js'
import EVEOnline from '../../lib/providers/eveonline.js'
import type { Provider } from '../../lib/types/provider.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'
import { answerAt, asked, lastRequest, reroute } from './internet.js'
import { rows } from './rows/oauth-a.js'

const tokens = { access_token: 'an-access-token', token_type: 'bearer' }
const client = { clientId: 'client', clientSecret: 'a-client-secret' }
const person = (id: string): object => rows[id]?.people[0]?.profile ?? {}

describe('providers from 42 School to EVE Online', () => {
  const stage = useStage()
  const given = () => ({ ...client, [customFetch]: reroute(stage.provider) })
  const start = (provider: Provider) => stage.restart({}, { providers: [provider] })
  const signIn = async (id: string) => stage.browser.get(stage.provider.authorize(await stage.begin(id), { iss: null }))

  describe('Azure DevOps', () => {
    const [tokenUrl, profileUrl] = [
      'app.vssps.visualstudio.com/oauth2/token',
      'app.vssps.visualstudio.com/_apis/profile/profiles/me',
    ]
    const answer = { access_token: 'a', token_type: 'jwt-bearer', expires_in: '3599', refresh_token: 'r' }

    beforeEach(async () => {
      answerAt(stage.provider, { [tokenUrl]: answer, [profileUrl]: person('azure-devops') })
      await start(AzureDevOps(given()))
    })

    it('takes the code and the secret as assertions', async () => {
      await stage.expectSignedIn(await signIn('azure-devops'))
      expect(asked(stage.provider)).to.deep.equal([tokenUrl, profileUrl])
      const { body, headers } = lastRequest(stage.provider, tokenUrl)
      expect(headers.authorization).to.equal(undefined)
      expect(body.assertion).to.match(/\S/)
      expect({ ...body, assertion: '*' }).to.deep.equal({
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: 'a-client-secret',
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: '*',
        redirect_uri: `${stage.app.origin}/auth/callback/azure-devops`,
      })
    })

    it('has its token type and its life in numbers', async () => {
      await stage.expectSignedIn(await signIn('azure-devops'))
      const account = stage.signedIn[0]?.account
      expect(account).to.include({ token_type: 'bearer', refresh_token: 'r' })
      expect(account?.expires_at).to.be.a('number')
      const { headers, query } = lastRequest(stage.provider, profileUrl)
      expect(headers.authorization).to.equal('Bearer a')
      expect(query.get('coreAttributes')).to.equal('Avatar')
    })

    it('signs no user in with a code that it rejects', async () => {
      answerAt(stage.provider, { [tokenUrl]: () => ({ status: 400, body: { Error: 'invalid_grant' } }) })
      await stage.expectRefused(await signIn('azure-devops'), 'OAuthCallbackError', /token request with status 400/)
    })

    it('asks for the scope that its app was registered with', async () => {
      await start(AzureDevOps({ ...given(), scope: 'vso.profile vso.code' }))
      const { searchParams } = new URL(await stage.begin('azure-devops'))
      expect(searchParams.getAll('scope')).to.deep.equal(['vso.profile vso.code'])
      expect(searchParams.getAll('response_type')).to.deep.equal(['Assertion'])
    })
  })

  describe('Bungie', () => {
    const profileUrl = 'www.bungie.net/Platform/User/GetMembershipsForCurrentUser/'

    beforeEach(async () => {
      answerAt(stage.provider, {
        'www.bungie.net/platform/app/oauth/token/': { ...tokens, membership_id: '13152135' },
        [profileUrl]: person('bungie'),
      })
      await start(Bungie({ ...given(), apiKey: 'an-api-key' }))
    })

    it('gets its API key with the token', async () => {
      await stage.expectSignedIn(await signIn('bungie'))
      const { headers } = lastRequest(stage.provider, profileUrl)
      expect(headers).to.include({ authorization: 'Bearer an-access-token', 'x-api-key': 'an-api-key' })
    })

    it('signs no user in if it reports an error with status 200', async () => {
      answerAt(stage.provider, { [profileUrl]: { ErrorCode: 2101, ErrorStatus: 'ApiInvalidOrExpiredKey' } })
      await stage.expectRefused(await signIn('bungie'), 'OAuthCallbackError', /ApiInvalidOrExpiredKey/)
    })

    it('says at construction that the key is missing, and takes another way to the profile in its place', async () => {
      expect((await rejectionOf(start(Bungie(given())))).message).to.match(/"bungie": `apiKey` is missing/)
      const userinfo = { request: async () => ({ ...person('bungie') }) }
      await start(Bungie({ ...given(), userinfo }))
      await stage.expectSignedIn(await signIn('bungie'))
    })
  })

  describe('ClickUp', () => {
    it('may leave the token’s type out, and keeps the one that it names', async () => {
      answerAt(stage.provider, { 'api.clickup.com/api/v2/user': person('click-up') })
      await start(ClickUp(given()))
      for (const answer of [{ access_token: 'a' }, { access_token: 'a', token_type: 'Bearer' }]) {
        answerAt(stage.provider, { 'api.clickup.com/api/v2/oauth/token': answer })
        await stage.expectSignedIn(await signIn('click-up'))
        expect(stage.signedIn.at(-1)?.account).to.include({ access_token: 'a', token_type: 'bearer' })
      }
    })

    it('signs no user in if it rejects the code', async () => {
      await start(ClickUp(given()))
      const refusal = { status: 401, body: { err: 'Code invalid', ECODE: 'OAUTH_014' } }
      answerAt(stage.provider, { 'api.clickup.com/api/v2/oauth/token': () => refusal })
      await stage.expectRefused(await signIn('click-up'), 'OAuthCallbackError', /\S/)
    })
  })

  it('Dropbox is asked by POST, without a body', async () => {
    const profileUrl = 'api.dropboxapi.com/2/users/get_current_account'
    answerAt(stage.provider, { 'api.dropboxapi.com/oauth2/token': tokens, [profileUrl]: person('dropbox') })
    await start(Dropbox(given()))
    await stage.expectSignedIn(await signIn('dropbox'))
    const { method, headers, body } = lastRequest(stage.provider, profileUrl)
    expect(method).to.equal('POST')
    expect(headers.authorization).to.equal('Bearer an-access-token')
    expect(headers['content-type']).to.equal(undefined)
    expect(body).to.deep.equal({})
  })

  describe('EVE Online', () => {
    const verify = 'login.eveonline.com/oauth/verify'
    const jwt = (claims: object) =>
      ['{}', JSON.stringify(claims), 's'].map((part) => Buffer.from(part).toString('base64url')).join('.')
    const character = { sub: 'CHARACTER:EVE:123123', name: 'Some Bloke', owner: '8PmzCeTKb4VFUDrHLc/AeZXDSWM=' }

    beforeEach(async () => {
      answerAt(stage.provider, { [verify]: person('eveonline') })
      await start(EVEOnline(given()))
    })

    it('names the character in the access token', async () => {
      answerAt(stage.provider, { 'login.eveonline.com/v2/oauth/token': { ...tokens, access_token: jwt(character) } })
      await stage.expectSignedIn(await signIn('eveonline'))
      expect(asked(stage.provider)).not.to.include(verify)
      expect(stage.signedIn[0]?.account?.providerAccountId).to.equal('123123')
      expect(stage.signedIn[0]?.user).to.include({
        name: 'Some Bloke',
        image: 'https://images.evetech.net/characters/123123/portrait?size=128',
      })
    })

    for (const [what, access_token] of [
      ['does not', 'an-access-token'],
      ['names something else', jwt({ ...character, sub: 'CORPORATION:EVE:1' })],
      ['is no JSON', 'a.b.c'],
    ] as const) {
      it(`is asked where the token ${what}`, async () => {
        answerAt(stage.provider, { 'login.eveonline.com/v2/oauth/token': { ...tokens, access_token } })
        await stage.expectSignedIn(await signIn('eveonline'))
        expect(lastRequest(stage.provider, verify).headers.authorization).to.equal(`Bearer ${access_token}`)
        expect(stage.signedIn[0]?.account?.providerAccountId).to.equal('95465499')
      })
    }

    it('signs no user in if it does not know the token', async () => {
      answerAt(stage.provider, {
        'login.eveonline.com/v2/oauth/token': tokens,
        [verify]: () => ({ status: 404, body: {} }),
      })
      await stage.expectRefused(await signIn('eveonline'), 'OAuthCallbackError', /status 404/)
    })
  })

  it('Eventbrite: its word for the primary address refuses one, and proves none', () => {
    const { emailVerified } = Eventbrite()
    const emails = [
      { email: 'a@example.com', primary: false, verified: true },
      { email: 'b@example.com', primary: true, verified: false },
    ]
    expect(emailVerified?.({ id: '1', name: null, emails })).to.equal(false)
    const verified = emails.map((address) => ({ ...address, verified: true }))
    expect(emailVerified?.({ id: '1', name: null, emails: verified })).to.equal(undefined)
    expect(emailVerified?.({ id: '1', name: null, emails: [] })).to.equal(undefined)
    expect(emailVerified?.({ id: '1', name: null })).to.equal(undefined)
  })

  it('Dribbble asks for the scope of its option', async () => {
    await start(Dribbble({ ...given(), scope: 'public upload' }))
    expect(new URL(await stage.begin('dribbble')).searchParams.getAll('scope')).to.deep.equal(['public upload'])
  })

  it('BoxyHQ is found under its issuer, whatever its discovery document would say', async () => {
    const answers = {
      'saml.example/api/oauth/token': tokens,
      'saml.example/api/oauth/userinfo': person('boxyhq-saml'),
    }
    for (const issuer of ['https://saml.example', 'https://saml.example/']) {
      answerAt(stage.provider, answers)
      await start(BoxyHQSAML({ ...given(), issuer }))
      await stage.expectSignedIn(await signIn('boxyhq-saml'))
      expect(asked(stage.provider)).to.deep.equal(Object.keys(answers))
      stage.provider.reset()
    }
  })

  it('reads nothing that may throw before the configuration is resolved', () => {
    expect(Bungie()).to.be.an('object')
    expect(thrownBy(() => ({ ...Bungie() })).message).to.include('`apiKey`')
  })
})
