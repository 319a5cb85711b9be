/** Several engines on one database share nothing else, as processes do: an answer is still used once. */
import { expect } from 'chai'
import { memoryAdapter } from '../../../lib/adapters/memory/index.js'
import { migrate, sqlAdapter } from '../../../lib/adapters/sql/index.js'
import { clearSiteMemories } from '../../../lib/base/memory.js'
import type { Adapter } from '../../../lib/types/adapter.js'
import { Recorder } from '../../sign-in/linking-stage.js'
import { type Door, setCookies, target } from '../../support/app.js'
import { Authenticator } from '../../support/authenticator.js'
import { advanceClock, freezeClock } from '../../support/clock.js'
import { requireDatabase, type TestDatabase } from '../../support/databases.js'
import type { PasskeyPerson } from '../../support/passkey-person.js'
import { emailOf, usePasskeys } from './stage.js'

const email = 'ann@example.com'

/** Returns the same browser, at another application. */
function at(app: Door, person: PasskeyPerson): PasskeyPerson {
  const browser = app.browser()
  for (const [name, value] of person.browser.cookies) browser.cookies.set(name, value)
  return person.with({ browser })
}

for (const kind of ['postgres', 'mysql', 'sqlite'] as const) {
  describe(`passkeys in two processes on ${kind}`, () => {
    const stage = usePasskeys()
    let database: TestDatabase
    before(async function () {
      database = await requireDatabase(this, kind)
      await migrate(database.db)
    })
    after(() => database?.close())

    const adapter = () => sqlAdapter(database.db, { pruneEvery: 0 })
    let count = 0
    /** Starts two applications, and returns an unused address. */
    async function start(): Promise<{ apps: [Door, Door]; address: string }> {
      count += 1
      const one = await stage.start({ adapter: adapter() })
      clearSiteMemories()
      return { apps: [one, await stage.serve({ adapter: adapter() })], address: `ann${count}@example.com` }
    }

    for (const counter of [0, 5]) {
      it(`WA-13 the same answer at once starts one session (the counter ${counter > 0 ? 'counts' : 'stays at zero'})`, async () => {
        const { apps, address } = await start()
        const ann = await stage.member(address, { app: apps[0], counter })
        for (let round = 0; round < 5; round += 1) {
          await ann.signOut()
          const data = JSON.stringify(ann.key.get(await ann.options('authenticate')))
          const csrfToken = await ann.browser.csrf()
          const people = apps.map((app) => at(app, ann))
          const fields = { action: 'authenticate', data, csrfToken }
          const responses = await Promise.all(
            people.map(({ browser }) => browser.post('/auth/callback/passkey', fields)),
          )
          const began = responses.filter((each) => setCookies(each).some((line) => /session-token=[^;]/.test(line)))
          expect(began).to.have.length(1)
          const sessions = await Promise.all(people.map(({ browser }) => browser.session()))
          expect(sessions.map(emailOf).sort()).to.deep.equal([address, undefined])
          stage.forgive()
        }
      })
    }

    it('an answer that was accepted by one is rejected by the other one, later too', async () => {
      const { apps, address } = await start()
      const ann = await stage.member(address, { app: apps[0] })
      await ann.signOut()
      const options = await ann.options('authenticate')
      const thief = at(apps[1], ann)
      const answer = ann.key.get(options)
      await stage.expectSignedIn(await ann.send('authenticate', answer), ann, address)
      await stage.expectRefused(await thief.send('authenticate', answer), 'InvalidCheck', thief)
      const third = await stage.serve({ adapter: adapter() })
      stage.forgive()
      const again = at(third, thief)
      again.browser.cookies.set('auth.browser', thief.browser.cookies.get('auth.browser') ?? '')
      await stage.expectRefused(await again.send('authenticate', answer), 'InvalidCheck', again)
    })

    it('the same new passkey at once creates one user', async () => {
      const { apps, address } = await start()
      const ann = stage.person({ app: apps[0] })
      const answer = ann.key.create(await ann.options('register', { email: address }))
      const people = apps.map((app) => at(app, ann))
      const responses = await Promise.all(people.map((each) => each.send('register', answer)))
      expect(responses.filter((each) => target(each).includes('error='))).to.have.length(1)
      expect(await stage.passkeysOf(address)).to.have.length(1)
      expect(stage.events.filter(({ name }) => name === 'createUser')).to.have.length(1)
    })

    it('one address, with two new passkeys at once, creates one user', async () => {
      const { apps, address } = await start()
      const people = apps.map((app) => stage.person({ app }))
      const answers = await Promise.all(
        people.map(async (each) => each.key.create(await each.options('register', { email: address }))),
      )
      const responses = await Promise.all(people.map((each, index) => each.send('register', answers[index])))
      expect(responses.filter((each) => target(each).includes('AccountNotLinked'))).to.have.length(1)
      expect(await stage.passkeysOf(address)).to.have.length(1)
    })

    // The other databases block the second process in the meantime.
    const onPostgres = kind === 'postgres' ? it : undefined
    for (const moment of ['linkAccount', 'createAuthenticator', 'createSession'] as const) {
      onPostgres?.(
        `the owner of the address comes as a stranger adds a passkey (${moment}): it is not theirs`,
        async () => {
          const recorder = new Recorder(adapter())
          const own = await stage.start({ adapter: recorder.adapter })
          clearSiteMemories()
          const other = await stage.serve({ adapter: adapter() })
          const address = `victim-${moment.toLowerCase()}@example.com`
          const { id } = await adapter().createUser({ id: crypto.randomUUID(), email: address, emailVerified: null })
          const mallory = stage.person({ app: own })
          await adapter().linkAccount({
            userId: id,
            provider: 'credentials',
            providerAccountId: `id-of-${moment}`,
            type: 'credentials',
          })
          await mallory.browser.signIn({ username: moment })
          const answer = mallory.key.create(await mallory.options('register'))
          const victim = stage.person({ app: other })
          const link = await stage.askForLink(victim.browser, address)
          let coming: Promise<unknown> | undefined
          recorder.before.set(moment, () => {
            recorder.before.delete(moment)
            // Waits for the row of the user where the stranger's transaction has it.
            coming = victim.browser.get(link).then((answer) => answer)
          })
          await mallory.send('register', answer)
          await coming
          expect(await stage.passkeysOf(address)).to.deep.equal([])
          expect(await stage.accountsOf(address)).to.deep.equal([])
          expect(await stage.stored.listAuthenticatorsByUserId?.(id), 'with the stranger').to.have.length(1)
          expect(emailOf(await victim.browser.session())).to.equal(address)
        },
      )
    }
  })
}

