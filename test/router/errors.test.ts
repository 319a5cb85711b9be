import { expect } from 'chai'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import request from 'supertest'
import { type AuthEngine, getEngine } from '../../lib/engine/index.js'
import { createRouter } from '../../lib/router/index.js'
import {
  createLog,
  credentials,
  expressMajor,
  secret,
  startApp,
  wildcardMount,
  withoutReference,
} from '../support/app.js'

/** The arguments of the application's error handler. */
interface Caught {
  readonly error: unknown
  readonly url: string
  readonly baseUrl: string
}

/** An application around an engine, that keeps what reaches its error handler. */
function around(
  auth: AuthEngine,
  mount: string,
): { app: Express; caught: Caught[]; passed: string[]; settled: PromiseSettledResult<unknown>[] } {
  const app = express()
  const caught: Caught[] = []
  const passed: string[] = []
  const settled: PromiseSettledResult<unknown>[] = []
  const router = createRouter(auth)
  app.use(mount, async (req, res, next) => {
    settled.push(...(await Promise.allSettled([router(req, res, next)])))
  })
  app.use((req, res) => {
    passed.push(req.url)
    res.status(404).end()
  })
  const keep: ErrorRequestHandler = (error, { url, baseUrl }, res, _next) => {
    caught.push({ error, url, baseUrl })
    res.status(599).json({ app: true })
  }
  app.use(keep)
  return { app, caught, passed, settled }
}

function engine(overrides: Partial<AuthEngine>): AuthEngine {
  return { ...getEngine({ secret, providers: [credentials()], logger: createLog().logger }), ...overrides }
}

const throws = (what: unknown) => () => {
  throw what
}

class Special extends Error {
  readonly status = 403
}

const special = new Special('with a status')

describe(`a failing engine on Express ${expressMajor}`, () => {
  const rejections: unknown[] = []
  const note = (reason: unknown) => void rejections.push(reason)
  beforeEach(() => {
    rejections.length = 0
    process.on('unhandledRejection', note)
  })
  afterEach(() => {
    process.off('unhandledRejection', note)
    expect(rejections).to.deep.equal([])
  })

  const failing: ReadonlyArray<[name: string, overrides: Partial<AuthEngine>, message: string]> = [
    ['rejects', { handle: () => Promise.reject(new Error('inside')) }, 'inside'],
    [
      'rejects later',
      { handle: () => new Promise((_, reject) => setImmediate(() => reject(new Error('late')))) },
      'late',
    ],
    ['throws', { handle: throws(new Error('at once')) }, 'at once'],
    ['rejects with an error that has a status', { handle: () => Promise.reject(special) }, 'with a status'],
    ['rejects with undefined', { handle: () => Promise.reject(undefined) }, 'a non-error was thrown (undefined)'],
    ['rejects with null', { handle: () => Promise.reject(null) }, 'a non-error was thrown (object)'],
    ['rejects with a text', { handle: () => Promise.reject('route') }, 'a non-error was thrown (string)'],
    ['throws in its notice', { notice: throws(new Error('notice')) }, 'notice'],
    ['throws undefined in its notice', { notice: throws(undefined) }, 'a non-error was thrown (undefined)'],
  ]

  for (const mount of ['/auth', wildcardMount]) {
    for (const [name, overrides, message] of failing) {
      it(`that ${name} reaches next(err) once, mounted at ${mount}`, async () => {
        const { app, caught, passed, settled } = around(engine(overrides), mount)
        const { status } = await request(app).get('/auth/session?a=1')
        expect(status).to.equal(599)
        expect(caught).to.have.lengthOf(1)
        expect(caught[0]?.error).to.be.instanceOf(Error).with.property('message', message)
        expect(caught[0]).to.include({ url: '/auth/session?a=1', baseUrl: '' })
        expect(passed).to.deep.equal([])
        expect(settled).to.deep.equal([{ status: 'fulfilled', value: undefined }])
      })
    }
  }

  it('passes the very error on', async () => {
    const { app, caught } = around(engine({ handle: () => Promise.reject(special) }), '/auth')
    await request(app).post('/auth/signin').send({ a: 1 })
    expect(caught.map(({ error }) => error)).to.deep.equal([special])
    expect(caught[0]?.error).to.equal(special)
  })

  it('is not asked for what is not its own', async () => {
    const { app, caught, passed } = around(engine({ handle: throws(new Error('never')) }), '/auth')
    await request(app).get('/auth/nothing')
    expect([caught, passed]).to.deep.equal([[], ['/auth/nothing']])
  })
})

