/** Pages of users. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { AdapterUser, AdapterUserQuery } from '../types/adapter.js'
import { type AdapterWith, type ContractGroup, contractCase } from './contract-case.js'
import { newUser, storedUser } from './records.js'

type Lists = AdapterWith<'createUser' | 'listUsers'>

/** A user without an email address, although the type requires one. */
const noAddress: Partial<AdapterUser> = { email: JSON.parse('null') }

/** Returns a text that no other test uses, in lower case. */
function newStart(): string {
  return `list${randomBytes(9).toString('hex')}`
}

/** Stores users with these email addresses, and names that begin otherwise. */
async function storeAddresses(adapter: Lists, start: string, ends: readonly string[]): Promise<AdapterUser[]> {
  const users: AdapterUser[] = []
  for (const end of ends) users.push(await storedUser(adapter, { email: `${start}${end}@example.test` }))
  return users
}

/** Reads all pages of a part. */
async function readPages(adapter: Lists, query: AdapterUserQuery, most = 1000): Promise<AdapterUser[]> {
  const all: AdapterUser[] = []
  let { after } = query
  while (all.length < most) {
    const page = await adapter.listUsers({ ...query, ...(after && { after }) })
    assert.ok(page.length <= query.limit, 'a page has more users than `limit`')
    all.push(...page)
    const last = page.at(-1)
    if (!last || page.length < query.limit) return all
    after = positionOf(query.part, last)
  }
  return all
}

function positionOf(part: AdapterUserQuery['part'], user: AdapterUser): NonNullable<AdapterUserQuery['after']> {
  return { id: user.id, value: part === 'id' ? '' : [...(user[part] ?? '')].slice(0, 128).join('') }
}

const idsOf = (users: readonly AdapterUser[]) => users.map(({ id }) => id)
const sorted = (texts: readonly string[]) => [...texts].sort()

