/** A running site behind proxies with right and wrong settings. */
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { ServerAuthConfig } from '../../../lib/types/config.js'
import { startExample } from '../../examples/start-example.js'
import { withEnv } from '../../shim/stage.js'
import { type AppOptions, startApp, type TestApp } from '../../support/app.js'
import { missingCaddy, startCaddy } from '../../support/caddy.js'
import { freePort } from '../../support/free-ports.js'
import { missingNginx, startNginx } from '../../support/nginx.js'
import { skip } from '../../support/skip.js'
import { alarms, findingsOf, goodSecret, type Patient } from './stage.js'

/** The faults of a proxy. */
interface Mischief {
  readonly path?: (path: string) => string
  readonly request?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders
  readonly response?: (headers: IncomingHttpHeaders) => OutgoingHttpHeaders
  /** The size in bytes of a request's headers beyond which it rejects the request. */
  readonly limits?: { readonly request?: number }
}

/** Starts a proxy that follows nginx' manual, with one fault. */
async function startProxy(upstream: () => string, { path, request, response, limits = {} }: Mischief) {
  const size = (headers: object) => JSON.stringify(headers).length
  const server = createServer((incoming, outgoing) => {
    if (size(incoming.headers) > (limits.request ?? Number.POSITIVE_INFINITY)) return void outgoing.writeHead(400).end()
    const forwarded = [incoming.headers['x-forwarded-for'], incoming.socket.remoteAddress].filter(Boolean).join(', ')
    const headers = {
      ...incoming.headers,
      'x-forwarded-for': forwarded,
      'x-forwarded-proto': 'http',
      'x-forwarded-host': incoming.headers.host,
    }
    const url = new URL(path?.(incoming.url ?? '/') ?? incoming.url ?? '/', upstream())
    const sent = send(url, { method: incoming.method, headers: request?.(headers) ?? headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, response?.(answer.headers) ?? answer.headers)
      answer.pipe(outgoing)
    })
    sent.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Fault extends Mischief {
  readonly app?: AppOptions
  /** The environment of the site. The doctor has its own, with the secret of the tests. */
  readonly config?: Partial<ServerAuthConfig>
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly id: string
  readonly level?: 'failure' | 'warning' | 'note'
  readonly says: RegExp
  readonly path?: (path: string) => string
  readonly url?: (origin: string) => string
}

const without = (headers: IncomingHttpHeaders, ...names: string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

const faults: Readonly<Record<string, Fault>> = {
  'cookies are dropped': {
    response: (headers) => without(headers, 'set-cookie'),
    id: 'site.cookie',
    says: /pass Set-Cookie on/,
  },
  'cookies are changed': {
    response: (headers) => ({
      ...headers,
      ...(headers['set-cookie'] && {
        'set-cookie': headers['set-cookie'].map((each) => each.replace('Path=/', 'Path=/app')),
      }),
    }),
    id: 'site.cookie-changed',
    level: 'warning',
    says: /Remove what rewrites Set-Cookie/,
  },
  'the cache is told other things': {
    response: (headers) => ({ ...headers, 'cache-control': 'public, max-age=60' }),
    id: 'site.cache',
    says: /Remove what changes Cache-Control/,
  },
  'an answer comes out of a cache': {
    response: (headers) => ({ ...headers, age: '30' }),
    id: 'site.cached',
    says: /out of the caching rules/,
  },
  'another host is passed on': {
    request: (headers) => ({ ...headers, host: 'inner.test', 'x-forwarded-host': 'inner.test' }),
    id: 'site.origin',
    says: /uses http:\/\/inner\.test.*Set AUTH_URL to http:\/\/127/,
  },
  'the path is changed': {
    path: (path) => path.replace('/shop/', '/'),
    url: (origin) => `${origin}/shop/auth`,
    id: 'site.path',
    says: /Let it keep the path/,
  },
  'the routes are elsewhere': { app: { mount: '/login' }, id: 'site.mount', says: /Pass --url with that path/ },
  'the site has another secret': {
    config: { secret: [...goodSecret].reverse().join('') },
    id: 'site.secret',
    says: /another AUTH_SECRET/,
  },
  'the secret is not the first there': {
    config: { secret: [[...goodSecret].reverse().join(''), goodSecret] },
    id: 'site.secret',
    level: 'note',
    says: /accepts that of this one too/,
  },
  'large requests are refused': {
    limits: { request: 3000 },
    id: 'site.request-size',
    says: /large_client_header_buffers/,
  },
  'very large requests are refused': {
    limits: { request: 9000 },
    id: 'site.request-size',
    level: 'note',
    says: /12 kB/,
  },
  'the clocks differ': {
    response: (headers) => ({ ...headers, date: new Date(Date.now() - 30_000).toUTCString() }),
    id: 'site.clock',
    level: 'warning',
    says: /NTP/,
  },
}

const development = { NODE_ENV: 'development', AUTH_URL: undefined }

describe('npx server-auth doctor --url', function () {
  this.slow(3000)
  let app: TestApp | undefined
  let proxy: { origin: string; close(): void | Promise<void> } | undefined
  afterEach(async () => {
    await proxy?.close()
    await app?.close()
    proxy = undefined
  })

  const look = async (url: string, patient: Patient = {}) => {
    const findings = await findingsOf({
      config: { providers: [], secret: goodSecret },
      env: development,
      url,
      isOnline: true,
      ...patient,
    })
    return findings.filter(({ id }) => id.startsWith('site'))
  }

  for (const [title, { app: options, config, id, level = 'failure', says, url, ...mischief }] of Object.entries(
    faults,
  )) {
    it(`reports it when ${title}`, async () => {
      app = await startApp({ secret: goodSecret, ...config }, { trustProxy: 1, ...options })
      proxy = await startProxy(() => app?.origin ?? '', mischief)
      const findings = await look(url?.(proxy.origin) ?? proxy.origin)
      const found = findings.find((each) => each.id === id && each.level === level)
      expect(found?.message, JSON.stringify(findings, undefined, 1)).to.match(says)
      expect(alarms(findings).filter((each) => !each.includes(` ${id}: `))).to.deep.equal([])
    })
  }

  it('reports it when no server listens, and when the proxy reaches none', async () => {
    expect(alarms(await look(`http://127.0.0.1:${await freePort()}`))[0]).to.match(
      /^failure site\.reach: .*does not take connections/,
    )
    const nobody = `http://127.0.0.1:${await freePort()}`
    proxy = await startProxy(() => nobody, {})
    expect(alarms(await look(proxy.origin))[0]).to.match(/^failure site\.reach: .*status 502.*See the logs/)
  })

  it('prints no text and no line of a foreign server, and reads no endless answer', async () => {
    const sound = { acme: { signinUrl: 'https://app.example/auth/signin/acme\n' } }
    const lies: ReadonlyArray<{ readonly body: unknown; readonly cookie?: string }> = [
      ...[{ body: [] }, { body: 'x' }, { body: null }, { body: { acme: { signinUrl: {} } } }, { body: { acme: 7 } }],
      ...[{ body: { acme: { signinUrl: 'https://\u202eapp' } } }, { body: { x: 'x'.repeat(2_000_000) } }],
      ...[
        { body: {}, cookie: 'auth.csrf-token=%zz; Path=/' },
        { body: {}, cookie: 'auth.csrf-token=; \u009b' },
      ],
      { body: sound },
    ]
    let lie: (typeof lies)[number] = { body: {} }
    const server = createServer((_request, response) => {
      if (lie.cookie !== undefined) response.setHeader('set-cookie', lie.cookie)
      response.end(JSON.stringify(lie.body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      for (lie of lies) {
        const config = { providers: [], secret: goodSecret }
        const findings = await findingsOf({ config, env: { ...development, AUTH_URL: url }, url, isOnline: true })
        const ids = findings.map(({ id }) => id)
        expect(ids, JSON.stringify(lie).slice(0, 80)).to.not.include('doctor.broken')
        expect(ids.some((id) => id.startsWith('site.'))).to.equal(true)
        for (const { message } of findings) expect(message).to.not.match(/[\p{Cc}\p{Bidi_Control}]/u)
      }
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })

  it('reports that the site redirects to another place', async () => {
    const server = createServer((_request, response) =>
      response.writeHead(301, { location: 'https://www.app.test/' }).end(),
    )
    const port = await freePort()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    try {
      expect(alarms(await look(`http://127.0.0.1:${port}`))[0]).to.match(
        /site\.redirect: .*https:\/\/www\.app\.test: pass that as --url/,
      )
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })

  it('reports a host that any client can choose, in production', async () => {
    await withEnv({ NODE_ENV: 'production', AUTH_TRUST_HOST: 'true', AUTH_URL: undefined }, async () => {
      app = await startApp({ secret: goodSecret }, { trustProxy: true })
      const env = { NODE_ENV: 'production', AUTH_TRUST_HOST: 'true', AUTH_URL: undefined }
      const found = alarms(await look(app?.origin ?? '', { env })).map((each) => each.split(':')[0])
      expect(found).to.deep.equal(['failure site.forged-host'])
    })
  })

  it('reports nothing without a proxy, and with one that works as it should', async () => {
    app = await startApp({ secret: goodSecret }, { trustProxy: 1 })
    proxy = await startProxy(() => app?.origin ?? '', {})
    for (const origin of [app.origin, proxy.origin]) {
      const findings = await look(origin)
      expect(alarms(findings)).to.deep.equal([])
      expect(findings.map(({ id }) => id)).to.include('site.probe')
    }
  })

  const proxies = {
    nginx: { missing: missingNginx, start: startNginx },
    Caddy: { missing: missingCaddy, start: startCaddy },
  }
  for (const [name, { missing, start }] of Object.entries(proxies)) {
    for (const strategy of ['database', 'jwt'] as const) {
      it(`raises no false alarm on the example behind ${name}, with ${strategy} sessions`, async function () {
        const why = missing()
        if (why !== undefined) skip(this, why)
        await withEnv({ AUTH_URL: undefined, NODE_ENV: undefined }, async () => {
          const example = await startExample({ strategy })
          const front = await start(example.origin)
          try {
            const env = { AUTH_SECRET: undefined, AUTH_URL: undefined, NODE_ENV: undefined }
            const findings = await findingsOf({ config: example.config, env, url: front.origin, isOnline: true })
            expect(alarms(findings)).to.deep.equal([])
            const ids = findings.map(({ id, level }) => `${level} ${id}`)
            expect(ids).to.include.members([
              'ok site.probe',
              'ok provider.discovery',
              'ok mail.reach',
              'ok store.reach',
            ])
          } finally {
            await front.close()
            await example.close()
          }
        })
      })
    }
  }
})
