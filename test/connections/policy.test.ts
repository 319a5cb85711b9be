/** Required connections: no other sign-in method begins a session of their users, and guards want a proof of them. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { connectionsTable } from '../../lib/features/connections/description.js'
import { Totp } from '../../lib/features/factors/index-kinds.js'
import { totpCodeAt, totpStepAt } from '../../lib/features/factors/totp-factor.js'
import { passwordsTable } from '../../lib/features/passwords/description.js'
import Passkey from '../../lib/providers/passkey.js'
import Password from '../../lib/providers/password.js'
import type { EmailConfig, VerificationRequest } from '../../lib/types/provider.js'
import type { StoredRecord } from '../../lib/types/store.js'
import { fieldIn, keyIn } from '../factors/stage.js'
import { good, quickHasher } from '../password/stage.js'
import { type Browser, credentials } from '../support/app.js'
import { Authenticator } from '../support/authenticator.js'
import type { Answer } from '../support/http-browser.js'
import { formIn } from '../support/mail-server.js'
import { closedAfterEach } from '../support/opened.js'
import { PasskeyPerson } from '../support/passkey-person.js'
import {
  base,
  changeRecord,
  connectAcme,
  type OpenStage,
  openWorld,
  type Stage,
  stagesOf,
  strategies,
  type World,
} from './stage.js'

const address = 'ann@acme.example'
const people = [
  { login: 'ann', sub: 'ann-sub', name: 'Ann', email: address, email_verified: true },
  { login: 'late', sub: 'late-sub', name: 'Late', email: 'late@acme.example', email_verified: true },
  { login: 'guest', sub: 'guest-sub', name: 'Guest', email: 'guest@elsewhere.example' },
]

/** An application with every sign-in method. */
interface Site extends Stage {
  readonly adapter: ReturnType<typeof memoryAdapter>
  readonly mails: VerificationRequest[]
  /** The id of the connection of `acme`, whose domain is verified. */
  readonly id: string
  readonly userId: string
  /** Makes the connection required, as if its owner had met all conditions. */
  require(change?: Partial<StoredRecord>): Promise<void>
  link(email: string): Promise<string>
}

/** Signs in by a method. Returns the last answer. */
type Method = (site: Site, browser: Browser, key: Authenticator) => Promise<Answer>

/** Opens an email link and sends its form. */
async function openForm(browser: Browser, link: string, fields: object = {}): Promise<Answer> {
  const page = await browser.follow(await browser.get(link))
  const { action, fields: hidden } = formIn(page.text, `${base}/`)
  return browser.post(action, { ...hidden, ...fields })
}

const methods: Readonly<Record<string, Method>> = {
  credentials: (_site, browser) => browser.signIn({ username: 'ann' }, base),
  'an email link': async (site, browser) => {
    await browser.submit(`${base}/signin/email`, { email: address })
    return browser.get(await site.link(address))
  },
  'a password': (_site, browser) => browser.submit(`${base}/callback/password`, { email: address, password: good }),
  'a new password': async (site, browser) => {
    await browser.submit(`${base}/password/forgot`, { email: address })
    return openForm(browser, await site.link(address), { password: `${good} again` })
  },
  'a sign-up': async (site, browser) => {
    await browser.submit(`${base}/signup/password`, { email: 'new@acme.example', password: good })
    return openForm(browser, await site.link('new@acme.example'))
  },
  'an email link of a new user': async (site, browser) => {
    await browser.submit(`${base}/signin/email`, { email: 'newer@acme.example' })
    return browser.get(await site.link('newer@acme.example'))
  },
  'a passkey': (_site, browser, key) => new PasskeyPerson(browser, key, { base }).signIn(),
  'a provider of the configuration': async (_site, browser) => {
    const { headers } = await browser.submit(`${base}/signin/idp`)
    return browser.get(await world.idp.signInAs(headers.location ?? '', 'late'))
  },
  'startSession()': (_site, browser) => browser.get(`/start?email=${address}`),
}

let world: World

