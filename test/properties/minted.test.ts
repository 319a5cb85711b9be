/**
 * All values that are created and come back: valid once, for a while, in one browser, under one secret, and not while
 * the store is unavailable. The peculiarities of one kind are tested in the suites of its flow.
 */
import { expect } from 'chai'
import Passkey from '../../lib/providers/passkey.js'
import Password from '../../lib/providers/password.js'
import { open, quickHasher, send } from '../password/stage.js'
import { Authenticator } from '../support/authenticator.js'
import { advanceClock, freezeClock } from '../support/clock.js'
import { type Answer, type Browser, target } from '../support/http-browser.js'
import { formIn } from '../support/mail-server.js'
import { PasskeyPerson } from '../support/passkey-person.js'
import { present, strategies, type World, world } from '../support/world.js'

/** Spends what was minted, as this browser. */
type Spend = (browser: Browser) => Promise<unknown>

interface Minted {
  /** Threat ids, by property. */
  readonly ids: Partial<Record<'once' | 'at once' | 'bound' | 'ends', string>>
  /** Seconds until it ends. */
  readonly life: number
  /** True if other browsers may use it. */
  readonly anywhere?: true
  mint(site: World, browser: Browser): Promise<Spend>
}

const [ann, password] = ['ann@example.com', 'four words in a row']
const pathOf = (url: string) => new URL(url).pathname + new URL(url).search

/** The newest email, once it is there. */
async function mailed({ mails }: World, mint: () => Promise<Answer>): Promise<{ url: string; token: string }> {
  const before = mails.length
  await mint()
  for (let tries = 0; mails.length === before && tries < 400; tries += 1) await new Promise((r) => setTimeout(r, 5))
  const { url } = present(mails.at(-1))
  return { url: pathOf(url), token: new URL(url).searchParams.get('token') ?? '' }
}

const kinds: Readonly<Record<string, Minted>> = {
  'a sign-in at a provider': {
    ids: { once: 'ST-04', 'at once': 'RC-02', bound: 'ST-01 ST-03', ends: 'ST-05' },
    life: 15 * 60,
    async mint({ provider }, browser) {
      const begun = await browser.submit('/auth/signin/test')
      const callback = provider.authorize(target(begun))
      return (by) => by.get(pathOf(callback))
    },
  },
  'an email link': {
    ids: { once: 'EM-09', 'at once': 'RC-01', ends: 'EM-09' },
    life: 24 * 60 * 60,
    anywhere: true,
    async mint(site, browser) {
      const { url } = await mailed(site, () => browser.submit('/auth/signin/email', { email: ann }))
      return async (by) => {
        const page = await by.get(url)
        if (page.status !== 200) return page
        const { action, fields } = formIn(page.text, '/callback/')
        return by.post(action, fields)
      }
    },
  },
  'an email code': {
    ids: { once: 'EM-09', 'at once': 'RC-03', ends: 'EM-11' },
    life: 10 * 60,
    async mint(site, browser) {
      const { token } = await mailed(site, () => browser.submit('/auth/signin/code', { email: ann }))
      return (by) => by.submit('/auth/callback/code', { email: ann, token })
    },
  },
  'a link that verifies the address of a new password': {
    ids: { once: 'CD-14' },
    life: 24 * 60 * 60,
    async mint(site, browser) {
      const { url } = await mailed(site, () => browser.submit('/auth/signup/password', { email: ann, password }))
      return async (by) => send(by, await open(by, url))
    },
  },
  'a link that resets a password': {
    ids: { once: 'CD-14', ends: 'CD-14' },
    life: 30 * 60,
    anywhere: true,
    async mint(site, browser) {
      const { url: first } = await mailed(site, () => browser.submit('/auth/signup/password', { email: ann, password }))
      await send(browser, await open(browser, first))
      await browser.submit('/auth/signout')
      const { url } = await mailed(site, () => browser.submit('/auth/password/forgot', { email: ann }))
      return async (by) => send(by, await open(by, url), { password: 'other words in a row' })
    },
  },
  'a challenge to use a passkey': {
    ids: { once: 'WA-03', 'at once': 'WA-13' },
    life: 15 * 60,
    async mint(_site, browser) {
      const person = new PasskeyPerson(browser, new Authenticator())
      await person.register({ email: ann })
      await person.signOut()
      const answer = person.key.get(await person.options('authenticate'))
      return (by) => person.with({ browser: by }).send('authenticate', answer)
    },
  },
  'a challenge to create a passkey': {
    ids: { once: 'WA-03' },
    life: 15 * 60,
    async mint(_site, browser) {
      const person = new PasskeyPerson(browser, new Authenticator())
      const answer = person.key.create(await person.options('register', { email: ann }))
      return (by) => person.with({ browser: by }).send('register', answer)
    },
  },
}

