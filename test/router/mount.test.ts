import { expect } from 'chai'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import { type Browser, credentials, expressMajor, setCookies, startApp, type TestApp, target } from '../support/app.js'
import { opened } from '../support/opened.js'
import { op } from './fixtures.js'

/** A way to mount the Router, and the base path that the outside then sees. */
interface Place {
  readonly name: string
  readonly base: string
  /** Nothing tells where our part begins, so only our own routes can be found. */
  readonly isOpaque?: boolean
  mount(app: Express, auth: ReturnType<typeof ServerAuth>): void
}

/** The wildcard of the major, below a path. */
const wildcard = (path: string) => (expressMajor === 4 ? `${path}/*` : `${path}/*splat`)

function at(path: string | RegExp, base: string, name = String(path)): Place {
  return { name: `app.use(${name})`, base, mount: (app, auth) => void app.use(path, auth) }
}

function nested(outer: string, inner: string, base: string): Place {
  return {
    name: `Router at ${outer}, in it ${inner}`,
    base,
    mount: (app, auth) => void app.use(outer, express.Router().use(inner, auth)),
  }
}

function subApp(outer: string, inner: string, base: string): Place {
  return {
    name: `sub-app at ${outer}, in it ${inner}`,
    base,
    mount: (app, auth) => void app.use(outer, express().use(inner, auth)),
  }
}

/** The application moves what comes to `/old-auth/…` before it is routed. */
function rewritten(path: string): Place {
  return {
    name: `req.url rewritten from /old-auth/… to ${path}`,
    base: '/old-auth',
    mount: (app, auth) => {
      app.use((req, _res, next) => {
        req.url = req.url.replace(/^\/old-auth(?=\/)/, '/auth')
        next()
      })
      app.use(path, auth)
    },
  }
}

const ownersLiteralLine: Place[] =
  expressMajor === 4
    ? [at('/auth/*', '/auth'), at('/auth*', '/auth')]
    : [at('/auth/*splat', '/auth'), at('/auth{/*splat}', '/auth'), at('/*tenant/auth/*splat', '/op/auth')]

const places: readonly Place[] = [
  ...ownersLiteralLine,
  at('/auth', '/auth'),
  at('/', ''),
  at('/a.b-c~d', '/a.b-c~d'),
  at('/api/session', '/api/session'),
  at(wildcard('/api/session'), '/api/session'),
  nested('/api/:v', '/auth', '/api/v1/auth'),
  nested('/api/:v', wildcard('/auth'), '/api/v1/auth'),
  at('/t/:tenant/auth', '/t/acme/auth'),
  at('/t/:tenant/auth', '/t/caf%C3%A9%20%2F/auth', '/t/:tenant/auth, an encoded tenant'),
  at('/t/:tenant/auth', '/t/session/auth', '/t/:tenant/auth, a tenant called session'),
  at(wildcard('/t/:tenant/auth'), '/t/acme/auth'),
  at(wildcard('/t/:tenant/auth'), '/t/caf%C3%A9%20%2F/auth', `${wildcard('/t/:tenant/auth')}, an encoded tenant`),
  subApp('/v1', '/auth', '/v1/auth'),
  subApp('/v1', wildcard('/auth'), '/v1/auth'),
  at(/^\/auth(?=\/)/, '/auth'),
  at(/^\/(op|auth)(?=\/)/, '/op', '/^\\/(op|auth)(?=\\/)/, called like a provider'),
  { ...at(/^\/auth\/.*/, '/auth', '/^\\/auth\\/.*/, which takes the whole path'), isOpaque: true },
  { name: 'app.use([…])', base: '/login', mount: (app, auth) => void app.use(['/auth', '/login'], auth) },
  rewritten('/auth'),
  rewritten(wildcard('/auth')),
]

const config: Partial<ServerAuthConfig> = { providers: [op, credentials()] }

/** Starts an app with the Router at the place, and after it handlers that tell what they were handed. */
function startAt(place: Place, prepare: (auth: ReturnType<typeof ServerAuth>) => void = () => {}): Promise<TestApp> {
  const tell: ErrorRequestHandler = (error: Error, { url, baseUrl, query }, res, _next) =>
    void res.status(500).json({ error: error.message, url, baseUrl, query })
  return startApp(config, {
    mount: '/not-here',
    after: (app, full) => {
      const auth = ServerAuth(full)
      prepare(auth)
      place.mount(app, auth)
      app.use('/:first', ({ url, baseUrl, query, params }, res) => void res.json({ url, baseUrl, query, params }))
      app.use(tell)
    },
  })
}

/** POSTs with the CSRF token of this base. */
async function submit(browser: Browser, base: string, path: string, fields: object = {}) {
  return browser.post(base + path, { csrfToken: await browser.csrf(base), ...fields })
}

const ann = { username: 'ann', password: 'right' }

