import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { Express, NextFunction, Request, Response } from 'express'
import { InvalidConfiguration, InvalidEndpoints, UntrustedHost } from '../lib/errors.js'
import { getSession, type ServerAuthConfig, type SessionRequest } from '../lib/index.js'
import { decode, encode, type JWT } from '../lib/jwt.js'
import {
  type AppOptions,
  type Browser,
  createLog,
  credentials,
  expressMajor,
  secret,
  setCookies,
  startApp,
  type TestApp,
} from './support/app.js'
import { advanceClock, freezeClock, restoreClock } from './support/clock.js'
import { rejectionOf } from './support/rejection.js'
import { cookieLines, heldSession, heldToken, plant, plantSession, sessionName } from './support/session.js'

/** Every read is due, so every read that can write does. */
const rolling: Partial<ServerAuthConfig> = { session: { updateAge: 0 } }
const cleared = `${sessionName}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`

type Handler = (req: Request, res: Response, config: ServerAuthConfig) => unknown

/** A route that needs no promise support of Express. */
function route(app: Express, path: string, config: ServerAuthConfig, handler: Handler): void {
  app.get(path, (req, res, next) => {
    Promise.resolve(handler(req, res, config)).catch(next)
  })
}

describe('getSession(req, config)', () => {
  let app: TestApp
  let browser: Browser

  async function start(config: Partial<ServerAuthConfig> = {}, options: AppOptions = {}): Promise<void> {
    app = await startApp(config, options)
    browser = app.browser()
  }

  /** An application with one route of the test's, a browser with a session, and what that route answers it. */
  async function visit(handler: Handler, config: Partial<ServerAuthConfig> = rolling) {
    await start(config, { after: (express, full) => route(express, '/page', full, handler) })
    await plantSession(browser)
    return browser.get('/page')
  }

  afterEach(async () => {
    restoreClock()
    await app?.close()
  })

  it('is the session as the session callback shows it', async () => {
    await start({ callbacks: { session: ({ session, token }) => ({ ...session, of: token?.sub }) } })
    await browser.signIn()
    const { body } = await browser.get('/me')
    expect(body).to.deep.equal({
      user: { id: 'id-of-ann', name: 'ann', email: 'ann@example.com', image: null },
      of: 'id-of-ann',
      expires: body.expires,
    })
    expect(body).to.deep.equal(await browser.session())
  })

  it('is null without a session, with a garbled one, and with one that ended', async () => {
    freezeClock()
    await start()
    expect((await browser.get('/me')).body).to.equal(null)
    plant(browser, 'garbage')
    expect((await browser.get('/me')).body).to.equal(null)
    await plantSession(browser, { sub: 'ann' }, { maxAge: 60 })
    advanceClock(60)
    expect((await browser.get('/me')).body).to.equal(null)
  })

  it('clears a cookie that holds no session', async () => {
    await start()
    plant(browser, 'garbage')
    expect(cookieLines(await browser.get('/me'))).to.deep.equal([cleared])
  })

  it('is null and clears the cookie when the jwt callback returns null', async () => {
    await start({ callbacks: { jwt: () => null } })
    await plantSession(browser)
    const response = await browser.get('/me')
    expect(response.body).to.equal(null)
    expect(cookieLines(response)).to.deep.equal([cleared])
  })

  it('works before the Router and without it: the configuration is enough', async () => {
    const own: ServerAuthConfig = { secret, providers: [], logger: createLog().logger }
    await start(
      {},
      { before: (express) => route(express, '/early', own, async (req, res) => res.json(await getSession(req, own))) },
    )
    await plantSession(browser)
    expect((await browser.get('/early')).body).to.nested.include({ 'user.name': 'ann' })
  })

  describe('extends a session in use through req.res', () => {
    it('when updateAge says so, and not before', async () => {
      freezeClock()
      await start({ session: { maxAge: 600, updateAge: 60 } })
      await browser.signIn()
      advanceClock(59)
      expect(setCookies(await browser.get('/me'))).to.deep.equal([])
      advanceClock(1)
      const [line] = cookieLines(await browser.get('/me'))
      expect(line).to.include(`Expires=${new Date(Date.now() + 600_000).toUTCString()}`)
      expect((await heldSession(browser))?.exp).to.equal(Date.now() / 1000 + 600)
    })

    const fixture = fileURLToPath(new URL('../package.json', import.meta.url))
    const replies: Record<string, (res: Response) => unknown> = {
      'res.json': (res) => res.json({}),
      'res.send': (res) => res.send('text'),
      'res.end': (res) => res.end(),
      'res.redirect': (res) => res.redirect('/elsewhere'),
      'res.sendFile with a private Cache-Control': (res) =>
        res.sendFile(fixture, { headers: { 'cache-control': 'private, max-age=0' } }),
      'res.write and res.end': (res) => {
        res.write('a')
        res.end('b')
      },
      'res.writeHead with its own headers': (res) => {
        res.writeHead(200, { 'x-own': 'yes', 'set-cookie': ['app=1'] })
        res.end()
      },
      'an error that the error handler answers': () => {
        throw new Error('of the handler')
      },
    }
    for (const [name, reply] of Object.entries(replies)) {
      it(`kept after ${name}`, async () => {
        const response = await visit(async (req, res, own) => {
          await getSession(req, own)
          reply(res)
        })
        expect(cookieLines(response)).to.have.length(1)
        expect(response.headers['cache-control']).to.equal('private, no-store')
        expect(response.headers.vary).to.match(/\bCookie\b/)
        expect(await heldSession(browser)).to.include({ sub: 'ann' })
      })
    }

    it('CK-09 beside the cookies that the application sets, before and after', async () => {
      const response = await visit(async (req, res, own) => {
        res.cookie('early', '1')
        await getSession(req, own)
        res.cookie('late', '2').json({})
      })
      const names = setCookies(response).map((line) => line.slice(0, line.indexOf('=')))
      expect(names).to.deep.equal(['early', 'late', sessionName])
    })

    it('once for three parallel calls, with one decryption (design 7)', async () => {
      let decoded = 0
      const jwt: ServerAuthConfig['jwt'] = {
        encode,
        decode: (params) => {
          decoded += 1
          return decode(params)
        },
      }
      const response = await visit(
        async (req, res, own) => {
          const sessions = await Promise.all([getSession(req, own), getSession(req, own), getSession(req, own)])
          res.json([...sessions, await getSession(req, own)].map((session) => session?.user?.name))
        },
        { ...rolling, jwt },
      )
      expect(response.body).to.deep.equal(['ann', 'ann', 'ann', 'ann'])
      expect(cookieLines(response)).to.have.length(1)
      expect(decoded).to.equal(1)
    })

    it('apart for two configurations in one request', async () => {
      const other: ServerAuthConfig = {
        secret,
        providers: [],
        logger: createLog().logger,
        cookies: { sessionToken: { name: 'other' } },
        ...rolling,
      }
      await start(rolling, {
        after: (express, full) =>
          route(express, '/page', full, async (req, res) => {
            const [one, two] = [await getSession(req, full), await getSession(req, other)]
            res.json([one?.user?.name, two?.user?.name])
          }),
      })
      await plantSession(browser, { name: 'ann' })
      await plantSession(browser, { name: 'bob' }, { name: 'other' })
      const response = await browser.get('/page')
      expect(response.body).to.deep.equal(['ann', 'bob'])
      expect(cookieLines(response)).to.have.length(1)
      expect(cookieLines(response, 'other')).to.have.length(1)
    })

    it('with all chunks of a long one', async () => {
      await start({ ...rolling, callbacks: { jwt: ({ token }) => ({ ...token, fill: 'x'.repeat(4000) }) } })
      await plantSession(browser)
      const lines = cookieLines(await browser.get('/me'))
      expect(lines.map((line) => line.slice(0, line.indexOf('=')))).to.have.members([
        sessionName,
        `${sessionName}.0`,
        `${sessionName}.1`,
      ])
      expect(await heldSession(browser))
        .to.have.property('fill')
        .with.length(4000)
    })
  })

  describe('does not extend it', () => {
    for (const value of ['public, max-age=60', 'max-age=60, PUBLIC', 'public']) {
      it(`CA-03 on a response with Cache-Control: ${value}`, async () => {
        const response = await visit(async (req, res, own) => {
          await getSession(req, own)
          res.set('cache-control', value).json({})
        })
        expect(setCookies(response)).to.deep.equal([])
        expect(response.headers['cache-control']).to.equal(value)
      })
    }

    it('on a file that Express sends, because it calls it public by default', async () => {
      const response = await visit(async (req, res, own) => {
        await getSession(req, own)
        res.sendFile(fileURLToPath(new URL('../package.json', import.meta.url)))
      })
      expect(response.headers['cache-control']).to.include('public')
      expect(setCookies(response)).to.deep.equal([])
    })

    for (const [name, names] of Object.entries({
      'the cookie': [sessionName],
      'a chunk of it': [`${sessionName}.0`],
    })) {
      it(`when the application clears ${name} in the same request, before or after`, async () => {
        for (const order of ['before', 'after']) {
          const response = await visit(async (req, res, own) => {
            if (order === 'after') await getSession(req, own)
            for (const each of names) res.clearCookie(each)
            if (order === 'before') await getSession(req, own)
            res.json({})
          })
          const lines = setCookies(response)
          expect(lines, order).to.have.length(1)
          expect(lines[0], order).to.match(new RegExp(`^${names[0]}=; `))
          await app.close()
        }
      })
    }

    it('when the application signs in itself: its cookie of that name stays', async () => {
      const response = await visit(async (req, res, own) => {
        await getSession(req, own)
        res.cookie(sessionName, 'of-the-application').json({})
      })
      expect(setCookies(response)).to.deep.equal([`${sessionName}=of-the-application; Path=/`])
    })

    it('once the headers are out: the session is read all the same', async () => {
      let reading: Promise<unknown> | undefined
      const response = await visit((req, res, own) => {
        res.json({})
        reading = getSession(req, own)
      })
      expect(setCookies(response)).to.deep.equal([])
      expect(await reading).to.nested.include({ 'user.name': 'ann' })
    })
  })

  describe('touches the headers of the response', () => {
    it('not at all when there is nothing to write', async () => {
      const response = await visit(async (req, res, own) => {
        await getSession(req, own)
        res.set('cache-control', 'max-age=5').json({})
      }, {})
      expect(response.headers).to.include({ 'cache-control': 'max-age=5' }).and.not.have.property('vary')
    })

    for (const [present, expected] of [
      [undefined, 'Cookie'],
      ['Accept-Encoding', 'Accept-Encoding, Cookie'],
      ['cookie, Accept', 'cookie, Accept'],
      ['*', '*'],
    ]) {
      it(`Vary: ${present ?? 'none'} becomes ${expected}`, async () => {
        const response = await visit(async (req, res, own) => {
          await getSession(req, own)
          if (present !== undefined) res.set('vary', present)
          res.json({})
        })
        expect(response.headers.vary).to.equal(expected)
      })
    }

    it('Cache-Control: private, max-age=60 becomes private, no-store', async () => {
      const response = await visit(async (req, res, own) => {
        await getSession(req, own)
        res.set('cache-control', 'private, max-age=60').json({})
      })
      expect(response.headers['cache-control']).to.equal('private, no-store')
    })
  })

  describe('finds the cookie by the origin of the request', () => {
    const prefixed = `__Secure-${sessionName}`
    const https = { 'x-forwarded-proto': 'https' }

    it('the prefixed one behind a trusted proxy that speaks https; and writes that', async () => {
      await start(rolling, { trustProxy: true })
      await plantSession(browser, { name: 'ann' }, { name: prefixed })
      const response = await browser.get('/me', https)
      expect(response.body).to.nested.include({ 'user.name': 'ann' })
      expect(cookieLines(response, prefixed)[0]).to.include('; Secure; ')
      expect(cookieLines(response)).to.deep.equal([])
      expect((await browser.get('/me')).body).to.equal(null)
    })

    it('the plain one when the proxy is not trusted, whatever it says; one warning says what to do', async () => {
      await start({})
      await plantSession(browser)
      for (const value of ['https', 'https,http', 'javascript', 'https']) {
        const { body } = await browser.get('/me', { 'x-forwarded-proto': value, 'x-forwarded-host': 'evil.test' })
        expect(body).to.nested.include({ 'user.name': 'ann' })
      }
      const warnings = app.log.warnings.filter(({ code }) => code === 'untrusted-proxy')
      expect(warnings).to.have.length(1)
      expect(warnings[0]?.details[0]).to.include('app.set("trust proxy", 1)').and.include('AUTH_URL')
    })

    it('the same one as the Router', async () => {
      await start({}, { trustProxy: true })
      Object.assign(browser.headers, https)
      await browser.signIn()
      expect((await browser.get('/me')).body)
        .to.deep.equal(await browser.session())
        .and.nested.include({ 'user.name': 'ann' })
    })
  })

  describe('takes a bearer token with session.bearer', () => {
    const bearer: Partial<ServerAuthConfig> = { session: { bearer: true, updateAge: 0 } }
    let token: string
    const authorization = (text = token) => ({ authorization: `Bearer ${text}` })
    before(async () => {
      token = await encode({ token: { sub: 'ann', name: 'ann' }, secret, salt: sessionName })
    })

    it('and never sets a cookie for it', async () => {
      await start(bearer)
      const response = await browser.get('/me', authorization())
      expect(response.body).to.nested.include({ 'user.name': 'ann' })
      expect(setCookies(response)).to.deep.equal([])
    })

    it('and not without the option', async () => {
      await start({})
      expect((await browser.get('/me', authorization())).body).to.equal(null)
    })

    it('only where there is no session cookie, valid or not', async () => {
      await start(bearer)
      await plantSession(browser, { name: 'bob' })
      expect((await browser.get('/me', authorization())).body).to.nested.include({ 'user.name': 'bob' })
      plant(browser, 'garbage')
      expect((await browser.get('/me', authorization())).body).to.equal(null)
    })

    it('never on our own routes', async () => {
      await start(bearer)
      expect((await browser.get('/auth/session', authorization())).body).to.equal(null)
      const csrfToken = await browser.csrf()
      const update = await browser.send('post', '/auth/session', {
        json: { csrfToken, data: {} },
        headers: authorization(),
      })
      expect(update.body).to.equal(null)
    })

    it('and clears nothing when it is bad or its session has ended', async () => {
      await start({ ...bearer, callbacks: { jwt: () => null } })
      for (const text of [token, 'garbage', '%', '%E0%A4%A', '']) {
        const response = await browser.get('/me', authorization(text))
        expect([response.status, response.body, setCookies(response)]).to.deep.equal([200, null, []])
      }
    })
  })

  describe('without Express', () => {
    const bare: ServerAuthConfig = { secret, providers: [], logger: createLog().logger, ...rolling }

    /** Returns the answer of a bare Node server's handler to one request. */
    async function serve(listener: RequestListener, headers: Record<string, string>) {
      const server = createServer(listener)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      try {
        const { port } = server.address() as AddressInfo
        return await fetch(`http://127.0.0.1:${port}/`, { headers })
      } finally {
        server.close()
        server.closeAllConnections()
      }
    }

    const answer: RequestListener = (req, res) => {
      getSession(req, bare).then(
        (session) => res.end(JSON.stringify(session?.user?.name ?? null)),
        (error) => res.writeHead(500).end(String(error)),
      )
    }
    const cookie = async (name: string, token: JWT) => `${name}=${await encode({ token, secret, salt: name })}`

    it('reads the session of a bare Node request, and writes nothing', async () => {
      const response = await serve(answer, { cookie: await cookie(sessionName, { name: 'ann' }) })
      expect(await response.text()).to.equal('"ann"')
      expect(response.headers.getSetCookie()).to.deep.equal([])
      expect(response.headers.get('cache-control')).to.equal(null)
    })

    it('reads the prefixed cookie first', async () => {
      const header = [
        await cookie(sessionName, { name: 'plain' }),
        await cookie(`__Secure-${sessionName}`, { name: 'prefixed' }),
      ]
      expect(await (await serve(answer, { cookie: header.join('; ') })).text()).to.equal('"prefixed"')
    })

    it('FO-04 reads the session of an upgrade request', async () => {
      const header = await cookie(sessionName, { name: 'ann' })
      const server = createServer()
      const upgraded = new Promise<string | undefined | null>((resolve, reject) => {
        server.on('upgrade', (req: IncomingMessage, socket: Socket) => {
          getSession(req, bare).then((session) => resolve(session?.user?.name), reject)
          socket.destroy()
        })
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const headers = { connection: 'Upgrade', upgrade: 'websocket', cookie: header }
      httpRequest({ port, host: '127.0.0.1', headers })
        .on('error', () => {})
        .end()
      expect(await upgraded).to.equal('ann')
      server.close()
    })

    it('reads the session of anything with headers', async () => {
      const headers = { cookie: await cookie(sessionName, { name: 'ann' }) }
      for (const req of [{ headers }, { headers, socket: null }, { headers, res: {} }, { headers, protocol: 'http' }]) {
        expect(await getSession(req, bare)).to.nested.include({ 'user.name': 'ann' })
      }
      expect(await getSession({ headers: {} }, bare)).to.equal(null)
    })

    it('reads the plain cookie only where the socket is not encrypted', async () => {
      const headers = { cookie: await cookie(sessionName, { name: 'ann' }), host: 'app.test' }
      expect(await getSession({ headers, socket: { encrypted: true } }, bare)).to.equal(null)
    })
  })

  describe('rejects, so that a guard says no', () => {
    const bare: ServerAuthConfig = { secret, providers: [], logger: createLog().logger }

    it('FO-04 without a request, or with one without headers', async () => {
      for (const req of [undefined, null, {}]) {
        const error = await rejectionOf(getSession(req as unknown as SessionRequest, bare))
        expect(error).to.be.instanceOf(TypeError)
        expect(error.message).to.include('getSession(req, config)')
      }
    })

    it('without a configuration', async () => {
      for (const nothing of [undefined, null, 'config']) {
        const error = await rejectionOf(getSession({ headers: {} }, nothing as unknown as ServerAuthConfig))
        expect(error).to.be.instanceOf(InvalidConfiguration)
        expect(error.message).to.match(/configuration|`config` must be an object/i)
      }
    })

    it('with a wrong configuration, each time', async () => {
      const wrong: ServerAuthConfig = { ...bare, providers: [{ id: 'x', name: 'X', type: 'oauth', clientId: 'c' }] }
      for (let time = 0; time < 2; time += 1) {
        expect(await rejectionOf(getSession({ headers: {} }, wrong))).to.be.instanceOf(InvalidEndpoints)
      }
    })

    it('when the host is not trusted', async () => {
      const error = await rejectionOf(getSession({ headers: {} }, { ...bare, trustHost: false }))
      expect(error).to.be.instanceOf(UntrustedHost)
    })

    for (const name of ['jwt', 'session'] as const) {
      it(`when the ${name} callback throws; and clears no cookie`, async () => {
        const fault = new Error('of the database')
        const rejecting = () => Promise.reject(fault)
        let thrown: unknown
        const response = await visit(
          async (req, res, own) => {
            thrown = await rejectionOf(getSession(req, own))
            res.json({})
          },
          { ...rolling, callbacks: { [name]: rejecting } },
        )
        expect(thrown).to.equal(fault)
        expect(setCookies(response)).to.deep.equal([])
        expect(heldToken(browser)).to.have.length.above(100)
      })
    }
  })

  describe('in a guard', () => {
    let faulty = false
    let reached = 0
    const callbacks: ServerAuthConfig['callbacks'] = {
      session: ({ session }) => {
        if (faulty) throw new Error('of the database')
        return session
      },
    }

    async function guard(req: Request, res: Response, next: NextFunction, own: ServerAuthConfig): Promise<void> {
      const session = await getSession(req, own)
      if (session?.user) next()
      else res.redirect('/auth/signin')
    }

    async function startGuarded(): Promise<void> {
      await start(
        { callbacks },
        {
          after: (express, own) => {
            // Express 5 looks at the promise itself; in Express 4 the guard passes the rejection on.
            if (expressMajor === 5) express.use('/private', (req, res, next) => guard(req, res, next, own))
            else express.use('/private', (req, res, next) => void guard(req, res, next, own).catch(next))
            express.get('/private', (_req, res) => {
              reached += 1
              res.json({ private: true })
            })
          },
        },
      )
    }
    beforeEach(() => {
      faulty = false
      reached = 0
    })

    it('lets those with a session pass, and no others', async () => {
      await startGuarded()
      const refused = await browser.get('/private')
      expect([refused.status, refused.headers.location, reached]).to.deep.equal([302, '/auth/signin', 0])
      await plantSession(browser)
      expect((await browser.get('/private')).body).to.deep.equal({ private: true })
    })

    it(`denies with next(err) when a callback throws (Express ${expressMajor})`, async () => {
      await startGuarded()
      await plantSession(browser)
      faulty = true
      const response = await browser.get('/private')
      expect([response.status, response.body, reached]).to.deep.equal([500, { app: true, error: 'of the database' }, 0])
      expect(setCookies(response)).to.deep.equal([])
      faulty = false
      expect((await browser.get('/private')).body).to.deep.equal({ private: true })
    })
  })

  it('never mixes up two users on one engine', async () => {
    await start({ callbacks: { session: async ({ session }) => session } })
    const people = ['ann', 'bob']
    const browsers = await Promise.all(
      people.map(async (name) => {
        const each = app.browser()
        await plantSession(each, { name })
        return each
      }),
    )
    const seen = await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        const { body } = (await browsers[at % 2]?.get('/me')) ?? { body: null }
        return [people[at % 2], body?.user?.name]
      }),
    )
    for (const [expected, name] of seen) expect(name).to.equal(expected)
  })

  it('warns once when two configurations read each other’s sessions but know other providers', async () => {
    const [first, second] = [createLog(), createLog()]
    const others = { ...credentials(), id: 'others' }
    const shared = { secret: `${secret} of the sharing test` }
    await getSession({ headers: {} }, { ...shared, providers: [credentials()], logger: first.logger })
    await getSession({ headers: {} }, { ...shared, providers: [others], logger: second.logger })
    expect(first.warnings.map(({ code }) => code)).to.deep.equal([])
    expect(second.warnings.map(({ code }) => code)).to.deep.equal(['shared-sessions'])
    expect(second.warnings[0]?.details[0]).to.include('`cookies.sessionToken.name`')
    const apart = createLog()
    const cookies = { sessionToken: { name: 'apart' } }
    await getSession({ headers: {} }, { ...shared, providers: [others], cookies, logger: apart.logger })
    expect(apart.warnings).to.deep.equal([])
  })
})
