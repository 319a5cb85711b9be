/** The peculiarities of some plain OAuth providers, from Facebook to Naver. */
import { expect } from 'chai'
import Facebook from '../../lib/providers/facebook.js'
import Foursquare from '../../lib/providers/foursquare.js'
import HubSpot from '../../lib/providers/hubspot.js'
import Instagram from '../../lib/providers/instagram.js'
import Kakao, { type KakaoProfile } from '../../lib/providers/kakao.js'
import Mailchimp from '../../lib/providers/mailchimp.js'
import Mailru from '../../lib/providers/mailru.js'
import Mastodon from '../../lib/providers/mastodon.js'
import Mattermost from '../../lib/providers/mattermost.js'
import Medium from '../../lib/providers/medium.js'
import Naver from '../../lib/providers/naver.js'
import type { OAuth2Config, OAuthUserConfig } from '../../lib/types/provider.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import { type Answers, answerAt, asked, lastRequest, reroute } from './internet.js'
import { rows } from './rows/oauth-b.js'

type Create<P> = (options: OAuthUserConfig<P>) => OAuth2Config<P>

const bearer = { access_token: 'the-access-token', token_type: 'bearer' }

/** Returns the profile of the provider's user from the row. */
function personOf(id: string): object {
  return rows[id]?.people[0]?.profile ?? {}
}

