/** Cases of passkeys, which are optional. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { AdapterAuthenticator } from '../types/adapter.js'
import { assertMoment, assertRejects, type ContractGroup, contractCase } from './contract-case.js'
import { inDays, newAuthenticator, newSecret, storedUser } from './records.js'

/** Fails unless each field of `expected` was returned with the same type. */
function assertSamePasskey(actual: AdapterAuthenticator | null | undefined, expected: AdapterAuthenticator): void {
  assert.ok(actual, 'a passkey that was just made is not found')
  const pick = (record: AdapterAuthenticator) => ({
    userId: record.userId,
    providerAccountId: record.providerAccountId,
    credentialID: record.credentialID,
    credentialPublicKey: record.credentialPublicKey,
    counter: record.counter,
    credentialBackedUp: record.credentialBackedUp,
    credentialDeviceType: record.credentialDeviceType,
    transports: record.transports ?? null,
  })
  assert.deepEqual(pick(actual), pick(expected), 'a passkey came back changed: its signatures cannot be checked')
}

export const authenticators: ContractGroup = {
  name: 'passkeys',
  cases: [
    contractCase(
      'getAuthenticator finds a passkey by its id, whole',
      ['createUser', 'createAuthenticator', 'getAuthenticator'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const keys = [
          newAuthenticator(id),
          newAuthenticator(id, { credentialBackedUp: true, credentialDeviceType: 'multiDevice', transports: null }),
          newAuthenticator(id, { credentialPublicKey: randomBytes(600).toString('base64'), counter: 1 }),
        ]
        for (const key of keys) assertSamePasskey(await adapter.createAuthenticator(key), key)
        for (const key of keys) assertSamePasskey(await adapter.getAuthenticator(key.credentialID), key)
      },
    ),
    contractCase(
      'takes a passkey with the longest id that WebAuthn allows',
      ['createUser', 'createAuthenticator', 'getAuthenticator'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const key = newAuthenticator(id, { credentialID: randomBytes(1023).toString('base64') })
        await adapter.createAuthenticator(key)
        assertSamePasskey(await adapter.getAuthenticator(key.credentialID), key)
      },
    ),
    contractCase('getAuthenticator is null for an unknown id', ['getAuthenticator'], async (adapter) => {
      assert.equal(await adapter.getAuthenticator(newSecret()), null, 'an unknown passkey must be null, not an error')
    }),
    contractCase(
      'createAuthenticator rejects an id that is taken',
      ['createUser', 'createAuthenticator', 'getAuthenticator'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        const key = newAuthenticator(user.id)
        await adapter.createAuthenticator(key)
        const double = newAuthenticator(other.id, { credentialID: key.credentialID })
        await assertRejects(() => adapter.createAuthenticator(double), 'one passkey opens the accounts of two users')
        assertSamePasskey(await adapter.getAuthenticator(key.credentialID), key)
      },
    ),
    contractCase(
      'listAuthenticatorsByUserId lists the passkeys of that user',
      ['createUser', 'createAuthenticator', 'listAuthenticatorsByUserId'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        assert.deepEqual(
          await adapter.listAuthenticatorsByUserId(user.id),
          [],
          'a user without passkeys has an empty list',
        )
        const keys = [newAuthenticator(user.id), newAuthenticator(user.id), newAuthenticator(user.id)]
        for (const key of [...keys, newAuthenticator(other.id)]) await adapter.createAuthenticator(key)
        const listed = await adapter.listAuthenticatorsByUserId(user.id)
        assert.equal(listed.length, keys.length, 'the list has too few passkeys, or those of another user')
        for (const key of keys)
          assertSamePasskey(
            listed.find(({ credentialID }) => credentialID === key.credentialID),
            key,
          )
      },
    ),
    contractCase(
      'updateAuthenticatorCounter changes the counter of that passkey',
      ['createUser', 'createAuthenticator', 'getAuthenticator', 'updateAuthenticatorCounter'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const [key, other] = [newAuthenticator(id), newAuthenticator(id)]
        await adapter.createAuthenticator(key)
        await adapter.createAuthenticator(other)
        // The counter of WebAuthn is an unsigned 32-bit number.
        for (const counter of [1, 4_294_967_295]) {
          assertSamePasskey(await adapter.updateAuthenticatorCounter(key.credentialID, counter), { ...key, counter })
          assertSamePasskey(await adapter.getAuthenticator(key.credentialID), { ...key, counter })
        }
        assertSamePasskey(await adapter.getAuthenticator(other.credentialID), other)
      },
    ),
    contractCase(
      'renameAuthenticator names that passkey',
      ['createUser', 'createAuthenticator', 'getAuthenticator', 'renameAuthenticator'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const [key, other] = [newAuthenticator(id), newAuthenticator(id)]
        await adapter.createAuthenticator(key)
        await adapter.createAuthenticator(other)
        await adapter.renameAuthenticator(key.credentialID, "Ada's Telefon 📱")
        const renamed = await adapter.getAuthenticator(key.credentialID)
        assertSamePasskey(renamed, key)
        assert.equal(renamed?.name, "Ada's Telefon 📱", 'the name of a passkey was not kept')
        const untouched = await adapter.getAuthenticator(other.credentialID)
        assert.equal(untouched?.name ?? null, null, 'another passkey was renamed too')
      },
    ),
    contractCase(
      'createAuthenticator keeps name and time, where passkeys have names',
      ['createUser', 'createAuthenticator', 'getAuthenticator', 'listAuthenticatorsByUserId', 'renameAuthenticator'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const createdAt = inDays(-30)
        const key = newAuthenticator(id, { name: "Ada's Telefon 📱", createdAt, lastUsedAt: null })
        await adapter.createAuthenticator(key)
        const [listed] = await adapter.listAuthenticatorsByUserId(id)
        for (const found of [await adapter.getAuthenticator(key.credentialID), listed]) {
          assertSamePasskey(found, key)
          assert.equal(found?.name, key.name, 'the first name of a passkey was not kept')
          assertMoment(found?.createdAt, createdAt, 'the time when a passkey was made')
          assert.equal(found?.lastUsedAt ?? null, null, 'a passkey that was never used has a time of its last use')
        }
      },
    ),
    contractCase(
      'updateAuthenticatorCounter notes the use of that passkey, where passkeys have names',
      ['createUser', 'createAuthenticator', 'getAuthenticator', 'updateAuthenticatorCounter', 'renameAuthenticator'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const [createdAt, lastUsedAt] = [inDays(-30), inDays(-1)]
        const [key, other] = [newAuthenticator(id, { name: 'A key', createdAt }), newAuthenticator(id, { createdAt })]
        await adapter.createAuthenticator(key)
        await adapter.createAuthenticator(other)
        await adapter.updateAuthenticatorCounter(key.credentialID, 1, { credentialBackedUp: true, lastUsedAt })
        const used = await adapter.getAuthenticator(key.credentialID)
        assertSamePasskey(used, { ...key, counter: 1, credentialBackedUp: true })
        assertMoment(used?.lastUsedAt, lastUsedAt, 'the time when a passkey was used')
        assertMoment(used?.createdAt, createdAt, 'the time when a passkey was made, after a use')
        assert.equal(used?.name, 'A key', 'a use took the name of a passkey')
        const untouched = await adapter.getAuthenticator(other.credentialID)
        assertSamePasskey(untouched, other)
        assert.equal(untouched?.lastUsedAt ?? null, null, 'the use of one passkey was noted at another one')
        await adapter.updateAuthenticatorCounter(key.credentialID, 2)
        const counted = await adapter.getAuthenticator(key.credentialID)
        assertSamePasskey(counted, { ...key, counter: 2, credentialBackedUp: true })
        assertMoment(counted?.lastUsedAt, lastUsedAt, 'the time of the last use, after an update of the counter only')
      },
    ),
    contractCase(
      'deleteAuthenticator deletes that passkey; a second time is no error',
      ['createUser', 'createAuthenticator', 'getAuthenticator', 'deleteAuthenticator'],
      async (adapter) => {
        const { id } = await storedUser(adapter)
        const [key, other] = [newAuthenticator(id), newAuthenticator(id)]
        await adapter.createAuthenticator(key)
        await adapter.createAuthenticator(other)
        await adapter.deleteAuthenticator(key.credentialID)
        assert.equal(await adapter.getAuthenticator(key.credentialID), null, 'a lost passkey still opens the account')
        assertSamePasskey(await adapter.getAuthenticator(other.credentialID), other)
        await adapter.deleteAuthenticator(key.credentialID)
      },
    ),
  ],
}
