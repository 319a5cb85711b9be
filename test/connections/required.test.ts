/** A connection that its owner makes required, and the sessions and keys that exist already or are handed over. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { connectionsTable } from '../../lib/features/connections/description.js'
import { Totp } from '../../lib/features/factors/index-kinds.js'
import { totpCodeAt, totpStepAt } from '../../lib/features/factors/totp-factor.js'
import { passwordsTable } from '../../lib/features/passwords/description.js'
import Password from '../../lib/providers/password.js'
import type { EmailConfig, VerificationRequest } from '../../lib/types/provider.js'
import { AppClient, clients } from '../apps/stage.js'
import { fieldIn, keyIn } from '../factors/stage.js'
import { good, quickHasher } from '../password/stage.js'
import type { Browser } from '../support/app.js'
import { closedAfterEach } from '../support/opened.js'
import { base, changeRecord, connectAcme, openWorld, stagesOf, strategies, type World } from './stage.js'

const address = 'owner@acme.example'
const people = [
  { login: 'owner', sub: 'owner-sub', name: 'Owner', email: address },
  { login: 'ann', sub: 'ann-sub', name: 'Ann', email: 'ann@acme.example' },
]

describe('a connection that its owner makes required', () => {
  let world: World
  before(async () => {
    world = await openWorld(people)
  })
  after(() => world.close())

  for (const [door, at] of Object.entries(stagesOf(() => world))) {
    for (const strategy of strategies) {
      describe(`${door}, ${strategy} sessions`, () => {
        const openStage = closedAfterEach(at(strategy))

        /** The owner has a password and an authenticator app. */
        const open = async () => {
          const adapter = memoryAdapter()
          const mails: VerificationRequest[] = []
          const mail: EmailConfig = {
            ...{ id: 'email', name: 'Email', type: 'email', maxAge: 600 },
            generateVerificationToken: () => '123456',
            sendVerificationRequest: (sent) => void mails.push(sent),
            sendNotice: () => {},
          }
          const stage = await openStage({
            adapter,
            apps: { clients },
            apiKeys: { store: true, prefix: 'test', scopes: ['notes:read'] },
            factors: { methods: [Totp()] },
            providers: [mail, Password({ mail, hash: quickHasher() })],
            session: { strategy, bearer: true, revocation: strategy === 'jwt' ? { list: true } : true },
          })
          const { owner, id } = await connectAcme(stage, address)
          const hash = await quickHasher().hash(good)
          const { userId } = owner
          const { records } = adapter.store()
          await records.write(passwordsTable, { userId, hash, changedAt: new Date() }, 0)
          await adapter.linkAccount({ provider: 'password', providerAccountId: userId, type: 'credentials', userId })
          owner.browser.headers.accept = 'text/html'
          const page = await owner.browser.get(`${base}/two-factor/totp?setup`)
          const [setup, appKey] = [fieldIn(page.text, 'setup'), keyIn(page.text)]
          const code = (steps: number) => totpCodeAt(appKey, totpStepAt(Date.now()) + steps)
          const answer = async (browser: Browser, fields: object) =>
            browser.post(`${base}/two-factor/totp`, { csrfToken: await browser.csrf(base), ...fields })
          await answer(owner.browser, { intent: 'setup', setup, code: code(-1) })
          const require = (more: object = {}) =>
            stage.call(owner.browser, 'set', id, { state: 'on', policy: 'required', exempt: [userId], ...more })
          return { stage, adapter, records, mails, owner, id, code, answer, require }
        }
        type Site = Awaited<ReturnType<typeof open>>

        /** Tries the connection as the owner, and makes it required. */
        const tryAndRequire = async ({ stage, owner, id, answer, code, require }: Site) => {
          expect(await stage.call(owner.browser, 'set', id, { state: 'test' })).to.deep.equal({ ok: true })
          expect(await require()).to.deep.equal({ ok: false, reason: 'untested' })
          await stage.through(owner.browser, id, 'owner')
          await answer(owner.browser, { code: code(0) })
          expect((await owner.browser.session(base)).user.id).to.equal(owner.userId)
          expect(await require()).to.deep.equal({ ok: true })
        }

        it('CN-12 succeed within an hour after a test, with an owner who can return', async () => {
          const site = await open()
          const { stage, records, owner, id, answer, code, require } = site
          await tryAndRequire(site)
          expect(await require({ exempt: [] })).to.deep.equal({ ok: false, reason: 'exempt' })
          expect(await require({ exempt: ['nobody'] })).to.deep.equal({ ok: false, reason: 'exempt' })
          const browser = stage.browser()
          await browser.submit(`${base}/callback/password`, { email: address, password: good })
          expect(await browser.session(base)).to.equal(null)
          await answer(browser, { code: code(1) })
          expect((await browser.session(base)).user.id).to.equal(owner.userId)
          expect(await stage.status(browser, 'acme')).to.equal(200)
          expect(await require({ policy: 'optional' })).to.deep.equal({ ok: true })
          const testedAt = new Date(Date.now() - 61 * 60 * 1000)
          await changeRecord(records, { table: connectionsTable, key: { id } }, { testedAt })
          expect(await require()).to.deep.equal({ ok: false, reason: 'untested' })
        })

        it('CN-06 begin no session by an email code', async () => {
          const site = await open()
          const { stage, mails } = site
          const signIn = async (email: string) => {
            const browser = stage.browser()
            await browser.submit(`${base}/signin/email`, { email })
            await browser.get(mails.splice(0).at(-1)?.url ?? '/no-mail')
            return browser
          }
          const before = await signIn('ann@acme.example')
          expect((await before.session(base)).user.email).to.equal('ann@acme.example')
          await tryAndRequire(site)
          for (const email of ['ann@acme.example', 'new@acme.example'])
            expect(await (await signIn(email)).session(base), email).to.equal(null)
        })

        it('CN-10 count for apps: a session that was handed over proves what its browser has proved', async () => {
          const site = await open()
          const { stage, id } = site
          const ann = await stage.signIn('ann@acme.example')
          stage.members.set(ann.userId, 'acme', 'member')
          const before = new AppClient(stage.origin)
          const token = await before.signIn(ann.browser)
          expect((await before.get(token, '/org/acme')).status).to.equal(200)
          await tryAndRequire(site)
          expect((await before.get(token, '/org/acme')).status).to.equal(401)
          const unconfirmed = new AppClient(stage.origin)
          expect((await unconfirmed.get(await unconfirmed.signIn(ann.browser), '/org/acme')).status).to.equal(401)
          await stage.through(ann.browser, id, 'ann')
          const confirmed = new AppClient(stage.origin)
          expect((await confirmed.get(await confirmed.signIn(ann.browser), '/org/acme')).status).to.equal(200)
        })

        it('CN-10 count for new API keys of the organization, and leave those that members have', async () => {
          const site = await open()
          const { stage, id } = site
          const ann = await stage.signIn('ann@acme.example')
          stage.members.set(ann.userId, 'acme', 'member')
          const wanted = { name: 'script', scopes: ['notes:read'], organization: 'acme' }
          const create = () => stage.callAny(ann.browser, 'apiKeys', 'create', wanted)
          expect(await create()).to.include({ ok: true })
          await tryAndRequire(site)
          expect(await create()).to.deep.equal({ ok: false, reason: 'organization' })
          expect(await stage.callAny(ann.browser, 'apiKeys', 'list')).to.have.length(1)
          await stage.through(ann.browser, id, 'ann')
          expect(await create()).to.include({ ok: true })
        })
      })
    }
  }
})
