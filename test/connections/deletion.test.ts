/** The end of a connection: its sessions, its accounts, and the end of its organization. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { connectionsTable, domainsTable } from '../../lib/features/connections/description.js'
import type { Browser } from '../support/http-browser.js'
import { closedAfterEach } from '../support/opened.js'
import {
  base,
  changeRecord,
  connectAcme,
  connectStored,
  type OpenStage,
  openWorld,
  type Stage,
  stagesOf,
  storedOrganizations,
  strategies,
  type World,
} from './stage.js'

const people = [
  { login: 'ann', sub: 'ann-sub', name: 'Ann', email: 'ann@acme.example', email_verified: true },
  { login: 'none', sub: 'none-sub', name: 'None' },
  { login: 'guest', sub: 'guest-sub', name: 'Guest', email: 'guest@elsewhere.example' },
]

describe('deleted connections', () => {
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
          const stage = await open({
            adapter,
            providers: [{ id: 'idp', name: 'IdP', type: 'oidc', ...world.idp.settings() }],
            ...options,
          })
          const { owner, id } = await connectAcme(stage)
          const remove = async () => expect(await stage.call(owner.browser, 'delete', id)).to.deep.equal({ ok: true })
          return { stage, adapter, owner, id, remove }
        }
        const accountsOf = async (stage: Stage, browser: Browser) =>
          (await stage.callAny(browser, 'account', 'get'))?.accounts

        it('CN-15 end the sessions that they began, at the next read', async () => {
          const { stage, id, remove } = await acme()
          const browser = stage.browser()
          await stage.through(browser, id, 'ann')
          const { user } = await browser.session(base)
          stage.members.set(user.id, 'acme', 'member')
          expect(await stage.status(browser, 'acme')).to.equal(200)
          const copy = stage.browser()
          for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
          await remove()
          expect(await stage.status(browser, 'acme')).to.equal(401)
          expect(await browser.session(base)).to.equal(null)
          expect(await stage.callAny(copy, 'account', 'get')).to.equal(null)
        })

        it('CN-15 end the watches of the sessions that they began, and no others', async () => {
          const { stage, id, remove } = await acme()
          const { ends } = stage.members
          const guest = await stage.signIn('guest@elsewhere.example')
          const browser = stage.browser()
          await stage.through(browser, id, 'ann')
          for (const each of [guest.browser, browser]) expect((await each.get('/watch')).status).to.equal(200)
          await remove()
          for (let tries = 0; ends.length === 0 && tries < 500; tries++)
            await new Promise((resolve) => setTimeout(resolve, 10))
          expect(ends).to.deep.equal(['ended'])
          await guest.browser.submit(`${base}/signout`)
          for (let tries = 0; ends.length === 1 && tries < 500; tries++)
            await new Promise((resolve) => setTimeout(resolve, 10))
          expect(ends).to.deep.equal(['ended', 'ended'])
        })

        it('CN-15 leave the sessions that a user has begun with another method', async () => {
          const { stage, id, remove } = await acme()
          const guest = await stage.signIn('guest@elsewhere.example')
          stage.members.set(guest.userId, 'acme', 'member')
          await stage.through(guest.browser, id, 'guest')
          await remove()
          expect((await guest.browser.session(base)).user.id).to.equal(guest.userId)
          expect(await stage.status(guest.browser, 'acme')).to.equal(200)
        })

        it('CN-15 reject sessions if the store cannot say whether the connection exists', async () => {
          const { stage, adapter, id } = await acme()
          const browser = stage.browser()
          await stage.through(browser, id, 'ann')
          stage.members.set((await browser.session(base)).user.id, 'acme', 'member')
          const { records } = adapter.store()
          const { find } = records
          try {
            Object.assign(records, { find: () => Promise.reject(new Error('the database is down')) })
            expect(await stage.status(browser, 'acme')).to.be.oneOf([500, 503])
          } finally {
            Object.assign(records, { find })
          }
          expect(await stage.status(browser, 'acme')).to.equal(200)
        })

        it('CN-15 leave no account that leads to its user again', async () => {
          const { stage, adapter, owner, id, remove } = await acme({ connections: { provision: 'everybody' } })
          const before = stage.browser()
          await stage.through(before, id, 'none')
          const { user } = await before.session(base)
          expect(await accountsOf(stage, before)).to.deep.equal([
            { provider: id, name: 'acme <sso>', providerAccountId: 'none-sub', isLast: true },
          ])
          await remove()
          expect((await adapter.listAccountsByUserId(user.id)).map(({ provider }) => provider)).to.deep.equal([id])
          // No function takes an id, and those of new connections are random.
          const ids = [await stage.connect(owner.browser, 'acme'), await stage.connect(owner.browser, 'acme')]
          expect(new Set([...ids, id]).size).to.equal(3)
          for (const each of [id, ...ids]) expect(each).to.match(/^connection-[0-9a-f]{32}$/)
          for (const next of ids) {
            const browser = stage.browser()
            await stage.through(browser, next, 'none')
            expect((await browser.session(base)).user.id).to.not.equal(user.id)
          }
          const again = stage.browser()
          expect((await again.submit(`${base}/signin/${id}`)).status).to.equal(404)
          expect((await again.get(`${base}/callback/${id}?code=a&state=b`)).status).to.equal(404)
          expect((await again.get(`${base}/initiate/${id}?iss=${world.idp.issuer}`)).status).to.equal(404)
        })

        it('CN-15 are no sign-in method of an account page, and none that is left when the last one is unlinked', async () => {
          const { stage, id, remove } = await acme()
          const browser = stage.browser()
          const { headers } = await browser.submit(`${base}/signin/idp`)
          await browser.get(await world.idp.signInAs(headers.location ?? '', 'ann'))
          await stage.through(stage.browser(), id, 'ann')
          const providers = async () =>
            (await accountsOf(stage, browser)).map((each: { provider: string }) => each.provider)
          expect(await providers()).to.have.members(['idp', id])
          const idp = { provider: 'idp', providerAccountId: 'ann-sub' }
          const unlink = () => stage.callAny(browser, 'account', 'unlink', idp)
          // The company may delete its connection at any time.
          expect(await unlink()).to.deep.equal({ ok: false, reason: 'last' })
          await remove()
          expect(await accountsOf(stage, browser)).to.deep.equal([{ ...idp, name: 'IdP', isLast: true }])
          expect(await unlink()).to.deep.equal({ ok: false, reason: 'last' })
        })
      })
    }

    describe(`${door}, organizations that are deleted`, () => {
      it('CN-12 take their required connections and domains with them', async () => {
        const adapter = memoryAdapter()
        const stage = await at('jwt')({ adapter, ...storedOrganizations })
        try {
          const { owner, organizationId, id } = await connectStored(stage)
          const { records } = adapter.store()
          const exempt = JSON.stringify([owner.userId])
          await changeRecord(records, { table: connectionsTable, key: { id } }, { policy: 'required', exempt })
          expect((await stage.signIn('ann@acme.example', stage.browser())).userId).to.equal(undefined)
          const deleted = await stage.callAny(owner.browser, 'organizations', 'delete', organizationId)
          expect(deleted).to.deep.equal({ ok: true })
          expect(await records.find(connectionsTable, { id })).to.equal(null)
          expect(await records.find(domainsTable, { domain: 'acme.example' })).to.equal(null)
          expect((await stage.signIn('ann@acme.example', stage.browser())).userId).to.be.a('string')
        } finally {
          await stage.close()
        }
      })
    })
  }
})