describe('the record that a challenge is used', () => {
  const stage = usePasskeys()

  it('is removed with other tokens, and not before the challenge has expired', async () => {
    freezeClock()
    const adapter = memoryAdapter()
    await stage.start({ adapter })
    const ann = await stage.member(email)
    await ann.signOut()
    await ann.signIn()
    advanceClock(15 * 60 - 1)
    expect(await adapter.prune()).to.include({ verificationTokens: 0 })
    advanceClock(2)
    expect(await adapter.prune()).to.include({ verificationTokens: 2 })
  })

  it('is created by successful sign-ins only', async () => {
    const adapter = memoryAdapter()
    await stage.start({ adapter })
    const ann = await stage.member(email)
    await ann.signIn({}, { lies: { origin: 'https://evil.test' } })
    await ann.signIn({}, { lies: { rpId: 'evil.test' } })
    advanceClock(3600)
    expect(await adapter.prune()).to.include({ verificationTokens: 1 })
  })

  it('is not created if nothing would remove it', async () => {
    const { prune: _, ...adapter }: Adapter = memoryAdapter()
    const recorder = new Recorder(adapter)
    await stage.start({ adapter: recorder.adapter })
    const ann = await stage.member(email)
    const second = ann.with({ key: new Authenticator() })
    await second.register()
    await ann.signIn()
    expect(recorder.names(/VerificationToken/)).to.deep.equal([])
  })

  it('that cannot be created rejects the sign-in', async () => {
    const recorder = new Recorder(memoryAdapter())
    await stage.start({ adapter: recorder.adapter })
    const ann = await stage.member(email)
    await ann.signOut()
    recorder.before.set('createVerificationToken', () => {
      throw new Error('down')
    })
    await stage.expectRefused(await ann.signIn(), 'InvalidCheck', ann)
    recorder.before.clear()
    stage.forgive()
    await stage.expectSignedIn(await ann.signIn(), ann, email)
  })
})