describe('required connections', () => {
  before(async () => {
    world = await openWorld(people)
  })
  after(() => world.close())

  for (const [door, at] of Object.entries(stagesOf(() => world))) {
    for (const strategy of strategies) {
      describe(`${door}, ${strategy} sessions`, () => {
        const open = closedAfterEach(at(strategy))

        const openSite = async (options: Parameters<OpenStage>[0] = {}): Promise<Site> => {
          const adapter = memoryAdapter()
          const mails: VerificationRequest[] = []
          const mail: EmailConfig = {
            id: 'email',
            name: 'Email',
            type: 'email',
            sendVerificationRequest: (sent) => void mails.push(sent),
            sendNotice: () => {},
          }
          let userId = ''
          const authorize = () => ({ id: userId, email: address })
          const stage = await open({
            adapter,
            experimental: { enableWebAuthn: true },
            providers: [
              ...[credentials({ authorize }), mail, Password({ mail, hash: quickHasher() }), Passkey()],
              { id: 'idp', name: 'IdP', type: 'oidc', ...world.idp.settings() },
            ],
            ...options,
          })
          const { id } = await connectAcme(stage)
          userId = (await stage.signIn(address)).userId
          stage.members.set(userId, 'acme', 'member')
          return {
            ...stage,
            ...{ adapter, mails, id, userId },
            async require(change = {}) {
              const { records } = adapter.store()
              const required = { policy: 'required', state: 'on', ...change }
              await changeRecord(records, { table: connectionsTable, key: { id } }, required)
            },
            async link(email) {
              for (let tries = 0; tries < 300; tries++) {
                const at = mails.findIndex(({ identifier }) => identifier === email)
                if (at >= 0) return mails.splice(at, 1)[0]?.url ?? ''
                await new Promise((resolve) => setTimeout(resolve, 5))
              }
              throw new Error(`no mail to ${email}`)
            },
          }
        }

        /** Gives the user a password and a passkey. */
        const equip = async (site: Site): Promise<Authenticator> => {
          const key = new Authenticator()
          const { browser } = await site.signIn(address)
          await new PasskeyPerson(browser, key, { base }).register()
          const { id: userId = '' } = (await site.adapter.getUserByEmail(address)) ?? {}
          const hash = await quickHasher().hash(good)
          await site.adapter.store().records.write(passwordsTable, { userId, hash, changedAt: new Date() }, 0)
          await site.adapter.linkAccount({
            provider: 'password',
            providerAccountId: userId,
            type: 'credentials',
            userId,
          })
          return key
        }

        for (const [name, method] of Object.entries(methods)) {
          it(`CN-06 begin no session by ${name}, and lead to the connection`, async () => {
            const site = await openSite()
            const key = await equip(site)
            const before = site.browser()
            const begun = await method(site, before, key)
            expect((await before.session(base))?.user, `${name}: ${begun.text}`).to.include.keys('email')
            // The addresses of new users are new again.
            await site.close()
            const strict = await openSite()
            const strictKey = await equip(strict)
            await strict.require()
            const browser = strict.browser()
            const { headers, body } = await method(strict, browser, strictKey)
            expect(await browser.session(base)).to.equal(null)
            expect(headers.location ?? body.url).to.include(`${base}/signin/${strict.id}?`)
            expect(await strict.status(browser, 'acme')).to.equal(401)
          })
        }

        it('CN-06 begin a session by the connection', async () => {
          const site = await openSite()
          await site.require()
          const browser = site.browser()
          await site.through(browser, site.id, 'ann')
          expect((await browser.session(base)).user.id).to.equal(site.userId)
          expect(await site.status(browser, 'acme')).to.equal(200)
        })

        it('CN-06 stop a sign-in whose second factor was pending', async () => {
          const site = await openSite({ factors: { methods: [Totp()] } })
          await equip(site)
          const { browser } = await site.signIn(address)
          const page = await browser.get(`${base}/two-factor/totp?setup`)
          const [setup, appKey] = [fieldIn(page.text, 'setup'), keyIn(page.text)]
          const code = (steps: number) => totpCodeAt(appKey, totpStepAt(Date.now()) + steps)
          const answer = (visitor: Browser, form: object) =>
            visitor.ask(`${base}/two-factor/totp`, { form: { csrfToken: true, ...form } })
          browser.headers.accept = 'text/html'
          const csrfToken = await browser.csrf(base)
          await browser.post(`${base}/two-factor/totp`, { csrfToken, intent: 'setup', setup, code: code(-1) })
          const visitor = site.browser()
          await visitor.submit(`${base}/callback/password`, { email: address, password: good })
          expect(await visitor.session(base)).to.equal(null)
          await site.require()
          await answer(visitor, { csrfToken: await visitor.csrf(base), code: code(0) })
          expect(await visitor.session(base)).to.equal(null)
          await site.require({ policy: 'optional' })
          await visitor.submit(`${base}/callback/password`, { email: address, password: good })
          await answer(visitor, { csrfToken: await visitor.csrf(base), code: code(1) })
          expect((await visitor.session(base)).user.id).to.equal(site.userId)
        })

        it('CN-10 count at the next request of a session that began before', async () => {
          const site = await openSite()
          const { browser } = await site.signIn(address)
          expect(await site.status(browser, 'acme')).to.equal(200)
          await site.require()
          expect(await site.status(browser, 'acme')).to.equal(401)
          const shown = await browser.get('/org/acme', { accept: 'text/html', 'sec-fetch-mode': 'navigate' })
          expect(shown.headers.location).to.include(`${base}/signin/${site.id}?callbackUrl=%2Forg%2Facme`)
          const page = await browser.get(shown.headers.location ?? '')
          expect(page.text).to.include('acme &#60;sso&#62;')
          await site.through(browser, site.id, 'ann')
          expect(await site.status(browser, 'acme')).to.equal(200)
        })

        it('CN-10 are confirmed by each of two organizations, in one session', async () => {
          const site = await openSite()
          const other = await site.signIn('owner@beta.example')
          site.members.set(other.userId, 'beta', 'owner')
          await site.verify(other.browser, 'beta', 'beta.example')
          const beta = await site.connect(other.browser, 'beta')
          await site.require()
          const { records } = site.adapter.store()
          await changeRecord(records, { table: connectionsTable, key: { id: beta } }, { policy: 'required' })
          const browser = site.browser()
          await site.through(browser, site.id, 'ann')
          site.members.set(site.userId, 'beta', 'member')
          expect([await site.status(browser, 'acme'), await site.status(browser, 'beta')]).to.deep.equal([200, 401])
          await site.through(browser, beta, 'ann')
          expect([await site.status(browser, 'acme'), await site.status(browser, 'beta')]).to.deep.equal([200, 200])
          expect((await browser.session(base)).user.id).to.equal(site.userId)
        })

        it('CN-07 reject sign-ins and guarded requests if the policy cannot be read', async () => {
          const site = await openSite()
          await site.require()
          const { browser } = await site.signIn('stranger@other.example')
          const { records } = site.adapter.store()
          const { list, find } = records
          const fail = () => Promise.reject(new Error('the database is down'))
          try {
            Object.assign(records, { list: fail })
            const visitor = site.browser()
            const answer = await visitor.signIn({}, base)
            expect([answer.status, await visitor.session(base)]).to.deep.equal([503, null])
            expect((await site.signIn(address, site.browser())).userId).to.equal(undefined)
            site.members.set((await browser.session(base)).user.id, 'acme', 'member')
            expect(await site.status(browser, 'acme')).to.be.oneOf([500, 503])
            Object.assign(records, { list, find: fail })
            expect((await site.signIn(address, site.browser())).userId).to.equal(undefined)
          } finally {
            Object.assign(records, { list, find })
          }
        })

        it('exempt users keep their methods', async () => {
          const site = await openSite()
          await equip(site)
          await site.require({ exempt: JSON.stringify([site.userId]) })
          const browser = site.browser()
          await browser.submit(`${base}/callback/password`, { email: address, password: good })
          expect((await browser.session(base)).user.id).to.equal(site.userId)
          expect(await site.status(browser, 'acme')).to.equal(200)
        })
      })
    }
  }
})
