/** A preview deployment uses the redirect URI of a stable one. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { readEnv } from '../../../lib/base/env.js'
import { resolveConfig } from '../../../lib/config/resolve.js'
import type { ServerAuthConfig } from '../../../lib/index.js'
import { createApp, createLog, secret, startApp, type TestApp, target } from '../../support/app.js'
import { type OpenIdProvider, startOpenIdProvider } from '../../support/openid-provider.js'

describe('redirectProxyUrl', () => {
  let provider: OpenIdProvider
  let stable: Deployment
  let preview: TestApp
  const closing: Array<() => Promise<unknown>> = []

  beforeEach(async () => {
    provider = await startOpenIdProvider()
    stable = await startDeployment()
    preview = await startApp({ providers: [company()], redirectProxyUrl: `${stable.origin}/auth` })
    stable.use({ redirectProxyOrigins: [preview.origin] })
    closing.push(provider.close, stable.close, preview.close)
  })
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

  const company = () => ({ id: 'test', name: 'Test', type: 'oidc' as const, ...provider.settings() })

  /** A server whose application can be changed: its port must be known before its configuration. */
  interface Deployment {
    readonly origin: string
    use(config: Partial<ServerAuthConfig>): void
    close(): Promise<unknown>
  }
  async function startDeployment(): Promise<Deployment> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      use: (config) => {
        const { port } = server.address() as AddressInfo
        process.env.AUTH_URL = `http://127.0.0.1:${port}`
        const app = createApp({ secret, providers: [company()], logger: createLog().logger, ...config })
        delete process.env.AUTH_URL
        server.removeAllListeners('request').on('request', app)
      },
      close: () => new Promise((resolve) => server.close(resolve)),
    }
  }

  async function startOnPreview() {
    const browser = preview.browser()
    const start = await browser.submit('/auth/signin/test', { callbackUrl: '/profile' })
    return { browser, authorization: new URL(target(start)) }
  }
  async function stableAnswers(url: string) {
    const { pathname, search, origin } = new URL(url)
    expect(origin).to.equal(stable.origin)
    return fetch(stable.origin + pathname + search, { redirect: 'manual' })
  }

  it('signs in on the preview, over the redirect URI of the stable deployment', async () => {
    const { browser, authorization } = await startOnPreview()
    expect(authorization.searchParams.get('redirect_uri')).to.equal(`${stable.origin}/auth/callback/test`)
    const forwarded = await stableAnswers(await provider.signInAs(authorization.href, 'alice'))
    expect(forwarded.status).to.equal(302)
    expect(forwarded.headers.getSetCookie()).to.deep.equal([])
    const back = forwarded.headers.get('location') ?? ''
    expect(back.startsWith(`${preview.origin}/auth/callback/test?`)).to.equal(true)
    const end = await browser.get(back)
    expect(target(end)).to.equal(`${preview.origin}/profile`)
    expect(await browser.session()).to.have.nested.property('user.email', 'alice@example.com')
  })

  it('forwards an error of the provider too', async () => {
    const { browser, authorization } = await startOnPreview()
    const forwarded = await stableAnswers(await provider.refuse(authorization.href))
    const end = await browser.get(forwarded.headers.get('location') ?? '')
    expect(target(end)).to.contain('/auth/signin?error=OAuthCallbackError')
  })

  it('RD-22 sends nothing to an origin that its owner does not list', async () => {
    stable.use({ redirectProxyOrigins: ['https://other.example'] })
    const { authorization } = await startOnPreview()
    const answer = await stableAnswers(await provider.signInAs(authorization.href, 'alice'))
    expect(answer.headers.get('location')).to.equal(`${stable.origin}/auth/error?error=InvalidCheck`)
  })

  it('sends nothing anywhere by default', async () => {
    stable.use({})
    const { authorization } = await startOnPreview()
    const answer = await stableAnswers(await provider.signInAs(authorization.href, 'alice'))
    expect(answer.headers.get('location')).to.equal(`${stable.origin}/auth/error?error=InvalidCheck`)
  })

  it('RD-22 rejects a state that was sealed under another secret', async () => {
    stable.use({ secret: 'another-secret-of-more-than-32-characters', redirectProxyOrigins: [preview.origin] })
    const { authorization } = await startOnPreview()
    const answer = await stableAnswers(await provider.signInAs(authorization.href, 'alice'))
    expect(answer.headers.get('location')).to.equal(`${stable.origin}/auth/error?error=InvalidCheck`)
  })

  it('rejects a state of another provider', async () => {
    stable.use({ providers: [company(), { ...company(), id: 'second' }], redirectProxyOrigins: [preview.origin] })
    const { authorization } = await startOnPreview()
    const url = await provider.signInAs(authorization.href, 'alice')
    const answer = await stableAnswers(url.replace('/callback/test', '/callback/second'))
    expect(answer.headers.get('location')).to.equal(`${stable.origin}/auth/error?error=InvalidCheck`)
  })

  it('rejects a state after fifteen minutes', async () => {
    const { authorization } = await startOnPreview()
    const url = await provider.signInAs(authorization.href, 'alice')
    const { now } = Date
    Date.now = () => now() + 15 * 60 * 1000 + 1000
    try {
      const answer = await stableAnswers(url)
      expect(answer.headers.get('location')).to.equal(`${stable.origin}/auth/error?error=InvalidCheck`)
    } finally {
      Date.now = now
    }
  })

  it('signs in on the stable deployment itself as usual', async () => {
    stable.use({ redirectProxyUrl: `${stable.origin}/auth`, redirectProxyOrigins: [preview.origin] })
    const csrf = await fetch(`${stable.origin}/auth/csrf`)
    const cookies = csrf.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    const { csrfToken } = (await csrf.json()) as { csrfToken: string }
    const start = await fetch(`${stable.origin}/auth/signin/test`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: cookies.join('; ') },
      body: new URLSearchParams({ csrfToken }),
    })
    const jar = start.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    const url = await provider.signInAs(start.headers.get('location') ?? '', 'alice')
    const end = await fetch(url, { redirect: 'manual', headers: { cookie: jar.join('; ') } })
    expect(end.headers.get('location')).to.equal(`${stable.origin}/`)
    expect(end.headers.getSetCookie().join()).to.contain('auth.session-token=')
  })

  const https = {
    id: 'test',
    type: 'oidc' as const,
    issuer: 'https://op.example',
    name: 'Test',
    clientId: 'c',
    clientSecret: 's',
  }
  const construct = (config: object, env: Record<string, string> = { AUTH_URL: 'https://app.example' }) =>
    resolveConfig({ secret, logger: createLog().logger, providers: [https], ...config }, readEnv(env))
  const lend = (redirectProxyOrigins: unknown) => () => construct({ redirectProxyOrigins })

  it('accepts origins and one level of names, and rejects anything else at construction', () => {
    expect(lend(['https://a.example', 'https://*.preview.example', 'http://127.0.0.1:3000'])).not.to.throw()
    for (const wrong of [
      'https://a.example',
      ['https://a.example/path'],
      ['*'],
      ['https://*.com'],
      ['https://*'],
      ['https://*.*.example.com'],
      ['https://a.*.example.com'],
      ['https://a*'],
      ['*://a.example.com'],
      ['https://*.example.com/path'],
      ['https://*@a.example.com'],
      [1],
    ]) {
      expect(lend(wrong), JSON.stringify(wrong)).to.throw(/redirectProxyOrigins/)
    }
    expect(() => construct({ redirectProxyUrl: 'https://a.example' })).to.throw(/full URL of the routes/)
  })

  for (const shared of [
    'https://*.vercel.app',
    'https://*.netlify.app',
    'https://*.pages.dev',
    'https://*.herokuapp.com',
    'https://*.up.railway.app',
    'https://*.ngrok-free.app',
    'https://*.co.uk',
    'https://-*.vercel.app',
    'https://a*.vercel.app',
    'https://*.vercel.app:8443',
  ]) {
    it(`rejects ${shared}: anyone can register such a name`, () => {
      expect(lend([shared])).to.throw(/anyone can register a name below/)
    })
  }

  it('accepts a name before a shared domain, and sends to such names only', () => {
    const { forwardsTo } = lend([
      'https://*-my-team.vercel.app',
      'https://shop-*.netlify.app',
      'https://*.shop.pages.dev',
    ])()
    for (const own of [
      'https://shop-git-main-my-team.vercel.app',
      'https://shop-42.netlify.app',
      'https://f00d.shop.pages.dev',
    ]) {
      expect(forwardsTo(own), own).to.equal(true)
    }
    for (const other of [
      'https://evil.vercel.app',
      'https://-my-team.vercel.app',
      'https://evil.example/-my-team.vercel.app',
      'https://a.b-my-team.vercel.app',
      'https://a-my-teamxvercel.app',
      'https://shop.netlify.app',
      'http://shop-42.netlify.app',
      'https://shop-42.netlify.app:8443',
      'https://shop.pages.dev',
    ]) {
      expect(forwardsTo(other), other).to.equal(false)
    }
  })

  it('needs AUTH_URL if answers are sent on', () => {
    const redirectProxyOrigins = ['https://*.preview.example']
    for (const [config, env] of [
      [{ trustHost: true }, { NODE_ENV: 'production' }],
      [{}, { NODE_ENV: 'production', VERCEL: '1' }],
      [{}, { AUTH_TRUST_HOST: 'true' }],
      [{}, {}],
    ] as const) {
      expect(() => construct({ redirectProxyOrigins, ...config }, env)).to.throw(
        /`redirectProxyOrigins` needs AUTH_URL/,
      )
    }
    construct({ redirectProxyOrigins: [] }, {})
  })

  it('needs AUTH_URL if answers come back to a host that only a request names', () => {
    const redirectProxyUrl = 'https://stable.example/auth'
    const own = [{ ...https, redirectProxyUrl }]
    for (const [config, env] of [
      [{ redirectProxyUrl, trustHost: true }, { NODE_ENV: 'production' }],
      [{ providers: own, trustHost: true }, {}],
      [{}, { AUTH_REDIRECT_PROXY_URL: redirectProxyUrl, AUTH_TRUST_HOST: 'true' }],
    ] as const) {
      expect(() => construct(config, env)).to.throw(/`redirectProxyUrl` needs AUTH_URL/)
    }
    construct({ redirectProxyUrl }, { VERCEL: '1', NODE_ENV: 'production' })
    construct({ redirectProxyUrl, trustHost: true }, { AUTH_URL: 'https://preview.example' })
    construct({ redirectProxyUrl }, {})
  })
})
