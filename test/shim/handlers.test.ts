import { expect } from 'chai'
import { Hono } from 'hono'
import { type AuthError, InvalidConfiguration, MissingSecretError } from '../../lib/errors.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth from '../../shim/index.js'
import { createLog, credentials, secret } from '../support/app.js'
import { thrownBy } from '../support/rejection.js'
import { configure, get, logOf, origin, withEnv } from './stage.js'

describe('initAuth(config).handlers', () => {
  describe('base path', () => {
    const answers = async (config: FullStackAuthConfig, path: string) =>
      (await initAuth(config).handlers.GET(get(`${path}/session`))).status

    it('is /api/auth by default', async () => {
      expect(await answers(configure(), '/api/auth')).to.equal(200)
      expect(await answers(configure(), '/auth')).to.equal(404)
    })

    it('is what the configuration says', async () => {
      expect(await answers(configure({ basePath: '/auth' }), '/auth')).to.equal(200)
      expect(await answers(configure({ basePath: '/a.b+c/auth/' }), '/a.b+c/auth')).to.equal(200)
      expect(await answers(configure({ basePath: '/' }), '')).to.equal(200)
    })

    it('is the path of AUTH_URL where the configuration says nothing', () =>
      withEnv({ AUTH_URL: 'https://app.test/sign-in' }, async () => {
        expect(await answers(configure(), '/sign-in')).to.equal(200)
        expect(await answers(configure(), '/api/auth')).to.equal(404)
        expect(await answers(configure({ basePath: '/auth' }), '/auth')).to.equal(200)
      }))

    it('stays the default where AUTH_URL has no path', () =>
      withEnv({ AUTH_URL: 'https://app.test/' }, async () => {
        expect(await answers(configure(), '/api/auth')).to.equal(200)
      }))

    it('is said once to be elsewhere, where requests for the routes come to another path', async () => {
      const config = configure()
      const { handlers } = initAuth(config)
      for (const path of ['/auth/session', '/auth/signin/acme', '/else']) await handlers.GET(get(path))
      expect(logOf(config).warnings.map(({ code }) => code)).to.deep.equal(['handlers-basepath-mismatch'])
      expect(logOf(config).warnings[0]?.details[0]).to.include("basePath: '/auth'")
    })

    it('is not written into the configuration', async () => {
      const config = Object.freeze(configure())
      await initAuth(config).handlers.GET(get('/api/auth/session'))
      expect(config).not.to.have.property('basePath')
    })
  })

  describe('paths that are none of the routes', () => {
    const paths = [
      '/',
      '/api/auth',
      '/api/auth/',
      '/api/auth/nothing',
      '/api/authsession',
      '/api/auth/session/',
      '/api/auth//session',
      '/api/auth/signin/acme/more',
      '/API/auth/session',
      '/admin',
    ]

    for (const path of paths) {
      it(`PT-03 PT-01 ${path} is 404`, async () => {
        const answer = await initAuth(configure()).handlers.GET(get(path))
        expect(answer.status).to.equal(404)
        expect(answer.headers.get('cache-control')).to.equal('private, no-cache, no-store')
        expect(answer.headers.get('x-content-type-options')).to.equal('nosniff')
        expect(answer.headers.getSetCookie()).to.deep.equal([])
      })
    }

    it('is JSON for who asks for it', async () => {
      const answer = await initAuth(configure()).handlers.POST(get('/api/auth/nothing', { accept: 'application/json' }))
      expect(await answer.json()).to.have.property('error', 'UnknownAction')
    })
  })

  it('answers several cookies, each in a line of its own', async () => {
    const { handlers } = initAuth(configure())
    const csrf = await handlers.GET(get('/api/auth/csrf'))
    const { csrfToken } = (await csrf.json()) as { csrfToken: string }
    const signIn = new Request(`${origin}/api/auth/callback/credentials`, {
      method: 'POST',
      headers: { cookie: csrf.headers.getSetCookie()[0]?.split(';')[0] ?? '' },
      body: new URLSearchParams({ csrfToken, username: 'ann', password: 'right' }),
    })
    const answer = await handlers.POST(signIn)
    expect(answer.status).to.equal(303)
    expect(answer.headers.getSetCookie().map((line) => line.split('=')[0])).to.deep.equal([
      'auth.callback-url',
      'auth.session-token',
      'auth.browser',
      'auth.csrf-token',
    ])
  })

  it('uses the method of the request', async () => {
    const { handlers } = initAuth(configure())
    const head = await handlers.GET(new Request(`${origin}/api/auth/signin`, { method: 'HEAD' }))
    expect([head.status, head.body]).to.deep.equal([200, null])
    expect((await handlers.GET(new Request(`${origin}/api/auth/csrf`, { method: 'POST' }))).status).to.equal(405)
  })

  it('leaves the connection to the server', async () => {
    const body = 'x'.repeat(200_000)
    const request = new Request(`${origin}/api/auth/session`, { method: 'POST', body })
    const answer = await initAuth(configure()).handlers.POST(request)
    expect([answer.status, answer.headers.has('connection')]).to.deep.equal([413, false])
  })

  it('runs on any catch-all route of a framework', async () => {
    const { handlers } = initAuth(configure())
    const app = new Hono().all('/:anything{.*}', (context) => handlers.GET(context.req.raw))
    expect(await (await app.request(`${origin}/api/auth/session`)).json()).to.equal(null)
  })

  it('answers 400 when the client gives up in the middle of its body', async () => {
    const abort = new AbortController()
    const body = new ReadableStream<Uint8Array>()
    const init = { method: 'POST', body, duplex: 'half' as const, signal: abort.signal }
    const config = configure()
    const answer = initAuth(config).handlers.POST(new Request(`${origin}/api/auth/session`, init))
    abort.abort()
    expect((await answer).status).to.equal(400)
    expect(logOf(config).errors).to.deep.equal([])
  })

  it('answers 500 for a body that was read before, and says in the log what to do', async () => {
    const config = configure()
    const request = new Request(`${origin}/api/auth/session`, { method: 'POST', body: 'a=1' })
    await request.text()
    expect((await initAuth(config).handlers.POST(request)).status).to.equal(500)
    expect(logOf(config).errors[0]?.message).to.match(/has already been read/)
  })

  describe('a configuration that cannot work', () => {
    const production = { NODE_ENV: 'production', AUTH_SECRET: undefined, AUTH_URL: 'https://app.test' }
    const withoutSecret = () => Object.assign(configure(), { secret: undefined })

    it('throws at once for what is no configuration', () => {
      for (const wrong of [undefined, null, 'config', 7, [], {}, { providers: 'github' }]) {
        const error = thrownBy(() => Reflect.apply(initAuth, undefined, [wrong]))
        expect(error).to.be.instanceOf(InvalidConfiguration)
        expect(error.message).to.include('initAuth({ providers')
      }
    })

    it('does not throw at once for what the environment may still give: a build has none', () =>
      withEnv(production, async () => {
        expect(() => initAuth(withoutSecret())).not.to.throw()
      }))

    it('is answered with 500 JSON to API clients, and logged', () =>
      withEnv(production, async () => {
        const config = withoutSecret()
        for (const path of ['/api/auth/session', '/api/auth/csrf', '/api/auth/providers']) {
          const answer = await initAuth(config).handlers.GET(get(path))
          expect(answer.status).to.equal(500)
          expect(await answer.json()).to.deep.equal({
            error: 'Configuration',
            message: 'The server could not answer. Its log has the reason.',
          })
        }
        expect(logOf(config).errors).to.have.length(3)
        expect(logOf(config).errors[0]).to.be.instanceOf(MissingSecretError)
      }))

    it('is answered with a page to browsers', () =>
      withEnv(production, async () => {
        const answer = await initAuth(withoutSecret()).handlers.GET(get('/api/auth/signin', { accept: 'text/html' }))
        expect(answer.status).to.equal(500)
        expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8')
        const page = await answer.text()
        expect(page).to.include('This site has a problem').and.not.include('secret')
        const nonce = /nonce="([^"]+)"/.exec(page)?.[1]
        expect(answer.headers.get('content-security-policy')).to.include(`style-src 'nonce-${nonce}'`)
      }))

    it('says why in development', async () => {
      const config: FullStackAuthConfig = Object.assign(configure(), { sesion: {} })
      const answer = await initAuth(config).handlers.GET(get('/api/auth/session'))
      expect(((await answer.json()) as { message: string }).message).to.include('Did you mean `session`?')
    })

    it('works as soon as the environment is right', async () => {
      const { handlers } = initAuth(withoutSecret())
      await withEnv(production, async () => {
        expect((await handlers.GET(get('/api/auth/session'))).status).to.equal(500)
      })
      await withEnv({ ...production, AUTH_SECRET: secret }, async () => {
        expect((await handlers.GET(get('/api/auth/session'))).status).to.equal(200)
      })
    })

    it('is no way around an untrusted host', () =>
      withEnv({ NODE_ENV: 'production', AUTH_URL: undefined, AUTH_TRUST_HOST: undefined }, async () => {
        const config = configure()
        const answer = await initAuth(config).handlers.GET(get('/api/auth/session'))
        expect(answer.status).to.equal(500)
        expect((logOf(config).errors[0] as AuthError).type).to.equal('UntrustedHost')
      }))
  })

  describe('with a function', () => {
    it('hands it the request', async () => {
      const requests: unknown[] = []
      const config = configure()
      const { handlers } = initAuth((request) => {
        requests.push(request)
        return config
      })
      const request = get('/api/auth/session')
      expect((await handlers.GET(request)).status).to.equal(200)
      expect(requests).to.have.length(1)
      expect(requests[0]).to.equal(request)
    })

    it('resolves each object once', async () => {
      const config = configure()
      const { handlers } = initAuth(async () => config)
      for (let round = 0; round < 3; round += 1) await handlers.GET(get('/api/auth/session'))
      expect(logOf(config).debugs.filter(({ message }) => message === 'configuration resolved')).to.have.length(1)
    })

    it('answers by the configuration of each request', async () => {
      const tenants = { red: configure({ providers: [credentials({ name: 'Red' })] }), blue: configure() }
      const { handlers } = initAuth((request) => (request?.url.includes('red') ? tenants.red : tenants.blue))
      const names = async (tenant: string) => {
        const answer = await handlers.GET(get(`/api/auth/providers?tenant=${tenant}`))
        return ((await answer.json()) as { credentials: { name: string } }).credentials.name
      }
      expect(await Promise.all([names('red'), names('blue'), names('red')])).to.deep.equal([
        'Red',
        'Credentials',
        'Red',
      ])
    })

    it('answers 500 when it throws or returns nothing of use', async () => {
      const log = createLog()
      const print = console.error
      console.error = (line: string) => void log.errors.push(new Error(line))
      try {
        for (const broken of [() => Promise.reject(new Error('tenants are away')), () => ({}) as FullStackAuthConfig]) {
          expect((await initAuth(broken).handlers.GET(get('/api/auth/session'))).status).to.equal(500)
        }
      } finally {
        console.error = print
      }
      const lines = log.errors.map(({ message }) => message).join('\n')
      expect(lines).to.include('tenants are away').and.include('InvalidConfiguration')
    })

    it('says once that it should return the same object', async () => {
      const log = createLog()
      const { handlers } = initAuth(() => configure({ logger: log.logger }))
      for (let round = 0; round < 120; round += 1) await handlers.GET(get('/api/auth/csrf'))
      expect(log.warnings.filter(({ code }) => code === 'lazy-config')).to.have.length(1)
    })
  })
})
