/** Exports of users: each fact once, no secret, and a list of what is withheld. */
import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { defineAuth } from '../../lib/index.js'
import { recordTables } from '../../lib/store/tables.js'
import type { RecordTable } from '../../lib/types/store.js'
import { rejectionOf } from '../support/rejection.js'
import { strategies } from '../support/world.js'
import { configOf, memoryPlace, places, seedUser } from './stage.js'

const timesIn = (text: string, part: string) => text.split(JSON.stringify(part)).length - 1

for (const [name, open] of Object.entries(places)) {
  for (const strategy of strategies) {
    it(`DL-08 an export has each fact once, and no secret (${name}, ${strategy})`, async function () {
      this.timeout(30_000)
      const place = await open(this)
      try {
        const [ann, bob] = [await seedUser(place, 'ann'), await seedUser(place, 'bob')]
        const { users } = defineAuth(configOf(place, strategy))
        const exported = await users.export(ann.id)
        const text = JSON.stringify(exported)
        for (const fact of ann.facts) expect(timesIn(text, fact), fact).to.equal(1)
        for (const hidden of [...ann.secrets, ann.vaultToken, ...bob.facts, bob.id])
          expect(text, hidden).not.to.include(hidden)
        expect(exported?.withheld.map(({ name: column }) => column)).to.include.members([
          ...['accounts.access_token', 'accounts.refresh_token', 'accounts.id_token', 'auth_factors.data'],
          ...['auth_passwords.hash', 'auth_provider_tokens.sealed', 'verification tokens'],
        ])
        for (const { why } of exported?.withheld ?? []) expect(why).to.match(/\.$/)
        expect(exported?.passkeys).to.have.length(1)
        expect(exported?.passkeys[0]).to.include({ id: 'credential-ann' })
        expect(exported?.sessions).to.have.length(strategy === 'database' ? 1 : 0)
        expect(exported?.records.auth_passwords?.[0]).to.have.all.keys('changedAt')
        expect(await users.export('nobody')).to.equal(null)
        expect(await users.export(undefined as never)).to.equal(null)
      } finally {
        await place.close()
      }
    })
  }
}

describe('tables with records of users', () => {
  it('DL-09 are all found by the deletion and the export', () => {
    for (const { name, by, columns, exported } of recordTables) {
      if ('userId' in columns && name !== 'auth_deletions') expect(by, name).to.equal('userId')
      if (by === 'userId') expect(exported, `${name} says which columns an export contains`).to.be.an('array')
      expect(Object.keys(columns), name).to.include.members([...(exported ?? [])])
    }
  })

  it('DL-09 are not forgotten when a new one is described', async () => {
    const notes: RecordTable = {
      name: 'auth_notes',
      key: ['id'],
      by: 'userId',
      columns: { id: 'id', userId: 'id', text: 'text', key: 'text' },
      version: true,
      exported: ['text'],
    }
    const place = memoryPlace()
    const { users } = defineAuth(configOf(place, 'jwt'))
    const ann = await seedUser(place, 'ann')
    ;(recordTables as RecordTable[]).push(notes)
    try {
      await place.store.records.write(notes, { id: 'n', userId: ann.id, text: 'a note', key: 'a secret' }, 0)
      const exported = await users.export(ann.id)
      expect(exported?.records.auth_notes).to.deep.equal([{ text: 'a note' }])
      expect(exported?.withheld.map(({ name }) => name)).to.include('auth_notes.key')
      await users.delete(ann.id, { reason: 'x' })
      expect(await place.store.records.list(notes, ann.id)).to.deep.equal([])
    } finally {
      ;(recordTables as RecordTable[]).pop()
    }
  })

  it('DL-08 withholds columns of users that the adapter does not declare', async () => {
    const place = memoryPlace()
    const { users } = defineAuth(configOf(place, 'jwt'))
    const ann = await seedUser(place, 'ann')
    await place.adapter.updateUser?.({ id: ann.id, legacyHash: 'undeclared secret' } as never)
    const exported = await users.export(ann.id)
    expect(JSON.stringify(exported)).not.to.include('undeclared secret')
    expect(exported?.user).to.include({ team: 'team-ann' })
    expect(exported?.withheld.map(({ name }) => name)).to.include('users.legacyHash')
  })
})

describe('the option deletion', () => {
  const place = memoryPlace()
  const { store } = place
  const config = configOf(place, 'jwt')
  const { deleteUser: _deleteUser, ...weak } = place.adapter
  const { store: _store, ...without } = place.adapter
  const wrong = [
    ['no session.revocation', { session: { strategy: 'jwt' } }, /`deletion` needs `session.revocation`/],
    [
      'no adapter',
      { adapter: undefined, providers: [], factors: undefined, tokens: undefined },
      /`deletion` needs an `adapter` with `deleteUser`/,
    ],
    ['an adapter without deleteUser', { adapter: weak }, /`deletion` needs an `adapter` with `deleteUser`/],
    ['an adapter without a store', { adapter: without, deletion: true }, /`deletion.store` needs a store/],
    ['another type', { deletion: 'yes' }, /`deletion` must be true or \{ store, graceDays \}/],
    ['an unknown option', { deletion: { days: 3 } }, /days/],
    [
      'too many days',
      { deletion: { graceDays: 91 } },
      /`deletion.graceDays` must be a whole number of days from 0 to 90/,
    ],
  ] as const
  for (const [what, changes, message] of wrong) {
    it(`DL-10 rejects ${what} at construction`, () => {
      expect(() => void defineAuth({ ...config, ...changes } as never).router).to.throw(message)
    })
  }

  it('DL-10 takes the store of the adapter', async () => {
    const auth = defineAuth({ ...config, deletion: true, session: { strategy: 'jwt', revocation: store } })
    const ann = await seedUser(place, 'ann')
    expect(await auth.users.delete(ann.id, { reason: 'x' })).to.have.property('ok', true)
    expect(await place.dump()).not.to.include(ann.id)
  })

  it('DL-10 is needed by each of the functions', async () => {
    for (const off of [undefined, false]) {
      const { users } = defineAuth({ ...config, deletion: off as never })
      for (const call of [users.delete('x', { reason: 'x' }), users.export('x'), users.unfinishedDeletions()])
        expect(await rejectionOf(call)).to.include({ type: 'InvalidConfiguration' })
      await users.enable('x')
    }
  })

  it('DL-10 removes records from stores that differ from that of the adapter', async () => {
    const [factors, passwords] = [memoryStore(), memoryStore()]
    expect(factors).not.to.equal(passwords)
    const other = memoryPlace()
    const ann = await seedUser({ ...other, store: factors }, 'ann')
    const auth = defineAuth({ ...configOf({ ...other, store: factors }, 'database') })
    await auth.users.delete(ann.id, { reason: 'x' })
    for (const table of recordTables)
      if (table.by === 'userId') expect(await factors.records.list(table, ann.id)).to.deep.equal([])
  })
})
