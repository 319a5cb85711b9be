/** The properties of a request and of its response that a read accesses, and how often. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import { getFullStackEngine } from '../../lib/engine/index.js'
import { readOrigin } from '../../lib/http/origin.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import { createEngineResolver } from '../../shim/engine.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { toOriginSource, toSource } from '../../shim/request.js'
import { ResponseRecord } from '../../shim/response-record.js'
import { rejectionOf } from '../support/rejection.js'
import { sessionName } from '../support/session.js'
import { configure, cookieOf, get, origin } from './stage.js'

/** A request that notes which of its headers are asked for, and that refuses to show them all. */
function watched(headers: Record<string, string>): { request: Request; asked: Set<string> } {
  const asked = new Set<string>()
  const request = get('/', headers)
  const refuse = () => expect.fail('all headers were read')
  const watch: ProxyHandler<Headers> = {
    get(target, name) {
      if (name === 'get') {
        return (header: string) => {
          asked.add(header)
          return target.get(header)
        }
      }
      return name === 'append' ? refuse : refuse()
    },
  }
  Object.defineProperty(request, 'headers', { value: new Proxy(request.headers, watch) })
  return { request, asked }
}

/** A response that notes what of it is looked at. */
function untouched(): { response: Response; seen: unknown[] } {
  const seen: unknown[] = []
  const watch: ProxyHandler<Response> = {
    get(target, name) {
      // Any `await` asks for that.
      if (name !== 'then') seen.push(name)
      return Reflect.get(target, name, target)
    },
  }
  return { response: new Proxy(new Response('own'), watch), seen }
}

describe('a session that is read', () => {
  it('takes from the request what tells it, and no other header', async () => {
    const { auth } = initAuth(configure())
    const cookie = await cookieOf('ann')
    const ways: ReadonlyArray<(request: Request) => Promise<unknown>> = [
      (request) => withRequest(request, async () => new Response((await auth())?.user?.name)),
      auth((request) => new Response(request.auth?.user?.name)),
      async (request) => new Response((await auth(request, { headers: new Headers() }))?.user?.name),
    ]
    for (const way of ways) {
      const { request, asked } = watched({ cookie, accept: '*/*' })
      const response = (await way(request)) as Response
      expect(await response.text()).to.equal('ann')
      expect([...asked].sort()).to.deep.equal(['cookie', 'x-forwarded-proto'])
    }
  })

  it('asks for more where the configuration says so', async () => {
    const { auth } = initAuth(configure({ trustHost: true, session: { bearer: true } }))
    const { request, asked } = watched({ 'x-forwarded-host': 'other.test' })
    await withRequest(request, async () => new Response(String(await auth())))
    expect([...asked].sort()).to.deep.equal(['authorization', 'cookie', 'x-forwarded-host', 'x-forwarded-proto'])
  })

  it('leaves a response alone that gets no cookie', async () => {
    const { auth } = initAuth(configure())
    const request = () => get('/', { cookie: 'theme=dark' })
    const inside = untouched()
    const wrapped = untouched()
    const passed = await withRequest(request(), async () => {
      await auth()
      return inside.response
    })
    expect(passed).to.equal(inside.response)
    expect(await auth(() => wrapped.response)(request())).to.equal(wrapped.response)
    expect([...inside.seen, ...wrapped.seen]).to.deep.equal([])
  })

  it('is read once, a fault included', async () => {
    let asked = 0
    const jwt = () => {
      asked += 1
      throw new Error('down')
    }
    const { auth } = initAuth(configure({ callbacks: { jwt } }))
    await withRequest(get('/', { cookie: await cookieOf('ann') }), async () => {
      const faults = [await rejectionOf(auth()), await rejectionOf(auth())]
      expect(faults.map(({ message }) => message)).to.deep.equal(['down', 'down'])
      return new Response()
    })
    expect(asked).to.equal(1)
  })

  it('is another one for another configuration', async () => {
    const names = ['red', 'blue']
    const configs: FullStackAuthConfig[] = names.map((name) =>
      configure({ callbacks: { session: ({ session }) => ({ ...session, tenant: name }) } }),
    )
    const seen: unknown[] = []
    await withRequest(get('/', { cookie: await cookieOf('ann') }), async () => {
      for (const config of configs) seen.push(await initAuth(config).auth())
      return new Response()
    })
    expect(seen.map((session) => (session as { tenant?: string }).tenant)).to.deep.equal(names)
  })
})

describe('a response of Node that a host holds', () => {
  /** Returns the cookies of the response as its headers are sent, after the session was read. */
  async function cookiesAfter(cookie: string, write: (response: ServerResponse) => void): Promise<unknown> {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    const { auth } = initAuth(configure({ session: { updateAge: 0 } }), {
      current: () => ({ headers: new Headers({ cookie }), url: origin, writable: true, response }),
      setCookies: () => expect.fail('the response is at hand'),
      redirect: () => expect.fail('nobody goes anywhere'),
    })
    expect((await auth())?.user?.name).to.equal('ann')
    expect(response.getHeader('set-cookie')).to.equal(undefined)
    write(response)
    response.writeHead(200)
    return response.getHeader('set-cookie')
  }

  it('gets the extended session as its headers go out', async () => {
    const lines = await cookiesAfter(await cookieOf('ann'), () => {})
    expect(lines).to.have.length(1)
    expect(String(lines)).to.include(`${sessionName}=`)
  })

  it('gets none where it is public, or sets the cookie itself', async () => {
    const cookie = await cookieOf('ann')
    expect(await cookiesAfter(cookie, (own) => void own.setHeader('cache-control', 'public'))).to.equal(undefined)
    const cleared = [`${sessionName}=; Max-Age=0`]
    expect(await cookiesAfter(cookie, (own) => void own.setHeader('set-cookie', cleared))).to.deep.equal(cleared)
  })
})

