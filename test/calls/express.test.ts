/** Calls in an Express application: mounts, proxies, guards, and everything that shares a request and a response with them. */
import { expect } from 'chai'
import type { NextFunction, Request, Response } from 'express'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import {
  type CallRequest,
  type CallResponse,
  defineAuth,
  getCsrfToken,
  getSession,
  hasCsrfToken,
  requireSession,
  type ServerAuthConfig,
  type Session,
  signIn,
  signOut,
  startSession,
  update,
} from '../../lib/index.js'
import {
  type AppOptions,
  createLog,
  credentials,
  secret,
  setCookies,
  startApp,
  type TestApp,
  target,
} from '../support/app.js'
import { rejectionOf } from '../support/rejection.js'
import { sessionName } from '../support/session.js'

const ann = { username: 'ann', password: 'right', redirect: false } as const
const person = { user: { id: '7', name: 'Ann' }, amr: ['otp'] }

type Handle = (req: Request, res: Response, config: ServerAuthConfig) => Promise<unknown>

describe('calls in an Express application', () => {
  const running: TestApp[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((app) => app.close()))
  })

  async function start(
    handle: Handle,
    config: Partial<ServerAuthConfig> = {},
    options: AppOptions = {},
  ): Promise<TestApp> {
    const app = await startApp(config, {
      after: (own, full) => {
        own.all('/do', (req, res, next) => {
          handle(req, res, full).then((result) => void (res.headersSent || res.json(result ?? null)), next)
        })
      },
      ...options,
    })
    running.push(app)
    return app
  }

  const nameOf = (session: Session | null) => session?.user?.name ?? null

  describe('a session that was read earlier', () => {
    it('is not remembered past a change: guards and handlers read it again', async () => {
      const app = await start(async (req, res, config) => {
        const names = [nameOf(await getSession(req, config))]
        await startSession(req, res, config, person)
        await new Promise<void>((resolve, reject) => {
          requireSession(config)(req, res, (error?: unknown) => (error ? reject(error) : resolve()))
        })
        names.push(nameOf(res.locals.session), nameOf(await getSession(req, config)))
        await signOut(req, res, config, { redirect: false })
        return [...names, nameOf(await getSession(req, config))]
      })
      const { body } = await app.browser().post('/do')
      expect(body).to.deep.equal([null, 'Ann', 'Ann', null])
    })

    it('is read again if a session is in several cookies, and if a smaller one replaces it', async () => {
      const big = 'x'.repeat(5000)
      const config: Partial<ServerAuthConfig> = {
        callbacks: {
          jwt: ({ token, user }) => (user?.name === 'big' ? { ...token, big } : token),
          session: ({ session, token }) => ({ ...session, size: String(token?.big ?? '').length }),
        },
      }
      const app = await start(async (req, res, full) => {
        const sizes: unknown[] = []
        for (const name of ['big', 'small', 'big']) {
          await startSession(req, res, full, { user: { id: name, name }, amr: [] })
          sizes.push((await getSession(req, full)) as unknown)
        }
        await signOut(req, res, full, { redirect: false })
        return [sizes.map((session) => (session as { size: number }).size), await getSession(req, full)]
      }, config)
      const browser = app.browser()
      const response = await browser.post('/do')
      expect(response.body).to.deep.equal([[5000, 0, 5000], null])
      expect([...browser.cookies.keys()].filter((name) => name.startsWith(sessionName))).to.deep.equal([])
    })

    it('is read once as long as nothing changes', async () => {
      let read = 0
      const config = { events: { session: () => void read++ } }
      const app = await start(async (req, res, full) => {
        await startSession(req, res, full, person)
        await Promise.all([getSession(req, full), getSession(req, full)])
        await getSession(req, full)
      }, config)
      await app.browser().post('/do')
      expect(read).to.equal(1)
    })

    it('does not provide the token of a form either: the new session does', async () => {
      const app = await start(async (req, res, config) => {
        if (req.query.check) return hasCsrfToken(Object.assign(req, { body: req.query }), config)
        const before = getCsrfToken(req, config)
        await startSession(req, res, config, person)
        return [before, getCsrfToken(req, config)]
      })
      const browser = app.browser()
      const [before, now] = (await browser.post('/do')).body
      const check = async (csrfToken: string) => (await browser.post(`/do?check=1&csrfToken=${csrfToken}`)).body
      expect(before).to.not.equal(now)
      expect([await check(before), await check(now)]).to.deep.equal([false, true])
    })
  })

  describe('beside the routes', () => {
    const before = (work: (req: Request, res: Response) => Promise<unknown>): AppOptions => ({
      before: (app) => app.use((req, res, next: NextFunction) => void work(req, res).then(() => next(), next)),
    })

    it('start a session that the routes know in the same request', async () => {
      const config: ServerAuthConfig = { secret, providers: [credentials()], logger: createLog().logger }
      const app = await startApp(
        config,
        before((req, res) => startSession(req, res, config, person)),
      )
      running.push(app)
      expect(nameOf((await app.browser().session()) as Session)).to.equal('Ann')
    })
  })

  describe('the response', () => {
    it('keeps the cookies of the application, and is stored by no cache', async () => {
      const app = await start(async (req, res, config) => {
        res.cookie('own', '1')
        await startSession(req, res, config, person)
        res.cookie('other', '2')
        res.set('Cache-Control', 'public, max-age=60')
      })
      const response = await app.browser().post('/do')
      const names = setCookies(response).map((line) => line.split('=')[0])
      expect(names).to.include.members(['own', 'other', sessionName])
      expect(response.headers['cache-control']).to.equal('private, no-store')
    })

    it('does not restore a session that has ended in the meantime, however late it comes', async () => {
      for (const strategy of ['jwt', 'database'] as const) {
        let go = () => {}
        const gone = new Promise<void>((resolve) => {
          go = resolve
        })
        const app = await start(
          async (req, res, config) => {
            await update(req, res, config, { user: { name: 'Ann II' } })
            await gone
          },
          {
            session: { strategy },
            ...(strategy === 'database'
              ? { adapter: memoryAdapter() }
              : {
                  callbacks: {
                    jwt: ({ token, trigger }) => (trigger === 'update' ? { ...token, name: 'Ann II' } : token),
                  },
                }),
          },
        )
        const browser = app.browser()
        await browser.signIn()
        const late = browser.post('/do')
        const tab = app.browser()
        for (const [name, value] of browser.cookies) tab.cookies.set(name, value)
        await new Promise((resolve) => setTimeout(resolve, 50))
        await tab.submit('/auth/signout')
        go()
        expect(setCookies(await late).filter((line) => line.startsWith(sessionName))).to.deep.equal([])
      }
    })

    it('must not have been sent', async () => {
      const app = await start(async (req, res, config) => {
        res.write('{')
        const errors = await Promise.all([
          rejectionOf(signIn(req, res, config, 'credentials', ann)),
          rejectionOf(signOut(req, res, config)),
          rejectionOf(update(req, res, config, {})),
          rejectionOf(startSession(req, res, config, person)),
        ])
        res.end(`"messages":${JSON.stringify(errors.map(({ name, message }) => `${name}: ${message}`))}}`)
      })
      const { text } = await app.browser().post('/do')
      for (const message of JSON.parse(text).messages)
        expect(message).to.match(/^TypeError: .*before the response begins/)
    })

    for (const [write, use] of Object.entries<(res: Response) => unknown>({
      'res.redirect': (res) => res.redirect('/'),
      'res.json': (res) => res.json({}),
      'res.send': (res) => res.send('Goodbye'),
      'res.cookie': (res) => res.cookie('a', '1'),
      'res.setHeader': (res) => res.setHeader('a', '1'),
      'res.removeHeader': (res) => res.removeHeader('location'),
      'res.writeHead': (res) => res.writeHead(200),
      'res.render': (res) => res.type('html').send('<p>'),
    })) {
      it(`must not be sent by ${write} after a call that has sent it: the error names the call`, async () => {
        const errors: Array<Error & { code?: string }> = []
        const app = await start(async (req, res, config) => {
          for (const send of [signOut, signIn]) {
            if (res.headersSent) break
            await send(req, res, config)
          }
          try {
            use(res)
          } catch (error) {
            if (error instanceof Error) errors.push(error)
          }
        })
        const answer = await app.browser().post('/do')
        expect(answer.status).to.equal(303)
        expect(errors).to.have.length(1)
        expect(errors[0]).to.include({ code: 'ERR_HTTP_HEADERS_SENT' })
        expect(errors[0]?.message).to.match(/^signOut\(\) has already sent the response\. Return after it, or pass/)
        expect(errors[0]?.cause).to.have.property('code', 'ERR_HTTP_HEADERS_SENT')
      })
    }

    it('is changed only after it was sent', async () => {
      const app = await start(async (req, res, config) => {
        const before = [res.setHeader, res.writeHead]
        await signOut(req, res, config, { redirect: false })
        const left = res.setHeader === before[0]
        res.json({ left, own: Object.hasOwn(res, 'setHeader') })
      })
      expect((await app.browser().post('/do')).body).to.deep.equal({ left: true, own: false })
    })

    it('is required, as the request is', async () => {
      const config: ServerAuthConfig = { secret, providers: [credentials()], logger: createLog().logger }
      const [req, res] = [{ headers: {} } as CallRequest, undefined as unknown as CallResponse]
      expect(await rejectionOf(signOut(req, res, config))).to.be.instanceOf(TypeError)
      const swapped = rejectionOf(signOut(config as unknown as CallRequest, req as unknown as CallResponse, config))
      expect((await swapped).message).to.include('signOut() needs request and response')
    })

    it('must not be sent during a call: the error says so, because its cookies are lost', async () => {
      const errors: Error[] = []
      const app = await start(async (req, res, config) => {
        const call = rejectionOf(startSession(req, res, config, person))
        res.json({ own: true })
        errors.push(await call)
      })
      const response = await app.browser().post('/do')
      expect([response.body, setCookies(response)]).to.deep.equal([{ own: true }, []])
      expect(errors[0]).to.be.instanceOf(TypeError).and.have.property('message').that.includes('await')
    })
  })

  describe('under mounts and behind proxies', () => {
    const acme = {
      id: 'acme',
      name: 'Acme',
      type: 'oauth' as const,
      clientId: 'client',
      clientSecret: 'client-secret',
      authorization: 'https://op.example/authorize',
      token: 'https://op.example/token',
      userinfo: 'https://op.example/userinfo',
    }
    const goToAcme: Handle = (req, res, config) => signIn(req, res, config, 'acme')
    const redirectUri = (response: Parameters<typeof target>[0]) =>
      new URL(target(response)).searchParams.get('redirect_uri')

    for (const mount of ['/auth', '/api/deep/auth']) {
      it(`return to the routes at ${mount}`, async () => {
        const app = await start(goToAcme, { providers: [acme], basePath: mount }, { mount })
        const response = await app.browser().post('/do')
        expect(redirectUri(response)).to.equal(`${app.origin}${mount}/callback/acme`)
        expect(setCookies(response).some((line) => line.includes(`Path=${mount};`))).to.equal(true)
      })
    }

    it('report that the routes are at another path', async () => {
      const app = await start(goToAcme, { providers: [acme] }, { mount: '/elsewhere' })
      const browser = app.browser()
      await browser.post('/do')
      await browser.get('/elsewhere/providers')
      expect(app.log.warnings.map(({ code }) => code)).to.include('guard-basepath-mismatch')
    })

    it('use the headers of a trusted proxy only', async () => {
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.test' }
      const behind = await start(goToAcme, { providers: [acme] }, { trustProxy: 1 })
      const response = await behind.browser().post('/do', {}, headers)
      expect(redirectUri(response)).to.equal('https://app.test/auth/callback/acme')
      expect(setCookies(response).filter((line) => !/; Secure/.test(line))).to.deep.equal([])
      const bare = await start(goToAcme, { providers: [acme] })
      expect(redirectUri(await bare.browser().post('/do', {}, headers))).to.equal(`${bare.origin}/auth/callback/acme`)
    })

    it('reject a host that is not trusted', async () => {
      const app = await start((req, res, config) => startSession(req, res, config, person), { trustHost: false })
      const response = await app.browser().post('/do', {}, { host: 'evil.example' })
      expect(response.body.type).to.equal('UntrustedHost')
      expect(setCookies(response)).to.deep.equal([])
    })
  })

  it('are methods of defineAuth', async () => {
    const auth = defineAuth({
      secret,
      logger: createLog().logger,
      providers: [credentials()],
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === 'update' ? { ...token, role: String((session as { role?: unknown }).role) } : token,
        session: ({ session, token }) => ({ ...session, role: String(token?.role) }),
      },
    })
    const app = await startApp(auth.config, {
      after: (own) =>
        own.post('/do', (req, res, next) => {
          const work = async () => {
            await auth.startSession(req, res, person)
            const updated = await auth.update(req, res, { role: 'admin' })
            const role = (await auth.getSession(req))?.role
            await auth.signOut(req, res, { redirect: false })
            const url = await auth.signIn(req, res, 'credentials', ann)
            return [updated?.role, role, url, nameOf(await auth.getSession(req))]
          }
          work().then((result) => void res.json(result), next)
        }),
    })
    running.push(app)
    expect((await app.browser().post('/do')).body).to.deep.equal(['admin', 'admin', `${app.origin}/`, 'ann'])
  })
})
