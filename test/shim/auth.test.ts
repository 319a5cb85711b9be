import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { InvalidConfiguration } from '../../lib/errors.js'
import { defineAuth, getSession, requireSession, ServerAuth } from '../../lib/index.js'
import { decode, encode } from '../../lib/jwt.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { Session } from '../../lib/types/session.js'
import initAuth, {
  type AmbientRequest,
  type AuthHost,
  type HostCookie,
  withCookies,
  withRequest,
} from '../../shim/index.js'
import { secret } from '../support/app.js'
import { rejectionOf } from '../support/rejection.js'
import { sessionName } from '../support/session.js'
import { configure, cookieOf, get, logOf, origin, withEnv } from './stage.js'

/** Each read extends the session. */
const rolling = (config: Partial<FullStackAuthConfig> = {}) => configure({ session: { updateAge: 0 }, ...config })

/** Names of the cookies that a response sets. */
const set = (response: Response | undefined) => response?.headers.getSetCookie().map((line) => line.split('=')[0]) ?? []

const nameOf = (session: Session | null | undefined) => session?.user?.name ?? null

describe('auth()', () => {
  it('is the session of the request that is being answered', async () => {
    const { auth } = initAuth(configure())
    const request = get('/', { cookie: await cookieOf('ann') })
    const answer = await withRequest(request, async () => new Response(nameOf(await auth())))
    expect(await answer.text()).to.equal('ann')
  })

  it('is null for who is not signed in', async () => {
    const { auth } = initAuth(configure())
    const answer = await withRequest(get('/'), async () => Response.json(await auth()))
    expect(await answer.json()).to.equal(null)
    expect(set(answer)).to.deep.equal([])
  })

  it('throws where no request is being answered', async () => {
    const { auth } = initAuth(configure())
    expect((await rejectionOf(auth())).message).to.match(/^auth\(\) was called outside a request.* withRequest/)
  })

  it('does not take a variable that is not there for "no argument"', async () => {
    const { auth } = initAuth(configure())
    const request = get('/', { cookie: await cookieOf('ann') })
    await withRequest(request, async () => {
      const error = await rejectionOf(Reflect.apply(auth, undefined, [undefined]))
      expect(error).to.be.instanceOf(TypeError)
      return new Response()
    })
  })

  it('keeps the extended session on the response', async () => {
    const { auth } = initAuth(rolling())
    const answer = await withRequest(get('/', { cookie: await cookieOf('ann') }), async () => {
      await auth()
      return new Response('hello', {
        status: 201,
        statusText: 'Made',
        headers: { 'set-cookie': 'own=1', vary: 'Accept' },
      })
    })
    expect(set(answer)).to.deep.equal(['own', sessionName])
    expect([answer.status, answer.statusText, await answer.text()]).to.deep.equal([201, 'Made', 'hello'])
    expect(answer.headers.get('cache-control')).to.equal('private, no-store')
    expect(answer.headers.get('vary')).to.equal('Accept, Cookie')
  })

  it('puts no cookie on a public response', async () => {
    const { auth } = initAuth(rolling())
    const answer = await withRequest(get('/', { cookie: await cookieOf('ann') }), async () => {
      await auth()
      return new Response('logo', { headers: { 'cache-control': 'public, max-age=60' } })
    })
    expect(set(answer)).to.deep.equal([])
    expect(answer.headers.get('cache-control')).to.equal('public, max-age=60')
  })

  it('puts no cookie where the application has set or cleared it', async () => {
    const { auth } = initAuth(rolling())
    const cleared = `${sessionName}=; Max-Age=0`
    const answer = await withRequest(get('/', { cookie: await cookieOf('ann') }), async () => {
      await auth()
      return new Response(null, { headers: { 'set-cookie': cleared } })
    })
    expect(answer.headers.getSetCookie()).to.deep.equal([cleared])
  })

  it('also keeps a response on which a user signs in away from a CDN', async () => {
    const { signIn } = initAuth(configure())
    const answer = await withRequest(get('/'), async () => {
      await signIn('credentials', { username: 'ann', password: 'right', redirect: false })
      return new Response('', {
        headers: { 'cdn-cache-control': 'public, max-age=60', 'surrogate-control': 'max-age=60' },
      })
    })
    for (const name of ['cdn-cache-control', 'surrogate-control']) expect(answer.headers.get(name)).to.equal('no-store')
    expect(answer.headers.has('vercel-cdn-cache-control')).to.equal(false)
  })

  it('leaves a response alone where there is nothing to add', async () => {
    const { auth } = initAuth(configure())
    const own = new Response('hello')
    const answer = await withRequest(get('/', { cookie: await cookieOf('ann') }), async () => {
      await auth()
      return own
    })
    expect(answer).to.equal(own)
  })

  it('reads the session once for a request', async () => {
    let reads = 0
    const session: NonNullable<FullStackAuthConfig['callbacks']>['session'] = (params) => {
      reads += 1
      return params.session
    }
    const { auth } = initAuth(rolling({ callbacks: { session } }))
    const answer = await withRequest(get('/', { cookie: await cookieOf('ann') }), async () => {
      await Promise.all([auth(), auth(), auth()])
      return new Response()
    })
    expect(reads).to.equal(1)
    expect(set(answer)).to.deep.equal([sessionName])
  })
})

