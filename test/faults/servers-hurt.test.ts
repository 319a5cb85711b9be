/**
 * Servers that we call, with each kind of fault: a clear answer in time, no sign-in, no partial changes, and no
 * restart.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import type { Kysely } from 'kysely'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { connect, migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import type { AuthError } from '../../lib/errors.js'
import { ServerAuth } from '../../lib/index.js'
import Email from '../../lib/providers/email.js'
import { type Browser, startApp, type TestApp, target } from '../support/app.js'
import { type AnyTables, requireDatabase, type TestDatabase } from '../support/databases.js'
import { sample } from '../support/extent.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'
import type { Answer } from '../support/http-browser.js'
import { linkIn, type MailServer, startMailServer } from '../support/mail-server.js'
import { type Hurt, hugeBytes, startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js'

/** Seconds that a call may take. */
const timeout = 0.3
/** Milliseconds in which an answer must arrive: the time-out, and a second for a busy machine. */
const patience = timeout * 1000 + 1000
const hurts = ['down', 'slow', 'hanging', 'huge', 'garbage', 'reset'] as const
const httpAnswer = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"a":"')

const rejections: unknown[] = []
const note = (reason: unknown) => void rejections.push(reason)

/** Breaks the server during some work, which must not take long. */
async function during<T>(proxy: TcpProxy, how: Hurt | 'down', opening: Buffer, work: () => Promise<T>): Promise<T> {
  if (how === 'down') await proxy.stop()
  else proxy.hurt(how, { delay: timeout * 2000, opening })
  const began = performance.now()
  try {
    return await work()
  } finally {
    expect(performance.now() - began, 'milliseconds').to.be.below(patience)
    if (how === 'down') await proxy.start()
    else proxy.heal()
  }
}

/**
 * Ends connections that are kept for the next request and were broken with the others. `fetch` itself drops them after
 * 4 seconds.
 */
