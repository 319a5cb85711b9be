/** `auth.require` of the shim: the same decisions and responses as `requireSession` of Express. */
import { expect } from 'chai'
import type { Express } from 'express'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { InvalidConfiguration } from '../../lib/errors.js'
import { Totp } from '../../lib/features/factors/index.js'
import { requireSession, type ServerAuthConfig, type Session } from '../../lib/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { GuardRequirements } from '../../lib/types/guards.js'
import initAuth, { type AuthHost, type RequireOptions, requestHost, withRequest } from '../../shim/index.js'
import { createLog, credentials, type Door, startApp } from '../support/app.js'
import { openFetch } from '../support/doors.js'
import type { Answer, Browser } from '../support/http-browser.js'
import { rejectionOf, thrownResponse } from '../support/rejection.js'
import { guardCalls, guardProvider } from './guard-calls.js'
import { configure, cookieOf, get, origin, withEnv } from './stage.js'

const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** The requests that guards distinguish. */
const requests: Readonly<
  Record<string, { method?: 'get' | 'head' | 'post' | 'put'; headers?: Record<string, string> }>
> = {
  'a page': { headers: { accept: html, 'sec-fetch-mode': 'navigate' } },
  'a page over plain http': { headers: { accept: html } },
  'HEAD of a page': { method: 'head', headers: { accept: html, 'sec-fetch-mode': 'navigate' } },
  'a prefetch of a page': { headers: { accept: html, 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch' } },
  'a script': { headers: { accept: '*/*', 'sec-fetch-mode': 'cors' } },
  'a script that accepts HTML': { headers: { accept: html, 'sec-fetch-mode': 'cors' } },
  'an image': { headers: { accept: 'image/*', 'sec-fetch-mode': 'no-cors' } },
  'an API client': { headers: { accept: 'application/json' } },
  'a client without headers': {},
  'a form': { method: 'post', headers: { accept: html, 'sec-fetch-mode': 'navigate', referer: '<origin>/form?a=1' } },
  'a form of another site': { method: 'post', headers: { accept: html, referer: 'https://evil.example/form' } },
  PUT: { method: 'put', headers: { accept: html } },
}

const guards: Readonly<Record<string, GuardRequirements & { allow?: (session: Session) => boolean }>> = {
  '/any': {},
  '/none': { allow: () => false },
  '/named': { allow: ({ user }) => user?.name === 'ann' },
  '/fresh': { maxAge: 60 },
  '/password': { amr: ['pwd'] },
  '/key': { amr: ['hwk'] },
  '/two': { aal: 2 },
  '/two-without-right': { aal: 2, allow: () => false },
  '/own-page': { signInUrl: '/staff/login?area=1#form' },
}

async function startExpress(config: Partial<ServerAuthConfig>): Promise<Door> {
  return startApp(config, {
    after(app: Express, full) {
      for (const [path, options] of Object.entries(guards))
        app.use(path, requireSession(full, options), (_req, res) => void res.json(res.locals.session))
    },
  })
}

async function startFetch(config: Partial<FullStackAuthConfig>): Promise<Door> {
  const log = createLog()
  const full = configure({ basePath: '/auth', logger: log.logger, ...config })
  const { handlers, auth } = initAuth(full)
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const [, path = ''] = /^(\/[^/]*)/.exec(pathname) ?? []
    const options = guards[path]
    if (!options) return handlers.GET(request)
    return Response.json(await auth.require(request, options))
  }
  return openFetch(log, answer, { ip: '127.0.0.1' }, full)
}

/** The parts of an answer that both integrations have in common. */
function comparable({ status, headers, text }: Answer, app: Door): object {
  const even = (value: string | undefined) =>
    value
      ?.replaceAll(app.origin, '')
      .replaceAll(new URL(app.origin).host, '<host>')
      .replace(/nonce([-=]["']?)[\w-]+/g, 'nonce$1')
      .replace(/"expires":"[^"]+"/, '"expires":""')
      .replace(/"authTime":\d+/, '"authTime":0')
      .replace(/"id":"[^"]+"/, '"id":""')
  const type = headers['content-type']?.replace(/^application\/json.*/, 'application/json')
  const isRedirect = headers.location !== undefined
  return {
    status,
    location: even(headers.location),
    challenge: headers['www-authenticate'],
    caching: headers['cache-control'],
    isVaried: /(?:^|, )Cookie(?:,|$)/.test(headers.vary ?? ''),
    // Express adds a text to redirects.
    type: isRedirect ? undefined : type,
    policy: even(headers['content-security-policy']),
    body: isRedirect ? undefined : even(text),
  }
}

const strategies: Readonly<Record<string, () => Partial<FullStackAuthConfig>>> = {
  'JWT sessions': () => ({ session: { strategy: 'jwt' } }),
  'database sessions': () => ({ session: { strategy: 'database' } }),
}

for (const [strategy, session] of Object.entries(strategies)) {
  describe(`auth.require and requireSession, ${strategy}`, () => {
    let apps: Record<'express' | 'fetch', Door>
    let browsers: Record<'stranger' | 'user', Record<'express' | 'fetch', Browser>>

    before(async () => {
      const config = () => ({ ...session(), adapter: memoryAdapter(), factors: [Totp()], providers: [credentials()] })
      const [express, fetch] = await Promise.all([startExpress(config()), startFetch(config())])
      apps = { express, fetch }
      const newBrowsers = () => ({ express: express.browser(), fetch: fetch.browser() })
      browsers = { stranger: newBrowsers(), user: newBrowsers() }
      await Promise.all([browsers.user.express.signIn(), browsers.user.fetch.signIn()])
    })
    after(() => Promise.all([apps.express.close(), apps.fetch.close()]))

    for (const [what, { method = 'get', headers = {} }] of Object.entries(requests)) {
      for (const who of ['stranger', 'user'] as const) {
        it(`answer ${what} of a ${who} alike`, async () => {
          for (const path of Object.keys(guards)) {
            const [express, fetch] = await Promise.all(
              (['express', 'fetch'] as const).map(async (door) => {
                const own = Object.entries(headers).map(([name, value]) => [
                  name,
                  value.replace('<origin>', apps[door].origin),
                ])
                const options = { headers: Object.fromEntries(own) }
                const answer = await browsers[who][door].send(method, `${path}/deep%2Fer?q=a%20b&r=%26`, options)
                return comparable(answer, apps[door])
              }),
            )
            expect(fetch, path).to.deep.equal(express)
          }
        })
      }
    }

    it('send users to the step-up only if they have the right', async () => {
      const page = { accept: html, 'sec-fetch-mode': 'navigate' }
      for (const door of ['express', 'fetch'] as const) {
        expect((await browsers.user[door].get('/two-without-right', page)).status).to.equal(403)
        expect((await browsers.user[door].get('/two', page)).headers.location).to.include('/auth/two-factor?aal=2')
        expect((await browsers.user[door].get('/named', page)).status).to.equal(200)
      }
    })
  })
}

describe('auth.require', () => {
  it('returns the session, and calls callbacks once for a request', async () => {
    let calls = 0
    const { auth } = initAuth(
      configure({
        callbacks: {
          session({ session }) {
            calls += 1
            return { ...session, role: 'admin' }
          },
        },
      }),
    )
    const request = get('/', { cookie: await cookieOf('ann') })
    const answer = await withRequest(request, async () => {
      const [one, other] = [await auth.require(request, { maxAge: undefined }), await auth.require()]
      expect(one).to.equal(await auth())
      expect(one).to.equal(other)
      return Response.json(one)
    })
    expect(await answer.json()).to.include({ role: 'admin' })
    expect(calls).to.equal(1)
  })

  it('extends the session inside withRequest', async () => {
    const { auth } = initAuth(configure({ session: { updateAge: 0 } }))
    const request = get('/', { cookie: await cookieOf('ann') })
    const answer = await withRequest(request, async () => Response.json(await auth.require(request)))
    expect(answer.headers.getSetCookie()).to.have.length(1)
  })

  it('works without withRequest', async () => {
    const { auth } = initAuth(configure())
    const session = await auth.require(get('/', { cookie: await cookieOf('ann') }))
    expect(session).to.have.nested.property('user.name', 'ann')
    expect(await thrownResponse(auth.require(get('/')))).to.include({ status: 401 })
  })

  it('gets the request in allow, and takes only true for a yes', async () => {
    const { auth } = initAuth(configure())
    const request = get('/reports/7', { cookie: await cookieOf('ann') })
    const seen: unknown[] = []
    for (const answer of [undefined, null, 1, 'true', {}, false, Promise.resolve(false)]) {
      const allow = (session: Session, given: Request) => {
        seen.push([session.user?.name, given])
        return answer as boolean
      }
      expect(await thrownResponse(auth.require(request, { allow }))).to.include({ status: 403 })
    }
    expect(seen).to.have.length(7)
    expect(seen[0]).to.deep.equal(['ann', request])
  })

  it('rejects if allow, a callback or the configuration fails', async () => {
    const request = get('/', { cookie: await cookieOf('ann') })
    const fault = new Error('database down')
    const fails = () => {
      throw fault
    }
    expect(await rejectionOf(initAuth(configure()).auth.require(request, { allow: fails }))).to.equal(fault)
    const { auth } = initAuth(configure({ callbacks: { session: fails } }))
    expect(await rejectionOf(auth.require(request))).to.be.instanceOf(Error)
    await withEnv({ NODE_ENV: 'production', AUTH_SECRET: undefined }, async () => {
      const { auth: broken } = initAuth({ providers: [credentials()] })
      expect(await rejectionOf(broken.require(get('/')))).to.be.instanceOf(Error)
    })
  })

  for (const [what, options, message] of [
    ['a misspelt option', { alow: () => false }, 'alow'],
    ['an `allow` that is not a function', { allow: undefined }, '`allow` of auth.require()'],
    ['`aal: 2` that cannot be reached', { aal: 2 }, '`aal: 2` of auth.require() cannot be reached'],
    ['`live` without revocation', { live: true }, '`live` of auth.require()'],
    ['`aal: 3`', { aal: 3 }, 'must be 2'],
  ] as const) {
    it(`rejects ${what}, for users and visitors`, async () => {
      const { auth } = initAuth(configure())
      for (const headers of [undefined, { cookie: await cookieOf('ann') }]) {
        const error = await rejectionOf(auth.require(get('/', headers), options as RequireOptions))
        expect(error).to.be.instanceOf(InvalidConfiguration)
        expect(error.message).to.include(message)
      }
    })
  }

  it('reports a sign-in page behind the guard, instead of a redirect for ever', async () => {
    const { auth } = initAuth(configure({ pages: { signIn: '/login' } }))
    const error = await rejectionOf(auth.require(get('/login?a=1', { accept: 'text/html' })))
    expect(error.message).to.include('the sign-in page /login is behind a guard')
  })

  it('answers a malformed Host with 400', async () => {
    const { auth } = initAuth(configure(), {
      current: () => null,
      setCookies() {},
      redirect: (url) => {
        throw new Error(url)
      },
      url: () => '08',
    })
    expect(await thrownResponse(auth.require(get('/')))).to.include({ status: 400 })
  })

  for (const [target, path] of [
    ['//evil.example/a', '/evil.example/a'],
    ['/\\evil.example', '/evil.example'],
    ['/a?b=//evil.example', '/a?b=//evil.example'],
  ] as const) {
    it(`leads back to a path of the site after ${target}`, async () => {
      const { auth } = initAuth(configure())
      const request = new Request(`${origin}${target}`, { headers: { accept: 'text/html' } })
      const location = (await thrownResponse(auth.require(request))).headers.get('location') ?? ''
      expect(new URL(location).origin).to.equal(origin)
      expect(new URL(location).searchParams.get('callbackUrl')).to.equal(path)
    })
  }

  it('is a member of auth that does not change how auth is called', async () => {
    const { auth } = initAuth(configure())
    expect(Object.keys(auth)).to.have.members(['require', 'requireApiKey', 'requireConnection', 'cors', 'csrf'])
    expect(await auth(get('/'), { headers: new Headers() })).to.equal(null)
  })
})

describe('a guard whose result is not used', () => {
  const config = () => configure({ providers: [credentials(), guardProvider], tokens: { store: 'cookie' } })
  const host = (own: Partial<AuthHost>): AuthHost => ({ ...requestHost, ...own })

  for (const [name, { call: guard, status }] of Object.entries(guardCalls)) {
    it(`${name} stops the code behind it, and withRequest sends the response`, async () => {
      const { auth } = initAuth(config())
      let hasRun = false
      const answer = await withRequest(get('/'), async () => {
        await guard(auth, get('/'))
        hasRun = true
        return new Response('private')
      })
      expect([answer.status, hasRun]).to.deep.equal([status, false])
    })

    it(`${name} stops the code behind it in a handler inside auth()`, async () => {
      const { auth } = initAuth(config())
      const handler = auth(async (request) => {
        await guard(auth, request)
        return new Response('private')
      })
      expect(await handler(get('/'))).to.include({ status })
    })

    it(`${name} throws what the host makes of the response`, async () => {
      const fault = new Error('the error of a framework')
      const seen: unknown[] = []
      const reject = (response: Response): never => {
        seen.push(response.status)
        throw fault
      }
      const { auth } = initAuth(config(), host({ reject }))
      expect(await rejectionOf(guard(auth, get('/')))).to.equal(fault)
      expect(seen).to.deep.equal([status])
    })

    it(`${name} stops the code behind it if the host forgets to throw`, async () => {
      const reject = (() => undefined) as unknown as NonNullable<AuthHost['reject']>
      const { auth } = initAuth(config(), host({ reject }))
      expect(await thrownResponse(guard(auth, get('/')))).to.include({ status })
    })
  }

  it('redirects with the redirect of the host, which gets the whole response', async () => {
    const fault = new Error('the redirect of a framework')
    const seen: unknown[] = []
    const redirect = (url: string, response?: Response): never => {
      seen.push(url, response?.headers.get('cache-control'))
      throw fault
    }
    const { auth } = initAuth(config(), host({ redirect }))
    expect(await rejectionOf(auth.require(get('/a', { accept: 'text/html' })))).to.equal(fault)
    expect(seen).to.deep.equal([`${origin}/api/auth/signin?callbackUrl=%2Fa`, 'private, no-store'])
  })

  it('does not send a Response that the application throws', async () => {
    const own = new Response('teapot', { status: 418 })
    const fails = () => Promise.reject(own)
    expect(await thrownResponse(withRequest(get('/'), fails))).to.equal(own)
    expect(await thrownResponse(initAuth(config()).auth(fails)(get('/')))).to.equal(own)
  })
})

describe('auth.require without a request', () => {
  async function respond(path: string, options: Parameters<ReturnType<typeof initAuth>['auth']['require']>[0] = {}) {
    const { auth } = initAuth(configure())
    return withRequest(get(path), async () => Response.json(await auth.require(options)))
  }

  it('redirects visitors to sign in, and back to the requested page', async () => {
    const answer = await respond('/reports?year=1')
    expect(answer.status).to.equal(302)
    expect(answer.headers.get('location')).to.equal(`${origin}/api/auth/signin?callbackUrl=%2Freports%3Fyear%3D1`)
  })

  it('redirects to `redirectTo`', async () => {
    const answer = await respond('/reports', { redirectTo: '/other' })
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('callbackUrl')).to.equal('/other')
  })

  it('returns to the page of a form', async () => {
    const { auth } = initAuth(configure())
    const headers = { referer: `${origin}/form?a=1` }
    const request = new Request(`${origin}/save`, { method: 'POST', headers })
    const answer = await withRequest(request, async () => Response.json(await auth.require()))
    expect(answer.status).to.equal(303)
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('callbackUrl')).to.equal('/form?a=1')
  })

  it('answers like auth.require of the request if allow says no', async () => {
    const { auth } = initAuth(configure())
    const allow = () => false
    const cookie = await cookieOf('ann')
    const form = { method: 'POST', headers: { cookie, accept: 'text/html', 'sec-fetch-mode': 'navigate' } }
    const answers = [get('/', { cookie }), new Request(origin, form)].map(async (request) => {
      const [here, of] = await Promise.all([
        withRequest(request.clone(), async () => Response.json(await auth.require({ allow }))),
        withRequest(request, async () => Response.json(await auth.require(request, { allow }))),
      ])
      expect([here.status, of.status]).to.deep.equal([403, 403])
      const [type, ofType] = [here, of].map(({ headers }) => headers.get('content-type'))
      expect(type).to.equal(ofType)
      return type
    })
    expect(await Promise.all(answers)).to.deep.equal(['application/json', 'text/html; charset=utf-8'])
  })

  it('throws what the framework answers with 403', async () => {
    const fault = new Error('403 of the framework')
    const ambient = { headers: new Headers({ cookie: await cookieOf('ann') }), url: origin, writable: false }
    const host: AuthHost = {
      current: () => ambient,
      setCookies: () => {},
      redirect: () => expect.fail('nobody goes anywhere'),
      reject: () => {
        throw fault
      },
    }
    const own = initAuth(configure(), host)
    expect(await rejectionOf(own.auth.require({ allow: () => false }))).to.equal(fault)
  })

  it('throws outside a request', async () => {
    const { auth } = initAuth(configure())
    expect((await rejectionOf(auth.require())).message).to.match(/^auth\.require\(\) was called outside a request/)
  })
})

describe('auth.require with a wrong value, or in a server that replaces Response', () => {
  const request = new Request('http://localhost/account', { headers: { accept: 'application/json' } })
  const newAuth = () => initAuth(configure({ basePath: '/auth', providers: [credentials()] })).auth

  it('throws a Response of the global class, which a server may have replaced', async () => {
    const auth = newAuth()
    const { Response: native } = globalThis
    // As some servers for Node.js do: the static functions are those of the native class.
    class Replaced extends native {}
    Object.defineProperty(Replaced, 'json', { value: native.json.bind(native) })
    globalThis.Response = Replaced
    try {
      const rejected = await thrownResponse(auth.require(request))
      expect(rejected).to.be.instanceOf(Replaced)
      expect(rejected).to.have.property('status', 401)
    } finally {
      globalThis.Response = native
    }
  })

  for (const [what, value] of [
    ['undefined', undefined],
    ['an object of a class', new URL('http://localhost/')],
  ] as const) {
    it(`throws for ${what} in place of the request, instead of dropping the options`, async () => {
      const { require } = newAuth()
      const called = Promise.resolve(Reflect.apply(require, undefined, [value, { allow: () => false }]))
      const error: unknown = await called.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).to.be.instanceOf(TypeError).with.property('message').that.includes('no Request')
    })
  }
})