describe('auth(), with a host that sets cookies by name', () => {
  const given: HostCookie[] = []
  const hostOf = (cookie: string, writable: boolean): AuthHost => ({
    current: () => ({ headers: new Headers({ cookie }), url: `${origin}/`, writable }),
    setCookies: (cookies) => void given.push(...cookies),
    redirect: () => expect.fail('nobody goes anywhere'),
  })

  beforeEach(() => {
    given.length = 0
  })

  it('gives it the extended session, taken apart', async () => {
    const { auth } = initAuth(rolling(), hostOf(await cookieOf('ann'), true))
    expect(nameOf(await auth())).to.equal('ann')
    expect(given).to.have.length(1)
    expect(given[0]).to.have.property('name', sessionName)
    expect(given[0]?.options).to.deep.include({ httpOnly: true, path: '/', sameSite: 'lax' })
    expect(given[0]?.options.expires).to.be.instanceOf(Date)
    expect(await decode({ token: given[0]?.value ?? '', secret, salt: sessionName })).to.include({ sub: 'ann' })
  })

  it('reads once for a request that it names, though it is a new object each time', async () => {
    const request = get('/', { cookie: await cookieOf('ann') })
    let reads = 0
    const jwt: NonNullable<FullStackAuthConfig['callbacks']>['jwt'] = ({ token }) => {
      reads += 1
      return token
    }
    const { auth } = initAuth(rolling({ callbacks: { jwt } }), {
      ...hostOf('', true),
      current: () => ({ request, headers: request.headers, url: request.url, writable: true }),
    })
    for (const session of await Promise.all([auth(), auth(), auth()])) expect(nameOf(session)).to.equal('ann')
    expect([reads, given.length]).to.deep.equal([1, 1])
  })

  it('extends nothing where it can set none', async () => {
    const { auth } = initAuth(rolling(), hostOf(await cookieOf('ann'), false))
    expect(nameOf(await auth())).to.equal('ann')
    expect(given).to.deep.equal([])
  })

  it('throws what the host throws: a framework tells things by that', async () => {
    const signal = new Error('this page is dynamic')
    const { auth } = initAuth(configure(), { ...hostOf('', true), current: () => Promise.reject(signal) })
    expect(await rejectionOf(auth())).to.equal(signal)
  })
})

