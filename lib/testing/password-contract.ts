/** The contract of stores of passwords. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Awaitable } from '../types/identity.js'
import type { PasswordAttempt, PasswordStore, StoredPassword } from '../types/passwords.js'
import type { ContractHooks } from './adapter-contract.js'
import { assertRefused, settled } from './case.js'
import { many, newId, registerSuite, valuesOf, yes } from './store-suite.js'

/** What the suite tests. */
export interface PasswordSubject {
  /** The store to be tested. */
  store: PasswordStore
  /** Closes what `create` opened. */
  close?(): Awaitable<unknown>
}

/** Options of `passwordContract`. */
export interface PasswordContractOptions {
  /** Makes the store, once. It need not be empty. */
  create(): Awaitable<PasswordSubject>
  /** The title of the suite. Default `password contract`. */
  name?: string
}

/**
 * Tests a store of passwords: versions, passwords that wait, races. Each test makes rows of its own with random ids, and leaves most of
 * them there.
 *
 * @example
 * ```ts
 * import { after, before, describe, it } from 'mocha'
 * import { passwordContract } from 'server-auth/testing'
 *
 * passwordContract({ describe, it, before, after }, { create: () => ({ store: myPasswords(db) }) })
 * ```
 */
export function passwordContract(hooks: ContractHooks, { create, name }: PasswordContractOptions): void {
  registerSuite(hooks, { name: name ?? 'password contract', create, cases: { ...passwordCases, ...attemptCases } })
}

type NewPassword = Omit<StoredPassword, 'version'>
type Cases = Readonly<Record<string, (store: PasswordStore) => Promise<void>>>

const hour = 3_600_000

function newPassword(rest: Partial<NewPassword> = {}): NewPassword {
  return { userId: newId(), hash: newId(), changedAt: new Date('2031-02-03T04:05:06.789Z'), ...rest }
}

/** A password that is there, with version 1. */
async function written(store: PasswordStore, rest: Partial<NewPassword> = {}): Promise<NewPassword> {
  const password = newPassword(rest)
  assert.equal(await store.write(password, 0), true, 'a first write was refused')
  return password
}

function newAttempt(rest: Partial<PasswordAttempt> = {}): PasswordAttempt {
  const expires = new Date(Date.now() + hour)
  return { tokenHash: newId(), identifier: `${newId()}@example.com`, data: newId(), expires, ...rest }
}

/** An attempt that is there. */
async function kept(store: PasswordStore, rest: Partial<PasswordAttempt> = {}): Promise<PasswordAttempt> {
  const attempt = newAttempt(rest)
  await store.keepAttempt(attempt)
  return attempt
}

const passwordCases: Cases = {
  'finds what was written, and nothing else': async (store) => {
    const password = await written(store)
    assert.deepEqual(await store.find(password.userId), { ...password, version: 1 })
    assert.equal(await store.find(newId()), null)
  },

  'takes users that differ in case, or in what stands at their ends, for different ones': async (store) => {
    const { userId } = await written(store, { userId: `u${newId()}` })
    for (const other of [`U${userId.slice(1)}`, `${userId} `, ` ${userId}`, '']) {
      assert.equal(await store.find(other), null, `${other} is another user`)
      await store.remove(other)
    }
    assert.ok(await store.find(userId), 'the password of another user was removed')
  },

  'keeps users with all kinds of characters apart': async (store) => {
    const end = newId()
    const users = ['a|b', 'https://op.example/ü#é', '"],["', '{x}', "' or 1=1 --", '%', '日本', 'a:b'].map(
      (id) => id + end,
    )
    for (const userId of users) await written(store, { userId, hash: userId })
    for (const userId of users) assert.equal((await store.find(userId))?.hash, userId)
  },

  'keeps long hashes, and moments to the millisecond': async (store) => {
    const hash = randomBytes(768).toString('base64')
    const password = await written(store, { hash, changedAt: new Date(1_900_000_000_001) })
    assert.deepEqual(await store.find(password.userId), { ...password, version: 1 })
  },

  'writes over the version that it is told, and over no other': async (store) => {
    const password = await written(store)
    const next = { ...password, hash: newId(), changedAt: new Date(1_900_000_000_999) }
    for (const previous of [0, 2, 7]) assert.equal(await store.write(next, previous), false, `version ${previous}`)
    assert.deepEqual(await store.find(password.userId), { ...password, version: 1 })
    assert.equal(await store.write(next, 1), true)
    assert.deepEqual(await store.find(password.userId), { ...next, version: 2 })
    assert.equal(await store.write(password, 1), false, 'an old version wrote over a newer one')
    assert.deepEqual(await store.find(password.userId), { ...next, version: 2 })
  },

  'writes no later version of a password that is not there': async (store) => {
    const password = newPassword()
    assert.equal(await store.write(password, 1), false)
    assert.equal(await store.find(password.userId), null)
  },

  'lets one of fifty first writes at once succeed': async (store) => {
    const password = newPassword()
    const outcomes = await settled(many((at) => store.write({ ...password, hash: String(at) }, 0)))
    assert.equal(yes(outcomes), 1)
    const winner = valuesOf(outcomes).indexOf(true)
    assert.deepEqual(await store.find(password.userId), { ...password, hash: String(winner), version: 1 })
  },

  'lets one of fifty writes over a version succeed': async (store) => {
    const password = await written(store)
    const outcomes = await settled(many((at) => store.write({ ...password, hash: String(at) }, 1)))
    assert.equal(yes(outcomes), 1)
    const winner = valuesOf(outcomes).indexOf(true)
    assert.deepEqual(await store.find(password.userId), { ...password, hash: String(winner), version: 2 })
  },

  'removes the password of a user, and no other': async (store) => {
    const [password, other] = [await written(store), await written(store)]
    await store.remove(password.userId)
    await store.remove(password.userId)
    assert.equal(await store.find(password.userId), null)
    assert.deepEqual(await store.find(other.userId), { ...other, version: 1 })
    assert.equal(await store.write(password, 1), false, 'what was removed came back')
    assert.equal(await store.write(password, 0), true, 'what was removed can be written again')
  },

  'does not bring back what is removed while it is written': async (store) => {
    const password = await written(store)
    const writes = many((at) => store.write({ ...password, hash: String(at) }, 1))
    const removal = async () => Boolean(await store.remove(password.userId))
    valuesOf(await settled<boolean>([...writes.slice(25), removal, ...writes.slice(0, 25)]))
    assert.equal(await store.find(password.userId), null)
  },

  'hands out copies, and keeps its own': async (store) => {
    const password = await written(store)
    const found = await store.find(password.userId)
    found?.changedAt.setTime(0)
    if (found) Reflect.set(found, 'hash', 'changed')
    const expected = { ...password, changedAt: new Date(password.changedAt), version: 1 }
    password.changedAt.setTime(1)
    assert.deepEqual(await store.find(password.userId), expected)
  },
}

