/**
 * All cookies together stay below the limit of servers: whatever was accepted, the browser can still sign out. Over
 * HTTP, at both doors.
 */

import { createServer } from 'node:http'
import { expect } from 'chai'
import type { Request, Response } from 'express'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { cookieBudget } from '../../lib/http/cookie-budget.js'
import * as onExpress from '../../lib/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth from '../../shim/index.js'
import { createApp, createLog, credentials, secret, serve } from '../support/app.js'
import { type Door, openFetch } from '../support/doors.js'
import { type Answer, Browser, type Question } from '../support/http-browser.js'

/** The headers of a browser besides cookies. */
const others = {
  'user-agent': 'x'.repeat(150),
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-language': 'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
  referer: `http://app.test/${'x'.repeat(200)}`,
}
const longest = `/${'a'.repeat(950)}`

/** The sizes of a token of the provider, of the session and of its data. */
interface Sizes {
  token: number
  session: number
}

interface Stage {
  readonly door: Door
  readonly sizes: Sizes
}

function configOf(strategy: 'jwt' | 'database', sizes: Sizes): FullStackAuthConfig {
  const provider = (id: string) => ({
    ...{ id, name: id, type: 'oauth' as const, clientId: 'client', clientSecret: 'secret' },
    authorization: 'https://op.example/authorize',
    token: {
      url: 'https://op.example/token',
      request: async () => ({ tokens: { access_token: 't'.repeat(sizes.token), token_type: 'bearer' as const } }),
    },
    userinfo: { url: 'https://op.example/userinfo', request: async () => ({ id: 'ann' }) },
    profile: () => ({ id: 'ann', name: 'ann' }),
  })
  return {
    secret,
    basePath: '/api/auth',
    providers: [credentials(), provider('one'), provider('two')],
    ...(strategy === 'database' && { adapter: memoryAdapter() }),
    session: { strategy, data: true },
    tokens: { store: 'cookie' },
    callbacks: {
      ...(strategy === 'jwt' && {
        jwt: ({ token }) => (sizes.session === 0 ? token : { ...token, fill: 'x'.repeat(sizes.session) }),
      }),
      session: ({ session }) => ({ user: session.user ?? {}, expires: session.expires }),
    },
  }
}

/** The functions that the application's code calls at `/do/<what>`. */
interface Calls {
  read(): Promise<unknown>
  setData(fill: string): Promise<unknown>
  update(): Promise<unknown>
  signIn(callbackUrl: string): Promise<unknown>
  connect(): Promise<unknown>
  leave(): Promise<unknown>
}

const faultOf = (error: unknown) => ({ type: (error as { type?: string }).type })

function answer(what: string | undefined, query: URLSearchParams, calls: Calls): Promise<unknown> {
  const work = () => {
    if (what === 'data') return calls.setData('x'.repeat(Number(query.get('size'))))
    if (what === 'update') return calls.update()
    if (what === 'signin') return calls.signIn(query.get('to') ?? '/')
    if (what === 'connect') return calls.connect()
    if (what === 'leave') return calls.leave()
    return calls.read()
  }
  return work().then((value) => value ?? null, faultOf)
}

async function openOnExpress(strategy: 'jwt' | 'database'): Promise<Stage> {
  const [log, sizes] = [createLog(), { token: 100, session: 0 }]
  const config = { ...configOf(strategy, sizes), logger: log.logger }
  const app = createApp(config, {
    mount: '/api/auth',
    after: (own) => {
      own.all('/do/:what', (req: Request, res: Response, next) => {
        const calls: Calls = {
          read: () => onExpress.getSession(req, config),
          setData: (fill) => expressFunctions(config).sessions.setData(req, res, { fill } as never),
          update: () => onExpress.update(req, res, config, {}),
          signIn: (redirectTo) => onExpress.signIn(req, res, config, 'one', { redirect: false, redirectTo }),
          connect: () => expressFunctions(config).tokens.connectUrl(req, { provider: 'one', callbackUrl: '/' }),
          leave: () => onExpress.signOut(req, res, config, { redirect: false }),
        }
        const query = new URL(req.originalUrl, 'http://app.test').searchParams
        answer(String(req.params.what), query, calls).then((value) => void res.json(value), next)
      })
    },
  })
  return { door: await serve(createServer(app), config, log, '/api/auth'), sizes }
}

