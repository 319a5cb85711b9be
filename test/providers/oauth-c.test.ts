/** Whole sign-ins with Nextcloud, Notion, Threads and others, as their servers answer: what is special about each. */
import { expect } from 'chai'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import { InvalidEndpoints } from '../../lib/errors.js'
import NetSuite from '../../lib/providers/netsuite.js'
import Nextcloud from '../../lib/providers/nextcloud.js'
import Notion from '../../lib/providers/notion.js'
import Osso from '../../lib/providers/osso.js'
import Patreon, { type PatreonProfile } from '../../lib/providers/patreon.js'
import Reddit from '../../lib/providers/reddit.js'
import Spotify from '../../lib/providers/spotify.js'
import Threads from '../../lib/providers/threads.js'
import type { Provider } from '../../lib/types/provider.js'
import { customFetch } from '../../lib/types/symbols.js'
import { useStage } from '../flows/oauth/stage.js'
import { createLog, secret } from '../support/app.js'
import { thrownBy } from '../support/rejection.js'
import { type Answers, answerAt, asked, lastRequest, reroute } from './internet.js'
import { rows } from './rows/oauth-c.js'

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

  describe('Nextcloud', () => {
    const answers = rows.nextcloud?.answers ?? {}
    const user = 'cloud.example/ocs/v1.php/cloud/users/ada'

    for (const issuer of ['https://cloud.example', 'https://cloud.example/', 'https://cloud.example/index.php']) {
      it(`asks ${issuer} for the user of the token`, async () => {
        const tokenUrl = `${issuer.slice('https://'.length).replace(/\/$/, '')}/apps/oauth2/api/v1/token`
        await set(Nextcloud, { ...answers, [tokenUrl]: { ...token, user_id: 'ada' } }, { issuer })
        await stage.expectSignedIn(await signIn('nextcloud'))
        expect(asked(stage.provider)).to.deep.equal([tokenUrl, user])
        const { headers } = lastRequest(stage.provider, user)
        expect(headers).to.include({ authorization: bearer, 'ocs-apirequest': 'true', accept: 'application/json' })
        const server = issuer.replace(/\/$/, '')
        expect(stage.signedIn[0]?.user.image).to.equal(`${server}/avatar/ada/512`)
      })
    }

    it('is found by the environment’s issuer alone, picture included', () => {
      const env = {
        AUTH_NEXTCLOUD_ID: 'client',
        AUTH_NEXTCLOUD_SECRET: 's',
        AUTH_NEXTCLOUD_ISSUER: 'https://cloud.example/',
      }
      const config = { providers: [Nextcloud()], secret, logger: createLog().logger }
      const [resolved] = resolveConfig(config, readEnv(env)).providers.values()
      if (resolved?.kind !== 'oauth') throw new Error('not an OAuth provider')
      expect(resolved.authorization.url).to.equal('https://cloud.example/apps/oauth2/authorize')
      expect(resolved.token.url).to.equal('https://cloud.example/apps/oauth2/api/v1/token')
      const told = { id: 'ada', server: 'https://cloud.example' }
      expect(resolved.profile(told, {})).to.include({ image: 'https://cloud.example/avatar/ada/512' })
    })

    for (const [what, changes, reason] of [
      ['nobody came with the token', { 'cloud.example/apps/oauth2/api/v1/token': token }, /`user_id`/],
      ['the API knows nobody', { [user]: { ocs: { meta: { statuscode: 404 }, data: [] } } }, /another one/],
      ['the API tells of another', { [user]: { ocs: { data: { id: 'eve' } } } }, /another one/],
      ['the API refuses', { [user]: () => ({ status: 401, body: {} }) }, /status 401/],
    ] as ReadonlyArray<[string, Answers, RegExp]>) {
      it(`signs no user in if ${what}`, async () => {
        await set(Nextcloud, { ...answers, ...changes }, { issuer: 'https://cloud.example' })
        await stage.expectRefused(await signIn('nextcloud'), 'OAuthCallbackError', reason)
      })
    }

    it('leaves no way out of the path to a user’s name', async () => {
      const odd = '../apps/x?y'
      const path = `cloud.example/ocs/v1.php/cloud/users/${encodeURIComponent(odd)}`
      const tokens = { 'cloud.example/apps/oauth2/api/v1/token': { ...token, user_id: odd } }
      await set(Nextcloud, { ...tokens, [path]: { ocs: { data: { id: odd } } } }, { issuer: 'https://cloud.example' })
      await stage.expectSignedIn(await signIn('nextcloud'))
    })
  })

  describe('Notion', () => {
    const [tokenUrl, me] = ['api.notion.com/v1/oauth/token', 'api.notion.com/v1/users/me']
    const answers = { [tokenUrl]: token, ...rows.notion?.answers }

    it('signs in the owner of the bot, and tells the version', async () => {
      await set(Notion, answers)
      await stage.expectSignedIn(await signIn('notion'))
      expect(asked(stage.provider)).to.deep.equal([tokenUrl, me])
      expect(lastRequest(stage.provider, me).headers).to.include({
        authorization: bearer,
        'notion-version': '2022-06-28',
      })
      expect(stage.signedIn[0]?.user).to.include({ name: 'Ada Lovelace', email: 'ada@example.com' })
    })

    it('sends our callback URL, whatever `redirectUri` says', async () => {
      await set(Notion, answers, { redirectUri: 'https://elsewhere.example/' })
      const url = new URL(await stage.begin('notion'))
      expect(url.searchParams.getAll('redirect_uri')).to.deep.equal([`${stage.app.origin}/auth/callback/notion`])
    })

    it('signs no user in with a token of a workspace', async () => {
      await set(Notion, {
        ...answers,
        [me]: { object: 'user', bot: { owner: { type: 'workspace', workspace: true } } },
      })
      await stage.expectRefused(await signIn('notion'), 'OAuthCallbackError', /belongs to a workspace/)
    })

    it('signs no user in if the user cannot be read', async () => {
      await set(Notion, { ...answers, [me]: () => ({ status: 403, body: {} }) })
      await stage.expectRefused(await signIn('notion'), 'OAuthCallbackError', /status 403/)
    })
  })

  describe('Threads', () => {
    const tokenUrl = 'graph.threads.net/oauth/access_token'
    const person = { id: '17841400008460056', username: 'ada' }

    it('takes a token without a type, and asks for the fields', async () => {
      const answers = { [tokenUrl]: { access_token: 'THQ1', user_id: 1 }, 'graph.threads.net/v1.0/me': person }
      await set(Threads, answers)
      await stage.expectSignedIn(await signIn('threads'))
      const { query, headers } = lastRequest(stage.provider, 'graph.threads.net/v1.0/me')
      expect(query.get('fields')).to.equal('id,username,name,threads_profile_picture_url')
      expect(headers.authorization).to.equal('Bearer THQ1')
      expect(stage.signedIn[0]?.account).to.include({ providerAccountId: person.id, token_type: 'bearer' })
    })

    it('signs no user in if the code is rejected', async () => {
      const refused = { error_type: 'OAuthException', code: 400, error_message: 'Invalid verification code' }
      await set(Threads, { [tokenUrl]: () => ({ status: 400, body: refused }) })
      await stage.expectRefused(await signIn('threads'), 'OAuthCallbackError', /./)
      expect(asked(stage.provider)).to.deep.equal([tokenUrl])
    })
  })

  it('Patreon: version 2 tells what it is asked for', async () => {
    const [identity, person] = ['www.patreon.com/api/oauth2/v2/identity', rows.patreon?.people[0]?.profile ?? {}]
    await set(Patreon, { 'www.patreon.com/api/oauth2/token': token, [identity]: person })
    await stage.expectSignedIn(await signIn('patreon'))
    const { query } = lastRequest(stage.provider, identity)
    expect(query.get('fields[user]')).to.equal('full_name,email,is_email_verified,image_url')
  })

  it('Patreon: an address is verified only if it was confirmed', () => {
    const told = (is_email_verified?: boolean): PatreonProfile => ({
      data: {
        id: '1',
        attributes: { email: 'ada@example.com', ...(is_email_verified !== undefined && { is_email_verified }) },
      },
    })
    expect([true, false, undefined].map((said) => Patreon().emailVerified?.(told(said)))).to.deep.equal([
      true,
      false,
      undefined,
    ])
  })

  it('Reddit: URLs of pictures come as they are', async () => {
    const [tokenUrl, me] = ['www.reddit.com/api/v1/access_token', 'oauth.reddit.com/api/v1/me']
    await set(Reddit, { [tokenUrl]: token, [me]: { id: '1w72', name: 'ada' } })
    await stage.expectSignedIn(await signIn('reddit'))
    expect(lastRequest(stage.provider, me).query.get('raw_json')).to.equal('1')
    expect(lastRequest(stage.provider, tokenUrl).body).not.to.have.property('code_verifier')
  })

  it('Spotify: no address is verified', () => {
    const profile = { id: '1', email: 'ada@example.com', email_verified: true }
    expect(Spotify().emailVerified?.(profile)).to.equal(false)
  })

  it('Osso: a domain leads to a company', async () => {
    await set(Osso, {}, { issuer: 'https://sso.example' })
    const url = new URL(await stage.begin('osso', '?domain=corp.example&scope=admin'))
    expect(url.href).to.match(/^https:\/\/sso\.example\/oauth\/authorize\?/)
    expect(url.searchParams.get('domain')).to.equal('corp.example')
    expect(url.searchParams.has('scope')).to.equal(false)
  })

  describe('NetSuite', () => {
    const userinfo = 'https://1234567.restlets.api.netsuite.com/app/site/hosting/restlet.nl?script=42&deploy=1'
    const resolve = (options: object) => () =>
      resolveConfig(
        { providers: [NetSuite({ ...client, ...options })], secret, logger: createLog().logger },
        readEnv({}),
      )

    it('names the option that is missing', () => {
      const noAccount = thrownBy(resolve({ userinfo }))
      expect(noAccount).to.be.instanceOf(TypeError)
      expect(noAccount.message).to.include('`accountID` is missing')
      const noUserinfo = thrownBy(resolve({ accountID: '1234567' }))
      expect(noUserinfo).to.be.instanceOf(InvalidEndpoints)
      expect(noUserinfo.message).to.include('`userinfo` is missing')
    })

    it('asks the RESTlet of the options', async () => {
      const host = '1234567.suitetalk.api.netsuite.com'
      const restlet = '1234567.restlets.api.netsuite.com/app/site/hosting/restlet.nl'
      const answers = { [`${host}/services/rest/auth/oauth2/v1/token`]: token, [restlet]: { id: 4622, name: 'Ada' } }
      await set(NetSuite, answers, { accountID: '1234567', userinfo })
      await stage.expectSignedIn(await signIn('netsuite'))
      const { query, headers } = lastRequest(stage.provider, restlet)
      expect(Object.fromEntries(query)).to.deep.equal({ script: '42', deploy: '1' })
      expect(headers.authorization).to.equal(bearer)
    })
  })
})
