/** `trustedOrigins` with tenants, frameworks on Fetch, and requests that are malformed. */
import { expect } from 'chai'
import { Hono } from 'hono'
import { defineAuth } from '../../lib/index.js'
import initAuth from '../../shim/index.js'
import { complete, createLog, type Door } from '../support/app.js'
import { target } from '../support/http-browser.js'
import { type TenantStage, tenantDoors } from '../tenants/stage.js'
import { sites } from './site.js'

const trusted = 'https://app.example.com'
const page = { origin: trusted, 'sec-fetch-site': 'same-site', accept: 'application/json' }
const preflight = {
  ...page,
  'access-control-request-method': 'DELETE',
  'access-control-request-headers': 'x-own, x-csrf-token',
}

for (const [door, open] of tenantDoors) {
  describe(`the trusted origins of a tenant (${door})`, () => {
    let stage: TenantStage
    before(async () => {
      stage = await open({
        trustProxy: true,
        load: (id) => ({
          origins: [`https://${id}.example.com`],
          ...(id === 'acme' && { trustedOrigins: [trusted] }),
          ...(id === 'bad' && { trustedOrigins: ['https://app.example.net'] }),
        }),
        before: (app, auth) => {
          app.use('/api', auth.cors())
          app.get('/api', (_req, res) => void res.json('in'))
        },
      })
    })
    after(() => stage.close())

    const visit = (id: string) => stage.browser(`${id}.example.com`, { 'x-forwarded-proto': 'https' })

    it('CS-20 have access to this tenant only', async () => {
      const acme = await visit('acme').ask('/auth/session', { headers: page })
      expect(acme.headers['access-control-allow-origin']).to.equal(trusted)
      const beta = await visit('beta').ask('/auth/session', { headers: page })
      expect(beta.status).to.equal(200)
      expect(beta.headers).to.not.have.property('access-control-allow-origin')
      expect(beta.headers.vary).to.equal('Cookie')
      expect((await visit('bad').ask('/auth/session', { headers: page })).status).to.equal(503)
    })

    it('CS-20 are pages to which a sign-in of this tenant returns', async () => {
      for (const [id, to] of [
        ['acme', `${trusted}/orders`],
        ['beta', 'https://beta.example.com/'],
      ] as const) {
        const browser = visit(id)
        const csrfToken = await browser.csrf()
        const form = { csrfToken, username: 'ann', password: 'right', callbackUrl: `${trusted}/orders` }
        const headers = id === 'acme' ? page : {}
        expect(target(await browser.ask('/auth/callback/credentials', { form, headers })), id).to.equal(to)
      }
    })

    if (door === 'Express')
      it('CS-20 may call the API of this tenant only', async () => {
        for (const [id, granted] of [
          ['acme', trusted],
          ['beta', undefined],
        ] as const) {
          const { headers, body } = await visit(id).ask('/api', { headers: page })
          expect([headers['access-control-allow-origin'], body], id).to.deep.equal([granted, 'in'])
        }
      })
  })
}

