/** Common mistakes at the entry points of Express: each is an error that names the mistake and says what to write. */
import { expect } from 'chai'
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import pg from 'pg'
import request from 'supertest'
import { memoryAdapter } from '../lib/adapters/memory/index.js'
import {
  AuthError,
  defineAuth,
  getCsrfToken,
  getSession,
  hasCsrfToken,
  requireCsrf,
  requireSession,
} from '../lib/index.js'
import { createSession } from '../lib/testing/index.js'
import { createLog, credentials, secret } from './support/app.js'
import { rejectionOf } from './support/rejection.js'

const define = () => defineAuth({ secret, providers: [credentials()], logger: createLog().logger })

/** Returns the message of the error that a call throws, or that its promise rejects with. */
async function messageOf(call: () => unknown): Promise<string> {
  return String(await rejectionOf((async () => call())()))
}

/** Answers a request and returns the status, with the message of the error if one reached the error handler. */
async function answerOf(app: Express, send: (agent: ReturnType<typeof request>) => request.Test): Promise<unknown[]> {
  app.use((error: Error, _req: Request, res: Response, _next: NextFunction) => void res.status(500).send(error.message))
  const { status, text } = await send(request(app))
  return [status, text]
}

describe('a mistaken call', () => {
  const message = { headers: { host: 'app.test' } }

  it('of getSession, getCsrfToken or hasCsrfToken names the wrong order, and a missing configuration', async () => {
    const { config } = define()
    for (const [name, call] of Object.entries({ getSession, getCsrfToken, hasCsrfToken })) {
      const loose = call as (...given: unknown[]) => unknown
      const usage = `Call ${name}(req, config), or auth.${name}(req) of defineAuth.`
      for (const [given, kind, wrong] of [
        [[config, message], 'TypeError', `${name} got its arguments in the wrong order.`],
        [[message], 'InvalidConfiguration', `${name} got no configuration.`],
        [[message, null], 'InvalidConfiguration', `${name} got no configuration.`],
        [[undefined, config], 'TypeError', `${name} needs the request as its first argument.`],
        [[], 'TypeError', `${name} needs the request as its first argument.`],
      ] as const) {
        expect(await messageOf(() => loose(...given))).to.equal(`${kind}: ${wrong} ${usage}`)
      }
    }
    expect(await messageOf(() => (requireSession as (config: unknown) => unknown)(undefined))).to.match(
      /^InvalidConfiguration: requireSession got no configuration\. Call requireSession\(config, options\)/,
    )
  })

  it('that passes a guard without a call is rejected at the request, and the handler does not run', async () => {
    const auth = define()
    for (const [name, guard, write] of [
      ['auth.requireSession', auth.requireSession, 'auth.requireSession()'],
      ['requireSession', requireSession, 'requireSession(config)'],
      ['requireCsrf', requireCsrf, 'requireCsrf(config)'],
      ['auth.csrf.require', auth.csrf.require, 'auth.csrf.require()'],
      [
        'auth.tokens.requireConnection',
        auth.tokens.requireConnection,
        'auth.tokens.requireConnection({ provider: … })',
      ],
    ] as const) {
      const app = express()
      app.all('/page', guard as unknown as RequestHandler, (_req, res) => void res.send('inside'))
      const { cookie } = await createSession(auth.config)
      expect(await answerOf(app, (agent) => agent.post('/page').set('Cookie', cookie))).to.deep.equal([
        500,
        `\`${name}\` was passed to Express without a call. Write \`${write}\`.`,
      ])
    }
  })

  it('of app.use with the result of defineAuth is an error at the start', async () => {
    const auth = define()
    const app = express()
    expect(await messageOf(() => app.use('/auth', auth as unknown as RequestHandler))).to.match(
      /app\.use, and is no router\. Write `app\.use\('\/auth', auth\.router\)`\.$/,
    )
    // The member that reports it is in no list, and in no copy.
    expect(Object.keys(auth)).to.not.include('handle')
    expect('handle' in { ...auth }).to.equal(false)
  })

  describe('of hasCsrfToken', () => {
    function site(...parsers: RequestHandler[]) {
      const auth = define()
      const app = express()
      app.all('/form', ...parsers, (req, res) => void res.status(auth.hasCsrfToken(req) ? 200 : 403).end())
      return { auth, app }
    }

    it('before the body is parsed names the parser', async () => {
      const { auth, app } = site()
      const { cookie, csrfToken } = await createSession(auth.config)
      const [status, text] = await answerOf(app, (agent) =>
        agent.post('/form').set('Cookie', cookie).type('form').send({ csrfToken }),
      )
      expect(status).to.equal(500)
      expect(text).to.match(/body is not parsed\. Put `express\.urlencoded\(\{ extended: false \}\)` before/)
      // Without a form there is nothing to parse.
      expect(await answerOf(site().app, (agent) => agent.post('/form'))).to.deep.equal([403, ''])
      expect(await answerOf(site().app, (agent) => agent.get('/form'))).to.deep.equal([403, ''])
    })

    it('behind a parser is no error for any request: a stranger gets false', async () => {
      for (const parser of [express.urlencoded({ extended: false }), express.json()]) {
        for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
          for (const body of ['', 'a=b', 'csrfToken=x']) {
            const { app } = site(parser)
            const answer = await answerOf(app, (agent) => agent.post('/form').set('Content-Type', type).send(body))
            expect(answer, type).to.deep.equal([403, ''])
          }
        }
      }
    })
  })

  it('with a connection of a database as the adapter says what makes an adapter of it', async () => {
    const pool = new pg.Pool()
    for (const [adapter, advice] of [
      [pool, 'Set `adapter: sqlAdapter(connect(url))`'],
      [{ execute: () => {} }, 'Set `adapter: sqlAdapter(connect(url))`'],
      [{ prepare: () => {} }, 'Set `adapter: sqlAdapter(connect(url))`'],
      [{ $connect: () => {} }, 'Set `adapter: PrismaAdapter(prisma)`'],
    ] as const) {
      const make = defineAuth as (config: unknown) => unknown
      expect(await messageOf(() => make({ secret, providers: [credentials()], adapter }))).to.contain(advice)
    }
    await pool.end()
  })

  it('of users.disable without its store names the option, with both strategies', async () => {
    for (const strategy of ['jwt', 'database'] as const) {
      const auth = defineAuth({
        secret,
        providers: [credentials()],
        adapter: memoryAdapter(),
        session: { strategy },
        logger: createLog().logger,
      })
      const error = await rejectionOf(auth.users.disable('ann'))
      expect(error).to.be.instanceOf(AuthError)
      expect(String(error)).to.match(
        /`users\.disable` needs `session\.revocation`.*Set `session: \{ revocation: true \}`/,
      )
    }
  })
})