async function forgetConnections(proxy: TcpProxy): Promise<void> {
  proxy.cut()
  await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Checks the answer to a browser: a page, without the cookie of a session. */
async function expectPage(browser: Browser, response: Answer, to: string): Promise<void> {
  expect(target(response)).to.contain(to)
  const page = await browser.get(target(response))
  expect(page.headers['content-type']).to.match(/^text\/html/)
  expect([...browser.cookies.keys()].filter((name) => name.includes('session-token'))).to.deep.equal([])
}

const typesIn = (app: TestApp) => app.log.errors.map((error) => (error as AuthError).type)

/** Returns the megabytes in use after a garbage collection. */
async function megabytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  for (let round = 0; round < 2; round += 1) {
    collect()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

describe('a server with faults', () => {
  let memory: number
  before(async () => {
    memory = await megabytes()
  })
  beforeEach(() => {
    rejections.length = 0
    process.on('unhandledRejection', note)
  })
  afterEach(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(rejections, 'unhandled rejections').to.deep.equal([])
  })

  describe('DOS-09 a provider', () => {
    let provider: HostileProvider
    let proxy: TcpProxy
    let app: TestApp

    before(async () => {
      provider = await startHostileProvider()
      proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(provider.origin).port) })
    })
    afterEach(() => app?.close())
    after(async () => {
      await proxy?.stop()
      await provider?.close()
    })

    async function open(issuer: string): Promise<void> {
      provider.reset()
      const oidc = { type: 'oidc' as const, id: 'test', name: 'Test', ...provider.settings, issuer }
      app = await startApp({ providers: [oidc], timeout })
    }

    /** Starts a sign-in, and returns the URL of the callback from the provider. */
    async function callback(browser: Browser, iss = provider.issuer): Promise<string> {
      return provider.authorize(target(await browser.submit('/auth/signin/test')), { iss })
    }

    for (const how of sample(hurts, 0)) {
      it(`with a faulty token endpoint: ${how}`, async () => {
        await open(provider.issuer)
        provider.discovery.token_endpoint = `http://127.0.0.1:${proxy.port}/token`
        const [person, program] = [app.browser(), app.browser()]
        const [back, other] = [await callback(person), await callback(program)]
        const [page, json] = await during(proxy, how, httpAnswer, () =>
          Promise.all([person.get(back), program.get(other, { accept: 'application/json' })]),
        )
        await expectPage(person, page, '/auth/signin?error=OAuthCallbackError')
        expect([json.status, json.body.error]).to.deep.equal([400, 'OAuthCallbackError'])
        expect(await program.session()).to.equal(null)
        expect(typesIn(app)).to.deep.equal(['OAuthCallbackError', 'OAuthCallbackError'])
        expect(proxy.taken, 'bytes of two huge answers').to.be.below(16 * 1024 * 1024)
        await forgetConnections(proxy)

        expect(target(await person.get(await callback(person)))).to.equal(`${app.origin}/`)
        expect(await person.session()).to.have.nested.property('user.name')
      })
    }

    for (const how of sample(hurts, 1)) {
      it(`with a faulty discovery document: ${how}`, async () => {
        const issuer = `http://127.0.0.1:${proxy.port}`
        await open(issuer)
        provider.discovery.issuer = issuer
        provider.onToken = (body) => provider.tokens(body, { iss: issuer })
        const [person, program] = [app.browser(), app.browser()]
        await Promise.all([person.csrf(), program.csrf()])
        const [page, json] = await during(proxy, how, httpAnswer, () =>
          Promise.all([
            person.submit('/auth/signin/test'),
            program.submit('/auth/signin/test', {}, { accept: 'application/json' }),
          ]),
        )
        await expectPage(person, page, '/auth/signin?error=OAuthSignInError')
        expect([json.status, json.body.error]).to.deep.equal([502, 'OAuthSignInError'])
        expect(typesIn(app)).to.deep.equal(['OAuthSignInError', 'OAuthSignInError'])
        expect(proxy.taken, 'bytes of a huge answer').to.be.below(16 * 1024 * 1024)
        await forgetConnections(proxy)

        expect(target(await person.get(await callback(person, issuer)))).to.equal(`${app.origin}/`)
        expect(await person.session()).to.have.nested.property('user.name')
      })
    }
  })

  describe('EM-14 a mail server', () => {
    let server: MailServer
    let proxy: TcpProxy
    let app: TestApp

    before(async () => {
      server = await startMailServer()
      proxy = await startTcpProxy({ host: '127.0.0.1', port: server.port })
    })
    after(async () => {
      await proxy?.stop()
      await server?.stop()
    })

    for (const how of sample(hurts, 0)) {
      it(`with a fault: ${how}`, async () => {
        server.reset()
        const failures: string[] = []
        app = await startApp({
          adapter: memoryAdapter(),
          providers: [Email({ server: `smtp://127.0.0.1:${proxy.port}`, from: 'Example <hello@example.com>' })],
          events: { failure: ({ type }) => void failures.push(type) },
          timeout,
        })
        const browser = app.browser()
        const ask = () => browser.submit('/auth/signin/email', { email: `${how}@example.com` })
        const answer = await during(proxy, how, Buffer.from('220 '), async () => {
          const asked = await ask()
          await ServerAuth(app.config).close()
          return asked
        })
        expect(target(answer), 'as ever: nobody learns which addresses get mail').to.contain('/auth/verify-request')
        expect(typesIn(app)).to.deep.equal(['EmailSignInError'])
        expect(failures).to.deep.equal(['EmailSignInError'])
        expect(await browser.session()).to.equal(null)

        await forgetConnections(proxy)
        /**
         * Requests a link and follows it. @returns The target of the redirect, or none if the server's confirmation
         * came too late.
         */
        async function signIn(): Promise<string> {
          server.reset()
          await ask()
          const mail = await server.next()
          return target(await browser.get(linkIn(mail.parsed)))
        }
        // On a busy machine the time-out is short for a server that is well, too.
        let to = await signIn()
        for (let tries = 1; to === '' && tries < 5; tries += 1) to = await signIn()
        expect(to).to.equal(`${app.origin}/`)
        expect(await browser.session()).to.have.nested.property('user.email', `${how}@example.com`)
        await app.close()
      })
    }
  })

  describe('RC-10 PostgreSQL', () => {
    let database: TestDatabase
    let proxy: TcpProxy
    let db: Kysely<AnyTables>
    let app: TestApp

    before(async function () {
      database = await requireDatabase(this, 'postgres')
      await migrate(database.db)
      const url = new URL(database.url)
      proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) })
      url.port = String(proxy.port)
      db = connect<AnyTables>(url.href, { timeout, statementTimeout: timeout, maxConnections: 2 })
      app = await startApp({ adapter: sqlAdapter(db), timeout })
    })
    after(async () => {
      await app?.close()
      proxy?.cut()
      await db?.destroy()
      await proxy?.stop()
      await database?.close()
    })

    const rows = async (table: string) => database.db.selectFrom(table).selectAll().execute()

    for (const how of sample(hurts, 2)) {
      it(`with a fault: ${how}`, async () => {
        const browser = app.browser()
        await browser.signIn({ username: how })
        const cookie = browser.cookies.get('auth.session-token')
        const users = (await rows('auth_users')).length
        const stranger = app.browser()
        await stranger.csrf()
        app.log.errors.length = 0
        // There are more at once than connections, and none of these may be lost for later.
        const [refused, ...reads] = await during(proxy, how, Buffer.from([0x4e, 0x7f, 0xff, 0xff, 0xff]), () =>
          Promise.all([
            stranger.signIn({ username: `${how}-2` }),
            ...Array.from({ length: 4 }, () => browser.get('/auth/session')),
          ]),
        )
        for (const read of reads) expect([read.status, read.body.error]).to.deep.equal([503, 'Configuration'])
        expect(browser.cookies.get('auth.session-token')).to.equal(cookie)
        expect([refused.status, refused.headers['retry-after']]).to.deep.equal([503, '30'])
        expect([...stranger.cookies.keys()].filter((name) => name.includes('session-token'))).to.deep.equal([])
        expect(new Set(typesIn(app))).to.deep.equal(new Set(['AdapterError']))
        expect(await rows('auth_users')).to.have.length(users)

        // A late answer must have no effect, and a statement without an answer is given up a moment after its caller.
        await new Promise((resolve) => setTimeout(resolve, timeout * 1000))
        expect(
          await browser.session(),
          app.log.errors.map((error) => String(error)).join('\n'),
        ).to.have.nested.property('user.name', how)
        await stranger.signIn({ username: `${how}-2` })
        expect(await stranger.session()).to.have.nested.property('user.name', `${how}-2`)
        expect(await rows('auth_users')).to.have.length(users + 1)
      })
    }
  })

  it('DOS-10 leaves nothing of its huge answers in memory', async () => {
    expect((await megabytes()) - memory).to.be.below(hugeBytes / 1e6 / 2)
  })
})