describe('OAuth providers from Facebook to Naver', () => {
  const stage = useStage()

  /** A whole sign-in with what the addresses answer. */
  async function signIn<P>(create: Create<P>, answers: Answers, options: object = {}) {
    const given = { clientId: 'client', clientSecret: 'a secret', [customFetch]: reroute(stage.provider), ...options }
    const provider = create(given)
    await stage.restart({}, { providers: [provider] })
    answerAt(stage.provider, answers)
    const url = stage.provider.authorize(await stage.begin(provider.id), { iss: null })
    return stage.browser.get(url)
  }

  const account = () => stage.signedIn[0]?.account
  const user = () => stage.signedIn[0]?.user

  it('Facebook is asked for the fields by name, and answers under the name of JavaScript', async () => {
    const headers = { 'content-type': 'text/javascript; charset=UTF-8' }
    const body = JSON.stringify({ id: '1022', name: 'Ada Lovelace' })
    const response = await signIn(Facebook, {
      'graph.facebook.com/oauth/access_token': bearer,
      'graph.facebook.com/me': () => ({ headers, body }),
    })
    await stage.expectSignedIn(response)
    const { query, headers: sent } = lastRequest(stage.provider, 'graph.facebook.com/me')
    expect(Object.fromEntries(query)).to.deep.equal({ fields: 'id,name,email,picture' })
    expect(sent.authorization).to.equal(`Bearer ${bearer.access_token}`)
    expect(user()).to.include({ name: 'Ada Lovelace', email: null, image: null })
  })

  describe('Foursquare', () => {
    const answers = { ...rows.foursquare?.answers }
    const self = 'api.foursquare.com/v2/users/self'

    it('gets the token and the version in the query, and answers with a token of no type', async () => {
      await stage.expectSignedIn(await signIn(Foursquare, answers))
      const { query, headers } = lastRequest(stage.provider, self)
      expect(Object.fromEntries(query)).to.deep.equal({ v: '20230131', oauth_token: account()?.access_token })
      expect(headers).not.to.have.property('authorization')
      expect(account()).to.include({ token_type: 'bearer', providerAccountId: '1234567' })
    })

    it('takes another version of the API', async () => {
      await stage.expectSignedIn(await signIn(Foursquare, answers, { apiVersion: '20260101' }))
      expect(lastRequest(stage.provider, self).query.get('v')).to.equal('20260101')
    })

    it('signs no user in if the code or the token is rejected', async () => {
      const token = { 'foursquare.com/oauth2/access_token': { error: 'invalid_grant' } }
      await stage.expectRefused(
        await signIn(Foursquare, { ...answers, ...token }),
        'OAuthCallbackError',
        /invalid_grant/,
      )
      const person = { [self]: () => ({ status: 401, body: { meta: { code: 401 } } }) }
      await stage.expectRefused(await signIn(Foursquare, { ...answers, ...person }), 'OAuthCallbackError', /status 401/)
    })
  })

  describe('HubSpot', () => {
    const base = 'api.hubapi.com/oauth/2026-03/token'
    const introspect = `${base}/introspect`

    it('is asked whose the token is, and the token is no part of the profile', async () => {
      const told = { ...personOf('hubspot'), token: bearer.access_token, signed_access_token: { userId: 123456 } }
      await stage.expectSignedIn(await signIn(HubSpot, { [base]: bearer, [introspect]: told }))
      const { method, body } = lastRequest(stage.provider, introspect)
      expect(method).to.equal('POST')
      expect(body).to.deep.equal({
        client_id: 'client',
        client_secret: 'a secret',
        token: bearer.access_token,
        token_type_hint: 'access_token',
      })
      expect(account()?.providerAccountId).to.equal('123456')
      expect(stage.signedIn[0]?.profile).to.deep.equal(personOf('hubspot'))
    })

    for (const [what, answer, reason] of [
      ['a token that is not active', { ...personOf('hubspot'), active: false }, /not active/],
      ['an error', () => ({ status: 400, body: { error: 'invalid_client' } }), /status 400/],
    ] as const) {
      it(`signs no user in with ${what}`, async () => {
        const response = await signIn(HubSpot, { [base]: bearer, [introspect]: answer })
        await stage.expectRefused(response, 'OAuthCallbackError', reason)
      })
    }
  })

  describe('Instagram', () => {
    const tokens = { access_token: 'IGAA1', user_id: '17841405793187218' }

    for (const [what, token, person] of [
      ['in lists', { data: [{ ...tokens, permissions: 'a,b' }] }, { data: [personOf('instagram')] }],
      ['as they are', { ...tokens, permissions: ['a', 'b'] }, personOf('instagram')],
    ] as const) {
      it(`answers ${what}`, async () => {
        const answers = { 'api.instagram.com/oauth/access_token': token, 'graph.instagram.com/me': person }
        await stage.expectSignedIn(await signIn(Instagram, answers))
        expect(account()).to.include({ access_token: 'IGAA1', token_type: 'bearer', scope: 'a,b' })
        expect(user()).to.include({ name: 'ada', email: null })
        const { query, headers } = lastRequest(stage.provider, 'graph.instagram.com/me')
        expect(query.get('fields')).to.equal('id,username,account_type,name,profile_picture_url')
        expect(headers.authorization).to.equal('Bearer IGAA1')
      })
    }

    it('signs no user in if the code or the token is rejected', async () => {
      const body = { error_type: 'OAuthException', code: 400, error_message: 'Invalid authorization code' }
      const refusals: Answers = { 'api.instagram.com/oauth/access_token': () => ({ status: 400, body }) }
      await stage.expectRefused(await signIn(Instagram, refusals), 'OAuthCallbackError', /\S/)
      expect(asked(stage.provider)).to.deep.equal(['api.instagram.com/oauth/access_token'])
      const noPerson = {
        'api.instagram.com/oauth/access_token': tokens,
        'graph.instagram.com/me': () => ({ status: 400, body: { error: { message: 'no' } } }),
      }
      await stage.expectRefused(
        await signIn(Instagram, noPerson),
        'OAuthCallbackError',
        /Instagram answered with status 400/,
      )
    })
  })

  describe('Kakao', () => {
    for (const [what, kakaoAccount, verified] of [
      ['verified and valid', { is_email_verified: true, is_email_valid: true }, true],
      ['verified once, and another account’s now', { is_email_verified: true, is_email_valid: false }, false],
      ['verified, with no word of whose it is', { is_email_verified: true }, false],
      ['not verified', { is_email_verified: false, is_email_valid: true }, false],
      ['not spoken of', {}, undefined],
    ] as const) {
      it(`says that an address is ${what}`, () => {
        const profile: KakaoProfile = { id: 1, kakao_account: { email: 'a@b.example', ...kakaoAccount } }
        expect(Kakao().emailVerified?.(profile)).to.equal(verified)
      })
    }

    it('is asked for no scope, not for an empty one', async () => {
      await signIn(Kakao, {})
      expect(new URL(await stage.begin('kakao')).searchParams.has('scope')).to.equal(false)
    })
  })

  it('Mailchimp answers with a token that has no type, no scope and no end', async () => {
    await stage.expectSignedIn(await signIn(Mailchimp, { ...rows.mailchimp?.answers }))
    expect(account()).to.deep.equal({
      access_token: '5c6ccc561059aa386da9d112215bae55',
      token_type: 'bearer',
      provider: 'mailchimp',
      type: 'oauth',
      providerAccountId: '15231312',
    })
  })

  it('Mailchimp’s tokens that end do so', async () => {
    const token = { 'login.mailchimp.com/oauth2/token': { access_token: 'x', expires_in: 3600, scope: 'all' } }
    await stage.expectSignedIn(await signIn(Mailchimp, { ...rows.mailchimp?.answers, ...token }))
    expect(account()).to.include({ scope: 'all' }).and.to.have.property('expires_at').that.is.a('number')
  })

  describe('Mail.ru', () => {
    const answers = { 'oauth.mail.ru/token': bearer, 'oauth.mail.ru/userinfo': personOf('mailru') }

    it('gets the token in the query', async () => {
      await stage.expectSignedIn(await signIn(Mailru, answers))
      const { query, headers } = lastRequest(stage.provider, 'oauth.mail.ru/userinfo')
      expect(Object.fromEntries(query)).to.deep.equal({ access_token: bearer.access_token })
      expect(headers).not.to.have.property('authorization')
    })

    for (const [what, answer, reason] of [
      ['with status 200', { error: 'token not found', error_code: 6 }, /error token not found/],
      ['with another status', () => ({ status: 403, body: {} }), /status 403/],
    ] as const) {
      it(`signs no user in if it reports an error ${what}`, async () => {
        const response = await signIn(Mailru, { ...answers, 'oauth.mail.ru/userinfo': answer })
        await stage.expectRefused(response, 'OAuthCallbackError', reason)
      })
    }
  })

  for (const slash of ['', '/']) {
    it(`Mastodon and Mattermost are asked at their own addresses, written with "${slash}" at the end`, async () => {
      const issuer = `https://social.example${slash}`
      const mastodon = {
        'social.example/oauth/token': bearer,
        'social.example/api/v1/accounts/verify_credentials': personOf('mastodon'),
      }
      await stage.expectSignedIn(await signIn(Mastodon, mastodon, { issuer }))
      expect(asked(stage.provider)).to.deep.equal(Object.keys(mastodon))
      const mattermost = {
        'social.example/oauth/access_token': bearer,
        'social.example/api/v4/users/me': personOf('mattermost'),
      }
      stage.provider.requests.length = 0
      await stage.expectSignedIn(await signIn(Mattermost, mattermost, { issuer }))
      expect(asked(stage.provider)).to.deep.equal(Object.keys(mattermost))
    })
  }

  it('Medium lists its scopes, and tells the end of the token in milliseconds', async () => {
    await stage.expectSignedIn(await signIn(Medium, { ...rows.medium?.answers }))
    expect(account()).to.include({ scope: 'basicProfile', expires_at: 1893456000, token_type: 'bearer' })
  })

  describe('Naver', () => {
    const answers = { ...rows.naver?.answers }

    it('tells the life of the token as text', async () => {
      await stage.expectSignedIn(await signIn(Naver, answers))
      expect(account()?.expires_at).to.be.a('number')
    })

    it('reports a rejected code with status 200', async () => {
      const refusal = { error: 'invalid_request', error_description: 'no valid data in session' }
      const response = await signIn(Naver, { ...answers, 'nid.naver.com/oauth2.0/token': refusal })
      await stage.expectRefused(response, 'OAuthCallbackError', /invalid_request/)
    })
  })
})
