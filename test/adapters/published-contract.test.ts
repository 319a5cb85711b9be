/**
 * Published adapters and our adapter contract. For each adapter, the exceptions are named, with the engine's answer to
 * each.
 */
import { expect } from 'chai'
import { adapterContract } from '../../lib/testing/index.js'
import { openOrSkip, type PublishedDatabase, publishedAdapters } from '../support/published-adapters.js'

type Exceptions = Readonly<Record<string, string>>

const ofOurs = 'a method of ours, with a fallback'
const none = {
  listUsers: 'for `auth.users.list`, which is refused without it',
  listAccountsByUserId: ofOurs,
  listSessionsByUserId: ofOurs,
  deleteSessionsByUserId: ofOurs,
  deleteVerificationTokens: ofOurs,
  deleteAuthenticator: ofOurs,
  getSessions: 'for `auth.sessions.watch`, which reads each session by itself without it',
  renameAuthenticator: ofOurs,
  transaction: ofOurs,
  linkSession: 'for sign-outs at a provider: without it `logout.backchannel` is refused',
  listSessionLinks: 'as above',
  getSessionUserAndData: 'for `session.data`, which is refused without it',
  writeSessionData: 'as above',
} satisfies Exceptions
const noPasskeys = {
  getAccount: 'it has none: provider and account id are compared by the database alone',
  createAuthenticator: 'it has no passkeys',
  getAuthenticator: 'it has no passkeys',
  listAuthenticatorsByUserId: 'it has no passkeys',
} satisfies Exceptions

const notUnique =
  'its documented tables leave it to the application: the engine lets one sign-in at a time in, per process'
const accountsNotUnique: Exceptions = {
  'linkAccount rejects an account that is linked already': notUnique,
  'of 20 links of one account at once exactly one is stored': notUnique,
}
const usersNotUnique: Exceptions = {
  'createUser rejects an address that is taken': notUnique,
  'updateUser rejects an address that is taken': 'as above; the engine changes no address',
  'of 20 users with one address at once exactly one is created': notUnique,
}
const sessionsNotUnique: Exceptions = {
  'createSession rejects a token that is taken': 'as above; the engine’s tokens are random',
}

const numbers = 'ids are numbers: the engine makes texts of them'
const needsAddress = 'its documented tables want an address: who has none cannot sign in'
const noResult = 'it fails where there is no session: the engine takes that for a fault, logs it, and extends nothing'
const kysely: Exceptions = {
  ...none,
  ...noPasskeys,
  ...accountsNotUnique,
  'takes two users without an address': needsAddress,
  'getUserByEmail finds no user by an empty address': needsAddress,
  'updateUser can take the address away, and another user gets it':
    'its documented tables want an address: who proves one that another user only claims is refused',
  'updateSession of a session that is not there returns nothing and creates nothing': noResult,
  'session tokens are exact': noResult,
}

const until2038 = 'its columns end in 2038'
const counter = 'its column has no room for the largest counters'
const readsThenDeletes = 'it reads and then deletes: the engine asks once at a time, per process'
const narrow = 'its columns are narrow: leave tokens out by the provider’s `account`'
const folds = 'the database takes case and accents for the same: the engine compares again'
const overwrites = 'it writes over what is there'
const unstorage: Exceptions = {
  ...none,
  ...accountsNotUnique,
  ...usersNotUnique,
  ...sessionsNotUnique,
  'updateUser moves a user to another address': 'the old address leads there still: the engine compares again',
  'updateUser can take the address away, and another user gets it': 'as above',
  'updateUser makes no user of an unknown id': overwrites,
  'createVerificationToken rejects a token that the address has already': overwrites,
  'createAuthenticator rejects an id that is taken': overwrites,
  deleteUser: 'it fails for a user without accounts; the engine never calls it',
  'of 50 uses of one token at once exactly one gets it': readsThenDeletes,
  'a session that is deleted while it is extended does not come back':
    'it reads and then writes: the engine does one after the other, per process',
}

const exceptions: Readonly<Record<string, Exceptions>> = {
  '@auth/pg-adapter': {
    ...none,
    ...noPasskeys,
    ...accountsNotUnique,
    ...usersNotUnique,
    ...sessionsNotUnique,
    'createUser returns the user with an id, and getUser finds it': numbers,
  },
  '@auth/kysely-adapter on PostgreSQL': kysely,
  '@auth/kysely-adapter on SQLite': kysely,
  '@auth/drizzle-adapter on PostgreSQL': {
    ...none,
    'linkAccount takes long tokens': until2038,
    'getAccount returns all that was stored': until2038,
    'updateAuthenticatorCounter changes the counter of that passkey': counter,
  },
  '@auth/drizzle-adapter on MariaDB': {
    ...none,
    'exact strings': folds,
    'keeps any text': narrow,
    'linkAccount takes long tokens': narrow,
    'getAccount returns all that was stored': narrow,
    'keeps the end of a session, whatever the time zone': until2038,
    'getAuthenticator finds a passkey by its id, whole': narrow,
    'takes a passkey with the longest id that WebAuthn allows': narrow,
    'updateAuthenticatorCounter changes the counter of that passkey': counter,
    'of 50 uses of one token at once exactly one gets it': readsThenDeletes,
  },
  '@auth/drizzle-adapter on SQLite': none,
  '@auth/unstorage-adapter on Redis': unstorage,
  '@auth/unstorage-adapter in memory': unstorage,
}

/** Omitted tests are named above. The report shows only unexpected results. */
const hooks = {
  describe,
  after,
  it: Object.assign((name: string, test: () => Promise<void>) => it(name, test), { skip() {} }),
}

for (const { name, open } of publishedAdapters) {
  const skip = exceptions[name] ?? {}
  let database: PublishedDatabase | undefined
  const opened = () => {
    if (database) return database
    throw new Error('the database is not open')
  }
  const openFirst = (setUp: () => Promise<void>) =>
    before(async function () {
      database = await openOrSkip(this, open)
      await setUp()
    })
  adapterContract({ ...hooks, before: openFirst }, { name: `the contract, by ${name}`, create: opened, skip })

  describe(name, () => {
    before(async function () {
      database = await openOrSkip(this, open)
    })
    after(() => database?.close())

    it('lacks the methods that are said to be missing, and no others', () => {
      const { adapter } = opened()
      for (const method of keysOf({ ...none, ...noPasskeys })) {
        expect(typeof adapter[method] === 'function', method).to.equal(!Object.hasOwn(skip, method))
      }
    })
  })
}

function keysOf<T extends object>(record: T): Array<keyof T> {
  return Object.keys(record) as Array<keyof T>
}