describe('auth(handler)', () => {
  it('puts the session on the request, and the extended session on the response', async () => {
    const { auth } = initAuth(rolling())
    const handler = auth((request) => new Response(nameOf(request.auth)))
    const answer = await handler(get('/', { cookie: await cookieOf('ann') }))
    expect(await answer.text()).to.equal('ann')
    expect(set(answer)).to.deep.equal([sessionName])
  })

  it('allows every request without a callback', async () => {
    const handler = initAuth(configure()).auth((request) => Response.json(request.auth))
    expect(await (await handler(get('/'))).json()).to.equal(null)
  })

  it('hands on the request itself, and all other arguments', async () => {
    const seen: unknown[] = []
    const handler = initAuth(configure()).auth((request, context: { params: { id: string } }) => {
      seen.push(request, context)
      return new Response()
    })
    const given = [get('/'), { params: { id: '7' } }] as const
    await handler(...given)
    expect(seen[0]).to.equal(given[0])
    expect(seen[1]).to.equal(given[1])
  })

  it('believes no client that says what its session is', async () => {
    const handler = initAuth(configure()).auth((request) => Response.json(request.auth))
    const forged = Object.assign(get('/', { 'x-auth-session': '{"user":{}}' }), { auth: { user: { name: 'eve' } } })
    expect(await (await handler(forged)).json()).to.equal(null)
  })

  it('reads the session once for a request, whatever the forms of auth that ask for it', async () => {
    let reads = 0
    const jwt: NonNullable<FullStackAuthConfig['callbacks']>['jwt'] = ({ token }) => {
      reads += 1
      return token
    }
    const { auth } = initAuth(rolling({ callbacks: { jwt } }))
    const request = get('/', { cookie: await cookieOf('ann') })
    const inner = auth(async (given) => new Response(`${nameOf(given.auth)} ${nameOf(await auth())}`))
    const answer = await withRequest(request, async () => {
      expect(await auth(request)).to.equal(undefined)
      expect(nameOf(await auth(new Request(request), new Response()))).to.equal('ann')
      return auth((given) => inner(given))(request)
    })
    expect([await answer.text(), reads]).to.deep.equal(['ann ann', 1])
    expect(set(answer)).to.deep.equal([sessionName])
    reads = 0
    // No host knows of this one.
    const alone = get('/', { cookie: await cookieOf('ann') })
    expect(set(await auth((given) => auth(() => new Response())(given))(alone))).to.deep.equal([sessionName])
    expect(reads).to.equal(1)
  })

  it('reads it again for another request, and after a cookie was set', async () => {
    const { auth, signIn } = initAuth(rolling())
    const request = get('/', { cookie: await cookieOf('ann') })
    const names: unknown[] = []
    const answer = await withRequest(request, async () => {
      names.push(nameOf(await auth()))
      const other = new Request(request, { headers: { cookie: await cookieOf('bob') } })
      expect(await auth(other)).to.equal(undefined)
      names.push(await (await auth((given) => new Response(nameOf(given.auth)))(other)).text())
      await signIn('credentials', { username: 'bob', password: 'right', redirect: false })
      names.push(nameOf(await auth()), await (await auth((given) => new Response(nameOf(given.auth)))(request)).text())
      return new Response()
    })
    expect(names).to.deep.equal(['ann', 'bob', 'bob', 'bob'])
    expect(set(answer).filter((name) => name === sessionName)).to.have.length(1)
  })

  it('puts no session of another request on the response that is being made', async () => {
    const { auth } = initAuth(rolling())
    const answer = await withRequest(get('/', { cookie: await cookieOf('ann') }), async () => {
      await auth(get('/', { cookie: await cookieOf('bob') }))
      return new Response()
    })
    expect(set(answer)).to.deep.equal([])
  })

  for (const [what, change, expected] of [
    ['signs out', 'signOut', [`${sessionName}=`]],
    ['changes the session', 'unstable_update', [sessionName]],
  ] as const) {
    it(`keeps what a handler does that ${what}: the session of before does not come back`, async () => {
      const jar: HostCookie[] = []
      // As Next.js has it: cookies on the response count more than those in its jar.
      const cookie = await cookieOf('ann')
      const ambientOf = new Map<number, AmbientRequest>()
      const host: AuthHost = {
        current() {
          const headers = new Headers({ cookie: withCookies(cookie, jar) })
          const ambient = ambientOf.get(jar.length) ?? { headers, url: `${origin}/`, writable: true }
          ambientOf.set(jar.length, ambient)
          return ambient
        },
        setCookies: (cookies) => void jar.push(...cookies),
        redirect: () => expect.fail('nobody goes anywhere'),
      }
      const calls = initAuth(
        rolling({
          callbacks: { jwt: ({ token, trigger }) => (trigger === 'update' ? { ...token, name: 'changed' } : token) },
        }),
        host,
      )
      const handler = calls.auth(async () => {
        await (change === 'signOut' ? calls.signOut({ redirect: false }) : calls.unstable_update({}))
        return new Response()
      })
      expect(set(await handler(get('/', { cookie })))).to.deep.equal([])
      const lines = jar.map(({ name, value }) => (value === '' ? `${name}=` : name))
      expect(lines.filter((line) => line.startsWith(sessionName))).to.deep.equal(expected)
    })
  }

  it('rejects for a handler that answers nothing', async () => {
    const handler = initAuth(configure()).auth(() => undefined)
    expect((await rejectionOf(handler(get('/')))).message).to.match(/must return a Response/)
  })

  it('rejects for what is no Request of Fetch', async () => {
    const handler = initAuth(configure()).auth(() => new Response())
    const error = await rejectionOf(Reflect.apply(handler, undefined, [{ url: '/', headers: {} }]))
    expect(error).to.be.instanceOf(TypeError)
  })
})

