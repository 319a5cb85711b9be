/** `initAuth((request) => config)`: functions for any user concern the users of the configuration that the request chooses. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { providerTokensTable } from '../../lib/features/tokens/description.js'
import GitHub from '../../lib/providers/github.js'
import { guardRecords } from '../../lib/store/guard.js'
import { createSession } from '../../lib/testing/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth, { withRequest } from '../../shim/index.js'

const userId = '1'
const hosts = ['red', 'blue'] as const
type Tenant = (typeof hosts)[number]

/** Two tenants, each with a user of the same id who is signed in. */
async function openTenants() {
  const config = (name: Tenant): FullStackAuthConfig => ({
    secret: `the-secret-of-the-tenant-${name}-and-of-nobody-else`,
    trustHost: true,
    adapter: memoryAdapter(),
    providers: [GitHub({ clientId: 'c', clientSecret: 's' })],
    tokens: { store: true },
    session: { strategy: 'database', revocation: true },
    logger: { error() {}, warn() {}, debug() {} },
  })
  const configs = { red: config('red'), blue: config('blue') }
  const tenantOf = (request: Request | undefined): Tenant => (request?.url.includes('//blue.') ? 'blue' : 'red')
  const auth = initAuth((request) => configs[tenantOf(request)])
  const cookies = { red: '', blue: '' }
  for (const name of hosts) {
    await configs[name].adapter?.createUser?.({ id: userId, email: `${name}@example.com`, emailVerified: new Date() })
    const { headers } = await createSession(configs[name], { user: { id: userId }, url: `http://${name}.example` })
    cookies[name] = headers.cookie
  }
  const request = (name: Tenant) =>
    new Request(`http://${name}.example/api/auth/session`, { headers: { cookie: cookies[name] } })
  return {
    auth,
    /** The stored provider tokens of a tenant's user. */
    tokensOf(name: Tenant) {
      const store = configs[name].adapter?.store?.().records
      return store && guardRecords(store, providerTokensTable, { keeps: 'provider tokens', timeout: 1000 })
    },
    async isIn(name: Tenant): Promise<boolean> {
      return (await (await auth.handlers.GET(request(name))).json()) !== null
    },
    /** Runs code of the application that answers a request of the tenant. */
    async within(name: Tenant, work: () => Promise<unknown>): Promise<void> {
      await withRequest(request(name), async () => {
        await work()
        return new Response()
      })
    },
  }
}

describe('a function for any user, with a configuration for each request', () => {
  for (const what of ['endAll', 'disable'] as const) {
    it(`AZ-09: ${what} concerns no user of another tenant`, async () => {
      const { auth, isIn, within } = await openTenants()
      expect([await isIn('red'), await isIn('blue')]).to.deep.equal([true, true])
      await within('blue', () => (what === 'endAll' ? auth.sessions.endAll(userId) : auth.users.disable(userId)))
      expect([await isIn('red'), await isIn('blue')]).to.deep.equal([true, false])
      await (what === 'endAll' ? auth.sessions.endAll(userId) : auth.users.disable(userId))
      expect(await isIn('red'), 'a job has no request').to.equal(false)
    })
  }

  it('AZ-09: tokens of a named user are of the tenant as well', async () => {
    const { auth, tokensOf, within } = await openTenants()
    const row = { provider: 'github', providerAccountId: '7', userId, sealed: 'x', expiresAt: null, scope: null }
    for (const name of hosts) await tokensOf(name)?.write({ ...row, needsConsent: false }, 0)
    await within('blue', () => auth.tokens.disconnect({ provider: 'github' }, { userId }))
    const left = await Promise.all(hosts.map(async (name) => (await tokensOf(name)?.list(userId))?.length))
    expect(left).to.deep.equal([1, 0])
  })
})
