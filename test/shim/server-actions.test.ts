import { expect } from 'chai'
import { Hono } from 'hono'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import {
  AuthError,
  CallbackRouteError,
  CredentialsSignin,
  InvalidConfiguration,
  MissingCSRF,
} from '../../lib/errors.js'
import type { FailureMessage, FullStackAuthConfig } from '../../lib/types/config.js'
import type { Session } from '../../lib/types/session.js'
import initAuth, { type AuthHost, type RequestContextOptions, withRequest } from '../../shim/index.js'
import { credentials } from '../support/app.js'
import { opened } from '../support/opened.js'
import { startOpenIdProvider } from '../support/openid-provider.js'
import { rejectionOf } from '../support/rejection.js'
import { sessionName } from '../support/session.js'
import { configure, cookieOf, get, logOf, origin, withEnv } from './stage.js'

const acme = {
  id: 'acme',
  name: 'Acme',
  type: 'oauth' as const,
  clientId: 'client',
  clientSecret: 'client-secret',
  authorization: { url: 'https://op.example/authorize', params: { scope: 'basic' } },
  token: 'https://op.example/token',
  userinfo: 'https://op.example/userinfo',
}

const right = { username: 'ann', password: 'right' }

/** A POST of the application's own form. */
function post(headers: Record<string, string> = {}, path = '/login'): Request {
  return new Request(origin + path, { method: 'POST', headers: { origin, ...headers } })
}

/** Runs code as the answer to a request; what it returns, and the response that comes of it. */
async function within<T>(request: Request, work: () => Promise<T>, options?: RequestContextOptions) {
  const state: { result?: T } = {}
  const respond = async () => {
    state.result = await work()
    return new Response('done')
  }
  const response = await withRequest(request, respond, options)
  return { ...state, response }
}

const set = (response: Response) => response.headers.getSetCookie().map((line) => line.split('=')[0])
const locationOf = (response: Response) => response.headers.get('location')

function form(fields: ReadonlyArray<readonly [string, string | Blob]>): FormData {
  const data = new FormData()
  for (const [name, value] of fields) data.append(name, value)
  return data
}