describe('callbacks.authorized', () => {
  type Authorized = NonNullable<FullStackAuthConfig['callbacks']>['authorized']

  /** Returns the result of a request, and whether the handler ran. */
  async function visit(authorized: Authorized, request: Request, config: Partial<FullStackAuthConfig> = {}) {
    const { auth } = initAuth(configure({ ...config, ...(authorized && { callbacks: { authorized } }) }))
    const state = { ran: false }
    const handler = auth(() => {
      state.ran = true
      return new Response('inside')
    })
    const wrapped = await handler(request.clone())
    const inline = await auth(request.clone())
    return { wrapped, inline, ran: state.ran }
  }

  it('says once that it goes round', async () => {
    const codes = async (authorized: Authorized, path = '/admin') => {
      const config = configure({ ...(authorized && { callbacks: { authorized } }) })
      const { auth } = initAuth(config)
      await auth(get(path))
      await auth(get(path))
      return logOf(config).warnings.map(({ code }) => code)
    }
    expect(await codes(() => undefined)).to.deep.equal([])
    expect(await codes(() => Response.redirect(`${origin}/admin?again=1`))).to.deep.equal(['authorized-loop'])
    expect(await codes(() => Response.redirect(`${origin}/elsewhere`))).to.deep.equal([])
    expect(await codes(() => true)).to.deep.equal([])
  })

  it('gets the session and the request', async () => {
    const seen: Array<{ auth: Session | null; request: Request }> = []
    const request = get('/admin', { cookie: await cookieOf('ann') })
    const { auth } = initAuth(
      configure({
        callbacks: {
          authorized: (params) => {
            seen.push(params)
            return true
          },
        },
      }),
    )
    await auth(request)
    expect(seen).to.have.length(1)
    expect(nameOf(seen[0]?.auth)).to.equal('ann')
    expect(seen[0]?.request).to.equal(request)
  })

  it('lets through with true', async () => {
    const { wrapped, inline, ran } = await visit(() => true, get('/admin'))
    expect(await wrapped.text()).to.equal('inside')
    expect([inline, ran]).to.deep.equal([undefined, true])
  })

  for (const verdict of [undefined, null, 0, '', 'yes', 1, {}, { user: {} }, Promise.resolve(undefined)] as const) {
    it(`treats ${JSON.stringify(verdict)} as false, for every user`, async () => {
      for (const cookie of ['', await cookieOf('ann')]) {
        const { wrapped, inline, ran } = await visit(() => verdict as unknown as boolean, get('/admin', { cookie }))
        for (const answer of [wrapped, inline]) {
          expect(answer?.headers.get('location')).to.match(/\/api\/auth\/signin\?callbackUrl=/)
        }
        expect(ran).to.equal(false)
      }
    })
  }

  it('sends to the sign-in page with false, with the way back, and runs no handler', async () => {
    const { wrapped, inline, ran } = await visit(() => false, get('/admin?tab=1&b=ä'))
    for (const answer of [wrapped, inline]) {
      expect(answer?.status).to.equal(302)
      const to = new URL(answer?.headers.get('location') ?? '')
      expect(to.origin + to.pathname).to.equal(`${origin}/api/auth/signin`)
      expect([...to.searchParams]).to.deep.equal([['callbackUrl', `${origin}/admin?tab=1&b=%C3%A4`]])
      expect(answer?.headers.get('cache-control')).to.include('no-store')
      expect(answer?.headers.get('vary')).to.equal('Cookie')
    }
    expect(ran).to.equal(false)
  })

  it('sends to a sign-in page of the application', async () => {
    const { wrapped } = await visit(() => false, get('/admin'), { pages: { signIn: '/login?from=guard' } })
    const to = new URL(wrapped.headers.get('location') ?? '')
    expect(to.pathname).to.equal('/login')
    expect([...to.searchParams.keys()]).to.deep.equal(['from', 'callbackUrl'])
  })

  it('answers a POST with 303', async () => {
    const { wrapped } = await visit(() => false, new Request(`${origin}/admin`, { method: 'POST' }))
    expect(wrapped.status).to.equal(303)
  })

  it('makes the way back on the site of AUTH_URL', () =>
    withEnv({ AUTH_URL: 'https://site.example' }, async () => {
      const { wrapped } = await visit(() => false, get('/admin'))
      expect(wrapped.headers.get('location')).to.equal(
        'https://site.example/api/auth/signin?callbackUrl=https%3A%2F%2Fsite.example%2Fadmin',
      )
    }))

  it('answers with its Response, whatever it says', async () => {
    const { wrapped, inline, ran } = await visit(() => Response.json({ no: true }, { status: 401 }), get('/admin'))
    for (const answer of [wrapped, inline]) expect(answer?.status).to.equal(401)
    expect(ran).to.equal(false)
  })

  it('keeps the extended session on its Response', async () => {
    const request = get('/admin', { cookie: await cookieOf('ann') })
    const { wrapped } = await visit(() => new Response(null, { status: 403 }), request, { session: { updateAge: 0 } })
    expect(set(wrapped)).to.deep.equal([sessionName])
  })

  for (const path of [
    '/login',
    '/login/',
    '/api/auth/signin',
    '/api/auth/signin/acme',
    '/api/auth/callback/credentials',
    '/api/auth/error',
    '/api/auth/session',
  ]) {
    it(`allows every request of ${path}, because the sign-in needs it`, async () => {
      const { inline, ran } = await visit(() => false, get(path), { pages: { signIn: '/login' } })
      expect([inline, ran]).to.deep.equal([undefined, true])
    })
  }

  for (const path of [
    '/login/admin',
    '/loginx',
    '/api/auth',
    '/api/auth/admin',
    '/api/auth/session/admin',
    '/api/auth/callback/a/b',
  ]) {
    it(`does not allow ${path} as a sign-in page`, async () => {
      const { inline, ran } = await visit(() => false, get(path), { pages: { signIn: '/login' } })
      expect([inline?.status, ran]).to.deep.equal([302, false])
    })
  }

  it('does not go round where its redirect leads to the sign-in page, and that is where one is', async () => {
    const toLogin: Authorized = ({ request }) => Response.redirect(new URL('/login?again', request.url))
    const pages = { pages: { signIn: '/login' } }
    expect((await visit(toLogin, get('/login'), pages)).ran).to.equal(true)
    expect((await visit(toLogin, get('/admin'), pages)).wrapped.headers.get('location')).to.equal(
      `${origin}/login?again`,
    )
    // A redirect of any other page to itself allows no request.
    const inCircles: Authorized = ({ request }) => Response.redirect(request.url)
    expect((await visit(inCircles, get('/admin'), pages)).ran).to.equal(false)
  })

  const faults: ReadonlyArray<[title: string, config: () => Partial<FullStackAuthConfig>]> = [
    ['it throws', () => ({ callbacks: { authorized: () => Promise.reject(new Error('away')) } })],
    ['it throws undefined', () => ({ callbacks: { authorized: () => Promise.reject(undefined) } })],
    ['the jwt callback throws', () => ({ callbacks: { jwt: () => Promise.reject(new Error('away')) } })],
    ['the jwt callback throws undefined', () => ({ callbacks: { jwt: () => Promise.reject(undefined) } })],
    ['the session callback throws', () => ({ callbacks: { session: () => Promise.reject(new Error('away')) } })],
    ['the secret is wrong', () => ({ secret: '' })],
    ['a provider is misconfigured', () => ({ providers: [{ id: 'x', name: 'X', type: 'oauth' as const }] })],
    [
      'the database is away',
      () => ({
        adapter: Object.assign(memoryAdapter(), { getSessionAndUser: () => Promise.reject(new Error('away')) }),
      }),
    ],
  ]

  for (const [title, config] of faults) {
    it(`allows no request when ${title}`, async () => {
      const { auth } = initAuth(configure(config()))
      const cookie = await cookieOf('ann')
      let ran = false
      const handler = auth(() => {
        ran = true
        return new Response()
      })
      await expectRejection(handler(get('/admin', { cookie })))
      await expectRejection(auth(get('/admin', { cookie })))
      expect(ran).to.equal(false)
    })
  }
})

