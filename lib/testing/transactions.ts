/** Cases of transactions, which are optional. */
import assert from 'node:assert/strict'
import type { Adapter } from '../types/adapter.js'
import { type AdapterWith, type ContractGroup, contractCase, settleAll } from './contract-case.js'
import { newAccount, newToken, newUser, storedUser } from './records.js'

/** Returns the adapter inside a transaction. The methods that the case names must exist there too. */
function adapterInside<Method extends 'createUser' | 'linkAccount' | 'getUserByEmail' | 'useVerificationToken'>(
  adapter: Adapter,
  ...methods: Method[]
): AdapterWith<Method> {
  const has = (candidate: Adapter): candidate is AdapterWith<Method> =>
    methods.every((method) => typeof candidate[method] === 'function')
  assert.ok(has(adapter), `inside a transaction the adapter lacks ${methods.join(' or ')}`)
  return adapter
}

/** Creates a promise, and a function that fulfils it. */
function createSignal(): { readonly sent: Promise<void>; send(): void } {
  const control: { send(): void } = { send: () => {} }
  const sent = new Promise<void>((resolve) => {
    control.send = resolve
  })
  return { sent, send: () => control.send() }
}

/**
 * Starts a transaction that creates a user and fails. Returns when the user is written, or the transaction has ended.
 */
async function startFailingTransaction(
  adapter: AdapterWith<'transaction'>,
  given: ReturnType<typeof newUser>,
): Promise<{ ended: Promise<unknown> }> {
  const written = createSignal()
  const work = async (within: Adapter): Promise<never> => {
    const methods = adapterInside(within, 'createUser', 'getUserByEmail')
    await methods.createUser(given)
    written.send()
    // Gives other callers time to read; an adapter may also make them wait for the end.
    for (let look = 0; look < 20; look += 1) await methods.getUserByEmail(given.email)
    throw new Error('refused')
  }
  const ended = settleAll([() => adapter.transaction(work)])
  await Promise.race([written.sent, ended])
  return { ended }
}