describe('signIn()', () => {
  describe('without a provider', () => {
    for (const provider of [undefined, 'nobody', '__proto__']) {
      it(`goes to the sign-in page (${provider})`, async () => {
        const { signIn } = initAuth(configure())
        const { response } = await within(post(), () => signIn(provider, { redirectTo: '/there' }))
        expect(response.status).to.equal(303)
        expect(locationOf(response)).to.equal(`${origin}/api/auth/signin?callbackUrl=%2Fthere`)
      })
    }

    it('returns that URL with redirect: false', async () => {
      const { signIn } = initAuth(configure())
      const { result, response } = await within(get('/'), () => signIn(undefined, { redirect: false }))
      expect(result).to.equal(`${origin}/api/auth/signin?callbackUrl=%2F`)
      expect(response.status).to.equal(200)
    })
  })

  describe('with credentials', () => {
    it('starts a session and redirects', async () => {
      const { signIn } = initAuth(configure())
      const { response, result } = await within(post(), () =>
        signIn('credentials', { ...right, redirectTo: '/there?a=1' }),
      )
      expect([response.status, locationOf(response), result]).to.deep.equal([303, `${origin}/there?a=1`, undefined])
      expect(set(response)).to.deep.equal(['auth.callback-url', sessionName, 'auth.browser', 'auth.csrf-token'])
      expect(response.headers.get('cache-control')).to.include('no-store')
    })

    it('is seen by auth() in the same request', async () => {
      const { signIn, signOut, auth } = initAuth(configure())
      const names: unknown[] = []
      const { response } = await within(post(), async () => {
        names.push(await auth())
        expect(await signIn('credentials', { ...right, redirect: false, redirectTo: '/there' })).to.equal(
          `${origin}/there`,
        )
        names.push((await auth())?.user?.name)
        await signOut({ redirect: false })
        names.push(await auth())
      })
      expect(names).to.deep.equal([null, 'ann', null])
      const lines = response.headers.getSetCookie().filter((line) => line.startsWith(`${sessionName}=`))
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include('Max-Age=0')
    })

    it('takes a form', async () => {
      const seen: unknown[] = []
      const provider = credentials({
        credentials: {},
        json: true,
        authorize: (fields) => {
          seen.push({ ...fields })
          return { id: '1' }
        },
      })
      const { signIn } = initAuth(configure({ providers: [provider] }))
      const data = form([
        ['username', 'ann'],
        ['tag', 'a'],
        ['tag', 'b'],
        ['file', new Blob(['x'])],
        ['$ACTION_ID_1', ''],
        ['csrfToken', 'x'],
        ['redirect', 'false'],
        ['redirectTo', '/there'],
      ])
      const { response } = await within(post(), () => signIn('credentials', data))
      expect(locationOf(response)).to.equal(`${origin}/there`)
      expect(seen).to.deep.equal([{ username: 'ann', tag: ['a', 'b'] }])
    })

    it('throws CredentialsSignin with its code, and sets no cookie', async () => {
      class TooMany extends CredentialsSignin {
        override code = 'too_many'
      }
      const told: FailureMessage[] = []
      const config = configure({
        providers: [
          credentials({
            authorize: ({ password }) => {
              if (password === 'often') throw new TooMany()
              return null
            },
          }),
        ],
        events: { failure: (message) => void told.push(message) },
      })
      const { signIn } = initAuth(config)
      const { response } = await within(post({ 'user-agent': 'test' }), async () => {
        const wrong = await rejectionOf(signIn('credentials', { username: 'ann', password: 'wrong' }))
        expect(wrong).to.be.instanceOf(CredentialsSignin).and.include({ code: 'credentials' })
        const often = await rejectionOf(signIn('credentials', { username: 'ann', password: 'often' }))
        expect(often).to.be.instanceOf(TooMany).and.include({ code: 'too_many', type: 'CredentialsSignin' })
      })
      expect(set(response)).to.deep.equal([])
      // A wrong password is no fault of the application's.
      expect(logOf(config).errors).to.deep.equal([])
      expect(told.map(({ type, action, provider }) => [type, action, provider])).to.deep.equal([
        ['CredentialsSignin', 'callback', 'credentials'],
        ['CredentialsSignin', 'callback', 'credentials'],
      ])
      expect(told[0]?.request).to.deep.equal({ userAgent: 'test' })
    })

    it('throws an AuthError for whatever else fails', async () => {
      const broken = () => Promise.reject(new Error('away'))
      const cases: Array<Partial<FullStackAuthConfig>> = [
        { providers: [credentials({ authorize: broken })] },
        { callbacks: { jwt: broken } },
        { callbacks: { signIn: () => false } },
        { callbacks: { signIn: broken } },
      ]
      for (const config of cases) {
        const { signIn } = initAuth(configure(config))
        const { response } = await within(post(), async () => {
          expect(await rejectionOf(signIn('credentials', right))).to.be.instanceOf(AuthError)
        })
        expect(set(response)).to.deep.equal([])
      }
    })

    it('wraps what a callback throws, with the original', async () => {
      const original = new Error('away')
      const { signIn } = initAuth(configure({ callbacks: { jwt: () => Promise.reject(original) } }))
      await within(post(), async () => {
        const error = (await rejectionOf(signIn('credentials', right))) as AuthError
        expect(error).to.be.instanceOf(CallbackRouteError)
        expect(error.cause?.err).to.equal(original)
      })
    })
  })

  describe('where to go afterwards', () => {
    const target = async (
      headers: Record<string, string>,
      options: object = {},
      config: Partial<FullStackAuthConfig> = {},
    ) => {
      const { signIn } = initAuth(configure(config))
      const { result } = await within(post(headers), () =>
        signIn('credentials', { ...right, ...options, redirect: false }),
      )
      return result?.replace(origin, '')
    }

    it('is the page that the form was on', async () => {
      expect(await target({ referer: `${origin}/profile?tab=1#top` })).to.equal('/profile?tab=1')
    })

    it('is the root if no URL is given, or that of another site', async () => {
      expect(await target({})).to.equal('/')
      expect(await target({ referer: 'https://evil.test/there' })).to.equal('/')
      expect(await target({ referer: 'about:blank' })).to.equal('/')
      expect(await target({ referer: 'nonsense' })).to.equal('/')
    })

    it('is what the sign-in page was to lead to', async () => {
      const own = { pages: { signIn: '/login' } }
      expect(await target({ referer: `${origin}/login?callbackUrl=%2Fthere` }, {}, own)).to.equal('/there')
      expect(await target({ referer: `${origin}/login` }, {}, own)).to.equal('/')
      expect(await target({ referer: `${origin}/login?callbackUrl=https%3A%2F%2Fevil.test` }, {}, own)).to.equal('/')
    })

    it('is redirectTo before that, checked like a client says it', async () => {
      const referer = { referer: `${origin}/profile` }
      expect(await target(referer, { redirectTo: '/there' })).to.equal('/there')
      expect(await target(referer, { redirectTo: '' })).to.equal('/profile')
      for (const foreign of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)']) {
        expect(await target(referer, { redirectTo: foreign })).to.equal('/')
      }
    })

    it('is what the redirect callback decides', async () => {
      const callbacks = {
        redirect: ({ url }: { url: string }) => `https://other.example/?from=${url}`,
      }
      expect(await target({}, { redirectTo: '/there' }, { callbacks })).to.equal('https://other.example/?from=/there')
    })
  })

  describe('with a provider elsewhere', () => {
    it('goes there, with the transaction in a cookie', async () => {
      const { signIn } = initAuth(configure({ providers: [acme] }))
      const { response } = await within(post(), () => signIn('acme', { redirectTo: '/there' }))
      const to = new URL(locationOf(response) ?? '')
      expect(to.origin + to.pathname).to.equal('https://op.example/authorize')
      expect(to.searchParams.get('redirect_uri')).to.equal(`${origin}/api/auth/callback/acme`)
      expect(set(response)).to.include('auth.transaction.0')
    })

    const authorizationUrl = async (params: Parameters<ReturnType<typeof initAuth>['signIn']>[2]) => {
      const config = configure({ providers: [acme] })
      const { result } = await within(post(), () => initAuth(config).signIn('acme', { redirect: false }, params))
      return { query: new URL(result ?? '').searchParams, warnings: logOf(config).warnings }
    }

    it('adds authorization parameters, in each of their forms', async () => {
      const forms: Array<Parameters<typeof authorizationUrl>[0]> = [
        'audience=api&scope=basic+mail',
        { audience: 'api', scope: 'basic mail' },
        new URLSearchParams({ audience: 'api', scope: 'basic mail' }),
        [
          ['audience', 'api'],
          ['scope', 'basic mail'],
        ],
      ]
      for (const params of forms) {
        const { query } = await authorizationUrl(params)
        expect([query.get('audience'), query.getAll('scope')]).to.deep.equal(['api', ['basic mail']])
      }
    })

    it("keeps the protocol's own", async () => {
      const { query, warnings } = await authorizationUrl({
        state: 'mine',
        redirect_uri: 'https://evil.test',
        client_id: 'other',
        response_type: 'token',
        code_challenge: 'x',
        prompt: 'login',
      })
      expect(query.get('state')).not.to.equal('mine')
      expect(query.get('redirect_uri')).to.equal(`${origin}/api/auth/callback/acme`)
      expect([query.get('client_id'), query.get('response_type'), query.get('prompt')]).to.deep.equal([
        'client',
        'code',
        'login',
      ])
      expect(warnings.filter(({ code }) => code === 'authorization-params')).to.have.length(5)
    })

    it('asks for no older sign-in at the provider than the configuration allows', async () => {
      const params = { ...acme.authorization.params, max_age: 60 }
      const strict = { ...acme, authorization: { ...acme.authorization, params } }
      const { signIn } = initAuth(configure({ providers: [strict] }))
      for (const [asked, sent] of [
        ['600', '60'],
        ['30', '30'],
      ] as const) {
        const { result } = await within(post(), () => signIn('acme', { redirect: false }, { max_age: asked }))
        expect(new URL(result ?? '').searchParams.getAll('max_age')).to.deep.equal([sent])
      }
    })

    it('sends a form that a browser shows to another site by a page, so that no policy of the form stops it', async () => {
      const { signIn } = initAuth(configure({ providers: [acme] }))
      const { response } = await within(post({ 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }), () =>
        signIn('acme'),
      )
      expect(response.status).to.equal(200)
      expect(response.headers.get('refresh')).to.match(/^0;url=https:\/\/op\.example\/authorize\?/)
      expect(await response.text()).to.include('href="https://op.example/authorize?')
      expect(set(response)).to.include('auth.transaction.0')
    })

    it('redirects such a form on its own site as usual', async () => {
      const { signIn } = initAuth(configure())
      const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }
      const { response } = await within(post(navigation), () => signIn('credentials', right))
      expect(response.status).to.equal(303)
    })
  })

  describe('by mail', () => {
    it('tells the host about the mail that is under way', async () => {
      const events: string[] = []
      const mail = {
        id: 'email',
        name: 'E-mail',
        type: 'email' as const,
        sendVerificationRequest: async ({ identifier }: { identifier: string }) => {
          await new Promise((resolve) => setImmediate(resolve))
          events.push(`sent to ${identifier}`)
        },
      }
      const { signIn } = initAuth(configure({ adapter: memoryAdapter(), providers: [mail] }))
      const work: Array<Promise<unknown>> = []
      const waitUntil = (promise: Promise<unknown>) => void work.push(promise)
      const { response } = await within(post(), () => signIn('email', { email: 'ann@example.com' }), { waitUntil })
      expect(locationOf(response)).to.equal(`${origin}/api/auth/verify-request?provider=email&type=email`)
      expect(events).to.deep.equal([])
      expect(work).to.have.length(1)
      await Promise.all(work)
      expect(events).to.deep.equal(['sent to ann@example.com'])
    })

    it('says what is wrong with an address', async () => {
      const mail = { id: 'email', name: 'E-mail', type: 'email' as const, sendVerificationRequest: () => {} }
      const { signIn } = initAuth(configure({ adapter: memoryAdapter(), providers: [mail] }))
      await within(post(), async () => {
        expect(await rejectionOf(signIn('email', { email: 'nobody' }))).to.include({ type: 'EmailSignInError' })
      })
    })
  })

  describe('and other sites', () => {
    const attempts: ReadonlyArray<[title: string, headers: Record<string, string>, allowed: boolean]> = [
      ['a form of the site itself', { origin }, true],
      ['the same, told by the browser', { origin, 'sec-fetch-site': 'same-origin' }, true],
      ['a form under no-referrer, told to be of the site', { origin: 'null', 'sec-fetch-site': 'same-origin' }, true],
      ['a form of another site', { origin: 'https://evil.test' }, false],
      ['the same, told by the browser', { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }, false],
      ['a form of a neighbour', { origin: 'http://other.app.test', 'sec-fetch-site': 'same-site' }, false],
      ['a form of nobody', { origin: 'null' }, false],
    ]

    for (const [title, headers, allowed] of attempts) {
      it(`${allowed ? 'takes' : 'refuses'} ${title}`, async () => {
        const { signIn, signOut, unstable_update } = initAuth(configure())
        const calls = [
          () => signIn('credentials', { ...right, redirect: false }),
          () => signOut({ redirect: false }),
          () => unstable_update({}),
        ]
        for (const call of calls) {
          const { response } = await within(post({ ...headers, cookie: await cookieOf('ann') }), async () => {
            if (allowed) await call()
            else expect(await rejectionOf(call())).to.be.instanceOf(MissingCSRF)
          })
          if (!allowed) expect(set(response)).to.deep.equal([])
        }
      })
    }

    it('nothing that a client sends does without the token on the routes', async () => {
      const { handlers } = initAuth(configure())
      const body = new URLSearchParams({
        ...right,
        ownCall: 'true',
        skipCSRFCheck: 'true',
      })
      const request = new Request(`${origin}/api/auth/callback/credentials`, {
        method: 'POST',
        headers: { origin },
        body,
      })
      expect(locationOf(await handlers.POST(request))).to.equal(`${origin}/api/auth/signin?error=MissingCSRF`)
    })
  })
})

