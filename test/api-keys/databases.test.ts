/** API keys in real databases and in Redis, beside deletions and the audit log; and in tenants that share one database. */
import { expect } from 'chai'
import { createClient } from 'redis'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { redisStore } from '../../lib/adapters/redis/index.js'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { auditLog, readAudit } from '../../lib/audit/index.js'
import { apiKeysTable } from '../../lib/features/api-keys/description.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import type { Store } from '../../lib/types/store.js'
import { databaseKinds, requireDatabase } from '../support/databases.js'
import { skip } from '../support/skip.js'
import { tenantDoors } from '../tenants/stage.js'
import { doors, type Stage } from './stage.js'

/** A place with keys: what the configuration needs for it, and the store behind. */
interface Place {
  readonly config: Partial<ServerAuthConfig>
  readonly keys: object
  readonly store: Pick<Store, 'records'>
  readonly audit?: ReturnType<typeof auditLog>
  readonly db?: Parameters<typeof readAudit>[0]
  close(): Promise<unknown>
}

type OpenPlace = (context: Mocha.Context) => Promise<Place>

const inMemory: OpenPlace = async () => {
  const adapter = memoryAdapter()
  const config = { adapter, deletion: true, session: { revocation: memoryStore() } }
  return { config, keys: { store: true }, store: adapter.store(), close: async () => {} }
}

const inRedis: OpenPlace = async (context) => {
  const client = createClient({
    url: process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379',
    socket: { reconnectStrategy: false },
  })
  client.on('error', () => {})
  await client.connect().catch(() => skip(context, 'no Redis server'))
  const prefix = `api-keys-${process.pid}-${Math.random()}:`
  const store = redisStore(client, { prefix })
  const config = { adapter: memoryAdapter(), deletion: true, session: { revocation: store } }
  return { config, keys: { store }, store, close: async () => client.destroy() }
}

const places: Record<string, OpenPlace> = {
  memory: inMemory,
  redis: inRedis,
  ...Object.fromEntries(
    databaseKinds.map((kind) => [
      kind,
      async (context: Mocha.Context) => {
        const database = await requireDatabase(context, kind)
        await migrate(database.db)
        const adapter = sqlAdapter(database.db)
        const audit = auditLog(database.db)
        const config = { adapter, deletion: true, session: { revocation: true }, events: audit.events } as const
        return {
          config,
          keys: { store: true },
          store: adapter.store(),
          audit,
          db: database.db,
          close: () => database.close(),
        }
      },
    ]),
  ),
}

