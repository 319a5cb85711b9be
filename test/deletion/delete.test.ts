/** Tests of `auth.users.delete`: the data of a deleted user is removed from each kind of database, and that of other users is kept. */
import { expect } from 'chai'
import { sqlAdapter } from '../../lib/adapters/sql/index.js'
import { auditLog, readAudit } from '../../lib/audit/index.js'
import { defineAuth } from '../../lib/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import { requireDatabase } from '../support/databases.js'
import { rejectionOf } from '../support/rejection.js'
import { strategies } from '../support/world.js'
import { configOf, memoryPlace, type Place, places, seedUser, tombstonesIn, tracesOf } from './stage.js'

for (const [name, open] of Object.entries(places)) {
  for (const strategy of strategies) {
    describe(`deleted users on ${name}, with ${strategy} sessions`, function () {
      this.timeout(60_000)
      let place: Place
      before(async function () {
        place = await open(this)
      })
      after(() => place?.close())

      it('DL-01 leave a tombstone, and nothing else', async () => {
        const [ann, bob] = [await seedUser(place, 'ann'), await seedUser(place, 'bob')]
        const before = await place.dump()
        if (name !== 'memory') for (const trace of tracesOf(ann, 'ann')) expect(before, trace).to.include(trace)
        const auth = defineAuth(configOf(place, strategy))
        const deleted = await auth.users.delete(ann.id, { reason: 'ticket 1' })
        expect(deleted).to.have.property('ok', true)
        const after = withoutAudit(await place.dump())
        for (const trace of tracesOf(ann, 'ann')) expect(after, trace).not.to.include(trace)
        if (name !== 'memory') for (const trace of tracesOf(bob, 'bob')) expect(after, trace).to.include(trace)
        const [tombstone, ...others] = await tombstonesIn(place)
        expect(others).to.deep.equal([])
        expect(tombstone).to.include({ userId: null })
      })
    })
  }
}

describe('email links of a deleted user', () => {
  it('DL-01 are removed, although the address is stored in another case', async () => {
    const { adapter, store } = memoryPlace()
    const auth = defineAuth(configOf({ adapter, store }, 'jwt'))
    await adapter.createUser?.({ id: 'eve', name: null, email: 'Eve@Private.example', emailVerified: new Date() })
    const link = { identifier: 'eve@private.example', token: 'hash-of-a-link' }
    await adapter.createVerificationToken?.({ ...link, expires: new Date(Date.now() + 60_000) })
    expect(await auth.users.delete('eve', { reason: 'ticket 1' })).to.have.property('ok', true)
    expect(await adapter.useVerificationToken?.(link)).to.equal(null)
  })
})

for (const kind of ['sqlite', 'postgres', 'mysql'] as const) {
  describe(`the audit log of deleted users on ${kind}`, function () {
    this.timeout(60_000)
    const open = async (context: Mocha.Context) => {
      const database = await requireDatabase(context, kind)
      const adapter = sqlAdapter(database.db, { user: { team: 'string' } })
      await adapter.migrate()
      const audit = auditLog(database.db)
      const place = { adapter: adapter as Adapter, store: adapter.store(), audit }
      return { database, place, auth: defineAuth(configOf(place, 'jwt')) }
    }

    for (const keepAudit of [undefined, true, false]) {
      it(`DL-11 ${keepAudit === false ? 'is removed' : 'keeps ids, and no networks'} with keepAudit ${keepAudit}`, async function () {
        const { database, place, auth } = await open(this)
        try {
          const [ann, bob] = [await seedUser(place, 'ann'), await seedUser(place, 'bob')]
          const request = { ip: '203.0.113.77' }
          await place.audit.events.userDisabled({ userId: bob.id, by: ann.id, request })
          await place.audit.events.userDisabled({ userId: ann.id, by: bob.id, request })
          await auth.users.delete(ann.id, { reason: 'ticket 1', keepAudit })
          const entries = await readAudit(database.db, {})
          const about = entries.filter(({ userId }) => userId === ann.id)
          expect(about.map(({ network }) => network).filter(Boolean)).to.deep.equal([])
          expect(entries.find(({ type }) => type === 'userDeleted')).to.deep.include({
            userId: keepAudit === false ? null : ann.id,
            detail: { reason: 'ticket 1' },
          })
          const caused = entries.find(({ userId, type }) => userId === bob.id && type === 'userDisabled')
          expect(caused).to.deep.include({ actor: keepAudit === false ? null : ann.id, network: null })
          expect(entries.find(({ userId, type }) => userId === bob.id && type === 'signIn')?.network).to.equal(
            '203.0.113.0/24',
          )
          const types = about.map(({ type }) => type)
          if (keepAudit === false) expect(JSON.stringify(entries)).not.to.include(ann.id)
          else expect(types).to.include.members(['signIn', 'userDisabled', 'sessionEnded', 'userDeleted'])
        } finally {
          await database.close()
        }
      })
    }

    it('DL-11 keeps the deletion unfinished while it cannot be written', async function () {
      const { database, place, auth } = await open(this)
      try {
        const ann = await seedUser(place, 'ann')
        await database.db.schema.alterTable('auth_audit').renameTo('moved').execute()
        expect(await rejectionOf(auth.users.delete(ann.id, { reason: 'x' }))).to.include({ type: 'EventError' })
        expect(await auth.users.unfinishedDeletions()).to.have.length(1)
        await database.db.schema.alterTable('moved').renameTo('auth_audit').execute()
        expect(await auth.users.delete(ann.id, { reason: 'x' })).to.have.property('ok', true)
        const entries = await readAudit(database.db, { userId: ann.id })
        expect(entries.map(({ network }) => network).filter(Boolean)).to.deep.equal([])
      } finally {
        await database.close()
      }
    })
  })
}

/** Removes the entries of the audit log, which keep the id. */
function withoutAudit(dump: string): string {
  return JSON.stringify(
    (JSON.parse(dump) as unknown[]).filter((table) => !Array.isArray(table) || table[0] !== 'auth_audit'),
  )
}
