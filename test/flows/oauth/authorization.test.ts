/** The authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1). */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import de from '../../../lib/i18n/de.js'
import { setCookies, target } from '../../support/app.js'
import { useStage } from './stage.js'

/** 32 random bytes as base64url. */
const random = /^[\w-]{43}$/

describe('POST /auth/signin/:provider (authorization request)', () => {
  const stage = useStage()

  it('asks for a code with state, nonce and an S256 challenge, and for nothing else', async () => {
    const url = new URL(await stage.begin())
    expect(url.origin + url.pathname).to.equal(`${stage.provider.issuer}/authorize`)
    const { state, nonce, code_challenge: challenge, ...others } = Object.fromEntries(url.searchParams)
    expect(others).to.deep.equal({
      response_type: 'code',
      client_id: stage.provider.settings.clientId,
      redirect_uri: `${stage.app.origin}/auth/callback/test`,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    })
    expect(state).to.match(random)
    expect(nonce).to.match(random)
    expect(challenge).to.match(random)
    expect(new Set([state, nonce, challenge]).size).to.equal(3)
  })

  it('ST-15 creates fresh values for each attempt', async () => {
    const seen = new Set<string>()
    for (let attempt = 0; attempt < 3; attempt++) {
      const { searchParams } = new URL(await stage.begin())
      for (const name of ['state', 'nonce', 'code_challenge']) seen.add(searchParams.get(name) ?? '')
    }
    expect(seen.size).to.equal(9)
  })

  it('ST-08 ST-15 sends a verifier of 256 bits whose hash is the challenge, and the same redirect URI', async () => {
    const url = await stage.begin()
    await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(url)))
    const [token] = stage.provider.requests.filter(({ path }) => path === '/token')
    expect(token?.body.code_verifier).to.match(random)
    const challenge = createHash('sha256')
      .update(token?.body.code_verifier ?? '')
      .digest('base64url')
    const asked = new URL(url).searchParams
    expect(challenge).to.equal(asked.get('code_challenge'))
    expect(token?.body.redirect_uri).to.equal(asked.get('redirect_uri'))
    expect(token?.body.grant_type).to.equal('authorization_code')
  })

  it('ST-09 uses S256 even if the provider lists only plain', async () => {
    stage.provider.discovery.code_challenge_methods_supported = ['plain']
    expect(new URL(await stage.begin()).searchParams.get('code_challenge_method')).to.equal('S256')
  })

  it('ST-11 keeps state and nonce without PKCE for `checks: ["none"]`, and warns', async () => {
    await stage.restart({ checks: ['none'] })
    expect(stage.app.log.warnings.map(({ code }) => code)).to.include('checks-none')
    const url = await stage.begin()
    const { searchParams } = new URL(url)
    expect(searchParams.get('state')).to.match(random)
    expect(searchParams.get('nonce')).to.match(random)
    expect(searchParams.has('code_challenge')).to.equal(false)
    await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(url)))
    expect(stage.provider.requests.find(({ path }) => path === '/token')?.body).not.to.have.property('code_verifier')
  })

  it("adds the provider's own parameters, objects as JSON, and keeps those of the endpoint's URL", async () => {
    stage.provider.discovery.authorization_endpoint = `${stage.provider.issuer}/authorize?tenant=a%20b`
    const claims = { userinfo: { email: { essential: true } } }
    await stage.restart({ authorization: { params: { scope: 'openid', audience: 'api', claims, skip: undefined } } })
    const { searchParams } = new URL(await stage.begin())
    expect(searchParams.get('scope')).to.equal('openid')
    expect(searchParams.get('audience')).to.equal('api')
    expect(searchParams.get('tenant')).to.equal('a b')
    expect(JSON.parse(searchParams.get('claims') ?? '')).to.deep.equal(claims)
    expect(searchParams.has('skip')).to.equal(false)
  })

  it("sends each parameter of the endpoint's own URL once, and its own values instead of those (RFC 6749 §3.1)", async () => {
    const query = 'tenant=a&tenant=b&scope=openid&prompt=consent&client_id=x&response_type=token&state=s&redirect_uri=x'
    const expectOnce = async () => {
      const { searchParams } = new URL(await stage.begin('test', '?prompt=login'))
      for (const name of new Set(searchParams.keys())) {
        expect(searchParams.getAll(name), name).to.have.length(name === 'tenant' ? 2 : 1)
      }
      expect(searchParams.getAll('tenant')).to.deep.equal(['a', 'b'])
      expect(searchParams.get('client_id')).to.equal(stage.provider.settings.clientId)
      expect(searchParams.get('redirect_uri')).to.equal(`${stage.app.origin}/auth/callback/test`)
      expect(searchParams.get('response_type')).to.equal('code')
      expect(searchParams.get('state')).to.match(random)
      return searchParams
    }
    stage.provider.discovery.authorization_endpoint = `${stage.provider.issuer}/authorize?${query}`
    await stage.restart()
    // A discovered URL does not show that the developer set it.
    expect((await expectOnce()).get('prompt')).to.equal('login')
    for (const authorization of [
      `${stage.provider.issuer}/authorize?${query}`,
      { url: `${stage.provider.issuer}/authorize?${query}` },
    ]) {
      await stage.restart({ authorization })
      const params = await expectOnce()
      expect([params.get('prompt'), params.get('scope')]).to.deep.equal(['consent', 'openid'])
    }
  })

  it("does not let the provider's own parameters replace the protocol's", async () => {
    const params = { client_id: 'x', redirect_uri: 'https://evil.test', response_type: 'token', state: 's', nonce: 'n' }
    await stage.restart({ authorization: { params: { ...params, code_challenge: 'c' } } })
    const { searchParams } = new URL(await stage.begin())
    expect(searchParams.get('client_id')).to.equal(stage.provider.settings.clientId)
    expect(searchParams.get('redirect_uri')).to.equal(`${stage.app.origin}/auth/callback/test`)
    expect(searchParams.get('response_type')).to.equal('code')
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)).to.match(random)
  })

  it("passes on the browser's harmless parameters", async () => {
    const asked = {
      prompt: 'login',
      login_hint: 'a+b@example.com',
      ui_locales: 'de',
      acr_values: 'gold',
      max_age: '60',
    }
    const { searchParams } = new URL(await stage.begin('test', `?${new URLSearchParams(asked)}`))
    for (const [name, value] of Object.entries(asked)) expect(searchParams.get(name), name).to.equal(value)
  })

  it('asks for the language of the page, if the site has languages, unless the request or the provider sets one', async () => {
    const i18n = { locales: ['en', 'de'], messages: { de } }
    const asked = async (query = '') => {
      const headers = { 'accept-language': 'de-AT' }
      const { csrfToken } = (await stage.browser.get('/auth/csrf')).body
      const answer = await stage.browser.post(`/auth/signin/test${query}`, { csrfToken }, headers)
      return new URL(target(answer)).searchParams.get('ui_locales')
    }
    expect(await asked()).to.equal(null)
    await stage.restart({}, { i18n })
    expect(await asked()).to.equal('de')
    expect(await asked('?ui_locales=fr')).to.equal('fr')
    await stage.restart({ authorization: { params: { ui_locales: 'nl' } } }, { i18n })
    expect(await asked()).to.equal('nl')
    await stage.restart({ type: 'oauth' }, { i18n })
    expect(await asked()).to.equal(null)
  })

  it("passes on the additional parameters that the provider's object allows", async () => {
    await stage.restart({ authorization: { params: { scope: 'openid' }, allowedParams: ['hd'] } })
    const { searchParams } = new URL(await stage.begin('test', '?hd=example.com&other=x'))
    expect(searchParams.get('hd')).to.equal('example.com')
    expect(searchParams.has('other')).to.equal(false)
  })

  const forged = {
    client_id: 'evil',
    redirect_uri: 'https://evil.test/',
    response_type: 'token',
    response_mode: 'fragment',
    scope: 'admin',
    state: 'fixed',
    nonce: 'fixed',
    code_challenge: 'fixed',
    code_challenge_method: 'plain',
    request: 'e30.e30.',
    request_uri: 'https://evil.test/request',
    claims: '{}',
    audience: 'evil',
    resource: 'https://evil.test/',
  }

  it("ST-14 ignores every other parameter of the browser's query", async () => {
    const { searchParams } = new URL(await stage.begin('test', `?${new URLSearchParams(forged)}`))
    const plain = new URL(await stage.begin()).searchParams
    expect([...searchParams.keys()].sort()).to.deep.equal([...plain.keys()].sort())
    for (const [name, value] of Object.entries(forged)) expect(searchParams.get(name), name).not.to.equal(value)
  })

  it("ST-14 ignores the protocol's own even if the provider's object allows them", async () => {
    const protocol = Object.keys(forged).filter((name) => !['scope', 'audience', 'resource'].includes(name))
    await stage.restart({ authorization: { allowedParams: protocol } })
    const { searchParams } = new URL(await stage.begin('test', `?${new URLSearchParams(forged)}`))
    for (const name of protocol) expect(searchParams.get(name), name).not.to.equal(forged[name as keyof typeof forged])
  })

  it('ST-14 ignores parameters in the body', async () => {
    const response = await stage.browser.submit('/auth/signin/test', {
      prompt: 'none',
      scope: 'admin',
      login_hint: 'x',
    })
    const { searchParams } = new URL(target(response))
    expect(searchParams.get('scope')).to.equal('openid profile email')
    expect(searchParams.has('prompt')).to.equal(false)
    expect(searchParams.has('login_hint')).to.equal(false)
  })

  it('leaves out overlong and empty parameters, and takes the first of two', async () => {
    const query = `?login_hint=${'x'.repeat(513)}&ui_locales=&prompt=login&prompt=none`
    const { searchParams } = new URL(await stage.begin('test', query))
    expect(searchParams.has('login_hint')).to.equal(false)
    expect(searchParams.has('ui_locales')).to.equal(false)
    expect(searchParams.getAll('prompt')).to.deep.equal(['login'])
  })

  it('ignores a max_age that is no number, and never lets a browser extend the configured one', async () => {
    const ask = async (query: string) => new URL(await stage.begin('test', query)).searchParams.get('max_age')
    expect(await ask('?max_age=-1')).to.equal(null)
    expect(await ask('?max_age=junk')).to.equal(null)
    await stage.restart({ authorization: { params: { max_age: 300 } } })
    expect(await ask('')).to.equal('300')
    expect(await ask('?max_age=100')).to.equal('100')
    expect(await ask('?max_age=100000')).to.equal('300')
    expect(await ask('?max_age=junk')).to.equal('300')
  })

  it('keeps the attempt in one cookie for our own path only', async () => {
    const response = await stage.browser.submit('/auth/signin/test')
    const lines = setCookies(response).filter((line) => line.includes('auth.transaction'))
    expect(lines).to.have.length(1)
    const [pair, ...attributes] = lines[0]?.split('; ') ?? []
    expect(pair).to.match(/^auth\.transaction\.0=/)
    expect(attributes.filter((each) => !each.startsWith('Expires='))).to.have.members([
      'Max-Age=900',
      'Path=/auth',
      'HttpOnly',
      'SameSite=Lax',
    ])
  })

  it('has no readable value of the attempt in the cookie', async () => {
    const { searchParams } = new URL(await stage.begin())
    const value = stage.browser.cookies.get('auth.transaction.0') ?? ''
    const clear = value + value.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
    for (const name of ['state', 'nonce', 'redirect_uri']) expect(clear).not.to.include(searchParams.get(name))
  })
})
