/** Records that a sign-in under way writes after its user was deleted by another process. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import { recordTables } from '../../lib/store/tables.js'
import type { Store } from '../../lib/types/store.js'
import { createLog, secret, target } from '../support/app.js'
import type { DoorApp } from '../support/doors.js'
import { type RotatingProvider, signInAt, startRotatingProvider, tokenDoors } from '../tokens/stage.js'

for (const [door, start] of Object.entries(tokenDoors)) {
  for (const strategy of ['jwt', 'database'] as const) {
    describe(`a sign-in of a user who was deleted meanwhile (${door}, ${strategy} sessions)`, () => {
      let provider: RotatingProvider
      let app: DoorApp
      let store: Store
      let config: ServerAuthConfig
      let adapter: ReturnType<typeof memoryAdapter>
      /** Runs before the next write of a record. */
      let meanwhile: (() => Promise<unknown>) | undefined
      beforeEach(async () => {
        provider = await startRotatingProvider()
        const real = memoryStore()
        store = {
          ...real,
          records: new Proxy(real.records, {
            get:
              (from, name) =>
              async (...given: unknown[]) => {
                const work = name === 'write' ? meanwhile : undefined
                if (work) meanwhile = undefined
                await work?.()
                return Reflect.apply(Reflect.get(from, name) as () => unknown, from, given)
              },
          }),
        }
        adapter = memoryAdapter()
        const options = { id: 'test', name: 'Test', type: 'oidc' as const, ...provider.hostile.settings }
        config = {
          secret,
          logger: createLog().logger,
          providers: [options],
          adapter,
          session: { strategy, revocation: true },
          tokens: { store },
          deletion: { store: real },
        } as ServerAuthConfig
        app = await start(config)
      })
      afterEach(async () => {
        meanwhile = undefined
        await app.close()
        await provider.hostile.close()
      })

      async function expectNoRecords(userId: string): Promise<void> {
        const rows = await Promise.all(
          recordTables.map((table) => (table.by === 'userId' ? store.records.list(table, userId) : [])),
        )
        expect(rows.flat()).to.deep.equal([])
      }

      it('DL-14 leaves no provider tokens behind', async () => {
        const ann = app.browser()
        await signInAt(ann, provider)
        const id = (await adapter.listUsers({ part: 'email', prefix: '', limit: 10 }))[0]?.id ?? ''
        meanwhile = () => defineAuth(config).users.delete(id, { reason: 'x' })
        const late = app.browser()
        const begun = await late.submit('/auth/signin/test', { callbackUrl: '/' })
        const end = await late.get(provider.hostile.authorize(target(begun)))
        expect(end.headers['set-cookie']?.toString() ?? '').not.to.include('session-token=ey')
        expect(await late.session()).to.equal(null)
        await expectNoRecords(id)
      })

      it('DL-14 leaves no tokens of an account that is being connected behind', async () => {
        const ann = app.browser()
        await signInAt(ann, provider)
        const id = (await adapter.listUsers({ part: 'email', prefix: '', limit: 10 }))[0]?.id ?? ''
        const { url } = (await ann.get(`/connect?${new URLSearchParams({ options: '{}' })}`)).body
        const begun = await ann.get(url, { 'sec-fetch-site': 'same-origin' })
        let isDeleted = false
        meanwhile = async () => {
          isDeleted = (await defineAuth(config).users.delete(id, { reason: 'x' })).ok
        }
        await ann.get(provider.hostile.authorize(target(begun)))
        expect(isDeleted).to.equal(true)
        await expectNoRecords(id)
      })
    })
  }
}
