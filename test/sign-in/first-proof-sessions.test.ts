/**
 * Sessions of a stranger with an unverified address, once its owner verifies it: the stranger's end if they would
 * become the owner's.
 */
import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import type { SessionEndedMessage } from '../../lib/types/config.js'
import type { LogStore } from '../../lib/types/store.js'
import type { Browser } from '../support/app.js'
import { inTurn } from '../support/extent.js'
import { adapterKinds, type OpenAdapter, openAdapter } from './linking-databases.js'
import { type LinkingOptions, present, strategies, useLinking } from './linking-stage.js'

const email = 'victim@example.com'
const mallory = { sub: 'mallory', email, email_verified: false }
const merging = { allowDangerousUnprovedAddressMerge: true }

/** Returns a store of ended sessions that can be made unavailable. */
function revocations() {
  const store = memoryStore()
  const state = { isAway: false, /** Ends of all that a user has. */ additions: 0 }
  const add: LogStore['add'] = async (entries) => {
    if (state.isAway) throw new Error('away')
    state.additions += entries.filter(({ key }) => key.startsWith('u.')).length
    await store.log.add(entries)
  }
  return { state, store: { log: { ...store.log, add } } }
}

for (const [turn, kind] of adapterKinds.entries()) {
  for (const strategy of inTurn(strategies, turn)) {
    describe(`an address that a stranger claims, in ${kind}: ${strategy} sessions`, () => {
      const stage = useLinking()
      let opened: OpenAdapter
      let ends: ReturnType<typeof revocations>
      let stranger: Browser
      let id: string
      before(async function () {
        opened = await openAdapter(this, kind)
      })
      after(() => opened?.close())

      async function occupy(options: LinkingOptions = {}): Promise<void> {
        ends = revocations()
        await stage.start({ strategy, adapter: opened.adapter, session: { revocation: ends.store }, ...options })
        await stage.have({ email: null as unknown as string })
        const before = await stage.userByEmail(email)
        if (before) await opened.adapter.updateUser?.({ id: before.id, email: `${before.id}@example.com` })
        await unlink('one:mallory')
        await unlink('one:victim')
        stranger = stage.app.browser()
        id = await stage.enter(stranger, 'one', mallory)
        stage.recorder.clear()
      }

      async function unlink(account: string): Promise<void> {
        const [provider = '', providerAccountId = ''] = account.split(':')
        if (await stage.account(provider, providerAccountId))
          await opened.adapter.unlinkAccount?.({ provider, providerAccountId })
      }

      const addressIn = async (browser: Browser) =>
        ((await browser.session()) as { user?: { email?: unknown } } | null)?.user?.email

      for (const how of ['a mailed link', 'a provider'] as const) {
        it(`no session says it any more but its owner's, by ${how}`, async () => {
          await occupy()
          expect(await addressIn(stranger)).to.equal(email)
          const owner = stage.app.browser()
          if (how === 'a provider') await stage.enter(owner, 'one', { sub: 'victim', email, email_verified: true })
          else await stage.enterByMail(owner, email)
          expect(await addressIn(owner)).to.equal(email)
          expect(await stage.who(owner)).to.not.equal(id)
          // A JWT would still have the address. A row belongs to the stranger's own user, who has no address now.
          expect(await stage.who(stranger)).to.equal(strategy === 'jwt' ? undefined : id)
          const again = stage.app.browser()
          expect(await stage.enter(again, 'one', { sub: 'mallory' }), 'comes back as who they were').to.equal(id)
          expect((await addressIn(again)) ?? null).to.equal(null)
          expect(await addressIn(owner)).to.equal(email)
        })
      }

      it('a stranger loses the user whom its owner gets, and the owner is signed in', async () => {
        const told: SessionEndedMessage[] = []
        await occupy({ ...merging, events: { sessionEnded: (message) => void told.push(message) } })
        const thief = stage.app.browser()
        await stage.enter(thief, 'one', mallory)
        const owner = stage.app.browser()
        await stage.enterByMail(owner, email)
        stage.expectNoFault()
        expect(await stage.who(owner)).to.equal(id)
        expect([await stage.who(stranger), await stage.who(thief)]).to.deep.equal([undefined, undefined])
        expect(stage.recorder.details('events.updateUser')[0]).to.include({ firstProof: true })
        // Rows are known one by one.
        expect(told).to.have.length(strategy === 'jwt' ? 1 : 2)
        for (const each of told) expect(each).to.include({ reason: 'addressProved', userId: id })
      })

      it('the same holds for a stranger who signs in during the event, before their sign-in methods are removed', async () => {
        const late: Browser[] = []
        await occupy({
          ...merging,
          events: {
            updateUser: async () => {
              const browser = stage.app.browser()
              await stage.enter(browser, 'one', mallory)
              late.push(browser)
            },
          },
        })
        const owner = stage.app.browser()
        await stage.enterByMail(owner, email)
        expect(late).to.have.length(1)
        expect([await stage.who(owner), await stage.who(present(late[0]))]).to.deep.equal([id, undefined])
      })

      it('is verified once: a later proof ends no session', async () => {
        await occupy(merging)
        const [owner, phone] = [stage.app.browser(), stage.app.browser()]
        await stage.enterByMail(owner, email)
        const before = ends.state.additions
        await stage.enterByMail(phone, email)
        expect([await stage.who(owner), await stage.who(phone)]).to.deep.equal([id, id])
        expect(ends.state.additions).to.equal(before)
      })

      it('a user who verifies it in their own session keeps the session', async () => {
        await occupy(merging)
        await stage.enterByMail(stranger, email)
        expect(await stage.who(stranger)).to.equal(id)
        expect(ends.state.additions).to.equal(0)
      })

      if (strategy === 'jwt') {
        for (const [what, options] of Object.entries({ 'loses it': {}, 'shares it': merging })) {
          it(`nothing is proved while the stranger who ${what} cannot be signed out, and the next try does both`, async () => {
            await occupy(options)
            ends.state.isAway = true
            const owner = stage.app.browser()
            await stage.enterByMail(owner, email)
            expect(stage.faults()).to.include('AdapterError')
            expect(await stage.who(owner)).to.equal(undefined)
            expect(present(await stage.userByEmail(email))).to.include({ id, emailVerified: null })
            ends.state.isAway = false
            stage.forgive()
            await stage.enterByMail(owner, email)
            stage.expectNoFault()
            expect(await addressIn(owner)).to.equal(email)
            expect(await stage.who(stranger)).to.equal(undefined)
          })
        }
      }
    })
  }
}
