/** Exports of users with values of any kind: each value is in its own column, and no export has values of another user. */
import { expect } from 'chai'
import fc from 'fast-check'
import { factorsTable } from '../../lib/features/factors/description.js'
import { defineAuth } from '../../lib/index.js'
import type { AdapterUser } from '../../lib/types/adapter.js'
import { configOf, memoryPlace } from '../deletion/stage.js'
import { text } from '../fuzz/hostile.js'
import { present } from '../support/world.js'
import { properties } from './runs.js'

const values = fc.record({
  name: text(200),
  team: text(),
  image: text(200),
  scope: text(),
  account: text(200),
  phone: text(),
})
const columns = text(40).filter((name) => !['id', 'name', 'email', 'image', 'emailVerified', 'team'].includes(name))

describe('the export of a user', () => {
  it('DL-08 has each value in its column, and names columns that it does not know', async () => {
    const place = memoryPlace()
    const { adapter, store } = place
    const { users } = defineAuth(configOf(place, 'jwt'))
    let count = 0
    const property = fc.asyncProperty(values, columns, async (given, column) => {
      count += 1
      const email = `${count}@example.com`
      const user = { email, name: given.name, team: given.team, image: given.image }
      const { id } = present(await adapter.createUser?.({ id: '', emailVerified: null, ...user } as AdapterUser))
      // As a database driver returns it: `__proto__` is a column like others.
      await adapter.updateUser?.({ ...Object.fromEntries([[column, 'of nobody']]), id } as AdapterUser)
      const account = { provider: 'oidc', providerAccountId: `${count} ${given.account}`, type: 'oidc' } as const
      await adapter.linkAccount?.({ userId: id, ...account, scope: given.scope, refresh_token: 'of nobody' })
      const factor = { userId: id, id: `${count}`, type: 'totp', name: given.phone, data: 'of nobody' }
      const times = { createdAt: new Date(), usedAt: null, expiresAt: null }
      await store.records.write(factorsTable, { ...factor, ...times }, 0)
      const exported = await users.export(id)
      // The adapter drops characters of its columns that no database stores.
      const team = Reflect.get(present(await adapter.getUser?.(id)), 'team')
      expect(exported?.user).to.deep.equal({ ...user, id, team })
      expect(exported?.accounts).to.deep.equal([{ ...account, scope: given.scope }])
      expect(exported?.records.auth_factors?.map(({ name }) => name)).to.deep.equal([given.phone])
      expect(JSON.stringify(exported)).not.to.include('of nobody')
      expect(exported?.withheld.map(({ name }) => name)).to.include.members([
        'accounts.refresh_token',
        `users.${column}`,
      ])
    })
    await properties(property)
  })
})