describe('signOut()', () => {
  it('ends the session and returns to the page of the user', async () => {
    const ended: unknown[] = []
    const { signOut } = initAuth(configure({ events: { signOut: (message) => void ended.push(message.token?.sub) } }))
    const request = post({ cookie: await cookieOf('ann'), referer: `${origin}/profile` })
    const { response } = await within(request, () => signOut())
    expect([response.status, locationOf(response)]).to.deep.equal([303, `${origin}/profile`])
    expect(response.headers.getSetCookie().find((line) => line.startsWith(sessionName))).to.include('Max-Age=0')
    expect(ended).to.deep.equal(['ann'])
  })

  it('returns the URL with redirect: false', async () => {
    const { signOut } = initAuth(configure())
    const options = { redirect: false, redirectTo: '/bye' } as const
    const { result, response } = await within(post(), () => signOut(options))
    expect([result, response.status]).to.deep.equal([`${origin}/bye`, 200])
  })

  describe('at the provider', () => {
    const provider = opened(() => startOpenIdProvider())

    it('goes on to it with federated', async () => {
      // The provider redirects to loopback only.
      const site = 'http://localhost:3000'
      const submit = (cookie = '') =>
        new Request(`${site}/leave`, { method: 'POST', headers: { origin: site, ...(cookie && { cookie }) } })
      const cookies = (responses: Response[]) =>
        responses.flatMap((each) => each.headers.getSetCookie().map((line) => line.split(';')[0])).join('; ')
      const test = { id: 'test', name: 'Test', type: 'oidc' as const, ...provider.settings() }
      const { signIn, signOut, handlers } = initAuth(configure({ providers: [test] }))
      const begun = await within(submit(), () => signIn('test', { redirect: false }))
      const back = await provider.signInAs(String(begun.result), 'alice')
      const signedIn = await handlers.GET(new Request(back, { headers: { cookie: cookies([begun.response]) } }))
      const all = cookies([begun.response, signedIn])
      // A browser sends it to the routes only.
      const cookie = all
        .split('; ')
        .filter((pair) => !pair.startsWith('auth.logout='))
        .join('; ')
      expect(cookie).to.not.equal(all)
      const stay = await within(submit(cookie), () => signOut({ redirect: false, redirectTo: '/bye' }))
      expect(stay.result).to.equal(`${site}/bye`)
      expect(stay.response.headers.getSetCookie().join()).to.match(/auth\.logout=; Max-Age=0; Path=\/api\/auth/)
      const url = await within(submit(cookie), () => signOut({ redirect: false, redirectTo: '/bye', federated: true }))
      expect(url.response.headers.getSetCookie().join()).to.not.include('auth.logout')
      expect(String(url.result)).to.match(/^http:\/\/localhost:3000\/api\/auth\/signout\?leaving=/)
      const goOn = (sent: string, method = 'GET') =>
        handlers.GET(new Request(String(url.result), { method, headers: { cookie: sent } }))
      expect((await goOn(all, 'HEAD')).status).to.equal(200)
      // Another browser is not sent on, and uses nothing up.
      expect((await goOn('')).status).to.equal(200)
      const onward = await goOn(all)
      expect(new URL(locationOf(onward) ?? '').origin).to.equal(provider.issuer)
      expect(onward.headers.getSetCookie().join()).to.match(/auth\.logout=; Max-Age=0/)
      expect((await goOn(all)).status).to.equal(200)
      const { response } = await within(submit(cookie), () => signOut({ redirectTo: '/bye', federated: true }))
      const nothingKept = await handlers.GET(new Request(locationOf(response) ?? '', { headers: { cookie } }))
      expect(locationOf(nothingKept)).to.equal(`${site}/bye`)
    })
  })

  it('checks where it is to go', async () => {
    const { signOut } = initAuth(configure())
    const { response } = await within(post(), () => signOut({ redirectTo: 'https://evil.test' }))
    expect(locationOf(response)).to.equal(`${origin}/`)
  })

  it('removes a session that is stored', async () => {
    const adapter = memoryAdapter()
    const { signIn, signOut, auth } = initAuth(configure({ adapter }))
    const first = await within(post(), () => signIn('credentials', right))
    const cookie = first.response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    await within(post({ cookie }), () => signOut())
    const { result } = await within(post({ cookie }), () => auth())
    expect(result).to.equal(null)
  })
})

