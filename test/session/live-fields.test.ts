/** `live: true` of guards: `session.userFields` of JWT sessions are those of the database, at both doors. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import initAuth from '../../shim/index.js'
import { type Browser, complete, createLog, credentials, type Door, startApp } from '../support/app.js'
import { openFetch } from '../support/doors.js'

const isAdmin = ({ user }: { user?: object | undefined }) =>
  user !== undefined && 'role' in user && user.role === 'admin'
const rules = {
  '/plain': { allow: isAdmin },
  '/live': { allow: isAdmin, live: true },
} as const

const starts: Readonly<Record<string, (config: Partial<ServerAuthConfig>) => Promise<Door>>> = {
  Express: (config) =>
    startApp(config, {
      after(app, full) {
        for (const [path, options] of Object.entries(rules))
          app.get(path, defineAuth(full).requireSession(options), (_req, res) => void res.json(res.locals.session.user))
      },
    }),
  async Fetch(config) {
    const log = createLog()
    const full = complete({ basePath: '/auth', ...config }, log)
    const { handlers, auth } = initAuth(full)
    return openFetch(
      log,
      async (request) => {
        const { pathname } = new URL(request.url)
        if (pathname === '/twice') await auth.require(request, rules['/plain'])
        const options =
          pathname === '/twice' ? rules['/live'] : Object.entries(rules).find(([path]) => path === pathname)?.[1]
        return options ? Response.json((await auth.require(request, options)).user) : handlers.GET(request)
      },
      {},
      full,
    )
  },
}

for (const [name, start] of Object.entries(starts)) {
  describe(`live guards and session.userFields (${name})`, () => {
    let door: Door
    let browser: Browser
    let queries: number
    let adapter: ReturnType<typeof memoryAdapter>

    beforeEach(async () => {
      adapter = memoryAdapter({ user: { role: { type: ['reader', 'admin'], default: 'reader' } } })
      const { getUser } = adapter
      queries = 0
      adapter.getUser = (id) => {
        queries += 1
        return getUser(id)
      }
      await adapter.createUser({ id: 'ann', email: 'ann@example.com', emailVerified: new Date(), role: 'admin' })
      door = await start({
        adapter,
        providers: [credentials({ authorize: () => ({ id: 'ann', name: 'ann', email: 'ann@example.com' }) })],
        session: { strategy: 'jwt', revocation: true, userFields: ['role'], updateAge: 3600 },
      })
      browser = door.browser()
      await browser.signIn()
    })
    afterEach(() => door.close())

    const statusOf = async (path: string) => (await browser.get(path, { accept: 'application/json' })).status
    const setRole = (role: 'reader' | 'admin') => adapter.updateUser({ id: 'ann', role })

    it('reject a role that was taken away, which other guards show until `updateAge`', async () => {
      expect([await statusOf('/plain'), await statusOf('/live')]).to.deep.equal([200, 200])
      await setRole('reader')
      expect([await statusOf('/plain'), await statusOf('/live')]).to.deep.equal([200, 403])
      expect(await statusOf('/plain'), 'the new token').to.equal(403)
      await setRole('admin')
      expect(await statusOf('/live')).to.equal(200)
    })

    it('query the user once while nothing has changed, and other guards never', async () => {
      await statusOf('/plain')
      queries = 0
      expect(await statusOf('/plain')).to.equal(200)
      expect(queries).to.equal(0)
      expect(await statusOf('/live')).to.equal(200)
      expect(queries).to.equal(1)
    })

    it('reject the role of a deleted user', async () => {
      await adapter.deleteUser?.('ann')
      expect(await statusOf('/live')).to.equal(403)
    })

    it('reject every request while the database is down', async () => {
      adapter.getUser = () => Promise.reject(new Error('away'))
      expect(await statusOf('/live')).to.equal(500)
    })

    if (name === 'Fetch') {
      it('reject a role that was taken away, in a request that another guard has read', async () => {
        await setRole('reader')
        expect(await statusOf('/twice')).to.equal(403)
      })
    }
  })
}
