/** Changes of a connection, a domain or a user while a sign-in is under way, and sessions with an end of their own. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { connectionsTable, domainsTable } from '../../lib/features/connections/description.js'
import { Totp } from '../../lib/features/factors/index-kinds.js'
import { totpCodeAt, totpStepAt } from '../../lib/features/factors/totp-factor.js'
import { passwordsTable } from '../../lib/features/passwords/description.js'
import Password from '../../lib/providers/password.js'
import { fieldIn, keyIn } from '../factors/stage.js'
import { good, quickHasher } from '../password/stage.js'
import type { Browser } from '../support/http-browser.js'
import { closedAfterEach } from '../support/opened.js'
import {
  base,
  changeRecord,
  connectAcme,
  type OpenStage,
  openWorld,
  stagesOf,
  strategies,
  type World,
} from './stage.js'

const people = [
  { login: 'ann', sub: 'ann-sub', name: 'Ann', email: 'ann@acme.example' },
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
        const open = closedAfterEach(at(strategy))

        const acme = async (options: Parameters<OpenStage>[0] = {}) => {
          const adapter = memoryAdapter()
          const stage = await open({ adapter, ...options })
          const { owner, id } = await connectAcme(stage)
          const { records } = adapter.store()
          const change = (changed: { state: string }) =>
            changeRecord(records, { table: connectionsTable, key: { id } }, changed)
          return { stage, adapter, records, owner, id, change }
        }
        type Site = Awaited<ReturnType<typeof acme>>
        const userIn = async (browser: Browser): Promise<string | undefined> => (await browser.session(base))?.user?.id

        /** The changes before the second factor is verified. `continues`: the sign-in still succeeds. */
        const events: Record<string, { continues?: true; happen: (site: Site) => unknown }> = {
          nothing: { continues: true, happen: () => {} },
          'the connection is turned off': { happen: ({ change }) => change({ state: 'off' }) },
          'the connection is for its owners only': { happen: ({ change }) => change({ state: 'test' }) },
          'the connection is deleted': { happen: ({ records, id }) => records.remove(connectionsTable, { id }) },
          'the domain is of another organization': {
            happen: ({ records }) =>
              changeRecord(
                records,
                { table: domainsTable, key: { domain: 'acme.example' } },
                { organizationId: 'other' },
              ),
          },
        }
        for (const [name, { continues, happen }] of Object.entries(events)) {
          it(`CN-15 ask for the second factor again, and meanwhile: ${name}`, async () => {
            const site = await acme({ factors: { methods: [Totp()] } })
            const { stage, id } = site
            const ann = await stage.signIn('ann@acme.example')
            ann.browser.headers.accept = 'text/html'
            const page = await ann.browser.get(`${base}/two-factor/totp?setup`)
            const [setup, appKey] = [fieldIn(page.text, 'setup'), keyIn(page.text)]
            const answer = async (browser: Browser, steps: number, more: object = {}) => {
              const code = totpCodeAt(appKey, totpStepAt(Date.now()) + steps)
              await browser.post(`${base}/two-factor/totp`, { csrfToken: await browser.csrf(base), code, ...more })
            }
            await answer(ann.browser, -1, { intent: 'setup', setup })
            const browser = stage.browser()
            await stage.through(browser, id, 'ann')
            expect(await userIn(browser)).to.equal(undefined)
            await happen(site)
            await answer(browser, 0)
            expect(await userIn(browser)).to.equal(continues && ann.userId)
          })
        }

        for (const state of ['off', 'test']) {
          it(`begins no session if the state is "${state}" when the user returns`, async () => {
            const { stage, id, change } = await acme()
            const browser = stage.browser()
            const { headers } = await browser.submit(`${base}/signin/${id}`)
            const returned = await world.idp.signInAs(headers.location ?? '', 'ann')
            await change({ state })
            await browser.get(returned)
            expect(await userIn(browser)).to.equal(undefined)
          })
        }

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