export const userLists: ContractGroup = {
  name: 'lists of users',
  cases: [
    contractCase(
      'listUsers returns users by address, in pages without gaps',
      ['createUser', 'listUsers'],
      async (adapter) => {
        const start = newStart()
        const users = await storeAddresses(adapter, start, ['c', 'a', 'e', 'b', 'd'])
        await storeAddresses(adapter, newStart(), ['a'])
        const expected = [users[1], users[3], users[0], users[4], users[2]].map((user) => user?.id)
        for (const limit of [1, 2, 3, 5, 6]) {
          const listed = await readPages(adapter, { part: 'email', prefix: start, limit })
          assert.deepEqual(idsOf(listed), expected, `pages of ${limit} lack users, repeat some, or are not sorted`)
          assert.equal(listed[0]?.email, users[1]?.email, 'a listed user is not the whole user')
        }
      },
    ),
    contractCase(
      'listUsers continues at the same place after new users, and after the last user was deleted',
      ['createUser', 'listUsers', 'deleteUser'],
      async (adapter) => {
        const start = newStart()
        const [b, c, d] = await storeAddresses(adapter, start, ['b', 'c', 'd'])
        assert.ok(b && c && d)
        const query = { part: 'email', prefix: start, limit: 2 } as const
        assert.deepEqual(idsOf(await adapter.listUsers(query)), [b.id, c.id])
        await storeAddresses(adapter, start, ['a', 'aa'])
        await adapter.deleteUser(c.id)
        const rest = await adapter.listUsers({ ...query, after: positionOf('email', c) })
        assert.deepEqual(idsOf(rest), [d.id], 'a page depends on how many users are before it')
      },
    ),
    contractCase(
      'listUsers finds names that begin with the text, in upper and lower case',
      ['createUser', 'listUsers'],
      async (adapter) => {
        const start = newStart()
        const upper = await storedUser(adapter, { name: `${start.toUpperCase()} Ann` })
        const lower = await storedUser(adapter, { name: `${start} ann` })
        const later = await storedUser(adapter, { name: `${start} Bob ${'x'.repeat(5000)}` })
        await storedUser(adapter, { name: `x ${start}` })
        for (const prefix of [start, start.toUpperCase(), `${start} `]) {
          const listed = await readPages(adapter, { part: 'name', prefix, limit: 1 })
          assert.deepEqual(
            [sorted(idsOf(listed.slice(0, 2))), idsOf(listed.slice(2))],
            [sorted([upper.id, lower.id]), [later.id]],
            'names are not sorted without case, or a user is missing',
          )
        }
      },
    ),
    contractCase(
      'listUsers lists a user by address or by name, not twice',
      ['createUser', 'listUsers'],
      async (adapter) => {
        const start = newStart()
        const both = await storedUser(adapter, { email: `${start}@example.test`, name: `${start} Ann` })
        const named = await storedUser(adapter, { name: `${start} Bob` })
        const nameless = await storedUser(adapter, { ...noAddress, name: `${start} Cid` })
        const found = async (part: AdapterUserQuery['part']) =>
          idsOf(await readPages(adapter, { part, prefix: start, limit: 10 }))
        assert.deepEqual(await found('email'), [both.id], 'a user is not found by the address')
        assert.deepEqual(await found('name'), [named.id, nameless.id], 'a user is listed twice, or not at all')
      },
    ),
    contractCase('listUsers takes the text as it is', ['createUser', 'listUsers'], async (adapter) => {
      const start = newStart()
      const names = ['%', '_', '\\', '%%', "'", '"', '[a]', '*', '?', '\u{1F600}', '名'].map(
        (sign) => `${start}${sign}x`,
      )
      const users: AdapterUser[] = []
      for (const name of names) users.push(await storedUser(adapter, { name }))
      for (const [index, name] of names.entries()) {
        for (const prefix of [name, name.slice(0, -1)]) {
          const found = await adapter.listUsers({ part: 'name', prefix, limit: 10 })
          const expected = users.filter((user) => user.name?.startsWith(prefix))
          assert.deepEqual(sorted(idsOf(found)), sorted(idsOf(expected)), `"${name}" (${index}) was read as a pattern`)
        }
      }
      for (const prefix of [`${start}\0`, `${start}\uDC00`, `${start}' or 1=1 --`])
        assert.deepEqual(await adapter.listUsers({ part: 'name', prefix, limit: 10 }), [], 'no name begins with this')
    }),
    contractCase(
      'listUsers returns verified or unverified users only',
      ['createUser', 'listUsers'],
      async (adapter) => {
        const start = newStart()
        const email = (end: string) => `${start}${end}@example.test`
        const verified = await storedUser(adapter, { email: email('a'), emailVerified: new Date() })
        const unverified = await storedUser(adapter, { email: email('b') })
        const query = { part: 'email', prefix: start, limit: 10 } as const
        const found = async (emailVerified?: boolean) =>
          idsOf(await adapter.listUsers({ ...query, ...(emailVerified !== undefined && { emailVerified }) }))
        assert.deepEqual(
          [await found(true), await found(false), await found()],
          [[verified.id], [unverified.id], [verified.id, unverified.id]],
        )
      },
    ),
    contractCase('listUsers returns users without an address by id', ['createUser', 'listUsers'], async (adapter) => {
      const made = [await storedUser(adapter, noAddress), await storedUser(adapter, noAddress)]
      const withAddress = await storedUser(adapter, newUser())
      const listed = await readPages(adapter, { part: 'id', prefix: '', limit: 200 }, 100_000)
      const ids = idsOf(listed)
      assert.equal(new Set(ids).size, ids.length, 'a user is listed twice')
      assert.ok(!ids.includes(withAddress.id), 'a user with an address is in this part')
      for (const { id } of made) assert.ok(ids.includes(id), 'a user without an address is missing')
      const [first, second] = ids
      const next = await adapter.listUsers({ part: 'id', prefix: '', limit: 1, after: { id: first ?? '', value: '' } })
      assert.deepEqual(idsOf(next), [second], 'the next page does not begin after the user of `after`')
    }),
  ],
}