async function openOnFetch(strategy: 'jwt' | 'database'): Promise<Stage> {
  const [log, sizes] = [createLog(), { token: 100, session: 0 }]
  const own = initAuth({ ...configOf(strategy, sizes), logger: log.logger })
  const calls: Calls = {
    read: () => own.auth(),
    setData: (fill) => own.sessions.setData({ fill } as never),
    update: () => own.unstable_update({}),
    signIn: (redirectTo) => own.signIn('one', { redirect: false, redirectTo }),
    connect: () => own.tokens.connectUrl({ provider: 'one', callbackUrl: '/' }),
    leave: () => own.signOut({ redirect: false }),
  }
  const door = await openFetch(log, async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (!pathname.startsWith('/do/')) return own.handlers.GET(request)
    return globalThis.Response.json(await answer(pathname.slice(4), searchParams, calls))
  })
  return { door, sizes }
}

/** A browser that sends each cookie to its paths only. */
class PathedVisitor {
  readonly #all = new Map<string, { value: string; path: string }>()
  readonly #origin: string

  constructor({ origin }: Door) {
    this.#origin = origin
  }

  get names(): string[] {
    return [...this.#all.keys()]
  }

  set(name: string, value: string): void {
    this.#all.set(name, { value, path: '/' })
  }

  async ask(target: string, question: Question = {}): Promise<Answer> {
    const visitor = new Browser(this.#origin, { headers: others, base: '/api/auth' })
    for (const [name, { value, path }] of this.#all) if (target.startsWith(path)) visitor.cookies.set(name, value)
    const answered = await visitor.ask(target, question)
    for (const line of answered.cookies) {
      const [pair = ''] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      if (/Max-Age=0/.test(line)) this.#all.delete(name)
      else this.#all.set(name, { value: pair.slice(name.length + 1), path: /Path=([^;]+)/.exec(line)?.[1] ?? '/' })
    }
    return answered
  }

  /** Sends a form with its token. */
  async submit(target: string, fields: Record<string, string> = {}): Promise<Answer> {
    const { csrfToken } = (await this.ask('/api/auth/csrf')).body
    return this.ask(target, { form: { ...fields, csrfToken } })
  }

  /** The bytes of the `Cookie` header at our routes. */
  get size(): number {
    return [...this.#all].reduce((bytes, [name, { value }]) => bytes + name.length + value.length + 3, 0)
  }
}

/** Goes to the provider and returns. */
async function signInAt(visitor: PathedVisitor, id: string, callbackUrl = '/'): Promise<Answer> {
  const { headers } = await visitor.submit(`/api/auth/signin/${id}`, { callbackUrl })
  return comeBack(visitor, id, headers.location ?? '')
}

function comeBack(visitor: PathedVisitor, id: string, location: string): Promise<Answer> {
  const state = new URL(location).searchParams.get('state') ?? ''
  return visitor.ask(`/api/auth/callback/${id}?${new URLSearchParams({ code: 'code', state })}`)
}

const sessionOf = async (visitor: PathedVisitor) => (await visitor.ask('/api/auth/session')).text

for (const [name, open] of [
  ['Express', openOnExpress],
  ['the shim', openOnFetch],
] as const) {
  for (const strategy of ['jwt', 'database'] as const) {
    describe(`all cookies together, at ${name}, with ${strategy} sessions`, () => {
      let stage: Stage
      let visitor: PathedVisitor

      beforeEach(async () => {
        stage = await open(strategy)
        visitor = new PathedVisitor(stage.door)
      })
      afterEach(() => stage.door.close())

      const worked = async (target: string, question: Question = { method: 'POST' }) =>
        !('type' in Object((await visitor.ask(target, question)).body))

      /** Checks that the browser gets answers from all routes, and signs out. */
      async function assertLeaves(): Promise<void> {
        expect(visitor.size).to.be.below(cookieBudget + 1024)
        expect((await visitor.ask('/do/read')).status).to.equal(200)
        expect((await visitor.ask('/api/auth/signout')).status).to.equal(200)
        expect((await visitor.submit('/api/auth/signout')).status).to.equal(303)
        expect(await sessionOf(visitor)).to.equal('null')
      }

      it('CK-14 a sign-in whose tokens do not fit writes nothing, and the old session stays', async () => {
        await signInAt(visitor, 'one')
        const before = await sessionOf(visitor)
        const names = visitor.names.filter((each) => /session|tokens/.test(each))
        visitor.set('application', 'x'.repeat(9000))
        stage.sizes.token = 4000
        const refused = await signInAt(visitor, 'one')
        expect(refused.headers.location).to.match(/\/error\?error=TooManyCookies$/)
        expect(refused.cookies.filter((line) => /session|tokens/.test(line))).to.deep.equal([])
        expect(visitor.names.filter((each) => /session|tokens/.test(each))).to.deep.equal(names)
        expect(await sessionOf(visitor)).to.equal(before)
        expect(stage.door.log.errors.map((error) => (error as { type?: string }).type)).to.include('TooManyCookies')
        const page = await visitor.ask('/api/auth/error?error=TooManyCookies', { headers: { accept: 'text/html' } })
        expect([page.status, page.text.includes('Delete the cookies of this site')]).to.deep.equal([431, true])
        await assertLeaves()
      })

      it('CK-14 a connection whose tokens do not fit writes nothing', async () => {
        await signInAt(visitor, 'one')
        stage.sizes.token = 5000
        await visitor.ask('/do/read')
        visitor.set('application', 'x'.repeat(8000))
        const path = (await visitor.ask('/do/connect')).body as string
        const { headers } = await visitor.ask(path, { headers: { 'sec-fetch-site': 'same-origin' } })
        const refused = await comeBack(visitor, 'one', headers.location ?? '')
        expect(refused.headers.location).to.match(/\/error\?error=TooManyCookies$/)
        expect(refused.cookies.filter((line) => /session|tokens/.test(line))).to.deep.equal([])
        expect(await sessionOf(visitor)).to.include('ann')
        await assertLeaves()
      })

      it('CK-14 after the largest accepted values the browser can sign out', async () => {
        stage.sizes.token = 4000
        await signInAt(visitor, 'one')
        // Tabs that wait at the provider.
        for (let tab = 0; tab < 5; tab += 1) await visitor.submit('/api/auth/signin/one', { callbackUrl: longest })
        // The session grows as far as it may, at a path where those are not seen.
        for (let size = 500; size < 9000; size += 500) {
          if (!(await worked(`/do/data?size=${size}`))) break
        }
        for (let tab = 0; tab < 5; tab += 1) await visitor.ask(`/do/signin?to=${longest}`, { method: 'POST' })
        for (let size = 0; size < 9000; size += 700) {
          stage.sizes.session = size
          if (!(await worked('/do/update'))) break
          await visitor.ask('/do/read')
        }
        for (let tab = 0; tab < 5; tab += 1) await visitor.submit('/api/auth/signin/two', { callbackUrl: longest })
        await assertLeaves()
      })

      it('CK-14 attempts are removed for a session that grows at a path where they are not sent', async () => {
        await signInAt(visitor, 'one')
        for (let tab = 0; tab < 5; tab += 1) {
          await visitor.submit('/api/auth/signin/one', { callbackUrl: longest })
        }
        expect(visitor.names.filter((each) => each.includes('transaction')).length).to.be.above(3)
        await worked('/do/data?size=100')
        expect(visitor.names.filter((each) => each.includes('transaction')).length, 'a small change').to.be.above(3)
        expect(await worked('/do/data?size=5000')).to.equal(true)
        expect((await visitor.ask('/api/auth/signout')).status).to.equal(200)
        await assertLeaves()
      })

      it('CK-14 with the largest session provider tokens are rejected, and the other way round', async () => {
        stage.sizes.session = strategy === 'jwt' ? 7000 : 0
        stage.sizes.token = 5500
        const both = await signInAt(visitor, 'one')
        if (strategy === 'jwt') {
          expect(both.headers.location).to.match(/error=TooManyCookies$/)
          expect(await sessionOf(visitor)).to.equal('null')
          stage.sizes.token = 100
          expect((await signInAt(visitor, 'one')).headers.location).to.equal(`${stage.door.origin}/`)
        }
        expect(await sessionOf(visitor)).to.include('ann')
        await assertLeaves()
      })
    })
  }
}

describe('a session for which the application’s own cookies leave no room', () => {
  it('CK-14 is read as before, and not written longer', async () => {
    const stage = await openOnExpress('jwt')
    const visitor = new PathedVisitor(stage.door)
    await signInAt(visitor, 'one')
    visitor.set('application', 'x'.repeat(12_500))
    stage.sizes.session = 1000
    const read = await visitor.ask('/do/read')
    expect(read.body).to.have.nested.property('user.name', 'ann')
    expect(read.cookies.filter((line) => line.includes('session-token'))).to.deep.equal([])
    expect(stage.door.log.errors.at(-1)).to.have.property('type', 'TooManyCookies')
    await stage.door.close()
  })
})
