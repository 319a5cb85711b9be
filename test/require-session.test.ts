/** The guard: who gets through, what the others get, and where a browser is afterwards. */
import { connect } from 'node:net'
import { expect } from 'chai'
import type { Express, Request, RequestHandler } from 'express'
import {
  type CallbacksOptions,
  defineAuth,
  type RequireSessionOptions,
  requireSession,
  type ServerAuthConfig,
  type Session,
} from '../lib/index.js'
import { inputs, startAppWithEnv } from './actions/page.js'
import { type AppOptions, type Browser, credentials, secret, startApp, type TestApp, target } from './support/app.js'
import type { Answer } from './support/http-browser.js'
import { startLoopbackServer } from './support/loopback-server.js'
import { type OpenIdProvider, startOpenIdProvider } from './support/openid-provider.js'

/** The headers of browsers when a user follows a link. */
const page = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'sec-fetch-mode': 'navigate' }
/** The same, over plain http: there browsers send no fetch metadata. */
const oldPage = { accept: page.accept }
const api = { accept: 'application/json' }

interface Guarded {
  readonly options?: RequireSessionOptions<Session>
  readonly config?: Partial<ServerAuthConfig>
  /** Runs before the guard. */
  readonly before?: (app: Express) => void
  readonly app?: AppOptions
}

/** An application whose `/guarded…` is behind the guard; `ran` counts how often the handler behind it ran. */
async function startGuarded({ options, config, before, app: more }: Guarded = {}) {
  const ran: unknown[] = []
  const handler: RequestHandler = (req, res) => {
    ran.push(res.locals.session)
    res.json({ seen: req.originalUrl, session: res.locals.session })
  }
  const app = await startApp(config, {
    ...more,
    after(express, full) {
      before?.(express)
      express.use('/guarded', requireSession(full, options), handler)
    },
  })
  return { app, ran }
}

/** Runs with a guarded application and closes it. */
async function withGuarded(
  guarded: Guarded,
  use: (started: { app: TestApp; ran: unknown[]; browser: Browser }) => Promise<void>,
): Promise<void> {
  const { app, ran } = await startGuarded(guarded)
  try {
    await use({ app, ran, browser: app.browser() })
  } finally {
    await app.close()
  }
}