describe(`ServerAuth mounted on Express ${expressMajor}`, () => {
  for (const place of places) {
    const { name, base } = place

    describe(name, () => {
      const app = opened(() =>
        startAt(place, (auth) => {
          auth.get('/fails', (_req, _res, next) => next(new Error('on purpose')))
          auth.get('/own/:name', (req, res) => void res.json({ name: req.params.name, baseUrl: req.baseUrl }))
        }),
      )

      it('lists providers with their URLs', async () => {
        const { status, body } = await app.browser().get(`${base}/providers`)
        expect(status).to.equal(200)
        expect(body.op).to.deep.equal({
          id: 'op',
          name: 'OP',
          type: 'oauth',
          signinUrl: `${app.origin}${base}/signin/op`,
          callbackUrl: `${app.origin}${base}/callback/op`,
        })
      })

      it('HH-11 tells the provider the right redirect_uri', async () => {
        const browser = app.browser()
        const start = await submit(browser, base, '/signin/op')
        expect(start.status).to.equal(303)
        const to = new URL(target(start))
        expect(to.origin + to.pathname).to.equal('https://op.example/authorize')
        expect(to.searchParams.get('redirect_uri')).to.equal(`${app.origin}${base}/callback/op`)
        expect(setCookies(start).find((line) => line.includes('transaction'))).to.include(`; Path=${base || '/'};`)
      })

      it('signs in and out', async () => {
        const browser = app.browser()
        const signedIn = await submit(browser, base, '/callback/credentials', { ...ann, callbackUrl: '/profile?tab=1' })
        expect([signedIn.status, target(signedIn)]).to.deep.equal([303, `${app.origin}/profile?tab=1`])
        expect(await browser.session(base)).to.have.nested.property('user.email', 'ann@example.com')
        const signedOut = await submit(browser, base, '/signout')
        expect([signedOut.status, new URL(target(signedOut)).origin]).to.deep.equal([303, app.origin])
        expect(await browser.session(base)).to.equal(null)
      })

      it('posts its forms to itself', async () => {
        const { text } = await app.browser().get(`${base}/signin`)
        expect(text).to.include(`action="${app.origin}${base}/signin/op"`)
        expect(text).to.include(`action="${app.origin}${base}/callback/credentials"`)
      })

      it('sends failures to its own pages', async () => {
        const end = await submit(app.browser(), base, '/callback/credentials', { ...ann, password: 'wrong' })
        expect(target(end)).to.equal(`${app.origin}${base}/signin?error=CredentialsSignin&code=credentials`)
      })

      it('leaves the request as it was for later handlers', async () => {
        const { status, body } = await app.browser().get(`${base}/nothing/here?a=1&a=2&b=%20`)
        expect(status).to.equal(200)
        expect(body).to.deep.equal(asLeft(place, '/nothing/here?a=1&a=2&b=%20', { a: ['1', '2'], b: ' ' }))
      })

      if (place.isOpaque) return

      it('leaves the request as it was for error handlers', async () => {
        const { status, body } = await app.browser().get(`${base}/fails?a=1`)
        expect(status).to.equal(500)
        const routed = routedPath(place)
        expect(body).to.deep.equal({
          error: 'on purpose',
          url: `${routed}/fails?a=1`,
          baseUrl: '',
          query: { a: '1' },
        })
      })

      it('runs routes that the application adds to it', async () => {
        const { status, body } = await app.browser().get(`${base}/own/x%20y`)
        expect(status).to.equal(200)
        expect(body).to.deep.equal({ name: 'x y', baseUrl: base })
      })
    })
  }
})

/** The base as Express routed it. */
function routedPath({ name, base }: Place): string {
  return name.startsWith('req.url rewritten') ? base.replace('/old-auth', '/auth') : base
}

/** Returns the properties of an untouched request that a handler at `/:first` sees. */
function asLeft(place: Place, rest: string, query: object): object {
  const [, first = '', ...others] = `${routedPath(place)}${rest}`.split('/')
  return { url: `/${others.join('/')}`, baseUrl: `/${first}`, query, params: { first } }
}

