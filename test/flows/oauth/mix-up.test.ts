/** Two providers, one of them hostile: the answers of one are invalid at the other (RFC 9207, RFC 9700 §4.4). */

import { expect } from 'chai'
import { target } from '../../support/app.js'
import { type HostileProvider, startHostileProvider } from '../../support/hostile-provider.js'
import { opened } from '../../support/opened.js'
import { useStage } from './stage.js'

describe('GET /auth/callback/:provider (mix-up)', () => {
  const stage = useStage()

  const other = opened(() => startHostileProvider())
  beforeEach(async () => {
    other.reset()
    // The same client id at both: only provider and issuer tell them apart.
    const second = stage.config({ id: 'other', name: 'Other', ...other.settings })
    await stage.restart({}, { providers: [stage.config(), second] })
  })

  /** Returns the same callback URL, at another provider. */
  function at(id: string, callback: string): string {
    return callback.replace(/\/auth\/callback\/[^?]+/, `/auth/callback/${id}`)
  }

  function codesAt(provider: HostileProvider) {
    return provider.requests.filter(({ path }) => path === '/token').map(({ body }) => body.code)
  }

  it('MX-01 rejects the attempt of another provider, with that or with our own code', async () => {
    for (const codeFrom of ['other', 'test']) {
      stage.app.log.errors.length = 0
      stage.newBrowser()
      const url = await stage.begin('other')
      const ours = new URL(stage.provider.authorize(await stage.begin('test'))).searchParams.get('code')
      const callback = other.authorize(url, { iss: stage.provider.issuer, ...(codeFrom === 'test' && { code: ours }) })
      const response = await stage.browser.get(at('test', callback))
      await stage.expectRefused(response, 'InvalidCheck', /started with another provider/)
    }
    expect(codesAt(stage.provider)).to.deep.equal([])
    expect(codesAt(other)).to.deep.equal([])
  })

  it('MX-08 never sends the code of one provider to the other', async () => {
    const url = await stage.begin('test')
    const callback = stage.provider.authorize(url)
    await stage.browser.get(at('other', callback))
    expect(codesAt(other)).to.deep.equal([])
    await stage.begin('other')
    await stage.browser.get(stage.provider.authorize(await stage.begin('test')))
    expect(codesAt(other)).to.deep.equal([])
    expect(codesAt(stage.provider)).to.have.length(1)
  })

  it('MX-04 rejects an `iss` of another provider, even if all else is right', async () => {
    for (const iss of [other.issuer, `${stage.provider.issuer}/`, stage.provider.issuer.toUpperCase(), '']) {
      await stage.restart()
      await stage.expectRefused(await stage.signIn({ iss }), 'OAuthCallbackError', /"iss"/)
    }
    expect(stage.provider.count('/token')).to.equal(0)
  })

  it('MX-04 rejects a wrong `iss` although the provider does not announce it', async () => {
    delete stage.provider.discovery.authorization_response_iss_parameter_supported
    await stage.expectRefused(await stage.signIn({ iss: other.issuer }), 'OAuthCallbackError', /"iss"/)
    expect(stage.provider.count('/token')).to.equal(0)
  })

  it('rejects two `iss`', async () => {
    const url = new URL(stage.provider.authorize(await stage.begin()))
    url.searchParams.append('iss', other.issuer)
    await stage.expectRefused(await stage.browser.get(url.href), 'OAuthCallbackError', /"iss"/)
    expect(stage.provider.count('/token')).to.equal(0)
  })

  it('MX-05 rejects a return without the `iss` that the provider announces', async () => {
    await stage.expectRefused(await stage.signIn({ iss: null }), 'OAuthCallbackError', /"iss"/)
    expect(stage.provider.count('/token')).to.equal(0)
  })

  it('accepts a return without `iss` if none is announced', async () => {
    delete stage.provider.discovery.authorization_response_iss_parameter_supported
    await stage.expectSignedIn(await stage.signIn({ iss: null }))
  })

  it('MX-06 rejects an error that names another issuer', async () => {
    const callback = other.authorize(await stage.begin('other'), {
      code: null,
      error: 'access_denied',
      iss: stage.provider.issuer,
    })
    await stage.expectRefused(await stage.browser.get(callback), 'OAuthCallbackError', /"iss"/)
  })

  it('MX-06 rejects an id_token that the other provider passes on', async () => {
    const forUs = { aud: 'hostile-client' }
    for (const claims of [forUs, { ...forUs, iss: other.issuer }]) {
      await stage.restart({}, { providers: stage.app.config.providers })
      stage.provider.requests.length = 0
      const url = await stage.begin('other')
      const nonce = new URL(url).searchParams.get('nonce')
      // A token of the good provider, for this very nonce.
      other.onToken = async (body) => {
        const tokens = (await other.tokens(body)).body as object
        const now = Math.floor(Date.now() / 1000)
        const good = { iss: stage.provider.issuer, sub: 'victim', iat: now, exp: now + 300, nonce }
        return { body: { ...tokens, id_token: await stage.provider.signIdToken({ ...good, ...claims }) } }
      }
      const reason = 'iss' in claims ? /KEY_SELECTION_FAILED/ : /"iss"/
      await stage.expectRefused(await stage.browser.get(other.authorize(url)), 'OAuthCallbackError', reason)
    }
  })

  it('MX-07 creates two users for one subject at two providers, and one for two sign-ins', async () => {
    const signIn = async (id: string, provider: HostileProvider) => {
      const browser = stage.newBrowser()
      const response = await browser.get(provider.authorize(await stage.begin(id)))
      expect(target(response)).to.equal(`${stage.app.origin}/welcome`)
      return stage.signedIn.at(-1)
    }
    const [first, again, elsewhere] = [
      await signIn('test', stage.provider),
      await signIn('test', stage.provider),
      await signIn('other', other),
    ]
    expect(first?.user.id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(again?.user.id).to.equal(first?.user.id)
    expect(elsewhere?.user.id).not.to.equal(first?.user.id)
    expect(elsewhere?.user.email).to.equal(first?.user.email)
    expect([first, elsewhere].map((each) => each?.account?.provider)).to.deep.equal(['test', 'other'])
    expect([first, elsewhere].map((each) => each?.account?.providerAccountId)).to.deep.equal(['person-1', 'person-1'])
  })

  it('rejects the attempt of another client of the same provider', async () => {
    const callback = stage.provider.authorize(await stage.begin('test'))
    const cookies = new Map(stage.browser.cookies)
    const path = callback.slice(stage.app.origin.length)
    const { origin } = stage.app
    await stage.restart({ clientId: 'renamed' })
    for (const [name, value] of cookies) stage.browser.cookies.set(name, value)
    expect(stage.app.origin).not.to.equal(origin)
    await stage.expectRefused(await stage.browser.get(path), 'InvalidCheck', /another provider or client/)
    expect(stage.provider.count('/token')).to.equal(0)
  })

  it('rejects a return to another URL than the requested one', async () => {
    const callback = stage.provider.authorize(await stage.begin('test'))
    const asked = new URL(callback)
    const response = await stage.browser.get(asked.pathname + asked.search, { host: 'localhost.test' })
    expect(target(response)).to.equal('http://localhost.test/auth/error?error=InvalidCheck')
    expect(stage.lastFault()).to.match(/another URL/)
    expect(stage.provider.count('/token')).to.equal(0)
  })
})