/** The request target as it is, which an URL parser would change. */
function rawGet(origin: string, requestTarget: string, headers: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => {
      const lines = Object.entries({ host: 'app.test', connection: 'close', ...headers }).map((line) => line.join(': '))
      socket.write(`GET ${requestTarget} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    })
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
}

function locationOf(raw: string): string {
  return /^location: (.*)\r$/im.exec(raw)?.[1] ?? ''
}

/** The callback URL that a redirect to the sign-in page carries. */
function askedFor(response: Answer): string | null {
  return new URL(target(response), 'http://app.test').searchParams.get('callbackUrl')
}

function expectUncached(response: Answer): void {
  expect(response.headers['cache-control']).to.equal('private, no-store')
  expect(response.headers.vary).to.match(/(?:^|, )Cookie(?:,|$)/)
}

function expectRefused(response: Answer, status: 401 | 403): void {
  expect(response.status).to.equal(status)
  expect(response.headers).to.not.have.property('location')
  expect(response.headers['content-type']).to.match(/^application\/json/)
  const error = status === 401 ? 'Unauthorized' : 'Forbidden'
  expect(response.body).to.have.all.keys('error', 'message').and.to.include({ error })
  expect(response.body.message).to.be.a('string').and.not.equal('')
  expectUncached(response)
}

describe('requireSession(config)', () => {
  let app: TestApp
  let ran: unknown[]

  before(async () => {
    const started = await startGuarded()
    app = started.app
    ran = started.ran
  })
  beforeEach(() => {
    ran.length = 0
  })
  after(() => app.close())

  it('lets a person through, with the session on res.locals', async () => {
    const browser = app.browser()
    await browser.signIn()
    const response = await browser.get('/guarded/a?b=1', page)
    expect(response.status).to.equal(200)
    expect(response.body.seen).to.equal('/guarded/a?b=1')
    expect(response.body.session.user).to.include({ name: 'ann', email: 'ann@example.com' })
    expect(ran).to.have.length(1)
  })

  it('lets every method through for a person', async () => {
    const browser = app.browser()
    await browser.signIn()
    for (const method of ['post', 'put', 'patch', 'delete'] as const) {
      expect((await browser.send(method, '/guarded', { headers: api })).status, method).to.equal(200)
    }
  })

  for (const [who, headers] of [
    ['a browser', page],
    ['a browser on plain http, without fetch metadata', oldPage],
  ] as const) {
    it(`sends ${who} to the sign-in page`, async () => {
      const response = await app.browser().get('/guarded/deep/page?q=a%20b&r=%26&r=2', headers)
      expect(response.status).to.equal(302)
      expect(target(response)).to.match(/^\/auth\/signin\?callbackUrl=/)
      expect(askedFor(response)).to.equal('/guarded/deep/page?q=a%20b&r=%26&r=2')
      expectUncached(response)
      expect(ran).to.deep.equal([])
    })
  }

  it('answers HEAD of a browser with the same redirect', async () => {
    const response = await app.browser().send('head', '/guarded', { headers: page })
    expect(response.status).to.equal(302)
    expect(askedFor(response)).to.equal('/guarded')
  })

  it('keeps the Vary of others', async () => {
    const vary: Guarded['before'] = (express) =>
      express.use((_req, res, next) => {
        res.setHeader('vary', 'Origin')
        next()
      })
    await withGuarded({ before: vary }, async ({ browser }) => {
      for (const headers of [page, api]) {
        const response = await browser.get('/guarded', headers)
        expect(response.headers.vary).to.match(/^Origin, Cookie(?:,|$)/)
      }
    })
  })

  for (const [who, headers] of [
    ['a client that accepts JSON', api],
    ['a client that accepts anything', { accept: '*/*' }],
    ['fetch() with its own Accept', { accept: '*/*', 'sec-fetch-mode': 'cors' }],
    ['fetch() that accepts HTML', { accept: 'text/html', 'sec-fetch-mode': 'cors' }],
    ['fetch() on the same origin', { accept: 'text/html', 'sec-fetch-mode': 'same-origin' }],
    ['an image', { accept: 'image/*,*/*', 'sec-fetch-mode': 'no-cors' }],
    ['axios', { accept: 'application/json, text/plain, */*' }],
  ] as const) {
    it(`answers ${who} with 401, not with a redirect`, async () => {
      expectRefused(await app.browser().get('/guarded', headers), 401)
      expect(ran).to.deep.equal([])
    })
  }

  it('answers a client without Accept with 401', async () => {
    const raw = await rawGet(app.origin, '/guarded')
    expect(raw).to.match(/^HTTP\/1\.1 401 /)
    expect(raw).to.include('{"error":"Unauthorized"')
  })

  for (const method of ['put', 'patch', 'delete'] as const) {
    it(`answers ${method.toUpperCase()}, which no form sends, with 401: a redirect would lose what was sent`, async () => {
      expectRefused(await app.browser().send(method, '/guarded', { headers: page }), 401)
      expect(ran).to.deep.equal([])
    })
  }

  it('takes a forged or foreign session cookie for none', async () => {
    const browser = app.browser()
    browser.cookies.set('auth.session-token', 'eyJhbGciOiJkaXIifQ..a.b.c')
    expectRefused(await browser.get('/guarded', api), 401)
  })

  it('takes a session without user for none', async () => {
    const session = () => ({ expires: new Date(Date.now() + 60_000).toISOString() })
    await withGuarded({ config: { callbacks: { session } } }, async ({ browser, ran: through }) => {
      await browser.signIn()
      expectRefused(await browser.get('/guarded', api), 401)
      expect(through).to.deep.equal([])
    })
  })

  it('ends with the sign-out', async () => {
    const browser = app.browser()
    await browser.signIn()
    expect((await browser.get('/guarded', page)).status).to.equal(200)
    await browser.submit('/auth/signout')
    expect((await browser.get('/guarded', page)).status).to.equal(302)
  })
})

describe('requireSession: the way back', () => {
  for (const path of ['/guarded', '/guarded/', '/guarded/a%2Fb/%C3%A9?q=a%20b&q=c+d&empty=&x=%26', '/guarded?a=b?c']) {
    it(`leads to exactly ${path} after a sign-in by password`, async () => {
      await withGuarded({}, async ({ app, browser }) => {
        const refused = await browser.get(path, page)
        const form = await browser.get(target(refused), page)
        const [callbackUrl, csrfToken] = [inputs(form, 'callbackUrl')[0], inputs(form, 'csrfToken')[0]]
        const end = await browser.post('/auth/callback/credentials', {
          csrfToken,
          callbackUrl,
          username: 'ann',
          password: 'right',
        })
        expect(end.status).to.equal(303)
        expect(target(end)).to.equal(app.origin + path)
        expect((await browser.get(target(end), page)).body.seen).to.equal(path)
      })
    })
  }

  it('leads back after a wrong password, too', async () => {
    await withGuarded({}, async ({ app, browser }) => {
      const form = await browser.get(target(await browser.get('/guarded?x=1', page)), page)
      const callbackUrl = inputs(form, 'callbackUrl')[0]
      const failed = await browser.signIn({ password: 'wrong', callbackUrl })
      const again = await browser.get(target(failed), page)
      const end = await browser.signIn({ callbackUrl: inputs(again, 'callbackUrl')[0] })
      expect(target(end)).to.equal(`${app.origin}/guarded?x=1`)
    })
  })

  it('leads over a mount of its own with `basePath`', async () => {
    await withGuarded({ config: { basePath: '/api/auth' }, app: { mount: '/api/auth' } }, async ({ browser }) => {
      const refused = await browser.get('/guarded', page)
      expect(target(refused)).to.equal('/api/auth/signin?callbackUrl=%2Fguarded')
      expect((await browser.get(target(refused), page)).status).to.equal(200)
    })
  })

  it('leads over the path of AUTH_URL', async () => {
    const app = await startAppWithEnv(
      { AUTH_URL: 'http://127.0.0.1/app/auth' },
      {},
      { after: (express, config) => express.use('/app', requireSession(config)), mount: '/app/auth' },
    )
    try {
      const refused = await app.browser().get('/app/page', page)
      expect(target(refused)).to.equal('/app/auth/signin?callbackUrl=%2Fapp%2Fpage')
    } finally {
      await app.close()
    }
  })

  describe('over an OpenID provider', () => {
    let provider: OpenIdProvider

    before(async () => {
      provider = await startOpenIdProvider()
    })
    after(() => provider.close())

    it('leads to exactly the page of the user', async () => {
      const test = { id: 'test', name: 'Test', type: 'oidc' as const, ...provider.settings() }
      await withGuarded({ config: { providers: [test] } }, async ({ app, browser, ran }) => {
        const path = '/guarded/reports?from=2024-01-01&tag=a%26b'
        const form = await browser.get(target(await browser.get(path, page)), page)
        const start = await browser.post('/auth/signin/test', {
          csrfToken: inputs(form, 'csrfToken')[0],
          callbackUrl: inputs(form, 'callbackUrl')[0],
        })
        const end = await browser.get(await provider.signInAs(target(start), 'alice'), page)
        expect(target(end)).to.equal(app.origin + path)
        expect((await browser.get(target(end), page)).body.session.user.name).to.equal('Alice Example')
        expect(ran).to.have.length(1)
      })
    })
  })
})

describe('RD-05 requireSession: targets that look like another host', () => {
  let app: TestApp

  before(async () => {
    app = await startApp({}, { after: (express, config) => express.use(requireSession(config)) })
  })
  after(() => app.close())

  for (const [sent, path, home] of [
    ['//evil.test/%2e%2e', '/evil.test/%2e%2e', '/'],
    ['//evil.test', '/evil.test'],
    ['///evil.test/a?b=1', '/evil.test/a?b=1'],
    ['/\\evil.test/a', '/evil.test/a'],
    ['/\\/\\evil.test', '/evil.test'],
    ['/%09/evil.test', '/%09/evil.test'],
    ['/%5Cevil.test', '/%5Cevil.test'],
    ['/@evil.test', '/@evil.test'],
    ['/?x=//evil.test', '/?x=//evil.test'],
    // An absolute target (RFC 9112 §3.2.2) is what a proxy may send on: its path counts, never its host.
    ['http://evil.test/a?b=1', '/a?b=1'],
    ['http://evil.test', '/'],
    ['http://evil.test//evil.test/a', '/evil.test/a'],
  ] as const) {
    it(`${sent} comes back to a path of our own`, async () => {
      const raw = await rawGet(app.origin, sent, page)
      expect(raw).to.match(/^HTTP\/1\.1 302 /)
      const location = locationOf(raw)
      const asked = new URL(location, app.origin)
      expect(asked.origin).to.equal(app.origin)
      expect(asked.searchParams.get('callbackUrl')).to.equal(path)
      const browser = app.browser()
      const form = await browser.get(location, page)
      const end = await browser.signIn({ callbackUrl: inputs(form, 'callbackUrl')[0] })
      expect(target(end)).to.equal(app.origin + (home ?? path))
    })
  }

  it('a tab in the target is refused, or comes back to a path of our own', async () => {
    const raw = await rawGet(app.origin, '/\t/evil.test', page)
    if (raw.startsWith('HTTP/1.1 400')) return
    const asked = new URL(locationOf(raw), app.origin).searchParams.get('callbackUrl') ?? ''
    expect(new URL(asked, app.origin).origin).to.equal(app.origin)
  })
})

describe('requireSession: the sign-in page', () => {
  async function sentTo(guarded: Guarded, path = '/guarded?x=1'): Promise<string> {
    let location = ''
    await withGuarded(guarded, async ({ browser }) => {
      location = target(await browser.get(path, page))
    })
    return location
  }

  it('is `pages.signIn` where there is one', async () => {
    expect(await sentTo({ config: { pages: { signIn: '/login' } } })).to.equal('/login?callbackUrl=%2Fguarded%3Fx%3D1')
  })

  it('is `signInUrl` before that', async () => {
    const guarded = { config: { pages: { signIn: '/login' } }, options: { signInUrl: '/staff/login' } }
    expect(await sentTo(guarded)).to.equal('/staff/login?callbackUrl=%2Fguarded%3Fx%3D1')
  })

  for (const [signInUrl, location] of [
    ['/login?tenant=a&lang=de', '/login?tenant=a&lang=de&callbackUrl=%2Fguarded'],
    ['/login?next=/a?b', '/login?next=%2Fa%3Fb&callbackUrl=%2Fguarded'],
    ['/login?callbackUrl=/home', '/login?callbackUrl=%2Fguarded'],
    ['/login#form', '/login?callbackUrl=%2Fguarded#form'],
    ['/login?a=1#form?x', '/login?a=1&callbackUrl=%2Fguarded#form?x'],
    ['/auth/signin/credentials', '/auth/signin/credentials?callbackUrl=%2Fguarded'],
    ['https://id.example.com/login?app=1', 'https://id.example.com/login?app=1&callbackUrl=%2Fguarded'],
  ] as const) {
    it(`keeps what is in ${signInUrl}`, async () => {
      expect(await sentTo({ options: { signInUrl } }, '/guarded')).to.equal(location)
    })
  }

  it('that is a custom page gets the callback URL, and the user returns', async () => {
    const login: Guarded['before'] = (express) => express.get('/login', (req, res) => res.json({ query: req.query }))
    await withGuarded({ config: { pages: { signIn: '/login' } }, before: login }, async ({ app, browser }) => {
      const form = await browser.get(target(await browser.get('/guarded/a?x=1', page)), page)
      expect(form.body.query).to.deep.equal({ callbackUrl: '/guarded/a?x=1' })
      const end = await browser.signIn({ callbackUrl: form.body.query.callbackUrl })
      expect(target(end)).to.equal(`${app.origin}/guarded/a?x=1`)
    })
  })

  it('of your own still knows the way after a failure, by the cookie', async () => {
    const login: Guarded['before'] = (express) => express.get('/login', (req, res) => res.json({ query: req.query }))
    await withGuarded({ config: { pages: { signIn: '/login' } }, before: login }, async ({ app, browser }) => {
      const asked = askedFor(await browser.get('/guarded/a?x=1', page))
      const failed = await browser.signIn({ callbackUrl: asked, password: 'wrong' })
      const form = await browser.get(target(failed), page)
      expect(form.body.query).to.deep.equal({ error: 'CredentialsSignin', code: 'credentials' })
      expect(target(await browser.signIn())).to.equal(`${app.origin}/guarded/a?x=1`)
    })
  })

  for (const [what, signInUrl] of [
    ['of ours', undefined],
    ['of your own', '/login?lang=de'],
  ] as const) {
    it(`${what} behind the guard itself is an error that says so, not a redirect for ever`, async () => {
      const options: AppOptions = {
        before: (express) => express.use(requireSession(config, signInUrl === undefined ? {} : { signInUrl })),
      }
      const config: ServerAuthConfig = { secret: 'x'.repeat(32), providers: [credentials()] }
      const app = await startApp({}, options)
      try {
        const refused = await app.browser().get('/anything', page)
        expect(refused.status).to.equal(302)
        const response = await app.browser().get(target(refused), page)
        expect(response.status).to.equal(500)
        expect(response.body.error).to.include('before the guard')
      } finally {
        await app.close()
      }
    })
  }
})

describe('requireSession(config, { allow })', () => {
  const never = new Promise<never>(() => {})

  it('gets the session and the request', async () => {
    const calls: Array<[Session, string]> = []
    const allow = (session: Session, req: Request) => {
      calls.push([session, req.originalUrl])
      return session.user?.name === 'ann'
    }
    await withGuarded({ options: { allow } }, async ({ app, browser, ran }) => {
      await browser.signIn()
      expect((await browser.get('/guarded?x=1', page)).status).to.equal(200)
      expect(calls.map(([session, url]) => [session.user?.name, url])).to.deep.equal([['ann', '/guarded?x=1']])
      const bob = app.browser()
      await bob.signIn({ username: 'bob' })
      expectRefused(await bob.get('/guarded', api), 403)
      expect(ran).to.have.length(1)
    })
  })

  it('is not asked about strangers', async () => {
    let asked = 0
    const allow = () => {
      asked += 1
      return true
    }
    await withGuarded({ options: { allow } }, async ({ browser }) => {
      expectRefused(await browser.get('/guarded', api), 401)
      expect(asked).to.equal(0)
    })
  })

  it('may take its time', async () => {
    for (const [allowed, status] of [
      [true, 200],
      [false, 403],
    ] as const) {
      const allow = async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        return allowed
      }
      await withGuarded({ options: { allow } }, async ({ browser, ran }) => {
        await browser.signIn()
        expect((await browser.get('/guarded', api)).status).to.equal(status)
        expect(ran).to.have.length(allowed ? 1 : 0)
      })
    }
  })

  for (const answer of ['yes', 1, {}, undefined, null, '', 0]) {
    it(`denies for ${JSON.stringify(answer)}: only true is a yes`, async () => {
      const allow = (() => answer) as unknown as () => boolean
      await withGuarded({ options: { allow } }, async ({ browser, ran }) => {
        await browser.signIn()
        expectRefused(await browser.get('/guarded', api), 403)
        expect(ran).to.deep.equal([])
      })
    })
  }

  it('warns once when it returns something else than true and false', async () => {
    const warnings: string[] = []
    const config = { logger: { warn: (code: string, message?: string) => void warnings.push(`${code}: ${message}`) } }
    const allow = (() => 'yes') as unknown as () => boolean
    await withGuarded({ config, options: { allow } }, async ({ browser }) => {
      await browser.signIn()
      await browser.get('/guarded', api)
      await browser.get('/guarded', api)
    })
    expect(warnings).to.deep.equal([
      'allow-result: `allow` of requireSession must return `true` or `false`, not a string. The user was rejected.',
    ])
  })

  it('sets no session on res.locals where it refuses', async () => {
    const seen: unknown[] = []
    const watch: Guarded['before'] = (express) =>
      express.use((_req, res, next) => {
        res.on('finish', () => seen.push(res.locals.session))
        next()
      })
    await withGuarded({ options: { allow: () => false }, before: watch }, async ({ browser }) => {
      await browser.signIn()
      await browser.get('/guarded', api)
      expect(seen).to.deep.equal([undefined])
    })
  })

  it('that answers by itself has the last word: the handler does not run', async () => {
    const allow = (_session: Session, req: Request) => {
      req.res?.status(402).json({ error: 'Pay first' })
      return true
    }
    await withGuarded({ options: { allow } }, async ({ browser, ran }) => {
      await browser.signIn()
      expect((await browser.get('/guarded', api)).status).to.equal(402)
      expect(ran).to.deep.equal([])
    })
  })

  it('that never answers allows no request', async () => {
    await withGuarded({ options: { allow: () => never } }, async ({ browser, ran }) => {
      await browser.signIn()
      const pending = browser.get('/guarded', api).then(
        () => 'answered',
        () => 'closed',
      )
      const first = await Promise.race([pending, new Promise((resolve) => setTimeout(() => resolve('waiting'), 50))])
      expect(first).to.equal('waiting')
      expect(ran).to.deep.equal([])
    })
  })
})

/** Everything that JavaScript can throw; Express takes some of it for "no error". */
const thrown: ReadonlyArray<[name: string, value: unknown]> = [
  ['an error', new Error('no database')],
  ['an object', { code: 1 }],
  ['text', 'no'],
  ['undefined', undefined],
  ['null', null],
  ['false', false],
  ['0', 0],
  ['empty text', ''],
  ["'route', which Express knows", 'route'],
  ["'router', which Express knows", 'router'],
]

describe('requireSession on errors', () => {
  type Way = (value: unknown) => Pick<Guarded, 'config' | 'options'>
  const ways: ReadonlyArray<[name: string, way: Way]> = [
    ['callbacks.jwt throws', (value) => ({ config: { callbacks: { jwt: failing(value) } } })],
    ['callbacks.session throws', (value) => ({ config: { callbacks: { session: () => raise(value) } } })],
    ['allow throws', (value) => ({ options: { allow: () => raise(value) } })],
    ['allow rejects', (value) => ({ options: { allow: () => Promise.reject(value) } })],
  ]

  for (const [what, way] of ways) {
    for (const [name, value] of thrown) {
      it(`FO-02 ${what} ${name}: next(error), no request is allowed`, async () => {
        await withGuarded(way(value), async ({ app, browser, ran }) => {
          await browser.signIn()
          for (const headers of [page, api]) {
            const response = await browser.get('/guarded', headers)
            expect(response.status).to.equal(500)
            expect(response.body).to.include({ app: true })
            expect(response.body).to.not.have.property('seen')
          }
          expect(ran).to.deep.equal([])
          expect((await app.browser().get('/guarded', api)).status).to.equal(401)
        })
      })
    }
  }

  it('hands the error on as it is', async () => {
    const config = { callbacks: { session: () => raise(new Error('no database')) } }
    await withGuarded({ config }, async ({ browser }) => {
      await browser.signIn()
      expect((await browser.get('/guarded', api)).body).to.deep.equal({ app: true, error: 'no database' })
    })
  })

  it('keeps the session cookie: a fault is no sign-out', async () => {
    await withGuarded({ options: { allow: () => raise(new Error('no')) } }, async ({ browser }) => {
      await browser.signIn()
      const before = browser.cookies.get('auth.session-token')
      await browser.get('/guarded', page)
      expect(before).to.be.a('string')
      expect(browser.cookies.get('auth.session-token')).to.equal(before)
    })
  })

  it('denies where the host is not known in production', async () => {
    const app = await startAppWithEnv(
      { NODE_ENV: 'production' },
      {},
      { after: (express, config) => express.use('/guarded', requireSession(config)) },
    )
    try {
      const response = await app.browser().get('/guarded', page)
      expect(response.status).to.equal(500)
      expect(response.body.type).to.equal('UntrustedHost')
    } finally {
      await app.close()
    }
  })

  it('FO-03 denies where the response is out already, and leaves it as it is', async () => {
    const sent: Guarded['before'] = (express) =>
      express.use((_req, res, next) => {
        res.status(202).json({ early: true })
        next()
      })
    await withGuarded({ before: sent }, async ({ browser, ran }) => {
      for (const signedIn of [false, true]) {
        if (signedIn) await browser.signIn()
        const response = await browser.get('/guarded', api)
        expect(response.status).to.equal(202)
        expect(response.body).to.deep.equal({ early: true })
        expect(ran).to.deep.equal([])
      }
    })
  })

  it('denies where the response goes out while the session is read', async () => {
    let answerEarly = () => {}
    const session: NonNullable<ServerAuthConfig['callbacks']>['session'] = ({ session }) => {
      answerEarly()
      return session
    }
    const remember: Guarded['before'] = (express) =>
      express.use((_req, res, next) => {
        answerEarly = () => res.status(503).json({ early: true })
        next()
      })
    await withGuarded({ config: { callbacks: { session } }, before: remember }, async ({ browser, ran }) => {
      await browser.signIn()
      expect((await browser.get('/guarded', api)).status).to.equal(503)
      expect(ran).to.deep.equal([])
    })
  })

  it('denies a request that is not from Express', async () => {
    const passed: unknown[] = []
    const guard = requireSession({ secret, providers: [credentials()] })
    const server = await startLoopbackServer((req, res) => {
      guard(req, res, (error) => passed.push(error))
      res.end()
    })
    try {
      await rawGet(server.origin, '/')
      expect(passed).to.have.length(1)
      expect(String(passed[0])).to.match(/^TypeError: .* not from Express\. Use/)
    } finally {
      await server.close()
    }
  })

  it('FO-03 works without the router, for who has a session of the same configuration', async () => {
    const config: ServerAuthConfig = { secret: 'y'.repeat(32), providers: [credentials()] }
    const app = await startApp({}, { before: (express) => express.use('/early', requireSession(config)) })
    try {
      expectRefused(await app.browser().get('/early', api), 401)
    } finally {
      await app.close()
    }
  })

  it('FO-03 refuses to be made without a configuration, or with one that cannot work', () => {
    const make = requireSession as (config: unknown) => unknown
    for (const config of [undefined, null, 'config', {}, { providers: 'google' }, { providers: [], secret: '' }]) {
      expect(() => make(config), JSON.stringify(config)).to.throw()
    }
    const noIssuer = { secret: 'x'.repeat(32), providers: [{ id: 'a', name: 'A', type: 'oidc', clientId: 'x' }] }
    expect(() => make(noIssuer)).to.throw(/issuer/)
  })
})

/** A `jwt` callback that works at sign-in and fails at each read of the session. */
function failing(value: unknown): NonNullable<CallbacksOptions['jwt']> {
  return ({ token, account }) => (account ? token : raise(value))
}

function raise(error: unknown): never {
  throw error
}

describe('requireSession(config, options) that would allow every request', () => {
  const config = { secret, providers: [credentials()] }
  for (const [what, options] of [
    ['a misspelt option', { alow: () => false }],
    ['a function in place of the options', () => false],
    ['an `allow` that is not defined', { allow: undefined }],
    ['an `allow` that is no function', { allow: false }],
    ['a `signInUrl` that is no text', { signInUrl: 7 }],
    ['null', null],
  ] as const) {
    it(`refuses ${what} when it is made`, () => {
      expect(() => requireSession(config, options as never)).to.throw(/requireSession/)
      expect(() => defineAuth(config).requireSession(options as never)).to.throw(/requireSession/)
    })
  }

  it('takes no options, and empty ones', () => {
    expect(() => requireSession(config)).not.to.throw()
    expect(() => defineAuth(config).requireSession({})).not.to.throw()
    expect(() => defineAuth(config).requireSession()).not.to.throw()
  })
})
