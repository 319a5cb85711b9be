/** The contract of stores of passwords finds what is wrong with one. */
import { expect } from 'chai'
import { memoryPasswords } from '../../lib/adapters/memory/index.js'
import { passwordContract } from '../../lib/testing/index.js'
import type { PasswordAttempt, PasswordStore, StoredPassword } from '../../lib/types/passwords.js'
import { createRunner } from './runner.js'

/** What a database needs between two statements. */
const roundTrip = () => new Promise<void>((resolve) => setImmediate(resolve))

const versionOf = async (store: PasswordStore, userId: string) => (await store.find(userId))?.version ?? 0
const inSeconds = (date: Date) => new Date(Math.trunc(date.getTime() / 1000) * 1000)

type Defects = Readonly<
  Record<string, readonly [found: string, broken: (right: PasswordStore) => Partial<PasswordStore>]>
>

/** By what is wrong: the test that finds it, and what differs from the right store. */
const passwordDefects: Defects = {
  'finds the password of anybody': [
    'finds what was written, and nothing else',
    (right) => {
      let last = ''
      return {
        write(password, previous) {
          last = password.userId
          return right.write(password, previous)
        },
        find: () => right.find(last),
      }
    },
  ],
  'cuts spaces off ids': [
    'takes users that differ in case, or in what stands at their ends, for different ones',
    (right) => ({ remove: (userId) => right.remove(userId.trim()) }),
  ],
  'cuts what is long': [
    'keeps long hashes, and moments to the millisecond',
    (right) => ({
      write: (password, previous) => right.write({ ...password, hash: password.hash.slice(0, 255) }, previous),
    }),
  ],
  'keeps whole seconds': [
    'keeps long hashes, and moments to the millisecond',
    (right) => ({
      write: (password, previous) => right.write({ ...password, changedAt: inSeconds(password.changedAt) }, previous),
    }),
  ],
  'writes over any version': [
    'writes over the version that it is told, and over no other',
    (right) => ({ write: async (password) => right.write(password, await versionOf(right, password.userId)) }),
  ],
  'makes a password of a later version': [
    'writes no later version of a password that is not there',
    (right) => ({
      write: async (password, previous) => right.write(password, (await versionOf(right, password.userId)) && previous),
    }),
  ],
  'looks first and writes then': [
    'lets one of fifty writes over a version succeed',
    (right) => ({
      async write(password, previous) {
        if ((await versionOf(right, password.userId)) !== previous) return false
        await roundTrip()
        await right.write(password, await versionOf(right, password.userId))
        return true
      },
    }),
  ],
  'removes nothing': ['removes the password of a user, and no other', () => ({ remove: () => undefined })],
  'writes what was removed meanwhile': [
    'does not bring back what is removed while it is written',
    (right) => ({
      async write(password, previous) {
        if ((await versionOf(right, password.userId)) !== previous) return false
        await roundTrip()
        return right.write(password, await versionOf(right, password.userId))
      },
    }),
  ],
}

const attemptDefects: Defects = {
  'takes what it is asked for': [
    'finds what waits, as often as it is asked',
    (right) => ({ findAttempt: right.takeAttempt }),
  ],
  'gives what waits again': ['gives what waits once', (right) => ({ takeAttempt: right.findAttempt })],
  'cuts spaces off hashes': [
    'takes hashes that differ in case, or in what stands at their ends, for different ones',
    (right) => ({ findAttempt: (tokenHash) => right.findAttempt(tokenHash.trim()) }),
  ],
  'keeps one for each address': [
    'keeps several for one address, which do not touch each other',
    (right) => {
      const hashes = new Map<string, string>()
      return {
        async keepAttempt(attempt) {
          await right.takeAttempt(hashes.get(attempt.identifier) ?? '')
          hashes.set(attempt.identifier, attempt.tokenHash)
          await right.keepAttempt(attempt)
        },
      }
    },
  ],
  'keeps the second one under a hash': [
    'refuses a second one under a hash, and keeps the first',
    (right) => ({
      async keepAttempt(attempt) {
        await right.takeAttempt(attempt.tokenHash)
        await right.keepAttempt(attempt)
      },
    }),
  ],
  'cuts long data': [
    'keeps long values, and moments to the millisecond',
    (right) => ({ keepAttempt: (attempt) => right.keepAttempt({ ...attempt, data: attempt.data.slice(0, 4000) }) }),
  ],
  'looks first and takes then': [
    'gives what waits to one of fifty at once',
    (right) => ({
      async takeAttempt(tokenHash) {
        const found = await right.findAttempt(tokenHash)
        await roundTrip()
        await right.takeAttempt(tokenHash)
        return found
      },
    }),
  ],
  'looks first and keeps then': [
    'keeps one of fifty under a hash at once',
    (right) => ({
      async keepAttempt(attempt) {
        if (await right.findAttempt(attempt.tokenHash)) throw new Error('There is one.')
        await roundTrip()
        await right.takeAttempt(attempt.tokenHash)
        await right.keepAttempt(attempt)
      },
    }),
  ],
  'drops all of an address with what has ended': [
    'keeps what has not ended, whatever ends beside it',
    (right) => {
      const hashes: PasswordAttempt[] = []
      return {
        async keepAttempt(attempt) {
          hashes.push(attempt)
          await right.keepAttempt(attempt)
          if (attempt.expires.getTime() > Date.now()) return
          for (const { identifier, tokenHash } of hashes) {
            if (identifier === attempt.identifier) await right.takeAttempt(tokenHash)
          }
        },
      }
    },
  ],
}

/** @param only A test, where the others are of no interest. */
async function failuresOf(store: PasswordStore, only?: string): Promise<readonly string[]> {
  const runner = createRunner()
  passwordContract(runner.hooks, { create: () => ({ store }) })
  const results = await runner.run(undefined, (name) => only === undefined || name === only)
  return results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
}

describe('passwordContract', () => {
  it('finds nothing wrong with a right store', async () => {
    expect(await failuresOf(memoryPasswords())).to.deep.equal([])
  })

  it('finds nothing wrong with a store that deletes at once what has ended', async () => {
    const right = memoryPasswords()
    const keepAttempt: PasswordStore['keepAttempt'] = async (attempt) => {
      if (attempt.expires.getTime() > Date.now()) await right.keepAttempt(attempt)
    }
    expect(await failuresOf({ ...right, keepAttempt })).to.deep.equal([])
  })

  it('closes what it was given', async () => {
    let closed = 0
    const runner = createRunner()
    passwordContract(runner.hooks, { create: () => ({ store: memoryPasswords(), close: () => (closed += 1) }) })
    await runner.run(undefined, (name) => name === 'gives what waits once')
    expect(closed).to.equal(1)
  })

  for (const [what, [found, broken]] of Object.entries({ ...passwordDefects, ...attemptDefects })) {
    it(`finds a store that ${what}`, async () => {
      const right = memoryPasswords()
      expect(await failuresOf({ ...right, ...broken(right) }, found)).to.deep.equal([found])
    })
  }

  it('finds a store that hands out its own rows', async () => {
    const right = memoryPasswords()
    const rows = new Map<string, StoredPassword | null>()
    const find: PasswordStore['find'] = async (userId) => {
      const found = rows.get(userId) ?? (await right.find(userId))
      rows.set(userId, found)
      return found
    }
    const title = 'hands out copies, and keeps its own'
    expect(await failuresOf({ ...right, find }, title)).to.deep.equal([title])
  })
})