/** Checks that a promise rejects, with any reason. */
async function expectRejection(promise: Promise<unknown>): Promise<void> {
  const outcome = await promise.then(
    () => 'fulfilled',
    () => 'rejected',
  )
  expect(outcome).to.equal('rejected')
}

describe('auth(request)', () => {
  it('extends the session through the response of withRequest', async () => {
    const { auth } = initAuth(rolling())
    const request = get('/', { cookie: await cookieOf('ann') })
    const answer = await withRequest(request, async () => (await auth(request)) ?? new Response('page'))
    expect(set(answer)).to.deep.equal([sessionName])
    expect(await answer.text()).to.equal('page')
  })

  it('extends nothing where no response is at hand', async () => {
    let written = 0
    const counted: typeof encode = (params) => {
      written += 1
      return encode(params)
    }
    const { auth } = initAuth(rolling({ jwt: { encode: counted, decode } }))
    expect(await auth(get('/', { cookie: await cookieOf('ann') }))).to.equal(undefined)
    expect(written).to.equal(0)
  })

  describe('with a host that has an answer for "continue"', () => {
    const passed: Headers[] = []
    const host: AuthHost = {
      current: () => null,
      setCookies: () => {},
      redirect: (url) => {
        throw new Error(url)
      },
      next(headers) {
        passed.push(headers)
        return new Response(null, { headers: { 'x-go-on': '1' } })
      },
    }

    beforeEach(() => {
      passed.length = 0
    })

    it('gives that, with the extended session for the browser and for what comes next', async () => {
      const { auth } = initAuth(rolling(), host)
      const cookie = await cookieOf('ann')
      const answer = await auth(get('/', { cookie: `a=1; ${cookie}; b=%20` }), { waitUntil() {} })
      expect(answer?.headers.get('x-go-on')).to.equal('1')
      expect(set(answer)).to.deep.equal([sessionName])
      const renewed = answer?.headers.getSetCookie()[0]?.split(';')[0]
      expect(passed[0]?.get('cookie')).to.equal(`a=1; b=%20; ${renewed}`)
      expect(renewed).not.to.equal(cookie)
    })

    it('gives that for a wrapped middleware that returns nothing', async () => {
      const { auth } = initAuth(rolling(), host)
      const answer = await auth(() => {})(get('/', { cookie: await cookieOf('ann') }))
      expect(answer.headers.get('x-go-on')).to.equal('1')
      expect(set(answer)).to.deep.equal([sessionName])
    })

    it('does not return it for a rejected request', async () => {
      const { auth } = initAuth(configure({ callbacks: { authorized: () => false } }), host)
      expect((await auth(get('/admin')))?.status).to.equal(302)
      expect((await auth(() => {})(get('/admin'))).status).to.equal(302)
      expect(passed).to.deep.equal([])
    })
  })
})

