/** Changes of a connection, a domain or a user while a sign-in is under way, and sessions with an end of their own. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { passwordsTable } from '../../lib/features/passwords/description.js'
import Password from '../../lib/providers/password.js'
import { good, quickHasher } from '../password/stage.js'
import type { Browser } from '../support/http-browser.js'
import { base, type OpenStage, openWorld, type Stage, stagesOf, strategies, type World } from './stage.js'

const people = [
  { login: 'guest', sub: 'guest-sub', name: 'Guest', email: 'guest@elsewhere.example', email_verified: true },
]

describe('a sign-in by a connection that changes meanwhile', () => {
  let world: World
  before(async () => {
    world = await openWorld(people)
  })
  after(() => world.close())

  for (const [door, at] of Object.entries(stagesOf(() => world))) {
    for (const strategy of strategies) {
      describe(`${door}, ${strategy} sessions`, () => {
        const stages: Stage[] = []
        afterEach(() => Promise.all(stages.splice(0).map((stage) => stage.close())))

        const acme = async (options: Parameters<OpenStage>[0] = {}) => {
          const adapter = memoryAdapter()
          const stage = await at(strategy)({ adapter, ...options })
          stages.push(stage)
          const owner = await stage.signIn('owner@acme.example')
          stage.members.set(owner.userId, 'acme', 'owner')
          await stage.verify(owner.browser, 'acme', 'acme.example')
          const id = await stage.connect(owner.browser, 'acme')
          const { records } = adapter.store()
          return { stage, adapter, records, owner, id }
        }
        const userIn = async (browser: Browser): Promise<string | undefined> => (await browser.session(base))?.user?.id

        it('a session with its own end keeps it when a connection confirms it', async () => {
          const { stage, id } = await acme()
          const full = await stage.signIn('guest@elsewhere.example')
          stage.members.set(full.userId, 'acme', 'member')
          await stage.through(full.browser, id, 'guest')
          const browser = stage.browser()
          await browser.get('/start?email=guest@elsewhere.example&maxAge=60')
          const before = await browser.session(base)
          await stage.through(browser, id, 'guest')
          const after = await browser.session(base)
          expect(after.user.id).to.equal(full.userId)
          expect(new Date(after.expires).getTime()).to.be.at.most(new Date(before.expires).getTime())
          expect(new Date((await full.browser.session(base)).expires).getTime()).to.be.above(
            new Date(after.expires).getTime(),
          )
        })

        it('CN-04 begin no session of a guest who has a password, and whose address is no longer verified', async () => {
          const mail = { id: 'email', name: 'Email', type: 'email', sendVerificationRequest: () => {} } as const
          const site = await acme({ providers: [Password({ mail, hash: quickHasher() })] })
          const { stage, adapter, records, id } = site
          const { browser, userId } = await stage.signIn('guest@elsewhere.example')
          stage.members.set(userId, 'acme', 'member')
          await stage.through(browser, id, 'guest')
          const hash = await quickHasher().hash(good)
          await records.write(passwordsTable, { userId, hash, changedAt: new Date() }, 0)
          // As a page of the application does on which users change their profile.
          await adapter.updateUser({ id: userId, email: 'private@elsewhere.example' })
          expect((await adapter.getUser(userId))?.emailVerified).to.equal(null)
          const elsewhere = stage.browser()
          await stage.through(elsewhere, id, 'guest')
          expect(await userIn(elsewhere)).to.equal(undefined)
        })
      })
    }
  }
})