describe('the origin that a session is read for', () => {
  const urls = [
    `${origin}/a?b=http://other.test/`,
    `${origin}?b=1`,
    origin,
    'HTTP://APP.test/',
    'http://app.test:80/',
    'http://app.test:3000/x',
    'https://app.test/x',
    'https://app.test:443/',
    'http://user:pass@app.test/',
    'http://other.test\\@app.test/',
    'http:///app.test/x',
    'http:app.test/x',
    'http://a/',
    'https://a/',
    'http://[::1]:3000/x',
    'http://b\u00fccher.test/',
    'http://0x7f.1/',
    'ftp://app.test/',
    'custom://app.test/x',
    undefined,
  ]
  const sent: ReadonlyArray<Record<string, string>> = [
    { host: 'header.test' },
    { host: 'header.test', 'x-forwarded-host': 'front.test, inner.test', 'x-forwarded-proto': 'HTTPS, http' },
    { host: 'header.test', 'x-forwarded-proto': 'gopher' },
    {},
  ]

  for (const trustHost of [true, false]) {
    it(`is what the routes read, ${trustHost ? 'behind' : 'without'} a proxy that is trusted`, async () => {
      const engine = await createEngineResolver(configure({ trustHost }), getFullStackEngine)()
      // Twice: what is remembered is the same.
      for (const url of [...urls, ...urls]) {
        for (const headers of sent) {
          const request = { headers: new Headers(headers), ...(url !== undefined && { url }) }
          expect(readOrigin(toOriginSource(engine, request)), `${url}`).to.equal(readOrigin(toSource(engine, request)))
        }
      }
    })
  }

  it("is the URL's", async () => {
    const engine = await createEngineResolver(configure(), getFullStackEngine)()
    for (const url of [...urls, ...urls]) {
      if (url === undefined) continue
      const { origin: own, protocol } = new URL(url)
      const read = readOrigin(toOriginSource(engine, { headers: new Headers({ host: 'header.test' }), url }))
      expect(read, url).to.equal(/^https?:$/.test(protocol) ? own : undefined)
    }
  })

  it('throws for what is no URL', async () => {
    const engine = await createEngineResolver(configure(), getFullStackEngine)()
    for (const url of ['', '/path', 'http://', 'http://a b/']) {
      expect(() => toOriginSource(engine, { headers: new Headers(), url }), url).to.throw(
        'URL of the request is invalid',
      )
    }
  })
})

describe('a response under way', () => {
  const cookies = (value: string) => () => new Map([[sessionName, `${sessionName}=${value}`]])

  it('gets the cookies of the later reading', () => {
    const record = new ResponseRecord()
    record.queue(cookies('first'))
    record.queue(cookies('second'))
    expect(record.takeCookies()).to.deep.equal([`${sessionName}=second`])
  })

  it('gets none after its headers are out', () => {
    const record = new ResponseRecord()
    expect(record.takeCookies()).to.deep.equal([])
    record.queue(cookies('late'))
    expect(record.isEmpty).to.equal(true)
    expect(record.takeCookies()).to.deep.equal([])
  })

  it('takes no value that no header can have, and none of it is written', () => {
    const record = new ResponseRecord()
    for (const value of ['a\r\nset-cookie: s=1', 'a\0', '\u0100', ['fine', 'a\n']]) {
      expect(() => record.setHeader('X-Own', value), JSON.stringify(value)).to.throw(TypeError)
      expect(() => record.setHeader('Set-Cookie', value)).to.throw(TypeError)
    }
    expect([...record.toResponse().headers]).to.deep.equal([])
  })

  it('shows its headers by any case of their names, and becomes a Response with them', () => {
    const record = new ResponseRecord()
    record.setHeader('Vary', ['Accept', 'Cookie'])
    record.setHeader('Set-Cookie', ['a=1', 'b=2'])
    record.setHeader('X-Gone', 'x')
    record.removeHeader('x-gone')
    expect([record.getHeader('vary'), record.getHeader('set-cookie'), record.getHeader('x-gone')]).to.deep.equal([
      'Accept, Cookie',
      ['a=1', 'b=2'],
      undefined,
    ])
    const { headers } = record.toResponse()
    expect([...headers]).to.deep.equal([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['vary', 'Accept, Cookie'],
    ])
    record.removeHeader('set-cookie')
    expect([...record.toResponse().headers]).to.deep.equal([['vary', 'Accept, Cookie']])
  })

  it('gets none of a session that has ended by then', () => {
    const record = new ResponseRecord()
    let holds = true
    record.queue(() => (holds ? cookies('ended')() : new Map()))
    holds = false
    expect(record.takeCookies()).to.deep.equal([])
  })
})
