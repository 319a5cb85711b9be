/** Accounts: the links between users and providers. */
import assert from 'node:assert/strict'
import type { AdapterAccount } from '../types/adapter.js'
import { assertRejects, type ContractGroup, contractCase } from './contract-case.js'
import { newAccount, newProvider, storedUser } from './records.js'

/**
 * Values as real providers send them: an id_token with many groups in it, an opaque refresh token, a time after 2038.
 */
const longTokens: Partial<AdapterAccount> = {
  access_token: 'a'.repeat(4096),
  refresh_token: 'r'.repeat(4096),
  id_token: `${'i'.repeat(8191)}!`,
  expires_at: 2_524_608_000,
  token_type: 'bearer',
  scope: `openid ${'https://api.example.test/scope '.repeat(20)}`.trim(),
  session_state: `${'s'.repeat(60)}.1`,
}

/** Fails unless each field of `expected` was returned. Fields that are `null` or missing are treated alike. */
function assertSameAccount(actual: AdapterAccount | null | undefined, expected: AdapterAccount, message: string): void {
  assert.ok(actual, message)
  for (const [field, value] of Object.entries(expected)) {
    assert.equal(actual[field] ?? null, value ?? null, `${message}: ${field}`)
  }
}

export const accounts: ContractGroup = {
  name: 'accounts',
  cases: [
    contractCase(
      'getUserByAccount finds the user whose account it is',
      ['createUser', 'linkAccount', 'getUserByAccount'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        const [account, othersAccount] = [newAccount(user.id), newAccount(other.id)]
        await adapter.linkAccount(account)
        await adapter.linkAccount(othersAccount)
        const found = await adapter.getUserByAccount(account)
        assert.equal(found?.id, user.id, 'a user would be signed in as another one, or not at all')
        assert.equal(found?.email, user.email, 'getUserByAccount did not return the whole user')
        assert.equal(
          (await adapter.getUserByAccount(othersAccount))?.id,
          other.id,
          'the accounts of two users got mixed',
        )
      },
    ),
    contractCase(
      'getUserByAccount is null unless provider and id are those of one account',
      ['createUser', 'linkAccount', 'getUserByAccount'],
      async (adapter) => {
        const user = await storedUser(adapter)
        const [account, second] = [newAccount(user.id), newAccount(user.id)]
        await adapter.linkAccount(account)
        await adapter.linkAccount(second)
        for (const [provider, providerAccountId] of [
          [newProvider(), account.providerAccountId],
          [account.provider, newProvider()],
          [account.provider, second.providerAccountId],
          [account.providerAccountId, account.provider],
        ] as const) {
          const found = await adapter.getUserByAccount({ provider, providerAccountId })
          assert.equal(found, null, 'an id means something together with its provider only')
        }
      },
    ),
    contractCase(
      'takes the same id at two providers',
      ['createUser', 'linkAccount', 'getUserByAccount'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        const account = newAccount(user.id)
        const elsewhere = { ...account, userId: other.id, provider: newProvider() }
        await adapter.linkAccount(account)
        await adapter.linkAccount(elsewhere)
        assert.equal((await adapter.getUserByAccount(account))?.id, user.id, 'user 7 of two providers are two users')
        assert.equal((await adapter.getUserByAccount(elsewhere))?.id, other.id, 'user 7 of two providers are two users')
      },
    ),
    contractCase(
      'linkAccount rejects an account that is linked already',
      ['createUser', 'linkAccount', 'getUserByAccount'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        const account = newAccount(user.id)
        await adapter.linkAccount(account)
        for (const userId of [other.id, user.id]) {
          await assertRejects(() => adapter.linkAccount({ ...account, userId }), 'one account has two records')
        }
        const owner = await adapter.getUserByAccount(account)
        assert.equal(owner?.id, user.id, 'an account was taken away from its owner')
      },
    ),
    contractCase(
      'linkAccount takes long tokens',
      ['createUser', 'linkAccount', 'getUserByAccount'],
      async (adapter) => {
        const user = await storedUser(adapter)
        const account = newAccount(user.id, longTokens)
        await adapter.linkAccount(account)
        assert.equal(
          (await adapter.getUserByAccount(account))?.id,
          user.id,
          'an account with long tokens was not stored',
        )
      },
    ),
    contractCase(
      'linkAccount takes an account without tokens, left out or null',
      ['createUser', 'linkAccount', 'getUserByAccount'],
      async (adapter) => {
        const user = await storedUser(adapter)
        for (const nothing of [undefined, JSON.parse('null')]) {
          const none = { access_token: nothing, refresh_token: nothing, id_token: nothing, expires_at: nothing }
          const account = newAccount(user.id, { ...none, scope: nothing, token_type: nothing, session_state: nothing })
          await adapter.linkAccount(account)
          assert.equal(
            (await adapter.getUserByAccount(account))?.id,
            user.id,
            'an account without tokens was not stored',
          )
        }
      },
    ),
    contractCase(
      'getAccount returns all that was stored',
      ['createUser', 'linkAccount', 'getAccount'],
      async (adapter) => {
        const user = await storedUser(adapter)
        const account = newAccount(user.id, longTokens)
        await adapter.linkAccount(account)
        const found = await adapter.getAccount(account.providerAccountId, account.provider)
        assertSameAccount(found, account, 'a token that is cut off, or a time that is text, cannot be used')
      },
    ),
    contractCase(
      'getAccount is null for an unknown account',
      ['createUser', 'linkAccount', 'getAccount'],
      async (adapter) => {
        const account = newAccount((await storedUser(adapter)).id)
        await adapter.linkAccount(account)
        const { provider, providerAccountId } = account
        assert.equal(await adapter.getAccount(newProvider(), provider), null, 'there is no such id')
        assert.equal(await adapter.getAccount(providerAccountId, newProvider()), null, 'there is no such provider')
        assert.equal(
          await adapter.getAccount(provider, providerAccountId),
          null,
          'the id comes first, the provider second',
        )
      },
    ),
    contractCase(
      'unlinkAccount removes that account only',
      ['createUser', 'linkAccount', 'getUserByAccount', 'unlinkAccount'],
      async (adapter) => {
        const user = await storedUser(adapter)
        const account = newAccount(user.id)
        const sameId = { ...account, provider: newProvider() }
        const sameProvider = { ...account, providerAccountId: newProvider() }
        for (const each of [account, sameId, sameProvider]) await adapter.linkAccount(each)
        await adapter.unlinkAccount({ provider: account.provider, providerAccountId: account.providerAccountId })
        assert.equal(await adapter.getUserByAccount(account), null, 'an unlinked account still signs in')
        for (const each of [sameId, sameProvider]) {
          assert.equal((await adapter.getUserByAccount(each))?.id, user.id, 'another account was unlinked too')
        }
      },
    ),
    contractCase(
      'an unlinked account can be linked to another user',
      ['createUser', 'linkAccount', 'getUserByAccount', 'unlinkAccount'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        const account = newAccount(user.id)
        await adapter.linkAccount(account)
        await adapter.unlinkAccount({ provider: account.provider, providerAccountId: account.providerAccountId })
        await adapter.linkAccount({ ...account, userId: other.id })
        assert.equal((await adapter.getUserByAccount(account))?.id, other.id, 'the account is not free again')
      },
    ),
    contractCase('unlinkAccount of an unknown account is no error', ['unlinkAccount'], async (adapter) => {
      await adapter.unlinkAccount({ provider: newProvider(), providerAccountId: newProvider() })
    }),
    contractCase(
      'listAccountsByUserId lists the accounts of that user, whole',
      ['createUser', 'linkAccount', 'listAccountsByUserId'],
      async (adapter) => {
        const [user, other] = [await storedUser(adapter), await storedUser(adapter)]
        assert.deepEqual(await adapter.listAccountsByUserId(user.id), [], 'a user without accounts has an empty list')
        const own = [newAccount(user.id, longTokens), newAccount(user.id, { type: 'oauth' })]
        for (const account of [...own, newAccount(other.id)]) await adapter.linkAccount(account)
        const listed = await adapter.listAccountsByUserId(user.id)
        assert.equal(listed.length, own.length, 'the list has too few accounts, or those of another user')
        for (const account of own) {
          const found = listed.find(({ provider }) => provider === account.provider)
          assertSameAccount(found, account, 'an account is not listed as it was stored')
        }
      },
    ),
  ],
}
