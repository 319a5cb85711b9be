/**
 * A late answer does not restore a session that has ended, and does not sign out a user who signed in in the meantime.
 */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { getSession } from '../../lib/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth from '../../shim/index.js'
import { gate } from '../sign-in/linking-stage.js'
import { createLog, credentials, secret } from '../support/app.js'
import { type Door, openExpress, openFetch, openShim } from '../support/doors.js'
import type { Browser } from '../support/http-browser.js'

const session = 'auth.session-token'
const read = '/api/auth/session'

/** A `jwt` callback, or a handler of the application's, that waits when a test says so. */
class Slow {
  begun = gate()
  free = gate()
  waits = false

  /** Returns the value, once it is released. */
  async pass<T>(value: T): Promise<T> {
    if (this.waits) {
      this.waits = false
      this.begun.open()
      await this.free.opened
    }
    return value
  }
}

/** The place in which the request waits while the user signs out. */
const places = {
  'in the `jwt` callback': (slow: Slow) => ({ jwt: async ({ token }) => slow.pass(token) }),
  'in the `session` callback': (slow: Slow) => ({ session: async ({ session: shown }) => slow.pass(shown) }),
} satisfies Record<string, (slow: Slow) => FullStackAuthConfig['callbacks']>

/** The doors. Each answers `GET /me` with the session, after the application has taken its time. */
const doors = {
  async Express(config: Partial<FullStackAuthConfig>, slow: Slow): Promise<Door> {
    return openExpress(config, {
      after: (app, full) => {
        app.get('/slow', (req, res, next) => {
          getSession(req, full)
            .then((found) => slow.pass(found))
            .then((found) => res.json(found), next)
        })
      },
    })
  },
  async shim(config: Partial<FullStackAuthConfig>, slow: Slow): Promise<Door> {
    const log = createLog()
    const { handlers, auth } = initAuth({ secret, providers: [credentials()], logger: log.logger, ...config })
    return openFetch(log, async (request) => {
      if (new URL(request.url).pathname !== '/slow') return handlers.GET(request)
      const found = await auth()
      return Response.json(await slow.pass(found))
    })
  },
  async 'a middleware of the shim'(config: Partial<FullStackAuthConfig>, slow: Slow): Promise<Door> {
    const log = createLog()
    const { handlers, auth } = initAuth({ secret, providers: [credentials()], logger: log.logger, ...config })
    const guarded = auth(async (request) => Response.json(await slow.pass(request.auth)))
    return openFetch(log, (request) =>
      new URL(request.url).pathname === '/slow' ? guarded(request) : handlers.GET(request),
    )
  },
}

const strategies = {
  jwt: () => ({ session: { strategy: 'jwt' as const, updateAge: 0 } }),
  database: () => ({ adapter: memoryAdapter(), session: { strategy: 'database' as const, updateAge: 0 } }),
}

for (const [strategy, options] of Object.entries(strategies)) {
  describe(`an answer that comes late, with ${strategy} sessions`, () => {
    const open: Door[] = []
    afterEach(async () => {
      await Promise.all(open.splice(0).map((door) => door.close()))
    })

    /** Opens two windows of one browser: they begin with the same cookies. */
    async function enter(door: Door): Promise<{ one: Browser; other: Browser }> {
      open.push(door)
      const [one, other] = [door.browser(), door.browser()]
      await one.signIn()
      for (const [name, value] of one.cookies) other.cookies.set(name, value)
      return { one, other }
    }

    const signOut = (visitor: Browser) => visitor.ask('/api/auth/signout', { form: { csrfToken: true } })
    const sessionLines = (lines: readonly string[]) => lines.filter((line) => line.startsWith(session))

    for (const [place, callbacks] of Object.entries(places)) {
      if (strategy === 'database' && place.includes('jwt')) continue
      for (const [name, openDoor] of Object.entries({ Express: openExpress, shim: openShim })) {
        for (const method of ['GET', 'POST']) {
          it(`waited ${place}: ${method} session writes nothing after a sign-out (${name})`, async () => {
            const slow = new Slow()
            const { one, other } = await enter(await openDoor({ ...options(), callbacks: callbacks(slow) }))
            const json = method === 'POST' ? { csrfToken: await one.csrf(), data: { name: 'x' } } : undefined
            slow.waits = true
            const late = one.ask(read, { json })
            await slow.begun.opened
            await signOut(other)
            slow.free.open()
            const answer = await late
            expect([answer.status, answer.text, sessionLines(answer.cookies)]).to.deep.equal([200, 'null', []])
          })
        }
      }
    }

    for (const [name, openDoor] of Object.entries(doors)) {
      it(`of the application itself sets no cookie after a sign-out (${name})`, async () => {
        const slow = new Slow()
        const { one, other } = await enter(await openDoor(options(), slow))
        slow.waits = true
        const late = one.ask('/slow')
        await slow.begun.opened
        await signOut(other)
        slow.free.open()
        const answer = await late
        expect([answer.status, sessionLines(answer.cookies)]).to.deep.equal([200, []])
      })

      it(`of the application itself keeps the session of a user who signed in in the meantime (${name})`, async () => {
        const slow = new Slow()
        const { one, other } = await enter(await openDoor(options(), slow))
        slow.waits = true
        const late = one.ask('/slow')
        await slow.begun.opened
        await other.signIn({ username: 'bob' })
        slow.free.open()
        const answer = await late
        expect([answer.status, sessionLines(answer.cookies)]).to.deep.equal([200, []])
        expect((await other.ask(read)).text).to.include('bob')
      })

      it(`sets its cookie where nothing happened (${name})`, async () => {
        const { one } = await enter(await openDoor(options(), new Slow()))
        expect(sessionLines((await one.ask('/slow')).cookies)).to.have.length(1)
      })
    }

    it('of a session that could not be read clears nothing once a user signed in', async () => {
      const slow = new Slow()
      const { one, other } = await enter(await doors.Express(options(), slow))
      for (const visitor of [one, other]) visitor.cookies.set(session, 'x'.repeat(50))
      slow.waits = true
      const late = one.ask('/slow')
      await slow.begun.opened
      await other.signIn({ username: 'bob' })
      slow.free.open()
      expect(sessionLines((await late).cookies)).to.deep.equal([])
    })
  })
}

describe('a JWT session that has ended', () => {
  it('is invalid in this process, and its cookie is left as it is', async () => {
    const door = await openExpress({})
    const visitor = door.browser()
    await visitor.signIn()
    const copy = new Map(visitor.cookies)
    await visitor.ask('/api/auth/signout', { form: { csrfToken: true } })
    for (const [name, value] of copy) visitor.cookies.set(name, value)
    const answer = await visitor.ask(read)
    expect([answer.text, answer.cookies]).to.deep.equal(['null', []])
    await door.close()
  })

  it('ends when the `jwt` callback says so late, and not the session that came after it', async () => {
    const slow = new Slow()
    const door = await openExpress({
      callbacks: {
        async jwt({ token, user }) {
          if (user) return token
          await slow.pass(undefined)
          return null
        },
      },
    })
    const [one, other] = [door.browser(), door.browser()]
    await one.signIn()
    for (const [name, value] of one.cookies) other.cookies.set(name, value)
    slow.waits = true
    const late = one.ask(read)
    await slow.begun.opened
    await other.signIn({ username: 'bob' })
    slow.free.open()
    expect((await late).cookies.filter((line) => line.startsWith(session))).to.deep.equal([])
    await door.close()
  })
})
