/**
 * Guarantees that published adapters and their databases do not give, and that no user signs in as another one because
 * of that.
 */
import { expect } from 'chai'
import type { Driver } from 'unstorage'
import memoryDriver from 'unstorage/drivers/memory'
import type { Account, User } from '../../lib/index.js'
import { type Browser, credentials, target } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { openOrSkip, openUnstorage, type PublishedDatabase, publishedAdapters } from '../support/published-adapters.js'
import { counts, onlyRow, type Providers, type Stage, startProviders, startStage } from './published-stage.js'

const longText = 'x'.repeat(3000)

describe('limits of published adapters', () => {
  let providers: Providers
  let stage: Stage
  before(async () => {
    providers = await startProviders([
      { login: 'bob', sub: 'bob-sub', name: 'Bob', email: 'bob@example.com', email_verified: true },
      { login: 'Bob', sub: 'BOB-SUB', name: 'Another Bob', email: 'another@example.com', email_verified: true },
      { login: 'bób', sub: 'bób-sub', name: 'Bób', email: 'bób@example.com', email_verified: true },
      { login: 'long', sub: 'long', name: 'Long', email: 'long@example.com', email_verified: true, locale: longText },
    ])
  })
  after(() => providers?.close())
  afterEach(() => stage?.close())

  const home = () => `${stage.app.origin}/`

  function on(name: string, tests: (database: () => PublishedDatabase) => void): void {
    const adapter = publishedAdapters.find((each) => each.name === name)
    describe(name, () => {
      let database: PublishedDatabase
      before(async function () {
        expect(adapter).not.to.equal(undefined)
        if (adapter) database = await openOrSkip(this, adapter.open)
      })
      afterEach(() => database.clear())
      after(() => database?.close())
      tests(() => database)
    })
  }

  on('@auth/drizzle-adapter on MariaDB', (database) => {
    it('treats letters with and without an accent as equal: the address of one user is not the other’s', async () => {
      stage = await startStage(database(), providers, { oidc: { allowDangerousEmailAccountLinking: true } })
      await stage.signInAt('one', 'bob')
      const { browser, status } = await stage.signInAt('two', 'bób')
      expect(status).to.equal(503)
      expect(await browser.session()).to.equal(null)
      expect(await counts(database())).to.deep.equal([1, 1, 1, 0])
    })

    it('treats upper and lower case as equal: the account of one user is not the other’s', async () => {
      stage = await startStage(database(), providers)
      await stage.signInAt('one', 'bob')
      const { browser } = await stage.signInAt('one', 'Bob')
      expect(await browser.session()).to.equal(null)
      expect((await database().rows('accounts')).length).to.equal(1)
      expect((await database().rows('sessions')).length).to.equal(1)
    })

    it('treats upper and lower case as equal: an id that `authorize` returns opens no other user', async () => {
      stage = await startStage(database(), providers)
      await stage.signInAt('one', 'bob')
      const { id } = await onlyRow(database(), 'users')
      await stage.close()
      stage = await startStage(database(), providers, { config: { providers: [returning(String(id).toUpperCase())] } })
      await stage.app.browser().signIn()
      expect(await counts(database())).to.deep.equal([2, 2, 2, 0])
    })

    it('has no room for long tokens: the sign-in fails unless `account` leaves them out', async () => {
      stage = await startStage(database(), providers)
      const { browser, status } = await stage.signInAt('one', 'long')
      expect(status).to.equal(503)
      expect(await browser.session()).to.equal(null)
      expect((await database().rows('accounts')).length + (await database().rows('sessions')).length).to.equal(0)
      const [error] = stage.app.log.errors
      expect(error?.message).to.equal("The adapter's method `linkAccount` failed.")
      await stage.close()
      await database().clear()
      stage = await startStage(database(), providers, { oidc: { account: () => ({}) } })
      expect((await stage.signInAt('one', 'long')).end).to.equal(home())
      expect(await onlyRow(database(), 'accounts')).to.include({ providerAccountId: 'long', id_token: null })
    })
  })

  on('@auth/unstorage-adapter on Redis', (database) => {
    it('treats addresses as equal up to a question mark: a link to one does not sign in as the other', async () => {
      const asked: Array<[address: unknown, user: unknown]> = []
      const signIn = ({ user, account }: { user: User; account: Account | null }) => {
        asked.push([account?.providerAccountId, user.email])
        return true
      }
      stage = await startStage(database(), providers, { config: { callbacks: { signIn } } })
      await signInByLink('victim?1@example.com')
      const other = await signInByLink('victim?2@attacker.example')
      expect(asked).to.have.length(4)
      for (const [address, email] of asked)
        expect(email, 'the `signIn` callback was asked about another').to.equal(address)
      expect(await other.session()).to.have.nested.property('user.email', 'victim?2@attacker.example')
      expect((await database().rows('users')).map(({ email }) => email)).to.have.members([
        'victim?1@example.com',
        'victim?2@attacker.example',
      ])
    })

    it('finds a record that is no user under an id: an id that `authorize` returns opens none of it', async () => {
      stage = await startStage(database(), providers)
      await stage.signInAt('one', 'bob')
      await stage.close()
      stage = await startStage(database(), providers, { config: { providers: [returning('account:one:bob-sub')] } })
      const browser = stage.app.browser()
      await browser.signIn()
      expect(await browser.session()).to.have.nested.property('user.email', 'eve@example.com')
    })
  })

  describe('@auth/unstorage-adapter', () => {
    afterEach(restoreClock)

    it('reads a session and then writes it: one that is signed out in between does not come back', async () => {
      const { driver, held } = holdingDriver()
      const database = openUnstorage(driver)
      stage = await startStage(database, providers)
      const browser = stage.app.browser()
      await browser.signIn()
      await browser.csrf()
      advanceClock(2 * 24 * 60 * 60)
      const writing = held.next()
      const extended = browser.session()
      const { release } = await writing
      const signedOut = browser.submit('/auth/signout')
      // As long as an adapter that is not held back takes to delete it.
      await Promise.race([signedOut, new Promise((resolve) => setTimeout(resolve, 200))])
      release()
      // The sign-out was noted before the row was deleted.
      expect(await extended).to.equal(null)
      await signedOut
      expect(await database.rows('sessions')).to.deep.equal([])
      await database.close()
    })
  })

  on('@auth/kysely-adapter on PostgreSQL', (database) => {
    it('has ids that are UUIDs: another id belongs to no user, and is no fault', async () => {
      stage = await startStage(database(), providers, { config: { providers: [returning('17')] } })
      expect(target(await stage.app.browser().signIn())).to.equal(home())
      expect(target(await stage.app.browser().signIn())).to.equal(home())
      expect(await counts(database())).to.deep.equal([1, 1, 2, 0])
      expect(stage.app.log.errors).to.deep.equal([])
    })
  })

  /** The adapters that read a token and delete it afterwards use it once only within a process. */
  const atomic = publishedAdapters.filter(({ name }) => !/MariaDB|unstorage/.test(name))
  for (const { name } of atomic) {
    on(name, (database) => {
      it('gives a link that is used in two processes at the same time to one of them', async () => {
        stage = await startStage(database(), providers)
        const second = await startStage(database(), providers)
        const [here, there] = [stage.app.browser(), second.app.browser()]
        const link = await stage.askLink('carol@example.com', here)
        const { pathname, search } = new URL(link)
        for (const [key, value] of here.cookies) there.cookies.set(key, value)
        const uses = Array.from({ length: 20 }, (_, index) => (index % 2 ? here : there).get(pathname + search))
        const ends = (await Promise.all(uses)).map(target)
        await second.close()
        expect(ends.filter((url) => !url.includes('error='))).to.have.length(1)
        expect(await counts(database())).to.deep.equal([1, 0, 1, 0])
      })
    })
  }

  async function signInByLink(address: string): Promise<Browser> {
    const browser = stage.app.browser()
    expect(target(await browser.get(await stage.askLink(address, browser)))).to.equal(home())
    return browser
  }
})

/** A storage that delays the next write of a session when a test says so. */
function holdingDriver() {
  const driver = memoryDriver()
  const waiting: Array<(write: { release(): void }) => void> = []
  const setItem: Driver['setItem'] = async (key, value, options) => {
    if (/^user:session:h1_/.test(key)) {
      await new Promise<void>((release) => {
        const next = waiting.shift()
        if (next) next({ release })
        else release()
      })
    }
    await driver.setItem?.(key, value, options)
  }
  const next = () => new Promise<{ release(): void }>((resolve) => void waiting.push(resolve))
  return { driver: { ...driver, setItem }, held: { next } }
}

/** Credentials whose `authorize` returns this id. */
function returning(id: string) {
  return credentials({ authorize: () => ({ id, name: 'Eve', email: 'eve@example.com' }) })
}
