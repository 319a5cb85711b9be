/** Whole sign-ins with adapters that were published for another library, unmodified, on real databases. */

import { expect } from 'chai'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import { type Browser, target } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { extent } from '../support/extent.js'
import { formIn } from '../support/mail-server.js'
import { openOrSkip, type PublishedDatabase, publishedAdapters } from '../support/published-adapters.js'
import {
  counts,
  onlyRow,
  type Providers,
  type Stage,
  startProviders,
  startStage,
  storedToken,
  timeOf,
} from './published-stage.js'

const day = 24 * 60 * 60

/**
 * The adapters: each package once, and each kind of database; all of them each night. All keep the contract each time.
 */
const usual = [
  '@auth/pg-adapter',
  '@auth/kysely-adapter on SQLite',
  '@auth/drizzle-adapter on MariaDB',
  '@auth/unstorage-adapter on Redis',
]
const tried = publishedAdapters.filter(({ name }) => extent === 'all' || usual.includes(name))

describe('published adapters', () => {
  let providers: Providers
  before(async () => {
    providers = await startProviders()
  })
  after(() => providers?.close())

  for (const { name, open } of tried) {
    describe(name, () => {
      let database: PublishedDatabase
      let stage: Stage
      before(async function () {
        database = await openOrSkip(this, open)
      })
      beforeEach(() => start())
      afterEach(async () => {
        restoreClock()
        await stage?.close()
        await database.clear()
      })
      after(() => database?.close())

      /** Starts another application on the same database. */
      async function start(config: Partial<ServerAuthConfig> = {}): Promise<void> {
        await stage?.close()
        stage = await startStage(database, providers, { config })
      }
      const home = () => `${stage.app.origin}/`
      const noErrors = () => expect(stage.app.log.errors).to.deep.equal([])

      describe('OpenID Connect', () => {
        it('creates a user, an account with its tokens, and a session under a hash of its token', async () => {
          const { browser, end } = await stage.signInAt('one', 'alice')
          expect(end).to.equal(home())
          const user = await onlyRow(database, 'users')
          expect(user).to.include({ name: 'Alice', email: 'alice@example.com' })
          expect(timeOf(user.emailVerified)).to.be.within(Date.now() - 60_000, Date.now() + 1000)
          const account = await onlyRow(database, 'accounts')
          expect(account).to.include({ userId: user.id, provider: 'one', providerAccountId: 'alice-sub', type: 'oidc' })
          expect(String(account.id_token).split('.')).to.have.length(3)
          expect(account.access_token).to.be.a('string').with.length.above(20)
          expect(Number(account.expires_at)).to.be.above(Date.now() / 1000)
          const session = await onlyRow(database, 'sessions')
          expect(session).to.include({ userId: user.id, sessionToken: storedToken(browser) })
          const shown = { user: { id: String(user.id), name: 'Alice', email: 'alice@example.com', image: null } }
          const told = (await browser.session()) as { expires: string }
          expect(told).to.deep.include(shown)
          expect(Math.abs(timeOf(told.expires) - timeOf(session.expires))).to.be.below(1000)
          expect((await browser.get('/me')).body).to.deep.equal(told)
          noErrors()
        })

        it('finds the same user again, and replaces the old session', async () => {
          const { browser } = await stage.signInAt('one', 'alice')
          const first = storedToken(browser)
          await stage.signInAt('one', 'alice', browser)
          expect(storedToken(browser)).not.to.equal(first)
          expect(await counts(database)).to.deep.equal([1, 1, 1, 0])
          expect(await onlyRow(database, 'sessions')).to.include({ sessionToken: storedToken(browser) })
          const elsewhere = await stage.signInAt('one', 'alice')
          expect(await counts(database)).to.deep.equal([1, 1, 2, 0])
          expect(await elsewhere.browser.session()).to.deep.include(await userOf(browser))
          noErrors()
        })

        it('links an account of another provider to the signed-in user', async () => {
          const { browser } = await stage.signInAt('one', 'alice')
          const { end } = await stage.signInAt('two', 'other', browser)
          expect(end).to.equal(home())
          expect(await counts(database)).to.deep.equal([1, 2, 1, 0])
          const user = await onlyRow(database, 'users')
          expect(user.email).to.equal('alice@example.com')
          expect((await database.rows('accounts')).map(({ userId }) => userId)).to.deep.equal([user.id, user.id])
          const elsewhere = await stage.signInAt('two', 'other')
          expect(await elsewhere.browser.session()).to.deep.include(await userOf(browser))
          noErrors()
        })

        it('refuses an account that another user has, and one whose address another user has', async () => {
          const { browser } = await stage.signInAt('one', 'alice')
          await stage.signInAt('two', 'other')
          const taken = await stage.signInAt('two', 'other', browser)
          expect(taken.end).to.equal(`${stage.app.origin}/auth/signin?error=OAuthAccountNotLinked`)
          const namesake = await stage.signInAt('two', 'alice')
          expect(namesake.end).to.equal(`${stage.app.origin}/auth/signin?error=OAuthAccountNotLinked`)
          expect(await namesake.browser.session()).to.equal(null)
          expect(await counts(database)).to.deep.equal([2, 2, 2, 0])
        })

        it('creates one user for a first sign-in from many places at the same time', async () => {
          const visits = await Promise.all(Array.from({ length: 4 }, () => stage.signInAt('one', 'alice')))
          expect(visits.map(({ end }) => end)).to.deep.equal(visits.map(home))
          expect(await counts(database)).to.deep.equal([1, 1, 4, 0])
          noErrors()
        })
      })

      describe('an email link', () => {
        it('creates a user whose email address is verified', async () => {
          const browser = stage.app.browser()
          const link = await stage.askLink('Carol@Example.com', browser)
          const token = await onlyRow(database, 'tokens')
          expect(token.identifier).to.equal('carol@example.com')
          expect(new URL(link).searchParams.get('token')).not.to.equal(token.token)
          expect(target(await browser.get(link))).to.equal(home())
          const user = await onlyRow(database, 'users')
          expect(user.email).to.equal('carol@example.com')
          expect(timeOf(user.emailVerified)).to.be.above(0)
          expect(await onlyRow(database, 'sessions')).to.include({
            userId: user.id,
            sessionToken: storedToken(browser),
          })
          expect(await counts(database)).to.deep.equal([1, 0, 1, 0])
          expect(await browser.session()).to.deep.nested.include({
            'user.name': null,
            'user.email': 'carol@example.com',
            'user.image': null,
          })
          noErrors()
        })

        it('changes an address, once', async () => {
          const browser = stage.app.browser()
          await browser.get(await stage.askLink('carol@example.com', browser))
          const { id } = await onlyRow(database, 'users')
          const headers = { host: new URL(home()).host, cookie: browser.cookieHeader() }
          const asked = expressFunctions(stage.app.config).account.changeEmail(
            { headers, protocol: 'http' },
            { email: 'carol@new.example' },
          )
          expect(await asked).to.deep.equal({ ok: true })
          const { action, fields } = formIn((await browser.get(await stage.nextLink())).text, '/callback/')
          expect(target(await browser.post(action, fields))).to.equal(home())
          const user = await onlyRow(database, 'users')
          expect(user).to.include({ id, email: 'carol@new.example' })
          expect(timeOf(user.emailVerified)).to.be.above(0)
          expect(await counts(database)).to.deep.equal([1, 0, 1, 0])
          expect(await browser.session()).to.have.nested.property('user.email', 'carol@new.example')
          noErrors()
          expect(target(await browser.post(action, fields))).to.match(/error=Verification$/)
        })

        it('signs in a user whose email address was verified earlier', async () => {
          await stage.signInAt('one', 'alice')
          const browser = stage.app.browser()
          expect(target(await browser.get(await stage.askLink('alice@example.com', browser)))).to.equal(home())
          expect(await counts(database)).to.deep.equal([1, 1, 2, 0])
          expect(await browser.session()).to.deep.nested.include({
            'user.name': 'Alice',
            'user.email': 'alice@example.com',
            'user.image': null,
          })
          noErrors()
        })

        it('works once, and only until there is a newer one', async () => {
          const browser = stage.app.browser()
          const old = await stage.askLink('carol@example.com', browser)
          const link = await stage.askLink('carol@example.com', browser)
          expect(target(await confirm(stage.app.browser(), old))).to.include('error=Verification')
          expect(target(await browser.get(link))).to.equal(home())
          expect(target(await confirm(stage.app.browser(), link))).to.include('error=Verification')
          expect((await database.rows('sessions')).length).to.equal(1)
        })

        it('gives one session to 20 simultaneous uses', async () => {
          const browser = stage.app.browser()
          const link = await stage.askLink('carol@example.com', browser)
          const answers = await Promise.all(Array.from({ length: 20 }, () => browser.get(link)))
          expect(answers.map(target).filter((url) => url === home())).to.have.length(1)
          expect(answers.map(target).filter((url) => url.includes('error=Verification'))).to.have.length(19)
          expect(await counts(database)).to.deep.equal([1, 0, 1, 0])
        })

        it('is rejected after its end, and is deleted then', async () => {
          const browser = stage.app.browser()
          const link = await stage.askLink('carol@example.com', browser)
          advanceClock(day + 1)
          expect(target(await confirm(stage.app.browser(), link))).to.include('error=Verification')
          expect(await counts(database)).to.deep.equal([0, 0, 0, 0])
        })

        it('creates a separate user for the owner of an address that another user has not verified', async () => {
          const { browser: other } = await stage.signInAt('one', 'bob')
          const id = await userOf(other)
          const browser = stage.app.browser()
          const end = target(await browser.get(await stage.askLink('bob@example.com', browser)))
          if (end !== home()) {
            // The table as its adapter describes it: `email` takes no null. Nothing is lost.
            expect(stage.app.log.errors[0]?.message).to.include('of the users nullable')
            expect(await counts(database)).to.deep.equal([1, 1, 1, 0])
            expect(await userOf(other)).to.deep.equal(id)
            return
          }
          expect(await browser.session()).to.have.nested.property('user.email', 'bob@example.com')
          expect(await counts(database)).to.deep.equal([2, 1, 2, 0])
          expect(await userOf(browser)).to.not.deep.equal(id)
          expect(await other.session()).to.have.nested.property('user.email', null)
          noErrors()
        })

        it('merges them with `allowDangerousUnprovedAddressMerge`', async () => {
          await start({ allowDangerousUnprovedAddressMerge: true })
          await stage.signInAt('one', 'bob')
          const browser = stage.app.browser()
          expect(target(await browser.get(await stage.askLink('bob@example.com', browser)))).to.equal(home())
          expect(await counts(database)).to.deep.equal([1, 1, 2, 0])
          expect(timeOf((await onlyRow(database, 'users')).emailVerified)).to.be.above(0)
          expect(await browser.session()).to.deep.nested.include({
            'user.name': 'Bob',
            'user.email': 'bob@example.com',
            'user.image': null,
          })
          noErrors()
        })

        it('verifies the address of a signed-in user who requested it', async () => {
          const { browser } = await stage.signInAt('one', 'bob')
          expect(target(await browser.get(await stage.askLink('bob@example.com', browser)))).to.equal(home())
          expect(await counts(database)).to.deep.equal([1, 1, 1, 0])
          expect(timeOf((await onlyRow(database, 'users')).emailVerified)).to.be.above(0)
          noErrors()
        })
      })

      describe('credentials', () => {
        it('create a user of the address, who is found again by the id that `authorize` returns', async () => {
          const browser = stage.app.browser()
          expect(target(await browser.signIn())).to.equal(home())
          const user = await onlyRow(database, 'users')
          expect(user).to.include({ name: 'ann', email: 'ann@example.com' })
          expect(user.emailVerified ?? null).to.equal(null)
          expect(await onlyRow(database, 'accounts')).to.include({
            userId: user.id,
            provider: 'credentials',
            providerAccountId: 'id-of-ann',
            type: 'credentials',
          })
          expect(await onlyRow(database, 'sessions')).to.include({ sessionToken: storedToken(browser) })
          const elsewhere = stage.app.browser()
          expect(target(await elsewhere.signIn())).to.equal(home())
          expect(await counts(database)).to.deep.equal([1, 1, 2, 0])
          expect(await elsewhere.session()).to.deep.include(await userOf(browser))
          noErrors()
        })

        it('sign no user in with a wrong password', async () => {
          const browser = stage.app.browser()
          expect(target(await browser.signIn({ password: 'wrong' }))).to.include('error=CredentialsSignin')
          expect(await counts(database)).to.deep.equal([0, 0, 0, 0])
        })

        it('do not sign in as the user who has the address', async () => {
          await stage.signInAt('one', 'alice')
          const browser = stage.app.browser()
          expect(target(await browser.signIn({ username: 'alice' }))).to.include('error=AccountNotLinked')
          expect(await counts(database)).to.deep.equal([1, 1, 1, 0])
        })
      })

      describe('a session', () => {
        it('is extended when `updateAge` has passed, not before', async () => {
          freezeClock()
          const { browser } = await signedIn()
          const first = timeOf((await onlyRow(database, 'sessions')).expires)
          advanceClock(day - 60)
          await browser.session()
          expect(timeOf((await onlyRow(database, 'sessions')).expires)).to.equal(first)
          advanceClock(120)
          expect(await browser.session()).not.to.equal(null)
          const extended = timeOf((await onlyRow(database, 'sessions')).expires)
          expect(extended - first).to.equal((day + 60) * 1000)
          expect((await browser.get('/me')).body).to.deep.include({ expires: new Date(extended).toISOString() })
          noErrors()
        })

        it('is deleted by signing out, and its cookie is invalid then', async () => {
          const { browser } = await signedIn()
          const kept = new Map(browser.cookies)
          expect(target(await browser.submit('/auth/signout'))).to.equal(home())
          expect(await database.rows('sessions')).to.deep.equal([])
          for (const [key, value] of kept) browser.cookies.set(key, value)
          expect(await browser.session()).to.equal(null)
          expect((await browser.get('/me')).body).to.equal(null)
          noErrors()
        })

        it('ends, and its row is deleted when it is read', async () => {
          const { browser } = await signedIn()
          advanceClock(30 * day + 1)
          expect(await browser.session()).to.equal(null)
          expect(await database.rows('sessions')).to.deep.equal([])
          expect(browser.cookies.has('auth.session-token')).to.equal(false)
          noErrors()
        })

        it('is not opened by the stored form of its token', async () => {
          await signedIn()
          const thief = stage.app.browser()
          thief.cookies.set('auth.session-token', String((await onlyRow(database, 'sessions')).sessionToken))
          expect(await thief.session()).to.equal(null)
        })

        async function signedIn(): Promise<{ browser: Browser }> {
          const browser = stage.app.browser()
          await browser.signIn()
          return { browser }
        }
      })

      describe('with JWT sessions', () => {
        beforeEach(() => start({ session: { strategy: 'jwt' } }))

        it('keeps users and accounts, and no session', async () => {
          const { browser, end } = await stage.signInAt('one', 'alice')
          expect(end).to.equal(home())
          await stage.signInAt('one', 'alice')
          expect(await counts(database)).to.deep.equal([1, 1, 0, 0])
          expect(await browser.session()).to.deep.nested.include({
            'user.name': 'Alice',
            'user.email': 'alice@example.com',
            'user.image': null,
          })
          expect(await userOf(browser)).to.deep.equal(await userOf(browser, '/me'))
          noErrors()
        })

        it('links an account to the signed-in user', async () => {
          const { browser } = await stage.signInAt('one', 'alice')
          await stage.signInAt('two', 'other', browser)
          expect(await counts(database)).to.deep.equal([1, 2, 0, 0])
          noErrors()
        })

        it('signs in by an email link, and out', async () => {
          const browser = stage.app.browser()
          expect(target(await browser.get(await stage.askLink('carol@example.com', browser)))).to.equal(home())
          expect(await counts(database)).to.deep.equal([1, 0, 0, 0])
          expect(await userOf(browser)).to.have.nested.property('user.email', 'carol@example.com')
          await browser.submit('/auth/signout')
          expect(await browser.session()).to.equal(null)
          noErrors()
        })

        it('leaves the users of credentials to `authorize`', async () => {
          const browser = stage.app.browser()
          expect(target(await browser.signIn())).to.equal(home())
          expect(await counts(database)).to.deep.equal([0, 0, 0, 0])
          noErrors()
        })
      })
    })
  }
})

/** Opens a link in a browser that did not ask for it, and confirms. */
async function confirm(browser: Browser, link: string) {
  const page = await browser.get(link)
  expect(page.status).to.equal(200)
  const { origin, pathname, searchParams } = new URL(link)
  return browser.submit(origin + pathname, Object.fromEntries(searchParams))
}

async function userOf(browser: Browser, path = '/auth/session'): Promise<{ user: unknown }> {
  const { body } = await browser.get(path)
  return { user: body.user }
}