describe('ServerAuth(config)', () => {
  const auth = () => ServerAuth({ secret: 'x'.repeat(32), providers: [credentials()] })

  it('returns an Express Router', () => {
    const router = auth()
    const [plain] = [express.Router()]
    expect(router).to.be.a('function')
    for (const method of ['use', 'get', 'post', 'all', 'route', 'param'] as const) {
      expect(router[method]).to.equal(plain[method])
    }
    expect(router.stack).to.be.an('array').with.lengthOf.above(5)
  })

  it('has a stack of its own in each Router', () => {
    const [one, other] = [auth(), auth()]
    const before = other.stack.length
    one.get('/x', () => {})
    expect(other.stack.length).to.equal(before)
  })

  it('returns a promise that is fulfilled when the reply is out, and when the request is not its own', async () => {
    const settled: string[] = []
    const router = auth()
    const app = await startApp(undefined, {
      mount: '/not-here',
      after: (on) =>
        void on.use('/auth', async (req, res, next) => {
          let passed = false
          const promise = router(req, res, (error?: unknown) => {
            passed = true
            next(error)
          })
          settled.push(`${promise.constructor.name}: ${await promise}, passed=${passed}, ended=${res.writableEnded}`)
        }),
    })
    await app.browser().get('/auth/session')
    await app.browser().get('/auth/nothing')
    await app.browser().send('put', '/auth/session')
    await app.close()
    expect(settled).to.deep.equal([
      'Promise: undefined, passed=false, ended=true',
      'Promise: undefined, passed=true, ended=true',
      'Promise: undefined, passed=false, ended=true',
    ])
  })

  it('says to what measures requests by their route which one it was', async () => {
    const seen: unknown[] = []
    const app = await startApp(undefined, {
      before: (on) =>
        void on.use((req, res, next) => {
          res.on('finish', () => seen.push([req.baseUrl, String(req.route?.path)]))
          next()
        }),
    })
    await app.browser().get('/auth/session')
    await app.browser().get('/auth/signin/credentials')
    await app.close()
    expect(seen).to.deep.equal([
      ['/auth', '/session'],
      ['/auth', '/^\\/signin\\/[^/]+$/'],
    ])
  })

  it('runs middleware and parameters that the application adds', async () => {
    const router = auth()
    router.param('id', (req, _res, next, id) => {
      req.headers['x-id'] = `the ${id}`
      next()
    })
    router.use('/more', (_req, res, next) => {
      res.setHeader('x-more', '1')
      next()
    })
    router.post('/more/:id', (req, res) => void res.json({ id: req.headers['x-id'] }))
    const app = await startApp(undefined, { mount: '/not-here', after: (on) => void on.use('/auth', router) })
    const { status, headers, body } = await app.browser().post('/auth/more/7')
    await app.close()
    expect([status, headers['x-more'], body]).to.deep.equal([200, '1', { id: 'the 7' }])
  })
})

describe('a rewritten request', () => {
  it('is answered as what it was rewritten to, query included', async () => {
    const app = await startApp(config, {
      before: (on) =>
        void on.use((req, _res, next) => {
          if (req.url === '/log-me-in') req.url = '/auth/signin?error=SessionRequired'
          if (req.url === '/signin/op') req.url = '/auth/providers'
          next()
        }),
    })
    const page = await app.browser().get('/log-me-in')
    const providers = await app.browser().get('/signin/op')
    await app.close()
    expect(page.status).to.equal(200)
    expect(page.text).to.include(`action="${app.origin}/auth/signin/op"`).and.to.include('role="status"')
    expect(providers.body.op.callbackUrl).to.equal(`${app.origin}/auth/callback/op`)
  })
})

describe('two configurations in one application', () => {
  const admin: ServerAuthConfig = {
    secret: 'another-secret-of-more-than-32-characters',
    providers: [credentials({ id: 'admin' })],
    cookies: { sessionToken: { name: 'admin.session' }, csrfToken: { name: 'admin.csrf' } },
  }

  const app = opened(() => startApp({}, { after: (on) => void on.use('/admin/auth', ServerAuth(admin)) }))

  it('PT-07 knows each its own providers and paths', async () => {
    const [here, there] = [await app.browser().get('/auth/providers'), await app.browser().get('/admin/auth/providers')]
    expect(Object.keys(here.body)).to.deep.equal(['credentials'])
    expect(Object.keys(there.body)).to.deep.equal(['admin'])
    expect(there.body.admin.callbackUrl).to.equal(`${app.origin}/admin/auth/callback/admin`)
  })

  it('PT-07 keeps sessions apart when the cookie names differ', async () => {
    const browser = app.browser()
    await browser.signIn()
    expect(await browser.session('/admin/auth')).to.equal(null)
    await browser.submit('/admin/auth/callback/admin', { username: 'root', password: 'right' })
    expect(await browser.session('/auth')).to.have.nested.property('user.name', 'ann')
    expect(await browser.session('/admin/auth')).to.have.nested.property('user.name', 'root')
    await browser.submit('/auth/signout')
    expect(await browser.session('/auth')).to.equal(null)
    expect(await browser.session('/admin/auth')).to.have.nested.property('user.name', 'root')
  })

  it('answers from the first of two at the same mount, and leaves the rest to the second', async () => {
    const both = await startApp(
      {},
      {
        after: (on) => {
          const second = ServerAuth(admin)
          second.get('/extra', (req, res) => void res.json({ extra: true, baseUrl: req.baseUrl }))
          on.use('/auth', second)
        },
      },
    )
    const providers = await both.browser().get('/auth/providers')
    const extra = await both.browser().get('/auth/extra')
    await both.close()
    expect(Object.keys(providers.body)).to.deep.equal(['credentials'])
    expect(extra.body).to.deep.equal({ extra: true, baseUrl: '/auth' })
  })
})
