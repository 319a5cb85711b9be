/** Users. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AdapterUser } from '../types/adapter.js'
import { assertMoment, assertRejects, type ContractGroup, contractCase } from './contract-case.js'
import { inDays, newAccount, newAuthenticator, newSession, newUser, storedUser } from './records.js'

const verifiedAt = new Date('2024-07-15T12:34:56.000Z')

/** A user without an email address, although the type requires one. */
const noAddress: Partial<AdapterUser> = { email: JSON.parse('null') }

/** Fails unless both are the same user, field by field. */
function assertSameUser(actual: AdapterUser | null, expected: AdapterUser, message: string): void {
  assert.ok(actual, message)
  const pick = ({ id, name, email, image }: AdapterUser) => ({ id, name, email, image })
  assert.deepEqual(pick(actual), pick(expected), message)
  if (expected.emailVerified) assertMoment(actual.emailVerified, expected.emailVerified, 'emailVerified')
  else assert.equal(actual.emailVerified, null, 'an unverified address has a date of verification')
}

export const users: ContractGroup = {
  name: 'users',
  cases: [
    contractCase(
      'createUser returns the user with an id, and getUser finds it',
      ['createUser', 'getUser'],
      async (adapter) => {
        const given = newUser()
        const user = await adapter.createUser(given)
        assert.ok(
          typeof user.id === 'string' && user.id !== '',
          'createUser gave no id that is text: it is what sessions and accounts refer to',
        )
        assertSameUser(user, { ...given, id: user.id }, 'createUser returned another user than it was given')
        assertSameUser(
          await adapter.getUser(user.id),
          user,
          'getUser does not find the user by the id that createUser gave',
        )
      },
    ),
    contractCase('getUserByEmail finds the user by the address', ['createUser', 'getUserByEmail'], async (adapter) => {
      const [user] = [await storedUser(adapter), await storedUser(adapter)]
      assertSameUser(await adapter.getUserByEmail(user.email), user, 'the owner of an address is not found by it')
    }),
    contractCase('getUser is null for an unknown id', ['getUser'], async (adapter) => {
      const user = await adapter.getUser(randomUUID())
      assert.equal(user, null, 'an unknown id is not an error, because a session may outlive its user')
    }),
    contractCase('getUserByEmail is null for an unknown address', ['getUserByEmail'], async (adapter) => {
      const user = await adapter.getUserByEmail(newUser().email)
      assert.equal(user, null, 'an unknown address belongs to no user')
    }),
    contractCase(
      'keeps the time at which an address was verified',
      ['createUser', 'getUser', 'getUserByEmail'],
      async (adapter) => {
        const user = await storedUser(adapter, { emailVerified: verifiedAt })
        assertMoment(user.emailVerified, verifiedAt, 'emailVerified, as createUser returns it')
        assertMoment(
          (await adapter.getUser(user.id))?.emailVerified,
          verifiedAt,
          'emailVerified, as getUser returns it',
        )
        const found = await adapter.getUserByEmail(user.email)
        assertMoment(found?.emailVerified, verifiedAt, 'emailVerified, as getUserByEmail returns it')
      },
    ),
    contractCase(
      'takes a user without name and image, left out or null',
      ['createUser', 'getUser'],
      async (adapter) => {
        for (const nothing of [undefined, null]) {
          const user = await storedUser(adapter, { name: nothing, image: nothing })
          const found = await adapter.getUser(user.id)
          assert.deepEqual(
            [found?.name ?? null, found?.image ?? null],
            [null, null],
            'a name or an image came from nowhere',
          )
        }
      },
    ),
    contractCase('takes two users without an address', ['createUser', 'getUser'], async (adapter) => {
      const [first, second] = [await storedUser(adapter, noAddress), await storedUser(adapter, noAddress)]
      assert.notEqual(first.id, second.id, 'two users without an address became one')
      for (const { id } of [first, second]) {
        const found = await adapter.getUser(id)
        assert.ok(found && !found.email, 'a user without an address got one')
      }
    }),
    contractCase(
      'getUserByEmail finds no user by an empty address',
      ['createUser', 'getUserByEmail'],
      async (adapter) => {
        await storedUser(adapter, noAddress)
        const found = await adapter.getUserByEmail('')
        assert.equal(found, null, 'users without an address must not be mixed up')
      },
    ),
    contractCase('createUser rejects an address that is taken', ['createUser', 'getUserByEmail'], async (adapter) => {
      const user = await storedUser(adapter)
      const double = newUser({ email: user.email, name: 'Another' })
      await assertRejects(
        () => adapter.createUser(double),
        'one address has two users: the next sign-in could open another account',
      )
      assertSameUser(await adapter.getUserByEmail(user.email), user, 'the owner of the address changed')
    }),
    contractCase(
      'updateUser changes the fields that are given, and returns the whole user',
      ['createUser', 'getUser', 'updateUser'],
      async (adapter) => {
        const user = await storedUser(adapter)
        const other = await storedUser(adapter)
        const expected = { ...user, emailVerified: verifiedAt }
        const updated = await adapter.updateUser({ id: user.id, emailVerified: verifiedAt })
        assertSameUser(updated, expected, 'updateUser did not return the whole user')
        assertSameUser(await adapter.getUser(user.id), expected, 'updateUser changed a field that was not given')
        await adapter.updateUser({ id: user.id, name: 'Ada King' })
        assertSameUser(
          await adapter.getUser(user.id),
          { ...expected, name: 'Ada King' },
          'a second change undid the first',
        )
        assertSameUser(await adapter.getUser(other.id), other, 'updateUser changed another user')
      },
    ),
    contractCase('updateUser can empty a field', ['createUser', 'getUser', 'updateUser'], async (adapter) => {
      const user = await storedUser(adapter, { emailVerified: verifiedAt })
      await adapter.updateUser({ id: user.id, image: null, emailVerified: null })
      const expected = { ...user, image: null, emailVerified: null }
      assertSameUser(await adapter.getUser(user.id), expected, 'null empties a field; the others stay')
    }),
    contractCase(
      'updateUser moves a user to another address',
      ['createUser', 'updateUser', 'getUserByEmail'],
      async (adapter) => {
        const user = await storedUser(adapter)
        const { email } = newUser()
        await adapter.updateUser({ id: user.id, email })
        assertSameUser(
          await adapter.getUserByEmail(email),
          { ...user, email },
          'the user is not found by the new address',
        )
        const old = await adapter.getUserByEmail(user.email)
        assert.equal(old, null, 'the next owner of the old address would sign in as this user')
      },
    ),
    contractCase(
      'updateUser clears emailVerified with the address',
      ['createUser', 'getUser', 'updateUser', 'transaction'],
      async (adapter) => {
        const user = await storedUser(adapter, { emailVerified: verifiedAt })
        await adapter.updateUser({ id: user.id, email: user.email, name: 'Ada King' })
        assertMoment(
          (await adapter.getUser(user.id))?.emailVerified,
          verifiedAt,
          'emailVerified, after nothing changed',
        )
        const { email } = newUser()
        const moved = await adapter.updateUser({ id: user.id, email })
        for (const each of [moved, await adapter.getUser(user.id)]) {
          assert.equal(each?.emailVerified, null, 'an unverified address took over the verification of another one')
        }
        const another = newUser()
        const given = await adapter.updateUser({ id: user.id, emailVerified: verifiedAt })
        const written = await adapter.updateUser({ ...given, email: newUser().email })
        assert.equal(written.emailVerified, null, 'the proof of an address was written back with another address')
        await adapter.updateUser({ id: user.id, email: another.email, emailVerified: verifiedAt })
        assertMoment(
          (await adapter.getUser(user.id))?.emailVerified,
          verifiedAt,
          'emailVerified, given with the address',
        )
      },
    ),
    contractCase(
      'updateUser can take the address away, and another user gets it',
      ['createUser', 'getUser', 'getUserByEmail', 'updateUser'],
      async (adapter) => {
        const user = await storedUser(adapter)
        const without = await adapter.updateUser({ id: user.id, ...noAddress })
        assert.ok(!without.email, 'null must empty the address, because another user has verified it')
        assert.equal(await adapter.getUserByEmail(user.email), null, 'an address that was taken away is still found')
        const owner = await storedUser(adapter, { email: user.email })
        assertSameUser(await adapter.getUserByEmail(user.email), owner, 'the owner of the address is not found by it')
        assert.ok(await adapter.getUser(user.id), 'the user who lost the address is gone')
      },
    ),
    contractCase(
      'getUserByEmail does not take one letter for another',
      ['createUser', 'getUserByEmail', 'transaction'],
      async (adapter) => {
        const { email: tail } = newUser()
        const owner = await storedUser(adapter, { email: `k\u00e5s${tail}` })
        for (const similar of ['\u212a\u00e5s', 'k\u212bs', 'k\u00e5\u017f', '\uff4b\u00e5s', 'kas']) {
          const found = await adapter.getUserByEmail(`${similar}${tail}`)
          assert.equal(found, null, 'an address with another letter leads to this user')
          const other = await storedUser(adapter, { email: `${similar}${tail}` })
          assert.notEqual(other.id, owner.id, 'two users became one')
        }
        assertSameUser(await adapter.getUserByEmail(owner.email), owner, 'the owner of the address is not found by it')
      },
    ),
    contractCase(
      'updateUser rejects an address that is taken',
      ['createUser', 'getUserByEmail', 'updateUser'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        await assertRejects(() => adapter.updateUser({ id: other.id, email: user.email }), 'one address, two users')
        assertSameUser(await adapter.getUserByEmail(user.email), user, 'the owner of the address changed')
      },
    ),
    contractCase(
      'updateUser makes no user of an unknown id',
      ['getUser', 'getUserByEmail', 'updateUser'],
      async (adapter) => {
        const { id, email } = newUser()
        // It may reject or return nothing.
        await Promise.allSettled([(async () => adapter.updateUser({ id, email }))()])
        assert.equal(await adapter.getUser(id), null, 'a deleted user came back to life')
        assert.equal(await adapter.getUserByEmail(email), null, 'a deleted user came back to life')
      },
    ),
    contractCase('keeps any text', ['createUser', 'getUser'], async (adapter) => {
      const name = `Zoë O'Brien-"Łódź" \\ ; DROP TABLE users; -- 名前 👩‍🚀\n\t${'x'.repeat(100)}`
      const image = `https://images.example.test/${'long/'.repeat(100)}?a=1&b=%20`
      const user = await storedUser(adapter, { name, image })
      const found = await adapter.getUser(user.id)
      assert.equal(found?.name, name, 'a name came back changed')
      assert.equal(found?.image, image, 'the URL of an image came back changed')
    }),
    contractCase('keeps an address of 254 characters', ['createUser', 'getUserByEmail'], async (adapter) => {
      const { id, email: tail } = newUser()
      const email = `${'x'.repeat(254 - tail.length)}${tail}`
      const user = await storedUser(adapter, { id, email })
      assertSameUser(await adapter.getUserByEmail(email), { ...user, email }, 'a long address was cut off, or refused')
    }),
    contractCase('gives records that are copies', ['createUser', 'getUser'], async (adapter) => {
      const given = newUser({ emailVerified: new Date(verifiedAt) })
      const user = await adapter.createUser(given)
      const expected = { ...structuredClone(given), id: user.id }
      const first = await adapter.getUser(user.id)
      for (const record of [given, user, first]) {
        record?.emailVerified?.setTime(0)
        if (record) record.name = 'changed'
      }
      assertSameUser(await adapter.getUser(user.id), expected, 'what a caller does to a record reached the store')
    }),
    contractCase(
      'deleteUser deletes the user',
      ['createUser', 'getUser', 'getUserByEmail', 'deleteUser'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        await adapter.deleteUser(user.id)
        assert.equal(await adapter.getUser(user.id), null, 'a deleted user is still found')
        assert.equal(await adapter.getUserByEmail(user.email), null, 'a deleted user is still found by the address')
        assertSameUser(await adapter.getUser(other.id), other, 'another user was deleted too')
        await adapter.deleteUser(user.id)
      },
    ),
    contractCase(
      'deleteUser ends the sessions and frees the accounts of the user',
      ['createUser', 'deleteUser', 'linkAccount', 'getUserByAccount', 'createSession', 'getSessionAndUser'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        const account = newAccount(user.id)
        const session = newSession(user.id, { expires: inDays(1) })
        await adapter.linkAccount(account)
        await adapter.createSession(session)
        await adapter.deleteUser(user.id)
        assert.equal(await adapter.getSessionAndUser(session.sessionToken), null, 'a deleted user is still signed in')
        assert.equal(await adapter.getUserByAccount(account), null, 'a deleted user can still sign in')
        await adapter.linkAccount({ ...account, userId: other.id })
        const owner = await adapter.getUserByAccount(account)
        assert.equal(owner?.id, other.id, 'the account of a deleted user cannot be used again')
      },
    ),
    contractCase(
      'deleteUser deletes the passkeys of the user',
      ['createUser', 'deleteUser', 'createAuthenticator', 'getAuthenticator'],
      async (adapter) => {
        const user = await storedUser(adapter)
        const { credentialID } = await adapter.createAuthenticator(newAuthenticator(user.id))
        await adapter.deleteUser(user.id)
        assert.equal(await adapter.getAuthenticator(credentialID), null, 'the passkey of a deleted user is still there')
      },
    ),
  ],
}