for (const [name, openPlace] of Object.entries(places)) {
  for (const strategy of ['jwt', 'database'] as const) {
    describe(`API keys (${name}, ${strategy} sessions)`, function () {
      this.timeout(60_000)
      let place: Place
      let stage: Stage
      before(async function () {
        place = await openPlace(this)
        const session = { ...place.config.session, strategy }
        stage = await doors.express({ ...place.config, session }, place.keys)
      })
      after(async () => {
        await stage?.close()
        await place?.close()
      })

      it('AZ-04 are created, listed, used and revoked, and none of it is readable in the store', async () => {
        const { browser, userId } = await stage.signIn()
        const { key, id } = await stage.keyOf(browser, { name: 'Schlüssel 字' })
        expect((await stage.call(key)).body.apiKey).to.deep.equal({ id, userId, scopes: ['notes:read'] })
        const [entry] = (await browser.get('/keys/list')).body
        expect(entry).to.include({ id, name: 'Schlüssel 字' })
        const [row] = await place.store.records.list(apiKeysTable, userId)
        expect(JSON.stringify(row)).to.not.include(key.slice(17, 30))
        const outcomes = await Promise.all(Array.from({ length: 5 }, () => browser.post(`/keys/revoke?id=${id}`)))
        expect(outcomes.filter(({ body }) => body.ok)).to.have.lengthOf(1)
        expect((await stage.call(key)).status).to.equal(401)
        expect((await browser.get('/keys/list')).body).to.deep.equal([])
      })

      it('a revocation wins against a concurrent use', async () => {
        const { browser } = await stage.signIn('cid')
        for (let round = 0; round < 10; round += 1) {
          const { key, id } = await stage.keyOf(browser)
          await Promise.all([stage.call(key), browser.post(`/keys/revoke?id=${id}`), stage.call(key)])
          await new Promise((resolve) => setTimeout(resolve, 10))
          expect(await place.store.records.find(apiKeysTable, { id })).to.be.oneOf([null, undefined])
          expect((await stage.call(key)).status).to.equal(401)
        }
      })

      it('are removed and exported with their user', async () => {
        const { browser, userId } = await stage.signIn('dan')
        const { key, id } = await stage.keyOf(browser)
        expect((await stage.call(key)).status).to.equal(200)
        const { users } = expressFunctions(stage.config)
        const exported = await users.export(userId)
        expect(exported?.records.auth_api_keys?.[0]).to.include({ id, name: 'script', scopes: 'notes:read' })
        expect(JSON.stringify(exported)).to.not.include(
          String((await place.store.records.find(apiKeysTable, { id }))?.hash),
        )
        expect((await users.delete(userId, { reason: 'test' })).ok).to.equal(true)
        expect(await place.store.records.list(apiKeysTable, userId)).to.deep.equal([])
        expect((await stage.call(key)).status).to.equal(401)
      })

      it('are removed some time after they expired', async () => {
        const { browser, userId } = await stage.signIn('eve')
        const { key, id } = await stage.keyOf(browser, { expires: new Date(Date.now() + 300) })
        expect((await stage.call(key)).status).to.equal(200)
        await new Promise((resolve) => setTimeout(resolve, 350))
        expect((await stage.call(key)).status).to.equal(401)
        expect((await browser.get('/keys/list')).body).to.deep.equal([])
        const { adapter } = stage.config as { adapter?: { prune?: () => unknown } }
        await adapter?.prune?.()
        expect(await place.store.records.find(apiKeysTable, { id })).to.be.oneOf([null, undefined])
        expect(await place.store.records.list(apiKeysTable, userId)).to.deep.equal([])
      })

      it('are in the audit log, without the key', async () => {
        const { audit, db } = place
        if (!audit || !db) return
        const { browser, userId } = await stage.signIn('fay')
        const { key, id } = await stage.keyOf(browser)
        await browser.post(`/keys/revoke?id=${id}`)
        await audit.flush()
        for (const type of ['apiKeyCreated', 'apiKeyRevoked'] as const) {
          const [row] = await readAudit(db, { type, userId })
          expect(row).to.include({ userId, actor: userId })
          expect(row?.detail).to.include({ keyId: id })
          expect(JSON.stringify(row)).to.not.include(key.slice(17, 30))
        }
      })
    })
  }
}

const [[, openTenants] = []] = tenantDoors

describe('API keys of tenants', () => {
  it('TN-01 a key of a tenant is unknown at another one, in one database', async () => {
    const [adapter, records] = [memoryAdapter(), memoryStore()]
    const apiKeys = { store: records, prefix: 'acme', scopes: ['read'], cacheFor: 0 }
    const stage = await openTenants?.({
      load: () => ({ adapter, apiKeys, session: { revocation: records } }),
      before(app, auth) {
        app.get('/api', auth.apiKeys.require({ scope: 'read' }), (_req, res) => void res.json(res.locals.apiKey))
        app.post('/create', (req, res, next) => {
          auth.apiKeys.create(req, { name: 'script', scopes: ['read'] }).then((body) => res.json(body), next)
        })
        app.post('/start', (req, res, next) => {
          const user = { email: 'ann@example.com', emailVerified: true as const }
          auth.startSession(req, res, { user, amr: ['otp'] }).then((body) => res.json(body), next)
        })
      },
    })
    if (!stage) throw new Error('There is no door.')
    try {
      const browser = stage.browser('acme.test')
      await browser.post('/start')
      const { key } = (await browser.post('/create')).body
      const headers = { authorization: `Bearer ${key}` }
      expect((await stage.browser('acme.test').get('/api', headers)).body.scopes).to.deep.equal(['read'])
      expect((await stage.browser('beta.test').get('/api', headers)).status).to.equal(401)
    } finally {
      await stage.close()
    }
  })
})
