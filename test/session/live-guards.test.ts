/** `live: true` of guards: the session and the user that the guard allows are those of the store. */
import { expect } from 'chai'
import { type MemoryAdapter, memoryAdapter } from '../../lib/adapters/memory/index.js'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import { createSession } from '../../lib/testing/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { GuardRequirements } from '../../lib/types/guards.js'
import initAuth from '../../shim/index.js'
import { complete, createLog, type Door, startApp } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { openFetch } from '../support/doors.js'

/** The work of a request between a guard without `live` and the one with it. */
type Between = () => unknown

interface Route extends GuardRequirements {
  readonly role?: string
}

const roleOf = (session: { readonly user?: object | undefined }) => Object(session.user).role

/** Starts an application whose route `/` reads the session, does some work, and has a live guard. */
const starts: Readonly<Record<string, (config: ServerAuthConfig, between: Between, route: Route) => Promise<Door>>> = {
  Express: (config, between, { role, ...requirements }) => {
    const auth = defineAuth(config)
    const allow = (session: { readonly user?: object | undefined }) => role === undefined || roleOf(session) === role
    return startApp(config, {
      after(app) {
        app.get(
          '/',
          (req, _res, next) =>
            void auth.getSession(req).then(async () => {
              await between()
              next()
            }, next),
          auth.requireSession({ ...requirements, live: true, allow }),
          (_req, res) => void res.json(res.locals.session.user),
        )
      },
    })
  },
  async Fetch(config, between, { role, ...requirements }) {
    const { auth } = initAuth(config as FullStackAuthConfig)
    const allow = (session: { readonly user?: object | undefined }) => role === undefined || roleOf(session) === role
    return openFetch(
      createLog(),
      async (request) => {
        await auth()
        await between()
        return Response.json((await auth.require(request, { ...requirements, live: true, allow })).user)
      },
      {},
      config,
    )
  },
}

for (const [name, start] of Object.entries(starts)) {
  describe(`SE-21: live guards (${name})`, () => {
    let adapter: MemoryAdapter<{ role: 'reader' | 'admin' }>
    let door: Door | undefined

    beforeEach(async () => {
      adapter = memoryAdapter({ user: { role: { type: ['reader', 'admin'], default: 'reader' } } })
      for (const id of ['ann', 'bob'])
        await adapter.createUser({ id, email: `${id}@example.com`, emailVerified: new Date(), role: 'admin' })
    })
    afterEach(async () => {
      restoreClock()
      await door?.close()
      door = undefined
    })

    const configOf = (session: NonNullable<ServerAuthConfig['session']>) =>
      complete({ adapter, basePath: '/auth', trustHost: true, session }, createLog())
    const jwt = { strategy: 'jwt', revocation: true, userFields: ['role'], updateAge: 3600 } as const
    const database = { strategy: 'database', userFields: ['role'], cacheFor: 60 } as const
    const strategies = { jwt, database }

    const open = async (config: ServerAuthConfig, route: Route = {}, between: Between = () => {}) => {
      door = await start(config, between, route)
      return door.origin
    }
    const sessionOf = async (config: ServerAuthConfig, id: string, amr = ['pwd']) => {
      const { setCookies } = await createSession(config as FullStackAuthConfig, {
        user: { id },
        amr,
        url: 'http://127.0.0.1',
      })
      const [pair = ''] = setCookies.find((line) => line.startsWith('auth.session-token='))?.split(';') ?? []
      return pair
    }
    const statusOf = async (origin: string, ...cookies: string[]) =>
      (await fetch(origin, { headers: { cookie: cookies.join('; '), accept: 'application/json' } })).status

    for (const [strategy, session] of Object.entries(strategies)) {
      it(`reject a session that ends in the request, beside another session (${strategy})`, async () => {
        const config = configOf(session)
        const cookies = [await sessionOf(config, 'ann'), await sessionOf(config, 'bob')]
        let endsIt = false
        const origin = await open(config, {}, () => endsIt && defineAuth(config).sessions.endAll('ann'))
        expect(await statusOf(origin, ...cookies)).to.equal(200)
        endsIt = true
        expect(await statusOf(origin, ...cookies)).to.equal(401)
      })

      it(`reject a role that another process took away (${strategy})`, async () => {
        const config = configOf(session)
        const cookie = await sessionOf(config, 'ann')
        const origin = await open(config, { role: 'admin' })
        expect([await statusOf(origin, cookie), await statusOf(origin, cookie)]).to.deep.equal([200, 200])
        await adapter.updateUser({ id: 'ann', role: 'reader' })
        expect(await statusOf(origin, cookie)).to.equal(403)
        expect(await statusOf(origin, cookie)).to.equal(403)
      })
    }

    it('reject a role that was taken away, in a token of a process whose clock is ahead', async () => {
      const config = configOf(jwt)
      freezeClock()
      advanceClock(30)
      const cookie = await sessionOf(config, 'ann')
      advanceClock(-25)
      const origin = await open(config, { role: 'admin' })
      expect(await statusOf(origin, cookie)).to.equal(200)
      await adapter.updateUser({ id: 'ann', role: 'reader' })
      expect(await statusOf(origin, cookie)).to.equal(403)
    })

    const requirements = {
      'the proofs of one session for the user of another': { amr: ['otp'] },
      'a session that was not looked up': {},
    }
    for (const [what, requirement] of Object.entries(requirements))
      it(`reject ${what}`, async () => {
        const config = configOf(jwt)
        const cookies = [await sessionOf(config, 'ann', ['pwd', 'otp']), await sessionOf(config, 'bob')]
        const origin = await open(config, requirement)
        expect(await statusOf(origin, ...cookies)).to.equal(200)
        const { getUser } = adapter
        let reads = 0
        adapter.getUser = async (id) => {
          reads += 1
          if (id === 'ann' && reads === 1) await defineAuth(config).sessions.endAll('ann')
          return getUser(id)
        }
        await adapter.updateUser({ id: 'ann', role: 'reader' })
        expect(await statusOf(origin, ...cookies)).to.equal(401)
        expect(reads).to.be.above(0)
      })
  })
}