describe('unstable_update()', () => {
  const config = () =>
    configure({
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === 'update' ? { ...token, name: (session as Session).user?.name ?? null } : token,
      },
    })

  it('asks the jwt callback, returns the session and keeps it', async () => {
    const { unstable_update, auth } = initAuth(config())
    const { result, response } = await within(post({ cookie: await cookieOf('ann') }), async () => [
      await unstable_update({ user: { name: 'Ann II' } }),
      await auth(),
    ])
    expect(result?.map((session) => session?.user?.name)).to.deep.equal(['Ann II', 'Ann II'])
    expect(set(response)).to.deep.equal([sessionName])
  })

  it('is null for who is not signed in', async () => {
    const { unstable_update } = initAuth(config())
    expect((await within(post(), () => unstable_update({}))).result).to.equal(null)
  })

  it('throws what the callback throws, wrapped', async () => {
    const { unstable_update } = initAuth(configure({ callbacks: { jwt: () => Promise.reject(new Error('away')) } }))
    await within(post({ cookie: await cookieOf('ann') }), async () => {
      expect(await rejectionOf(unstable_update({}))).to.be.instanceOf(CallbackRouteError)
    })
  })
})

describe('signIn(), signOut() and unstable_update()', () => {
  const callsOf = (config: FullStackAuthConfig, host?: AuthHost) => {
    const { signIn, signOut, unstable_update } = initAuth(config, host)
    return [() => signIn('credentials', right), () => signOut(), () => unstable_update({})]
  }

  it('throw where no request is being answered', async () => {
    for (const call of callsOf(configure())) expect((await rejectionOf(call())).message).to.match(/withRequest/)
  })

  it('do nothing where no cookie can be set', async () => {
    let asked = 0
    const authorize = () => {
      asked += 1
      return { id: '1' }
    }
    const host: AuthHost = {
      current: () => ({ headers: new Headers(), url: `${origin}/`, writable: false }),
      setCookies: () => expect.fail('no cookie can be set here'),
      redirect: () => expect.fail('nobody goes anywhere'),
    }
    for (const call of callsOf(configure({ providers: [credentials({ authorize })] }), host)) {
      expect((await rejectionOf(call())).message).to.match(/server action or a route/)
    }
    expect(asked).to.equal(0)
  })

  it('do nothing after the response was returned', async () => {
    const late: Array<Promise<Error>> = []
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    await withRequest(post(), () => {
      for (const call of callsOf(configure())) late.push(rejectionOf(begun.then(call)))
      return new Response()
    })
    begin()
    for (const error of await Promise.all(late)) expect(error.message).to.match(/before the response begins/)
  })

  it('throw for a configuration that cannot work', async () => {
    for (const call of callsOf(configure({ providers: [{ id: 'x', name: 'X', type: 'oauth' as const }] }))) {
      await within(post(), async () => expect(await rejectionOf(call())).to.be.instanceOf(AuthError))
    }
    const nothing = initAuth(() => ({}) as FullStackAuthConfig)
    await within(post(), async () => expect(await rejectionOf(nothing.signIn())).to.be.instanceOf(InvalidConfiguration))
  })

  it('throw for a host that is not trusted', () =>
    withEnv({ NODE_ENV: 'production', AUTH_URL: undefined, AUTH_TRUST_HOST: undefined }, async () => {
      const config = configure()
      for (const call of [...callsOf(config), () => initAuth(config).signIn()]) {
        await within(post(), async () => expect(await rejectionOf(call())).to.include({ type: 'UntrustedHost' }))
      }
    }))

  it('need to know the site: from AUTH_URL, where the host does not tell', async () => {
    const set: string[] = []
    const host: AuthHost = {
      current: () => ({ headers: new Headers(), writable: true }),
      setCookies: (cookies) => void set.push(...cookies.map(({ name }) => name)),
      redirect: () => expect.fail('nobody goes anywhere'),
    }
    const [call = expect.fail] = callsOf(configure(), host)
    expect(await rejectionOf(call()))
      .to.have.property('message')
      .that.includes('AUTH_URL')
    await withEnv({ AUTH_URL: 'https://site.example' }, async () => {
      const { signIn } = initAuth(configure(), host)
      expect(await signIn('credentials', { ...right, redirect: false })).to.equal('https://site.example/')
    })
    expect(set).to.include(`__Secure-${sessionName}`)
  })

  it('ask a function for the configuration of the request', async () => {
    const tenants: Record<string, FullStackAuthConfig> = { red: configure({ providers: [acme] }), blue: configure() }
    const { signIn } = initAuth((request) => tenants[new URL(request?.url ?? origin).pathname.slice(1)] ?? configure())
    const red = await within(post({}, '/red'), () => signIn('acme', { redirect: false }))
    const blue = await within(post({}, '/blue'), () => signIn('acme', { redirect: false }))
    expect(red.result).to.match(/^https:\/\/op\.example/)
    expect(blue.result).to.match(/^http:\/\/app\.test\/api\/auth\/signin/)
  })

  it('leave through a framework that catches errors', async () => {
    const { signIn, handlers } = initAuth(configure())
    const app = new Hono()
      .onError((_error, context) => context.text('caught', 500))
      .on(['GET', 'POST'], '/api/auth/*', (context) => handlers.POST(context.req.raw))
      .post('/login', async (context) => {
        await signIn('credentials', await context.req.raw.formData())
        return context.text('not reached')
      })
    const body = form([
      ['username', 'ann'],
      ['password', 'right'],
      ['redirectTo', '/there'],
    ])
    const request = new Request(`${origin}/login`, { method: 'POST', headers: { origin }, body })
    const response = await withRequest(request, () => app.fetch(request))
    expect([response.status, locationOf(response)]).to.deep.equal([303, `${origin}/there`])
    expect(set(response)).to.include(sessionName)
  })
})

describe('signIn() with a real OpenID provider', () => {
  const provider = opened(() => startOpenIdProvider())

  it('begins what the routes complete', async () => {
    const providers = [{ id: 'test', name: 'Test', type: 'oidc' as const, ...provider.settings() }]
    const { signIn, handlers, auth } = initAuth(configure({ providers }))
    // The provider's client may come back to any loopback address.
    const site = 'http://127.0.0.1:1'
    const begun = await within(new Request(`${site}/login`, { method: 'POST' }), () =>
      signIn('test', { redirectTo: '/there' }, { login_hint: 'alice', max_age: '600' }),
    )
    const cookies = (response: Response) =>
      response.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ')
    const back = await provider.signInAs(locationOf(begun.response) ?? '', 'alice')
    const ended = await handlers.GET(new Request(back, { headers: { cookie: cookies(begun.response) } }))
    expect(locationOf(ended)).to.equal(`${site}/there`)
    const { result } = await within(new Request(site, { headers: { cookie: cookies(ended) } }), () => auth())
    expect(result?.user?.name).to.equal('Alice Example')
  })
})
