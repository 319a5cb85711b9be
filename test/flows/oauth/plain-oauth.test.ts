/** Providers of plain OAuth 2.0 (RFC 6749): no id_token, the profile comes from their own endpoint. */
import { expect } from 'chai'
import { target } from '../../support/app.js'
import type { Reply } from '../../support/hostile-provider.js'
import { useStage } from './stage.js'

describe('provider of type oauth', () => {
  const stage = useStage()

  beforeEach(async () => {
    stage.provider.person = { id: 4711, name: 'Octo Cat', email: 'Octo@Example.com' }
    stage.provider.onToken = () => ({ body: { access_token: 'gho_token', token_type: 'bearer', scope: 'read' } })
    await start()
  })

  function start(options: object = {}) {
    const { issuer } = stage.provider
    return stage.restart({
      type: 'oauth',
      issuer: undefined,
      authorization: `${issuer}/authorize`,
      token: `${issuer}/token`,
      userinfo: `${issuer}/userinfo`,
      ...options,
    })
  }

  /** Signs in without `iss`, because such a provider does not know RFC 9207. */
  const signIn = () => stage.signIn({ iss: null })

  it('signs in with two requests, and no discovery', async () => {
    await stage.expectSignedIn(await signIn())
    expect(stage.provider.requests.map(({ path }) => path)).to.deep.equal(['/token', '/userinfo'])
    const [told] = stage.signedIn
    expect(told?.user).to.include({ name: 'Octo Cat', email: 'octo@example.com' })
    expect(told?.account).to.deep.equal({
      access_token: 'gho_token',
      token_type: 'bearer',
      scope: 'read',
      provider: 'test',
      type: 'oauth',
      providerAccountId: '4711',
    })
    expect(told?.profile).to.deep.equal(stage.provider.person)
    expect(stage.provider.requests[1]?.headers.authorization).to.equal('Bearer gho_token')
  })

  it("sends the provider's own response type, but none that puts tokens into a URL", async () => {
    for (const [own, sent] of [
      ['Assertion', 'Assertion'],
      ['token', 'code'],
      ['code id_token', 'code'],
    ]) {
      await start({ authorization: { url: `${stage.provider.issuer}/authorize`, params: { response_type: own } } })
      expect(new URL(await stage.begin()).searchParams.getAll('response_type')).to.deep.equal([sent])
    }
  })

  it('sends state and PKCE, and only a configured scope or nonce', async () => {
    const {
      state,
      code_challenge: challenge,
      ...others
    } = Object.fromEntries(new URL(await stage.begin()).searchParams)
    expect(state).to.match(/^[\w-]{43}$/)
    expect(challenge).to.match(/^[\w-]{43}$/)
    expect(others).to.deep.equal({
      response_type: 'code',
      client_id: 'hostile-client',
      redirect_uri: `${stage.app.origin}/auth/callback/test`,
      code_challenge_method: 'S256',
    })
  })

  it('ST-08 sends the verifier to the token endpoint, and requires the state', async () => {
    await stage.expectSignedIn(await signIn())
    expect(stage.provider.requests[0]?.body.code_verifier).to.match(/^[\w-]{43}$/)
    await start()
    await stage.expectRefused(await stage.signIn({ iss: null, state: 'x' }), 'InvalidCheck', /no open sign-in/)
  })

  it('reads form-encoded token answers', async () => {
    stage.provider.onToken = () => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: 'access_token=gho_form&token_type=Bearer&scope=a%20b&expires_in=60',
    })
    await stage.expectSignedIn(await signIn())
    const { expires_at: expiresAt, ...account } = stage.signedIn[0]?.account ?? {}
    expect(account).to.include({ access_token: 'gho_form', token_type: 'bearer', scope: 'a b', expires_in: 60 })
    expect(expiresAt).to.be.closeTo(Date.now() / 1000 + 60, 5)
  })

  for (const type of [
    'application/json',
    'text/plain',
    'text/html; charset=utf-8',
    'application/x-www-form-urlencoded',
  ]) {
    it(`drops an id_token that was not requested and not verified, from ${type}`, async () => {
      const idToken = await stage.provider.signIdToken({ sub: 'forged' }, { alg: 'none' })
      const tokens = { access_token: 'x-token', token_type: 'bearer', id_token: idToken }
      const isForm = type.includes('form')
      const body = isForm ? new URLSearchParams(tokens).toString() : tokens
      stage.provider.onToken = () => ({ headers: { 'content-type': type }, body })
      await stage.expectSignedIn(await signIn())
      expect(stage.signedIn[0]?.account).not.to.have.property('id_token')
      expect(stage.signedIn[0]?.account?.providerAccountId).to.equal('4711')
    })
  }

  it('adds the parameters of the endpoints', async () => {
    await start({
      authorization: {
        url: `${stage.provider.issuer}/authorize`,
        params: { scope: 'read:user', access_type: 'offline' },
      },
      userinfo: { url: `${stage.provider.issuer}/userinfo?v=1`, params: { fields: 'id,name' } },
    })
    const url = await stage.begin()
    expect(new URL(url).searchParams.get('scope')).to.equal('read:user')
    expect(new URL(url).searchParams.get('access_type')).to.equal('offline')
    await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(url, { iss: null })))
    const asked = stage.provider.requests.find(({ path }) => path === '/userinfo')?.query.toString()
    expect(asked).to.equal('v=1&fields=id%2Cname')
  })

  it('accepts a hook for the profile instead of an endpoint', async () => {
    await start({
      userinfo: {
        request: async ({ fetch, tokens }: { fetch: typeof globalThis.fetch; tokens: { access_token: string } }) => {
          const headers = { authorization: `Bearer ${tokens.access_token}` }
          const read = async (path: string) => (await fetch(stage.provider.issuer + path, { headers })).json()
          const user = (await read('/userinfo')) as object
          const emails = (await read('/emails')) as Array<{ email: string }>
          return { ...user, email: emails[0]?.email }
        },
      },
    })
    stage.provider.routes.set('/emails', () => ({ body: [{ email: 'primary@example.com' }] }))
    await stage.expectSignedIn(await signIn())
    expect(stage.signedIn[0]?.user.email).to.equal('primary@example.com')
  })

  it('accepts hooks for token and profile, without URLs', async () => {
    await start({
      token: { request: () => ({ tokens: { access_token: 'from-hook' } }) },
      userinfo: { request: ({ tokens }: { tokens: object }) => ({ id: 'x', ...tokens }) },
    })
    await stage.expectSignedIn(await signIn())
    expect(stage.provider.requests).to.deep.equal([])
    expect(stage.signedIn[0]?.account).to.include({ access_token: 'from-hook', token_type: 'bearer' })
  })

  const badProfiles: ReadonlyArray<[what: string, reason: RegExp, reply: () => Reply]> = [
    ['500', /answered with status 500/, () => ({ status: 500, body: { id: 1 } })],
    ['201', /answered with status 201/, () => ({ status: 201, body: { id: 1 } })],
    ['a redirect', /answered with status 302/, () => ({ status: 302, headers: { location: '/elsewhere' } })],
    ['a challenge', /WWW_AUTHENTICATE/, () => ({ status: 401, headers: { 'www-authenticate': 'Bearer' } })],
    ['HTML', /not valid JSON/, () => ({ body: '<html>' })],
    ['an array', /not a JSON object/, () => ({ body: [{ id: 1 }] })],
    ['null', /not a JSON object/, () => ({ body: 'null' })],
    ['2 MiB', /longer than/, () => ({ body: ' '.repeat(2 * 1024 * 1024) })],
    ['a body that never ends', /longer than/, () => ({ body: '{', endless: true })],
    ['a cut connection', /fetch failed/, () => ({ reset: true })],
  ]
  for (const [what, reason, reply] of badProfiles) {
    it(`rejects ${what} of the userinfo endpoint`, async () => {
      stage.provider.onUserinfo = reply
      await stage.expectRefused(await signIn(), 'OAuthCallbackError', reason)
      expect(stage.provider.count('/elsewhere')).to.equal(0)
    })
  }

  it('rejects a profile without an id', async () => {
    stage.provider.person = { name: 'Nobody' }
    await stage.expectRefused(await signIn(), 'OAuthProfileParseError', /must return an `id`/)
  })

  it('rejects an error with status 200, in every encoding', async () => {
    for (const reply of [
      { body: { error: 'bad_verification_code' } },
      { headers: { 'content-type': 'text/html' }, body: '{"error":"bad_verification_code"}' },
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'error=bad_verification_code' },
    ]) {
      await start()
      stage.provider.requests.length = 0
      stage.provider.onToken = () => reply
      await stage.expectRefused(await signIn(), 'OAuthCallbackError', /bad_verification_code/)
      expect(stage.provider.count('/userinfo')).to.equal(0)
    }
  })

  it('compares `iss` if the provider has an issuer', async () => {
    await start({ issuer: stage.provider.issuer })
    await stage.expectSignedIn(await stage.signIn())
    await start({ issuer: stage.provider.issuer })
    await stage.expectRefused(await stage.signIn({ iss: 'https://evil.test' }), 'OAuthCallbackError', /"iss"/)
  })

  it('is discovered if only its issuer is configured', async () => {
    await start({ issuer: stage.provider.issuer, authorization: undefined, token: undefined, userinfo: undefined })
    await stage.expectSignedIn(await stage.signIn())
    expect(stage.provider.requests.map(({ path }) => path)).to.deep.equal([
      '/.well-known/openid-configuration',
      '/token',
      '/userinfo',
    ])
  })

  it('warns for `checks: ["none"]`, and still requires state and attempt', async () => {
    await start({ checks: ['none'] })
    expect(stage.app.log.warnings.map(({ code }) => code)).to.include('checks-none')
    const callback = stage.provider.authorize(await stage.begin(), { iss: null })
    const attempt = new Map(stage.browser.cookies)
    stage.newBrowser()
    expect(target(await stage.browser.get(callback))).to.match(/error=InvalidCheck$/)
    expect(stage.provider.requests).to.deep.equal([])
    for (const [name, value] of attempt) stage.browser.cookies.set(name, value)
    expect(target(await stage.browser.get(callback))).to.equal(`${stage.app.origin}/welcome`)
    expect(stage.provider.requests[0]?.body).not.to.have.property('code_verifier')
  })
})
