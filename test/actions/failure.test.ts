/**
 * Tests of replies to failures: to a browser, to a client that asks for JSON, to the published client; and of the facts
 * that they show.
 */

import { expect } from 'chai'
import { PasswordsBusy } from '../../lib/errors.js'
import { CredentialsSignin, ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import { type Browser, credentials, secret, setCookies, startApp, type TestApp, target } from '../support/app.js'
import type { Answer } from '../support/http-browser.js'
import { opened } from '../support/opened.js'
import { heading, rawLocation, startAppWithEnv } from './page.js'

const unreachable = {
  id: 'down',
  name: 'Down',
  type: 'oidc',
  issuer: 'http://127.0.0.1:9',
  clientId: 'c',
  clientSecret: 's',
} as const

/** Words that only the log may have. */
const internal = 'relation "users" does not exist at 10.0.0.7'

interface Failure {
  readonly name: string
  readonly config?: Partial<ServerAuthConfig>
  /** The URL to which a browser and, in JSON, the published client are sent. */
  readonly to: string
  /** Status and type for a client that asks for JSON. */
  readonly json: readonly [status: number, error: string]
  send(browser: Browser, headers: Record<string, string>): Promise<Answer>
}

const failures: readonly Failure[] = [
  {
    name: 'a missing CSRF token',
    to: '/auth/signin?error=MissingCSRF',
    json: [403, 'MissingCSRF'],
    send: (browser, headers) => browser.post('/auth/signin/down', {}, headers),
  },
  {
    name: 'a wrong password',
    to: '/auth/signin?error=CredentialsSignin&code=credentials',
    json: [401, 'CredentialsSignin'],
    send: (browser, headers) =>
      browser.submit('/auth/callback/credentials', { username: 'ann', password: 'wrong' }, headers),
  },
  {
    name: 'an `authorize` that throws',
    config: { providers: [credentials({ authorize: () => raise(new Error(internal)) })] },
    to: '/auth/error?error=Configuration',
    json: [500, 'Configuration'],
    send: signIn,
  },
  {
    name: 'a `signIn` callback that says no',
    config: { callbacks: { signIn: () => false } },
    to: '/auth/error?error=AccessDenied',
    json: [403, 'AccessDenied'],
    send: signIn,
  },
  {
    name: 'a `signIn` callback that throws',
    config: { callbacks: { signIn: () => raise(new Error(internal)) } },
    to: '/auth/error?error=AccessDenied',
    json: [403, 'AccessDenied'],
    send: signIn,
  },
  {
    name: 'a `jwt` callback that throws',
    config: { callbacks: { jwt: () => raise(new Error(internal)) } },
    to: '/auth/error?error=Configuration',
    json: [500, 'Configuration'],
    send: signIn,
  },
  {
    name: 'a `jwt` callback that throws nothing',
    config: { callbacks: { jwt: () => raise(undefined) } },
    to: '/auth/error?error=Configuration',
    json: [500, 'Configuration'],
    send: signIn,
  },
  {
    name: 'a `jwt` callback that returns null',
    config: { callbacks: { jwt: () => null } },
    to: '/auth/error?error=AccessDenied',
    json: [403, 'AccessDenied'],
    send: signIn,
  },
  {
    name: 'a provider that cannot be reached',
    to: '/auth/signin?error=OAuthSignInError',
    json: [502, 'OAuthSignInError'],
    send: (browser, headers) => browser.submit('/auth/signin/down', {}, headers),
  },
  {
    name: 'a return that nobody asked for',
    to: '/auth/error?error=InvalidCheck',
    json: [400, 'InvalidCheck'],
    send: (browser, headers) => browser.get('/auth/callback/down?code=c&state=s', headers),
  },
]

function signIn(browser: Browser, headers: Record<string, string>): Promise<Answer> {
  return browser.submit('/auth/callback/credentials', { username: 'ann', password: 'right' }, headers)
}

describe('a failure', () => {
  for (const failure of failures) {
    describe(`of ${failure.name}`, () => {
      const app = opened(() => startAppWithEnv({ NODE_ENV: 'production' }, withDefaults(failure)))

      it('sends a browser to the page', async () => {
        const response = await failure.send(app.browser(), {})
        expect(response.status).to.be.oneOf([302, 303])
        expect(target(response)).to.equal(app.origin + failure.to)
        expect(response.text).to.equal('')
        const shown = await app.browser().get(target(response))
        expect(shown.text).to.not.include(internal).and.not.include('10.0.0.7')
      })

      it('is JSON with its status where JSON is asked for', async () => {
        const response = await failure.send(app.browser(), { accept: 'application/json' })
        const [status, error] = failure.json
        expect(response.status).to.equal(status)
        expect(response.headers['content-type']).to.equal('application/json; charset=utf-8')
        expect(response.headers).to.not.have.property('location')
        expect(response.body).to.have.all.keys('error', 'message', ...(error === 'CredentialsSignin' ? ['code'] : []))
        expect(response.body.error).to.equal(error)
        expect(response.body.message).to.be.a('string').and.not.include('10.0.0.7')
      })

      it('is an absolute URL in a 200 answer for the published client', async () => {
        for (const accept of ['*/*', 'application/json']) {
          const response = await failure.send(app.browser(), { 'x-auth-return-redirect': '1', accept })
          expect(response.status).to.equal(200)
          expect(response.headers['content-type']).to.equal('application/json; charset=utf-8')
          expect(response.body).to.have.all.keys('url')
          expect(target(response)).to.equal(app.origin + failure.to)
        }
      })

      it('LG-06 signs no user in, and is logged', async () => {
        const browser = app.browser()
        app.log.errors.length = 0
        app.log.debugs.length = 0
        const response = await failure.send(browser, {})
        expect(setCookies(response).join()).to.not.include('session-token')
        expect(await browser.session()).to.equal(null)
        // A wrong password is no error of the application.
        const [type] = [failure.json[1]].filter((each) => each === 'CredentialsSignin')
        const told = app.log.debugs.flatMap(({ details }) => details).filter((each) => each instanceof Error)
        expect(type ? told : app.log.errors).to.have.length(1)
        expect(type ? app.log.errors : told).to.deep.equal([])
        expect((type ? told : app.log.errors)[0])
          .to.have.property('type')
          .that.is.a('string')
      })

      it('keeps the session that was there', async () => {
        const browser = await signedInElsewhere(app)
        await failure.send(browser, {})
        expect([...browser.cookies.keys()]).to.include('auth.session-token')
      })
    })
  }

  it('of a password has the reason of `authorize`, in JSON too', async () => {
    class Locked extends CredentialsSignin {
      override code = 'locked'
    }
    const app = await startApp({ providers: [credentials({ authorize: () => raise(new Locked('user 7')) })] })
    const response = await signIn(app.browser(), { accept: 'application/json' })
    expect(response.status).to.equal(401)
    expect(response.body).to.deep.equal({
      error: 'CredentialsSignin',
      code: 'locked',
      message: 'These sign-in details are not correct. Please check what you entered, then try again.',
    })
    await app.close()
  })

  it('of too many passwords at once is 503 everywhere, with the time after which to try again', async () => {
    const app = await startApp({ providers: [credentials({ authorize: () => raise(new PasswordsBusy()) })] })
    try {
      const clients: Array<Record<string, string>> = [
        { accept: 'application/json' },
        { 'x-auth-return-redirect': '1' },
        { accept: 'text/html' },
      ]
      for (const headers of clients) {
        const answer = await signIn(app.browser(), headers)
        expect([answer.status, answer.headers['retry-after']], JSON.stringify(headers)).to.deep.equal([503, '5'])
      }
      const page = await signIn(app.browser(), { accept: 'text/html' })
      expect(heading(page)).to.equal('Please try again in a moment')
      expect(page.text).to.include(`<a class="button" href="${app.origin}/auth/signin">Try again</a>`)
    } finally {
      await app.close()
    }
  })

  it('is a page where HTML is asked for too, and for */*', async () => {
    const app = await startApp()
    for (const accept of ['text/html,application/json', 'text/html', '*/*']) {
      const response = await app.browser().get('/auth/signin/nobody', { accept })
      expect(response.status).to.equal(404)
      expect(response.type).to.equal('text/html')
    }
    await app.close()
  })
})

/** Returns a browser that has a session of the same secret and cookie name. */
async function signedInElsewhere(app: TestApp): Promise<Browser> {
  const other = await startApp()
  const before = other.browser()
  await before.signIn()
  await other.close()
  const browser = app.browser()
  browser.cookies.set('auth.session-token', before.cookies.get('auth.session-token') ?? '')
  return browser
}

function withDefaults({ config }: Pick<Failure, 'config'>): Partial<ServerAuthConfig> {
  return { trustHost: true, providers: [credentials(), { ...unreachable, allowInsecureIssuer: true }], ...config }
}

describe('a rejected request', () => {
  it('lists the allowed methods if its method is not allowed', async () => {
    const app = await startApp()
    const page = await app.browser().get('/auth/callback/credentials?password=right&username=ann')
    expect(page.status).to.equal(405)
    expect(page.headers.allow).to.equal('POST')
    expect(heading(page)).to.equal('This request was not understood')
    const json = await app.browser().get('/auth/callback/credentials', { accept: 'application/json' })
    expect(json.status).to.equal(405)
    expect(json.headers.allow).to.equal('POST')
    expect(json.body).to.deep.equal({ error: 'InvalidRequest', message: 'This URL allows POST only.' })
    const client = await app.browser().get('/auth/callback/credentials', { 'x-auth-return-redirect': '1' })
    expect(client.body).to.deep.equal({ url: `${app.origin}/auth/error?error=InvalidRequest` })
    expect(app.log.errors).to.deep.equal([])
    await app.close()
  })

  it('names no host if its host is not trusted', async () => {
    const app = await startAppWithEnv({ NODE_ENV: 'production' }, { trustHost: false })
    for (const url of ['/auth/signin', '/auth/error', '/auth/signout', '/auth/callback/credentials']) {
      const page = await app.browser().get(url, { host: 'evil.test' })
      expect(page.status).to.equal(500)
      expect(page.type).to.equal('text/html')
      expect(heading(page)).to.equal('This site has a problem')
      expect(page.text).to.not.include('trustHost').and.not.include('For developers')
    }
    const json = await app.browser().get('/auth/session', { host: 'evil.test' })
    expect(json.status).to.equal(500)
    expect(json.body.error).to.equal('Configuration')
    expect(json.body.message).to.not.include('AUTH_URL')
    expect(app.log.errors.map((error) => error.name)).to.deep.equal(Array(5).fill('UntrustedHost'))
    await app.close()
  })
})

describe('our own URLs on a mount whose path begins with two slashes', () => {
  it('stay on our origin', async () => {
    const config = withDefaults({ config: {} })
    const app = await startApp(config, {
      // An application may take any path before ours, for example the name of a tenant.
      before: (express) => express.use(/^.*\/auth(?=\/)/, ServerAuth({ secret, providers: [], ...config })),
    })
    const location = await rawLocation(app.origin, '//evil.test/auth/callback/down?code=c&state=s')
    expect(location).to.equal(`${app.origin}//evil.test/auth/error?error=InvalidCheck`)
    await app.close()
  })
})

describe('the page of a failure', () => {
  async function page(env: string): Promise<Answer> {
    const app = await startAppWithEnv({ NODE_ENV: env }, { trustHost: false })
    const response = await app.browser().get('/auth/signin')
    await app.close()
    return response
  }

  it('shows cause and remedy in development', async () => {
    const response = await page('development')
    expect(response.status).to.equal(500)
    expect(response.text).to.include('For developers').and.include('AUTH_URL')
  })

  it('LG-03 shows no internal facts in production', async () => {
    const response = await page('production')
    expect(response.status).to.equal(500)
    expect(response.text).to.not.include('For developers').and.not.include('AUTH_URL')
    expect(response.text).to.not.match(/node_modules|\.[jt]s:\d|\bat \w+ \(/)
  })
})

function raise(error: unknown): never {
  throw error
}