export const transactions: ContractGroup = {
  name: 'transactions',
  cases: [
    contractCase(
      'what a transaction did is there when it has ended, and it returns what its work returns',
      ['transaction', 'createUser', 'linkAccount', 'getUserByAccount'],
      async (adapter) => {
        const account = newAccount('')
        const id = await adapter.transaction(async (within) => {
          const methods = adapterInside(within, 'createUser', 'linkAccount')
          const user = await methods.createUser(newUser())
          await methods.linkAccount({ ...account, userId: user.id })
          return user.id
        })
        const found = await adapter.getUserByAccount(account)
        assert.ok(found, 'a transaction that succeeded stored nothing')
        assert.equal(id, found.id, 'transaction did not return what its work returned')
      },
    ),
    contractCase(
      'a transaction sees what it did itself',
      ['transaction', 'createUser', 'getUserByEmail'],
      async (adapter) => {
        const given = newUser()
        const found = await adapter.transaction(async (within) => {
          const methods = adapterInside(within, 'createUser', 'getUserByEmail')
          await methods.createUser(given)
          return methods.getUserByEmail(given.email)
        })
        assert.equal(found?.email, given.email, 'the second step of a sign-in does not find the first')
      },
    ),
    contractCase(
      'a transaction whose work rejects leaves nothing, and rejects with the same error',
      ['transaction', 'createUser', 'linkAccount', 'getUserByEmail', 'getUserByAccount'],
      async (adapter) => {
        const given = newUser()
        const account = newAccount('')
        const refusal = new Error('refused by the work of the transaction')
        const work = async (within: Adapter): Promise<never> => {
          const methods = adapterInside(within, 'createUser', 'linkAccount')
          const user = await methods.createUser(given)
          await methods.linkAccount({ ...account, userId: user.id })
          throw refusal
        }
        const [outcome] = await settleAll([() => adapter.transaction(work)])
        assert.equal(outcome?.status, 'rejected', 'the engine would continue as if everything had been stored')
        assert.equal(
          outcome.reason,
          refusal,
          'the transaction rejected with another error, so the engine does not know the cause',
        )
        assert.equal(await adapter.getUserByEmail(given.email), null, 'a half-made user stayed, and blocks the address')
        assert.equal(await adapter.getUserByAccount(account), null, 'an account stayed whose user is gone')
      },
    ),
    contractCase(
      'a user is not created when the account cannot be linked',
      ['transaction', 'createUser', 'linkAccount', 'getUserByEmail', 'getUserByAccount'],
      async (adapter) => {
        const owner = await storedUser(adapter)
        const account = newAccount(owner.id)
        await adapter.linkAccount(account)
        const given = newUser()
        const work = async (within: Adapter): Promise<void> => {
          const methods = adapterInside(within, 'createUser', 'linkAccount')
          const user = await methods.createUser(given)
          await methods.linkAccount({ ...account, userId: user.id })
        }
        const [outcome] = await settleAll([() => adapter.transaction(work)])
        assert.equal(outcome?.status, 'rejected', 'an account was linked twice')
        assert.equal(
          await adapter.getUserByEmail(given.email),
          null,
          'a user without an account stayed, and blocks the address',
        )
        assert.equal((await adapter.getUserByAccount(account))?.id, owner.id, 'the account lost its owner')
      },
    ),
    contractCase(
      'a token that was used in a transaction that failed can be used again',
      ['transaction', 'createVerificationToken', 'useVerificationToken'],
      async (adapter) => {
        const { identifier, token, expires } = newToken()
        await adapter.createVerificationToken({ identifier, token, expires })
        const work = async (within: Adapter): Promise<never> => {
          await adapterInside(within, 'useVerificationToken').useVerificationToken({ identifier, token })
          throw new Error('refused')
        }
        await settleAll([() => adapter.transaction(work)])
        const used = await adapter.useVerificationToken({ identifier, token })
        assert.ok(used, 'a link was used up by a sign-in that failed half-way')
      },
    ),
    contractCase(
      'other callers do not see the writes of a failed transaction',
      ['transaction', 'createUser', 'getUserByEmail'],
      async (adapter) => {
        const given = newUser()
        const { ended } = await startFailingTransaction(adapter, given)
        const seen = await adapter.getUserByEmail(given.email)
        await ended
        assert.equal(seen, null, 'a caller saw, and may have signed in as, a user who was never stored')
      },
    ),
    contractCase(
      'what others write while a transaction fails stays',
      ['transaction', 'createUser', 'getUserByEmail'],
      async (adapter) => {
        const [given, others] = [newUser(), newUser()]
        const { ended } = await startFailingTransaction(adapter, given)
        await adapter.createUser(others)
        await ended
        const found = await adapter.getUserByEmail(others.email)
        assert.equal(found?.email, others.email, 'the failure of one sign-in undid the sign-up of another user')
        assert.equal(await adapter.getUserByEmail(given.email), null, 'what failed stayed')
      },
    ),
    contractCase(
      'of several transactions at once each has its own end',
      ['transaction', 'createUser', 'getUserByEmail'],
      async (adapter) => {
        const given = Array.from({ length: 10 }, () => newUser())
        const outcomes = await settleAll(
          given.map(
            (user, index) => () =>
              adapter.transaction(async (within) => {
                await adapterInside(within, 'createUser').createUser(user)
                if (index % 2 === 1) throw new Error('refused')
              }),
          ),
        )
        const found = await Promise.all(given.map(async ({ email }) => (await adapter.getUserByEmail(email)) !== null))
        const expected = given.map((_, index) => index % 2 === 0)
        assert.deepEqual(
          outcomes.map(({ status }) => status === 'fulfilled'),
          expected,
          'the failure of one sign-in is not that of another',
        )
        assert.deepEqual(found, expected, 'one transaction committed, or undid, what another one did')
      },
    ),
  ],
}