describe('auth(request, response)', () => {
  it('is the session; the extended one goes to the headers', async () => {
    const { auth } = initAuth(rolling())
    const response = new Response('page')
    expect(nameOf(await auth(get('/', { cookie: await cookieOf('ann') }), response))).to.equal('ann')
    expect(set(response)).to.deep.equal([sessionName])
    expect(response.headers.get('cache-control')).to.equal('private, no-store')
  })
})

describe('auth(request, response), with headers that cannot be changed', () => {
  it('says so, whether there is anything to add or not', async () => {
    for (const config of [rolling(), configure()]) {
      const { auth } = initAuth(config)
      const error = await rejectionOf(auth(get('/'), Response.redirect(`${origin}/there`)))
      expect(error).to.be.instanceOf(TypeError)
      expect(error.message).to.include('new Response(response.body, response)')
    }
  })
})

describe('auth(req, res) and auth({ req, res })', () => {
  /** Answers one request of Node's. */
  async function serve(
    answer: (req: IncomingMessage, res: ServerResponse) => Promise<Session | null>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const server = createServer((req, res) => {
      answer(req, res).then(
        (session) => res.end(JSON.stringify(session)),
        (error: Error) => res.writeHead(500).end(error.message),
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      return await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/me?a=1`, { headers })
    } finally {
      server.close()
    }
  }

  const forms = (config: FullStackAuthConfig | (() => FullStackAuthConfig)) => {
    const { auth } = initAuth(config)
    return [
      (req: IncomingMessage, res: ServerResponse) => auth(req, res),
      (req: IncomingMessage, res: ServerResponse) => auth({ req, res }),
    ]
  }

  it('is the session; the extended one goes to the response', async () => {
    for (const form of forms(rolling())) {
      const answer = await serve(form, { cookie: await cookieOf('ann') })
      expect(nameOf((await answer.json()) as Session)).to.equal('ann')
      expect(set(answer)).to.deep.equal([sessionName])
    }
  })

  it('is null for who is not signed in', async () => {
    for (const form of forms(configure())) expect(await (await serve(form)).json()).to.equal(null)
  })

  it('throws where something is wrong', async () => {
    const broken = configure({ callbacks: { session: () => Promise.reject(new Error('callback away')) } })
    for (const form of forms(broken)) {
      const answer = await serve(form, { cookie: await cookieOf('ann') })
      expect([answer.status, await answer.text()]).to.deep.equal([500, 'callback away'])
    }
  })

  it('writes nothing when the headers are out', async () => {
    const { auth } = initAuth(rolling())
    const form = async (req: IncomingMessage, res: ServerResponse) => {
      res.writeHead(200)
      return auth(req, res)
    }
    const answer = await serve(form, { cookie: await cookieOf('ann') })
    expect(nameOf((await answer.json()) as Session)).to.equal('ann')
    expect(set(answer)).to.deep.equal([])
  })

  it('finds the secure cookie behind a proxy that is trusted', async () => {
    const { auth } = initAuth(configure({ trustHost: true }))
    const cookie = `__Secure-${await cookieOf('ann')}`
    const read = (req: IncomingMessage, res: ServerResponse) => auth(req, res)
    // Sealed for the plain name: it is found under the other one, and is not genuine there.
    const answer = await serve(read, { cookie, 'x-forwarded-proto': 'https' })
    expect(await answer.json()).to.equal(null)
    expect(set(answer)).to.deep.equal([`__Secure-${sessionName}`])
  })

  it('refuses what is no request', async () => {
    const { auth } = initAuth(configure())
    for (const wrong of [null, undefined, 7, 'req', {}, { req: {} }, [], { headers: 'cookie' }]) {
      expect(await rejectionOf(Reflect.apply(auth, undefined, [wrong, {}]))).to.be.instanceOf(TypeError)
    }
  })
})

describe('auth, with a function for a configuration', () => {
  it('hands it the request in every form that has one', async () => {
    const urls: Array<string | undefined> = []
    const { auth } = initAuth((request) => {
      urls.push(request?.url)
      return shared
    })
    const shared = configure()
    const node = { headers: { host: 'app.test' }, url: '/node' }
    await auth(() => new Response())(get('/wrapped'))
    await auth(get('/inline'))
    await auth(get('/pair'), new Response())
    await Reflect.apply(auth, undefined, [node, {}])
    await Reflect.apply(auth, undefined, [{ req: node, res: {} }])
    await withRequest(get('/ambient'), async () => Response.json(await auth()))
    const paths = urls.map((url) => url?.replace(origin, ''))
    expect(paths).to.deep.equal(['/wrapped', '/inline', '/pair', '/node', '/node', '/ambient'])
  })

  it('FO-02 allows no request when it throws', async () => {
    const { auth } = initAuth((): FullStackAuthConfig => {
      throw new Error('tenants are away')
    })
    await expectRejection(auth(get('/')))
    await expectRejection(auth(() => new Response())(get('/')))
  })
})

describe('callbacks.authorized elsewhere', () => {
  const config = () => configure({ callbacks: { authorized: () => true } })
  const doors: ReadonlyArray<[name: string, call: () => unknown]> = [
    ['ServerAuth', () => ServerAuth(config())],
    ['defineAuth', () => defineAuth(config())],
    ['requireSession', () => requireSession(config())],
    ['getSession', () => getSession({ headers: {} }, config())],
  ]

  for (const [name, call] of doors) {
    it(`is rejected by ${name}, which would not call it`, async () => {
      const error = await rejectionOf((async () => call())())
      expect(error).to.be.instanceOf(InvalidConfiguration)
      expect(error.message).to.match(/`callbacks.authorized` here: it belongs to initAuth/)
    })
  }
})