describe('auth.cors() with Hono', () => {
  const log = createLog()
  const { auth, handlers } = initAuth(complete({ basePath: '/auth', trustedOrigins: [trusted] }, log))
  const app = new Hono()
  app.on(['GET', 'POST', 'OPTIONS'], '/auth/*', (context) => handlers.GET(context.req.raw))
  app.use('/api/*', async (context, next) => {
    context.res = await auth.cors(context.req.raw, async () => {
      await next()
      return context.res
    })
  })
  app.get('/api/open', (context) => context.json('open', 200, { vary: 'Accept' }))
  app.get('/api/moved', () => Response.redirect('http://localhost/api/open'))
  app.all('/api/own', async (context) => context.json(await auth.require(context.req.raw)))
  const ask = (path: string, init: RequestInit) => app.request(`http://localhost${path}`, init)

  it('adds headers to responses, to those of guards, and to ones that cannot be changed', async () => {
    for (const [path, status] of [
      ['/api/open', 200],
      ['/api/own', 401],
      ['/api/moved', 302],
      ['/auth/csrf', 200],
    ] as const) {
      const response = await ask(path, { headers: page })
      expect([response.status, response.headers.get('access-control-allow-origin')], path).to.deep.equal([
        status,
        trusted,
      ])
      expect(response.headers.get('vary'), path).to.include('Origin')
    }
    expect((await ask('/api/open', {})).headers.get('vary')).to.equal('Accept, Origin')
  })

  it('answers preflights, with the headers that the script asks for', async () => {
    const { status, headers } = await ask('/api/own', { method: 'OPTIONS', headers: preflight })
    expect([status, headers.get('access-control-allow-headers')]).to.deep.equal([204, 'x-own, x-csrf-token'])
    expect(headers.get('access-control-allow-methods')).to.include('DELETE')
    const routes = await ask('/auth/session', { method: 'OPTIONS', headers: preflight })
    expect(routes.headers.get('access-control-allow-methods')).to.equal('GET, POST')
    expect(routes.headers.get('access-control-allow-headers')).to.not.include('x-own')
    expect((await ask('/auth/session', { method: 'OPTIONS', headers: page })).status).to.equal(405)
  })

  it('CS-20 gives nothing to another page, or for malformed names of headers', async () => {
    const other = { ...preflight, origin: 'https://evil.example.com' }
    expect((await ask('/api/own', { method: 'OPTIONS', headers: other })).status).to.equal(401)
    const odd = await ask('/api/own', {
      method: 'OPTIONS',
      headers: { ...preflight, 'access-control-request-headers': '"a;b' },
    })
    expect(odd.headers.has('access-control-allow-headers')).to.equal(false)
  })

  it('warns without the option, and calls the handler', async () => {
    const silent = createLog()
    const off = initAuth(complete({ basePath: '/auth' }, silent)).auth
    const response = await off.cors(new Request('http://localhost/', { headers: page }), () => Response.json('in'))
    expect(await response.json()).to.equal('in')
    expect([...response.headers.keys()]).to.deep.equal(['content-type'])
    expect(silent.warnings.map(({ code }) => code)).to.deep.equal(['cors-without-origins'])
  })
})

for (const [name, open] of Object.entries(sites)) {
  describe(`a trusted page whose request fails (${name})`, () => {
    let door: Door
    before(async () => {
      door = (await open('jwt', { trustedOrigins: [trusted] })).door
    })
    after(() => door.close())

    it('can read why', async () => {
      const browser = door.browser()
      for (const [path, question, status] of [
        ['/auth/session', { method: 'PUT' }, 405],
        ['/auth/session', { method: 'POST', body: '{', type: 'application/json' }, 400],
        ['/auth/session', { method: 'POST', body: 'x'.repeat(200_000), type: 'application/json' }, 413],
        ['/auth/session', { method: 'POST', body: 'a=1', type: 'application/x-www-form-urlencoded' }, 403],
        ['/auth/signin/%zz', { method: 'GET' }, 400],
        ['/api/note', { method: 'POST', body: 'a=1', type: 'application/x-www-form-urlencoded' }, 403],
        ['/api/note', { method: 'GET' }, 401],
      ] as const) {
        const { type, ...sent } = { type: undefined, ...question }
        const answer = await browser.ask(path, { ...sent, headers: { ...page, ...(type && { 'content-type': type }) } })
        const seen = [answer.status, answer.headers['access-control-allow-origin']]
        expect(seen, `${path} ${JSON.stringify(question).slice(0, 60)}`).to.deep.equal([status, trusted])
      }
    })
  })
}

describe('a WebSocket with `trustedOrigins`', () => {
  const auth = defineAuth(complete({ trustedOrigins: [trusted] }, createLog()))
  const assert = (headers: Record<string, string>) => () =>
    auth.csrf.assertOrigin({ headers: { host: 'localhost', ...headers } })

  it('CS-23 may come from a trusted page, and from no other page of the site', () => {
    expect(assert({ origin: trusted, 'sec-fetch-site': 'same-site' })).to.not.throw()
    const foreign: Array<Record<string, string>> = [
      { origin: 'https://evil.example.com', 'sec-fetch-site': 'same-site' },
      { origin: trusted, 'sec-fetch-site': 'cross-site' },
      { origin: `${trusted}.evil.test` },
    ]
    for (const headers of foreign) expect(assert(headers), JSON.stringify(headers)).to.throw('The request comes from')
  })
})
