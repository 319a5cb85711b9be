/**
 * A stranger's user claims the email address of a user whose password is imported, who is invited, or who resets a
 * password. In every order, with everything that a stranger may have there: an account at a provider, a passkey, a
 * second factor, a session.
 */

import { expect } from 'chai'
import { type MemoryAdapter, memoryAdapter } from '../../lib/adapters/memory/index.js'
import { connect, migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import Passkey from '../../lib/providers/passkey.js'
import { createSession } from '../../lib/testing/index.js'
import type { Adapter, AdapterMethod } from '../../lib/types/adapter.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import type { OIDCConfig } from '../../lib/types/provider.js'
import { type Browser, target } from '../support/app.js'
import { Authenticator } from '../support/authenticator.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'
import { PasskeyPerson } from '../support/passkey-person.js'
import { factorsIn, passwordsIn } from '../support/stores.js'
import { better, good, open, places, type Stage, send, sessionOf, startStage } from './stage.js'

const email = 'victim@example.com'
const relyingParty = { id: 'localhost', name: 'Test', origin: 'http://localhost:3000' }

interface WorldOptions {
  readonly kind?: 'memory' | 'sqlite'
  readonly without?: readonly AdapterMethod[]
  readonly config?: Partial<ServerAuthConfig>
  /** True if there is no provider beside passwords. */
  readonly isAlone?: boolean
}

interface World {
  readonly stage: Stage
  /** The stored records, with the methods that the application's adapter lacks. */
  readonly stored: MemoryAdapter
  /** Signs the stranger in at the provider, which says nothing of whether the email address is verified. */
  enter(browser?: Browser): Promise<string | undefined>
  /** The id of the user who is signed in. */
  who(browser: Browser): Promise<string | undefined>
  /** The application's own code makes a user with the address. @returns The id. */
  invite(): Promise<string>
  import(userId: string): Promise<boolean>
  sendLink(userId: string): Promise<void>
  /** Opens the newest link to set a password, and sets one. */
  setPassword(browser?: Browser): Promise<string | undefined>
  close(): Promise<void>
}

async function openAdapter(kind: WorldOptions['kind']) {
  if (kind !== 'sqlite') return { adapter: memoryAdapter(), close: async () => {} }
  const db = connect(':memory:')
  await migrate(db)
  return { adapter: sqlAdapter(db) as unknown as MemoryAdapter, close: () => db.destroy() }
}

async function openWorld(
  { start, strategy }: (typeof places)[number],
  provider: HostileProvider,
  { kind, without = [], config = {}, isAlone = false }: WorldOptions = {},
): Promise<World> {
  const { adapter: stored, close } = await openAdapter(kind)
  const entries = Object.entries(stored).filter(([name]) => !without.some((each) => each === name))
  const oidc = { id: 'one', name: 'One', type: 'oidc', allowDangerousEmailAccountLinking: true, ...provider.settings }
  const stage = await startStage({
    start,
    password: { store: stored.store() },
    more: isAlone ? [] : [Passkey({ relyingParty }), oidc as OIDCConfig],
    config: {
      ...sessionOf(strategy),
      adapter: Object.fromEntries(entries) as Adapter,
      factors: { methods: [Totp(), RecoveryCodes()], store: stored.store() },
      experimental: { enableWebAuthn: true },
      callbacks: {
        session: ({ session, user, token }) => ({ ...session, user: { ...session.user, id: user?.id ?? token?.sub } }),
      },
      ...config,
    },
  })
  const req = { headers: { host: new URL(stage.app.origin).host }, protocol: 'http' }
  const who = async (browser: Browser) => ((await browser.session()) as { user?: { id?: string } } | null)?.user?.id
  return {
    stage,
    stored,
    who,
    async enter(browser = stage.browser()) {
      provider.person = { sub: 'stranger', email, name: 'Mallory', picture: 'https://evil.test/face.png' }
      await browser.get(provider.authorize(target(await browser.submit('/auth/signin/one'))))
      return who(browser)
    },
    async invite() {
      return (await stored.createUser({ id: 'invited', email, emailVerified: null })).id
    },
    async import(userId) {
      const hash = await stage.hasher.hash(good)
      return (await expressFunctions(stage.app.config).passwords.import({ userId, hash })).ok
    },
    sendLink: (userId) => expressFunctions(stage.app.config).passwords.sendLink({ userId }, req),
    async setPassword(browser = stage.browser()) {
      await send(browser, await open(browser, await stage.link(email, 'reset-password')), { password: better })
      return who(browser)
    },
    async close() {
      await stage.close()
      await close()
    },
  }
}

/** The owner has a user of their own, with the verified address; the stranger keeps theirs, without it. */
async function expectApart({ stage, stored, who }: World, owner: string | undefined, stranger: string): Promise<void> {
  expect(owner).to.be.a('string').and.not.equal(stranger)
  const made = await stored.getUser(owner ?? '')
  expect(made).to.include({ email }).and.have.property('emailVerified').that.is.an.instanceOf(Date)
  expect([made?.name ?? null, made?.image ?? null], 'nothing of the stranger’s').to.deep.equal([null, null])
  expect((await stored.getUser(stranger))?.email || null).to.equal(null)
  expect((await passwordsIn(stored.store()).find(stranger))?.hash ?? '!', 'removed').to.equal('!')
  const accounts = await stored.listAccountsByUserId(owner ?? '')
  expect(accounts.map((each) => [each.provider, each.providerAccountId])).to.deep.equal([['password', owner]])
  const browser = stage.browser()
  await stage.signIn(browser, email, better)
  expect(await who(browser)).to.equal(owner)
}

for (const place of places) {
  for (const kind of ['memory', 'sqlite'] as const) {
    describe(`a stranger’s user and a password of its owner (${place.name}, ${kind})`, () => {
      let provider: HostileProvider
      let world: World
      before(async () => {
        provider = await startHostileProvider()
      })
      beforeEach(async () => {
        provider.reset()
        world = await openWorld(place, provider, { kind })
      })
      afterEach(() => world.close())
      after(() => provider.close())

      it('LK-13 an account at a provider, before the import', async () => {
        const stranger = (await world.enter()) ?? ''
        expect(await world.import(stranger)).to.equal(false)
        expect(await passwordsIn(world.stored.store()).find(stranger)).to.equal(null)
        await world.sendLink(stranger)
        await expectApart(world, await world.setPassword(), stranger)
        expect(await world.enter()).to.equal(stranger)
      })

      it('LK-13 an account at a provider, between the import and the reset', async () => {
        const id = await world.invite()
        expect(await world.import(id)).to.equal(true)
        expect(await world.enter()).to.equal(id)
        await world.stage.browser().submit('/auth/password/forgot', { email })
        await expectApart(world, await world.setPassword(), id)
        expect(await world.enter()).to.equal(id)
      })

      it('LK-13 an account at a provider, after the link was sent', async () => {
        const id = await world.invite()
        await world.sendLink(id)
        const browser = world.stage.browser()
        expect(await world.enter(browser)).to.equal(id)
        await expectApart(world, await world.setPassword(), id)
        expect(await world.enter()).to.equal(id)
      })

      it('LK-13 an account at a provider, and a password that a support desk sets', async () => {
        const stranger = (await world.enter()) ?? ''
        const req = { headers: { host: new URL(world.stage.app.origin).host }, protocol: 'http' }
        await expressFunctions(world.stage.app.config).passwords.set({ userId: stranger, password: good }, req)
        // The password alone opens nothing while the address is unverified: a link is mailed.
        const browser = world.stage.browser()
        await world.stage.signIn(browser, email, good)
        expect(await world.who(browser)).to.equal(undefined)
        await expectApart(world, await world.setPassword(), stranger)
        expect(await world.enter()).to.equal(stranger)
      })

      it('LK-13 a passkey, before the invitation', async () => {
        const person = new PasskeyPerson(world.stage.browser(), new Authenticator())
        await person.register({ email })
        const stranger = (await world.who(person.browser)) ?? ''
        expect((await world.stored.getUser(stranger))?.email).to.equal(email)
        expect(await world.import(stranger)).to.equal(false)
        await world.sendLink(stranger)
        await expectApart(world, await world.setPassword(), stranger)
        const again = person.with({ browser: world.stage.browser() })
        await again.signIn()
        expect(await world.who(again.browser)).to.equal(stranger)
      })

      it('LK-13 a second factor, which the owner is not asked for', async () => {
        const id = await world.invite()
        await world.sendLink(id)
        const row = { userId: id, id: 'app', type: 'totp', name: null, data: 'x' }
        await factorsIn(world.stored.store()).write({ ...row, createdAt: new Date(), usedAt: null, expiresAt: null }, 0)
        expect(await world.import(id)).to.equal(false)
        await expectApart(world, await world.setPassword(), id)
      })

      it('LK-13 a live session, which ends', async () => {
        const id = await world.invite()
        const { cookie } = await createSession(world.stage.app.config, { user: { id }, url: world.stage.app.origin })
        const stranger = world.stage.browser()
        for (const pair of cookie.split('; '))
          stranger.cookies.set(pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1))
        expect(await world.who(stranger)).to.equal(id)
        await world.sendLink(id)
        expect(await world.setPassword(), 'nobody else has a way in: the user stays').to.equal(id)
        expect(await world.who(stranger)).to.equal(undefined)
      })

      it('an invited user without anything of a stranger’s is the owner’s, with what the application stored', async () => {
        const id = await world.invite()
        await world.stored.updateUser({ id, name: 'Vic' })
        expect(await world.import(id)).to.equal(true)
        await world.sendLink(id)
        expect(await world.setPassword()).to.equal(id)
        expect(await world.stored.getUser(id)).to.include({ email, name: 'Vic' })
      })

      it('LK-13 a link that another proof of the address has overtaken opens no user', async () => {
        const id = await world.invite()
        await world.sendLink(id)
        const link = await world.stage.link(email, 'reset-password')
        const page = await open(world.stage.browser(), link)
        // Between reading the link and the decision the address moves to another user.
        const browser = world.stage.browser()
        const shown = await open(browser, link)
        expect(page.status).to.equal(200)
        const { hash } = world.stage.hasher
        world.stage.hasher.hash = async (text) => {
          world.stage.hasher.hash = hash
          await world.stored.updateUser({ id, email: 'other@example.com' })
          return hash(text)
        }
        await send(browser, shown, { password: better })
        expect(await world.who(browser)).to.equal(undefined)
        expect(await passwordsIn(world.stored.store()).find(id)).to.equal(null)
      })

      it('LK-13 startSession and createSession with a verified address', async () => {
        const stranger = (await world.enter()) ?? ''
        const { user } = await createSession(world.stage.app.config, { user: { email }, url: world.stage.app.origin })
        expect(user.id).to.be.a('string').and.not.equal(stranger)
        expect((await world.stored.getUser(stranger))?.email || null).to.equal(null)
        expect(await world.enter()).to.equal(stranger)
      })
    })
  }

  describe(`a password of a user about whom the adapter says little (${place.name})`, () => {
    let provider: HostileProvider
    before(async () => {
      provider = await startHostileProvider()
    })
    after(() => provider.close())
    const without = ['listAccountsByUserId'] as const

    it("LK-13 the user's sign-in methods are unknown: the owner gets a user of their own", async () => {
      const world = await openWorld(place, provider, { without })
      const id = await world.invite()
      await world.enter()
      expect(await world.import(id)).to.equal(false)
      await world.sendLink(id)
      await expectApart(world, await world.setPassword(), id)
      await world.close()
    })

    it('with passwords alone there is nothing else that a stranger could have', async () => {
      const world = await openWorld(place, provider, { without, isAlone: true })
      const id = await world.invite()
      await world.sendLink(id)
      expect(await world.setPassword()).to.equal(id)
      await world.close()
    })

    it('`allowDangerousUnprovedAddressMerge` keeps its word: the user is the owner’s, whatever is there', async () => {
      const world = await openWorld(place, provider, { config: { allowDangerousUnprovedAddressMerge: true } })
      const id = await world.invite()
      await world.enter()
      expect(await world.import(id)).to.equal(true)
      await world.sendLink(id)
      expect(await world.setPassword()).to.equal(id)
      await world.close()
    })
  })
}
