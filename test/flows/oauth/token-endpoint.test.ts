/** The token request and its possible answers (RFC 6749 §2.3, §4.1.3, §5). */
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { exportJWK, generateKeyPair } from 'jose'
import { startApp, target } from '../../support/app.js'
import type { Reply, TokenAnswer } from '../../support/hostile-provider.js'
import { startOpenIdProvider, type TestClient } from '../../support/openid-provider.js'
import { rejectionOf } from '../../support/rejection.js'
import { useStage } from './stage.js'

describe('token endpoint', () => {
  const stage = useStage()

  async function goodTokens(body: Parameters<TokenAnswer>[0]): Promise<Record<string, unknown>> {
    return (await stage.provider.tokens(body)).body as Record<string, unknown>
  }

  /** Returns a correct answer with changed fields. `undefined` drops one. */
  function changed(changes: object): TokenAnswer {
    return async (body) => ({ body: { ...(await goodTokens(body)), ...changes } })
  }

  async function accountOf() {
    await stage.expectSignedIn(await stage.signIn())
    return stage.signedIn[0]?.account
  }

  describe('OA-01 answers that sign no user in', () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, ' '))
    const refused: ReadonlyArray<[what: string, reason: RegExp, reply: () => Reply]> = [
      ['200 with an error', /answered with an error: invalid_grant/, () => ({ body: { error: 'invalid_grant' } })],
      [
        '200 with an error and a description',
        /answered with an error: invalid_grant \(used before\)/,
        () => ({ body: { error: 'invalid_grant', error_description: 'used before' } }),
      ],
      [
        '200 with a form-encoded error',
        /answered with an error: bad_verification_code/,
        () => ({
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'error=bad_verification_code&error_description=used',
        }),
      ],
      ['400 with an error', /answered with an error: x/, () => ({ status: 400, body: { error: 'x' } })],
      [
        '401 with a challenge',
        /the provider rejected the client \(invalid_client\): check `clientId`/,
        () => ({ status: 401, headers: { 'www-authenticate': 'Basic realm="x", error="invalid_client"' } }),
      ],
      ['200 HTML', /NOT_JSON/, () => ({ headers: { 'content-type': 'text/html' }, body: '<html></html>' })],
      ['200 HTML that says it is JSON', /not valid JSON/, () => ({ body: '<html></html>' })],
      ['200 and nothing', /not valid JSON/, () => ({ body: '' })],
      ['204', /unexpected HTTP response status/, () => ({ status: 204 })],
      ['an array', /top level object/, () => ({ body: [] })],
      ['null', /top level object/, () => ({ body: 'null' })],
      ['text', /top level object/, () => ({ body: '"token"' })],
      ['an empty object', /"access_token"/, () => ({ body: {} })],
      ['500', /unexpected HTTP response status/, () => ({ status: 500, body: 'oops' })],
      ['500 with tokens', /unexpected HTTP response status/, () => ({ status: 500, body: { access_token: 'x' } })],
      ['a body of 2 MiB', /longer than/, () => ({ body: `{"a":"${'x'.repeat(2 * 1024 * 1024)}"}` })],
      ['a body that never ends', /longer than/, () => ({ body: '{', endless: true })],
      ['a gzip bomb', /longer than/, () => ({ headers: { 'content-encoding': 'gzip' }, body: bomb })],
      [
        'a broken gzip',
        /terminated|incorrect header|not valid/i,
        () => ({ headers: { 'content-encoding': 'gzip' }, body: 'x' }),
      ],
      ['a cut connection', /fetch failed/, () => ({ reset: true })],
    ]
    for (const [what, reason, reply] of refused) {
      it(what, async () => {
        stage.provider.onToken = reply
        await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', reason)
        expect(stage.provider.count('/token')).to.equal(1)
      })
    }

    for (const status of [301, 302, 303, 307, 308]) {
      it(`SF-04 a redirect with ${status}, which is not followed`, async () => {
        stage.provider.routes.set('/evil', (request) => stage.provider.onToken(request.body, request))
        stage.provider.onToken = () => ({ status, headers: { location: `${stage.provider.origin}/evil` } })
        await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /unexpected HTTP response status/)
        expect(stage.provider.count('/evil')).to.equal(0)
      })
    }

    for (const [what, reply] of [
      ['no answer', { delay: 60_000 }],
      ['headers and then nothing', { bodyDelay: 60_000 }],
    ] as const) {
      it(`${what} within the configured time`, async () => {
        await stage.restart({}, { timeout: 0.5 })
        stage.provider.onToken = () => reply
        await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /TimeoutError/)
      })
    }
  })

  describe('fields', () => {
    for (const [what, changes, reason] of [
      ['token_type mac', { token_type: 'mac' }, /token_type/],
      ['no token_type', { token_type: undefined }, /"token_type"/],
      ['a token_type that is a number', { token_type: 7 }, /"token_type"/],
      ['no access_token', { access_token: undefined }, /"access_token"/],
      ['an empty access_token', { access_token: '' }, /"access_token"/],
      ['an access_token that is an object', { access_token: {} }, /"access_token"/],
      ['a negative expires_in', { expires_in: -1 }, /"expires_in"/],
      ['an expires_in that is no number', { expires_in: 'NaN' }, /"expires_in"/],
    ] as const) {
      it(`OA-02 rejects ${what}`, async () => {
        stage.provider.onToken = changed(changes)
        await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', reason)
      })
    }

    it('lower-cases token_type', async () => {
      stage.provider.onToken = changed({ token_type: 'BEARER' })
      expect(await accountOf()).to.have.property('token_type', 'bearer')
    })

    it('calculates expires_at from expires_in, as number or as text', async () => {
      for (const expiresIn of [3600, '3600']) {
        await stage.restart()
        stage.provider.onToken = changed({ expires_in: expiresIn })
        const before = Math.floor(Date.now() / 1000)
        const account = await accountOf()
        expect(account?.expires_in).to.equal(3600)
        expect(account?.expires_at).to.be.within(before + 3600, Math.floor(Date.now() / 1000) + 3600)
      }
    })

    it('OA-02 stores no expiry if it is missing, or if no date can represent it', async () => {
      for (const expiresIn of [undefined, 1e99]) {
        await stage.restart()
        stage.provider.onToken = changed({ expires_in: expiresIn })
        const account = await accountOf()
        expect(account).not.to.have.any.keys('expires_at', 'expires_in')
      }
    })

    it('gives the callbacks the whole answer, which cannot replace any of our fields', async () => {
      const forged = { provider: 'evil', type: 'email', providerAccountId: 'victim', expires_at: 1, custom: 'kept' }
      stage.provider.onToken = changed({ ...forged, expires_in: 60, refresh_token: 'refresh', scope: 'openid' })
      const account = await accountOf()
      expect(account).to.have.all.keys(
        ...['access_token', 'custom', 'expires_at', 'expires_in', 'id_token', 'provider', 'providerAccountId'],
        ...['refresh_token', 'scope', 'token_type', 'type'],
      )
      const { provider, type, providerAccountId, custom }: Record<string, unknown> = { ...account }
      const own = { provider: 'test', type: 'oidc', providerAccountId: 'person-1', custom: 'kept' }
      expect({ provider, type, providerAccountId, custom }).to.deep.equal(own)
      expect(account?.expires_at).to.be.above(Date.now() / 1000)
    })

    it('OA-11 keeps tokens out of the session', async () => {
      await stage.expectSignedIn(await stage.signIn())
      const text = JSON.stringify(await stage.browser.session())
      for (const name of ['access_token', 'id_token'] as const) {
        const token = stage.signedIn[0]?.account?.[name]
        expect(token).to.be.a('string')
        expect(text).not.to.include(token)
      }
    })
  })

  describe('client authentication', () => {
    const tokenRequest = () => stage.provider.requests.find(({ path }) => path === '/token')

    for (const [id, password, expected] of [
      ['hostile-client', 'plain_secret.x', 'hostile-client:plain_secret.x'],
      ['id:+% é', 'a:b+c%d e/ü&=?', 'id%3A%2B%25+%C3%A9:a%3Ab%2Bc%25d+e%2F%C3%BC%26%3D%3F'],
    ] as const) {
      it(`OA-08 is Basic by default, with ${id} form-encoded`, async () => {
        await stage.restart({ clientId: id, clientSecret: password })
        await stage.expectSignedIn(await stage.signIn())
        const [scheme, credentials = ''] = tokenRequest()?.headers.authorization?.split(' ') ?? []
        expect(scheme).to.equal('Basic')
        expect(Buffer.from(credentials, 'base64').toString()).to.equal(expected)
        expect(tokenRequest()?.body).not.to.have.any.keys('client_secret', 'client_id')
      })
    }

    it('OA-08 never puts the secret into a URL', async () => {
      await stage.restart({ client: { token_endpoint_auth_method: 'client_secret_post' } })
      const url = await stage.begin()
      await stage.browser.get(stage.provider.authorize(url))
      const { clientSecret } = stage.provider.settings
      expect(url).not.to.include(clientSecret)
      expect(tokenRequest()?.body.client_secret).to.equal(clientSecret)
      expect(tokenRequest()?.headers).not.to.have.property('authorization')
      for (const { query } of stage.provider.requests) expect(query.toString()).not.to.include(clientSecret)
    })

    it("sends the provider object's own parameters, but does not replace the protocol's", async () => {
      const params = { audience: 'api', code: 'evil', redirect_uri: 'https://evil.test', grant_type: 'password' }
      await stage.restart({ token: { params } })
      await stage.expectSignedIn(await stage.signIn())
      const { audience, grant_type: grantType, redirect_uri: redirectUri } = tokenRequest()?.body ?? {}
      expect([audience, grantType, redirectUri]).to.deep.equal([
        'api',
        'authorization_code',
        `${stage.app.origin}/auth/callback/test`,
      ])
    })

    it('names the missing option at construction if the method needs a secret', async () => {
      for (const method of ['client_secret_basic', 'client_secret_post', 'client_secret_jwt']) {
        const client = { token_endpoint_auth_method: method }
        const { message } = await rejectionOf(stage.restart({ clientSecret: undefined, client }))
        expect(message).to.include(`${method} needs \`clientSecret\`, or AUTH_TEST_SECRET`)
      }
    })

    describe('at a real provider', () => {
      it('works by every method', async () => {
        const { privateKey, publicKey } = await generateKeyPair('RS256')
        const key = { ...(await exportJWK(publicKey)), kid: 'client-key', alg: 'RS256', use: 'sig' }
        const clientSecret = 'a:secret+with%odd characters/of-more-than_32.'
        const methods = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt'] as const
        const clients: TestClient[] = [
          ...methods.map((authMethod) => ({ clientId: `id-of_${authMethod}.x`, clientSecret, authMethod })),
          { clientId: 'public', authMethod: 'none' },
          { clientId: 'with-key', authMethod: 'private_key_jwt', jwks: { keys: [key] } },
        ]
        const provider = await startOpenIdProvider({ clients })
        const app = await startApp({
          providers: clients.map(({ clientId, authMethod = 'none' }) => ({
            id: authMethod,
            name: authMethod,
            type: 'oidc' as const,
            ...provider.settings(clientId),
            client: { token_endpoint_auth_method: authMethod },
            ...(authMethod === 'private_key_jwt' && {
              token: { clientPrivateKey: { key: privateKey, kid: 'client-key' } },
            }),
          })),
        })
        try {
          for (const { authMethod } of clients) {
            const browser = app.browser()
            const start = await browser.submit(`/auth/signin/${authMethod}`)
            const end = await browser.get(await provider.signInAs(target(start), 'alice'))
            expect(
              app.log.errors.map(({ message }) => message),
              authMethod,
            ).to.deep.equal([])
            expect(target(end), authMethod).to.equal(`${app.origin}/`)
            expect(await browser.session(), authMethod).to.have.property('user')
          }
        } finally {
          await app.close()
          await provider.close()
        }
      })

      it('is rejected with a wrong secret', async () => {
        const provider = await startOpenIdProvider()
        const settings = { ...provider.settings(), clientSecret: 'wrong' }
        const app = await startApp({ providers: [{ id: 'test', name: 'Test', type: 'oidc', ...settings }] })
        const browser = app.browser()
        const start = await browser.submit('/auth/signin/test')
        const end = await browser.get(await provider.signInAs(target(start), 'alice'))
        await Promise.all([app.close(), provider.close()])
        expect(target(end)).to.equal(`${app.origin}/auth/signin?error=OAuthCallbackError`)
        expect(browser.cookies.has('auth.session-token')).to.equal(false)
      })

      it('uses a code once: the provider rejects a code that we do not', async () => {
        const provider = await startOpenIdProvider()
        const app = await startApp({ providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.settings() }] })
        const browser = app.browser()
        const first = await provider.signInAs(target(await browser.submit('/auth/signin/test')), 'alice')
        await browser.get(first)
        const second = new URL(await provider.signInAs(target(await browser.submit('/auth/signin/test')), 'alice'))
        second.searchParams.set('code', new URL(first).searchParams.get('code') ?? '')
        const end = await browser.get(second.href)
        await Promise.all([app.close(), provider.close()])
        expect(target(end)).to.equal(`${app.origin}/auth/signin?error=OAuthCallbackError`)
        expect(app.log.errors.at(-1)?.message).to.include('invalid_grant')
      })
    })
  })

  describe('hook token.conform', () => {
    it('corrects an answer', async () => {
      await stage.restart({
        token: {
          conform: async (response: Response) => {
            const { data } = (await response.json()) as { data: object }
            return Response.json({ token_type: 'bearer', ...data })
          },
        },
      })
      stage.provider.onToken = async (body) => {
        const { token_type: _missing, ...data } = await goodTokens(body)
        return { body: { data } }
      }
      expect(await accountOf()).to.have.property('token_type', 'bearer')
    })

    it('that returns nothing leaves the answer as it is, read or not', async () => {
      for (const conform of [() => undefined, async (response: Response) => void (await response.text())]) {
        await stage.restart({ token: { conform } })
        await accountOf()
      }
    })

    it('that throws signs no user in', async () => {
      const conform = () => {
        throw new Error('conform failed')
      }
      await stage.restart({ token: { conform } })
      await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /conform failed/)
    })

    it('cannot make an unsigned token valid', async () => {
      await stage.restart({
        token: { conform: () => Response.json({ access_token: 'x', token_type: 'bearer', id_token: 'a.b.c' }) },
      })
      await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /JWT/)
    })
  })

  describe('hook token.request', () => {
    it('exchanges the code in its own way, with our fetch', async () => {
      const seen: unknown[] = []
      stage.provider.routes.set('/special', (request) => stage.provider.onToken(request.body, request))
      await stage.restart({
        token: {
          request: async (context: {
            params: Record<string, string>
            provider: { id: string; clientId: string }
            fetch: typeof fetch
          }) => {
            seen.push(context.params, context.provider.id, context.provider.clientId)
            const body = new URLSearchParams(context.params)
            const response = await context.fetch(`${stage.provider.issuer}/special`, { method: 'POST', body })
            return { tokens: await response.json() }
          },
        },
      })
      const callback = stage.provider.authorize(await stage.begin())
      await stage.expectSignedIn(await stage.browser.get(callback))
      const [params, id, clientId] = seen as [Record<string, string>, string, string]
      expect(params).to.have.all.keys('code', 'redirect_uri', 'code_verifier')
      expect(params.code).to.equal(new URL(callback).searchParams.get('code'))
      expect(params.redirect_uri).to.equal(`${stage.app.origin}/auth/callback/test`)
      expect([id, clientId]).to.deep.equal(['test', 'hostile-client'])
      expect([stage.provider.count('/special'), stage.provider.count('/token')]).to.deep.equal([1, 0])
    })

    it('that throws, or returns nothing, signs no user in', async () => {
      for (const [request, reason] of [
        [() => Promise.reject(new Error('request failed')), /request failed/],
        [() => undefined, /"access_token"/],
      ] as const) {
        await stage.restart({ token: { request } })
        await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', reason)
      }
    })

    it("has a fetch that follows no redirect and calls no other host's http", async () => {
      const seen: unknown[] = []
      stage.provider.routes.set('/redirect', () => ({ status: 302, headers: { location: '/elsewhere' } }))
      await stage.restart({
        token: {
          request: async ({ fetch }: { fetch: typeof globalThis.fetch }) => {
            seen.push((await fetch(`${stage.provider.issuer}/redirect`, { redirect: 'follow' })).status)
            seen.push(await fetch('http://169.254.169.254/').catch((error: Error) => error.message))
            throw new Error('enough')
          },
        },
      })
      await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', /enough/)
      expect(seen[0]).to.equal(302)
      expect(seen[1]).to.match(/not https/)
      expect(stage.provider.count('/elsewhere')).to.equal(0)
    })
  })
})