const isSignedIn = async (browser: Browser) => (await browser.session()) !== null

/** A browser with these cookies, perhaps at another application. */
function holding(cookies: ReadonlyMap<string, string>, browser: Browser): Browser {
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  return browser
}

for (const strategy of strategies) {
  for (const [what, { ids, life, anywhere, mint }] of Object.entries(kinds)) {
    describe(`${what}, with ${strategy} sessions`, () => {
      const site = world({ strategy, store: 'memory', provider: true, config: configOf })

      /** Mints one. The cookies are those of the browser before it spends. */
      async function minted() {
        const spend = await mint(site, site.browser)
        const held = new Map(site.browser.cookies)
        const spendBy = async (browser: Browser) => {
          // Refusals may end in pages that have no form to send.
          await spend(browser).catch((error) => expect(String(error)).to.match(/AssertionError|has no form/))
          return isSignedIn(browser)
        }
        return { spendBy, again: () => holding(held, site.app.browser()) }
      }

      it(`${ids.once ?? ''} signs in once, though the cookies are put back`, async () => {
        const { spendBy, again } = await minted()
        expect(await spendBy(site.browser)).to.equal(true)
        expect(await spendBy(again())).to.equal(false)
      })

      it(`${ids['at once'] ?? ''} signs in once, of ten times at once`, async () => {
        const { spendBy, again } = await minted()
        const signedIn = await Promise.all(Array.from({ length: 10 }, () => spendBy(again())))
        expect(signedIn.filter(Boolean)).to.have.length(1)
      })

      it(`${ids.bound ?? ''} ${anywhere ? 'is' : 'is not'} good in another browser`, async () => {
        const { spendBy } = await minted()
        expect(await spendBy(site.app.browser())).to.equal(anywhere ?? false)
      })

      for (const [seconds, good] of [
        [life - 1, true],
        [life, false],
      ] as const) {
        it(`${ids.ends ?? ''} ${good ? 'is' : 'is not'} good after ${seconds} seconds`, async () => {
          freezeClock()
          const { spendBy } = await minted()
          advanceClock(seconds)
          expect(await spendBy(site.browser)).to.equal(good)
        })
      }

      it('is not good under another secret', async () => {
        const { spendBy, again } = await minted()
        await site.serve({ secret: 'another-secret-of-more-than-32-characters' })
        expect(await spendBy(again())).to.equal(false)
      })

      it('is not good while the store is away', async () => {
        const { spendBy, again } = await minted()
        site.db.replaceAll(() => Promise.reject(new Error('away')))
        const browser = again()
        await spendBy(browser).catch(() => undefined)
        site.db.repair()
        expect(await isSignedIn(browser)).to.equal(false)
      })
    })
  }
}

function configOf(site: World) {
  const mail = site.emailProvider({ sendNotice: () => undefined })
  const code = { id: 'code', name: 'Code', maxAge: 10 * 60, generateVerificationToken: () => '73920461', limit: {} }
  const test = { id: 'test', name: 'Test', type: 'oidc' as const, ...site.provider.settings }
  return {
    experimental: { enableWebAuthn: true },
    providers: [test, mail, site.emailProvider(code), Passkey(), Password({ hash: quickHasher(), mail })],
  }
}