const attemptCases: Cases = {
  'finds what waits, as often as it is asked': async (store) => {
    const attempt = await kept(store)
    for (let time = 0; time < 2; time += 1) assert.deepEqual(await store.findAttempt(attempt.tokenHash), attempt)
    assert.equal(await store.findAttempt(newId()), null)
  },

  'gives what waits once': async (store) => {
    const attempt = await kept(store)
    assert.equal(await store.takeAttempt(newId()), null)
    assert.deepEqual(await store.takeAttempt(attempt.tokenHash), attempt)
    assert.equal(await store.takeAttempt(attempt.tokenHash), null)
    assert.equal(await store.findAttempt(attempt.tokenHash), null)
  },

  'takes hashes that differ in case, or in what stands at their ends, for different ones': async (store) => {
    const { tokenHash } = await kept(store, { tokenHash: `a${newId()}` })
    for (const other of [`A${tokenHash.slice(1)}`, `${tokenHash} `, ` ${tokenHash}`, '']) {
      assert.equal(await store.findAttempt(other), null, `${other} is another hash`)
      assert.equal(await store.takeAttempt(other), null, `${other} is another hash`)
    }
    assert.ok(await store.findAttempt(tokenHash))
  },

  'keeps several for one address, which do not touch each other': async (store) => {
    const { identifier, ...one } = await kept(store)
    const other = await kept(store, { identifier })
    assert.deepEqual(await store.findAttempt(one.tokenHash), { identifier, ...one })
    assert.deepEqual(await store.takeAttempt(other.tokenHash), other)
    assert.deepEqual(await store.takeAttempt(one.tokenHash), { identifier, ...one })
  },

  'refuses a second one under a hash, and keeps the first': async (store) => {
    const attempt = await kept(store)
    const second = newAttempt({ tokenHash: attempt.tokenHash })
    await assertRefused(() => store.keepAttempt(second), 'two attempts were kept under one hash')
    assert.deepEqual(await store.findAttempt(attempt.tokenHash), attempt)
  },

  'keeps long values, and moments to the millisecond': async (store) => {
    const attempt = await kept(store, {
      tokenHash: `${newId()}${newId()}${newId()}`.slice(0, 64),
      identifier: `${'ü'.repeat(64)}@${'x'.repeat(186)}.de`,
      data: 'é'.repeat(4096),
      expires: new Date(4_102_444_800_007),
    })
    assert.deepEqual(await store.takeAttempt(attempt.tokenHash), attempt)
  },

  'gives what waits to one of fifty at once': async (store) => {
    const attempt = await kept(store)
    const taken = valuesOf(await settled(many(() => store.takeAttempt(attempt.tokenHash))))
    assert.deepEqual(
      taken.filter((each) => each !== null),
      [attempt],
    )
  },

  'keeps one of fifty under a hash at once': async (store) => {
    const attempt = newAttempt()
    const outcomes = await settled(many((at) => store.keepAttempt({ ...attempt, data: String(at) })))
    const winners = outcomes.flatMap(({ status }, at) => (status === 'fulfilled' ? [String(at)] : []))
    assert.equal(winners.length, 1)
    assert.equal((await store.findAttempt(attempt.tokenHash))?.data, winners[0])
  },

  'keeps what has not ended, whatever ends beside it': async (store) => {
    const attempt = await kept(store)
    const over = await kept(store, { identifier: attempt.identifier, expires: new Date(Date.now() - hour) })
    // What has ended may be gone, and may be there still.
    const found = await store.findAttempt(over.tokenHash)
    if (found) assert.deepEqual(found, over)
    assert.deepEqual(await store.findAttempt(attempt.tokenHash), attempt)
  },

  'hands out copies of what waits, and keeps its own': async (store) => {
    const attempt = await kept(store)
    const expected = { ...attempt, expires: new Date(attempt.expires) }
    attempt.expires.setTime(0)
    const found = await store.findAttempt(attempt.tokenHash)
    found?.expires.setTime(1)
    assert.deepEqual(await store.findAttempt(attempt.tokenHash), expected)
  },
}