describe(`errors around the engine on Express ${expressMajor}`, () => {
  it('of a `trust proxy` function reach the error handler', async () => {
    const app = await startApp(undefined, {
      before: (on) =>
        void on.set('trust proxy', () => {
          throw new Error('who is that')
        }),
    })
    const { status, body } = await app.browser().get('/auth/session')
    await app.close()
    expect([status, body]).to.deep.equal([500, { app: true, error: 'who is that' }])
  })

  it('of routes that the application adds reach the error handler, with the request as it was', async () => {
    const auth = createRouter(engine({}))
    const fails: RequestHandler = (_req, _res, next) => void Promise.reject(new Error('own')).catch(next)
    auth.get('/own', fails)
    const app = express()
    app.use('/auth', auth)
    const tell: ErrorRequestHandler = (error: Error, { url, baseUrl }, res, _next) =>
      void res.status(500).json({ error: error.message, url, baseUrl })
    app.use(tell)
    const { body } = await request(app).get('/auth/own?x=1')
    expect(body).to.deep.equal({ error: 'own', url: '/auth/own?x=1', baseUrl: '' })
  })

  it('of our own routes come to handlers that the application hangs into the Router, and then to the others', async () => {
    const auth = createRouter(engine({ handle: () => Promise.reject(new Error('inside')) }))
    const seen: unknown[] = []
    const note: ErrorRequestHandler = (error: Error, { url, baseUrl }, _res, next) => {
      seen.push([error.message, url, baseUrl])
      next(error)
    }
    auth.use(note)
    const app = express()
    app.use('/auth', auth)
    const tell: ErrorRequestHandler = (_error, { url, baseUrl }, res, _next) =>
      void res.status(599).json({ url, baseUrl })
    app.use(tell)
    const { status, body } = await request(app).get('/auth/session?a=1')
    expect([status, body]).to.deep.equal([599, { url: '/auth/session?a=1', baseUrl: '' }])
    expect(seen).to.deep.equal([['inside', '/session?a=1', '/auth']])
  })

  it('do not come from a request that we can refuse by ourselves', async () => {
    const { app, caught } = around(engine({}), '/auth')
    const replies = await Promise.all([
      request(app).put('/auth/session'),
      request(app).get('/auth/signin/%zz'),
      request(app).post('/auth/session').type('json').send('{'),
      request(app).get('/auth/session').set('Host', 'a b'),
      request(app)
        .post('/auth/session')
        .type('json')
        .send(`"${'x'.repeat(200_000)}"`),
    ])
    expect(replies.map(({ status }) => status)).to.deep.equal([405, 400, 400, 400, 413])
    expect(caught).to.deep.equal([])
  })

  it('are our JSON when a callback returns a value that JSON cannot represent', async () => {
    const callbacks = { session: () => ({ expires: '', user: { name: 'ann', big: 1n } }) }
    const app = await startApp({ callbacks })
    const browser = app.browser()
    await browser.signIn()
    const { status, body } = await browser.get('/auth/session')
    const types = app.log.errors.map((error) => (error as { type?: string }).type)
    await app.close()
    expect([status, withoutReference(body)]).to.deep.equal([
      500,
      {
        error: 'Configuration',
        message: 'This site has a problem, so signing in does not work right now. Please try again later.',
      },
    ])
    expect(types).to.deep.equal(['CallbackRouteError'])
  })

  it('do not follow a reply that the application has sent meanwhile', async () => {
    const gate: Array<() => void> = []
    const waiting = engine({
      handle: () =>
        new Promise((resolve) => gate.push(() => resolve({ status: 200, headers: {}, cookies: [], body: 'ours' }))),
    })
    const app = express()
    app.use((_req, res, next) => {
      next()
      setImmediate(() => {
        res.status(503).end('theirs')
        for (const open of gate) open()
      })
    })
    app.use('/auth', createRouter(waiting))
    const { status, text } = await request(app).get('/auth/session')
    expect([status, text]).to.deep.equal([503, 'theirs'])
  })
})
