/** A preview deployment borrows the redirect URI of a stable one (`wire-contract.md` §15). */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { ServerAuth, type ServerAuthConfig } from '../../../lib/index.js'
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
        const app = createApp({ secret, providers: [company()], logger: createLog().logger, ...config })
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

  it('sends nothing to an origin that its owner does not list', async () => {
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

  it('refuses a state that was sealed under another secret', async () => {
    stable.use({ secret: 'another-secret-of-more-than-32-characters', redirectProxyOrigins: [preview.origin] })
    const { authorization } = await startOnPreview()
    const answer = await stableAnswers(await provider.signInAs(authorization.href, 'alice'))
    expect(answer.headers.get('location')).to.equal(`${stable.origin}/auth/error?error=InvalidCheck`)
  })

  it('refuses a state of another provider', async () => {
    stable.use({ providers: [company(), { ...company(), id: 'second' }], redirectProxyOrigins: [preview.origin] })
    const { authorization } = await startOnPreview()
    const url = await provider.signInAs(authorization.href, 'alice')
    const answer = await stableAnswers(url.replace('/callback/test', '/callback/second'))
    expect(answer.headers.get('location')).to.equal(`${stable.origin}/auth/error?error=InvalidCheck`)
  })

  it('refuses a state after fifteen minutes', async () => {
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

  it('takes origins and one level of names, and refuses anything else at construction', () => {
    const construct = (redirectProxyOrigins: unknown) => () =>
      ServerAuth({ secret, providers: [company()], redirectProxyOrigins } as ServerAuthConfig)
    expect(construct(['https://a.example', 'https://*.preview.example'])).not.to.throw()
    for (const wrong of [
      'https://a.example',
      ['https://a.example/path'],
      ['*'],
      ['https://*.com'],
      ['https://*'],
      [1],
    ]) {
      expect(construct(wrong), JSON.stringify(wrong)).to.throw(/redirectProxyOrigins/)
    }
    expect(() => ServerAuth({ secret, providers: [company()], redirectProxyUrl: 'https://a.example' })).to.throw(
      /full URL of the routes/,
    )
  })
})
