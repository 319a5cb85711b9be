/**
 * An unverified address is a claim: a stranger signed up with it, and then its owner signs in. The owner gets the
 * address, and a user of their own; the stranger keeps the rest.
 */

import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { clearSiteMemories } from '../../lib/base/memory.js'
import { expressFunctions } from '../../lib/functions/on-express.js'

import Credentials from '../../lib/providers/credentials.js'
import type { AdapterMethod, AdapterUser } from '../../lib/types/adapter.js'
import { type Browser, target } from '../support/app.js'
import { heldToken, sessionName } from '../support/session.js'
import { adapterKinds, type OpenAdapter, openAdapter } from './linking-databases.js'
import { extensions, gate, type LinkingOptions, present, strategies, useLinking } from './linking-stage.js'

const email = 'victim@example.com'
/** The stranger's account, with the victim's address. */
const mallory = { sub: 'mallory', email, email_verified: false }
/** The victim's own account. */
const victim = { sub: 'victim', email, email_verified: true }

describe('an address that a stranger claims', () => {
  const stage = useLinking()
  let stranger: Browser
  let user: AdapterUser

  /** A stranger is signed in as a user with the victim's address, with two accounts and a passkey. */
  async function occupy(options: LinkingOptions = {}): Promise<void> {
    await stage.start({ two: { allowDangerousEmailAccountLinking: true }, ...options })
    stranger = stage.app.browser()
    await stage.enter(stranger, 'one', mallory)
    await stage.enter(stranger, 'one', { sub: 'mallory-2' })
    user = present(await stage.userByEmail(email))
    await stage.recorder.inner.createAuthenticator?.({
      userId: user.id,
      providerAccountId: 'passkey',
      credentialID: 'credential',
      credentialPublicKey: 'key',
      counter: 0,
      credentialBackedUp: false,
      credentialDeviceType: 'singleDevice',
    })
    await stage.recorder.inner.linkAccount?.({
      provider: 'passkey',
      providerAccountId: 'passkey',
      type: 'webauthn',
      userId: user.id,
    })
    stage.recorder.clear()
  }

  /** Checks that all of the stranger's records are unchanged. */
  async function expectKept(): Promise<void> {
    expect(await stage.who(stranger)).to.equal(user.id)
    expect(await stage.recorder.accountsOf(user)).to.deep.equal(['one:mallory', 'one:mallory-2', 'passkey:passkey'])
    expect(await stage.recorder.inner.listAuthenticatorsByUserId?.(user.id)).to.have.length(1)
  }

  /** Checks that the owner of the address is a user of their own, with these accounts and nothing else. */
  async function expectApart(browser: Browser, accounts: string[]): Promise<void> {
    stage.expectNoFault()
    const owner = present(await stage.userByEmail(email))
    expect(await stage.who(browser))
      .to.equal(owner.id)
      .and.not.equal(user.id)
    expect(owner.emailVerified).to.be.a('date')
    expect(await stage.recorder.accountsOf(owner)).to.deep.equal(accounts)
    await expectKept()
    const before = present(await stage.recorder.inner.getUser?.(user.id))
    expect([before.email || null, before.emailVerified]).to.deep.equal([null, null])
    expect(await stage.enter(stage.app.browser(), 'one', mallory), 'comes back to their own user').to.equal(user.id)
    expect(
      stage.recorder.writes().filter((name) => /deleteUser|unlink|deleteAuthenticator|deleteSessions/.test(name)),
    ).to.deep.equal([])
  }

  const proofs = [
    ['a mailed link', (browser: Browser) => stage.enterByMail(browser, email), []],
    ['a provider', (browser: Browser) => stage.signIn(browser, 'one', victim), ['one:victim']],
    ['a provider that links by address', (browser: Browser) => stage.signIn(browser, 'two', victim), ['two:victim']],
  ] as const
  const kinds: ReadonlyArray<readonly [what: string, options: LinkingOptions]> = [
    ...strategies.map((strategy) => [`with ${strategy} sessions`, { strategy }] as const),
    ['with JWT sessions and a published adapter', { strategy: 'jwt', without: extensions }],
    ['with a published adapter', { without: extensions }],
    ['without `unlinkAccount`', { without: ['unlinkAccount', 'transaction'] }],
  ]
  for (const [what, options] of kinds) {
    for (const [how, prove, accounts] of proofs) {
      it(`LK-01 LK-02 goes to its owner, who gets a user of their own: ${what}, by ${how}`, async () => {
        await occupy(options)
        const browser = stage.app.browser()
        await prove(browser)
        const told = stage.recorder.details('events.updateUser')
        expect(told).to.have.length(1)
        expect(told[0]).to.include({ lostAddress: true }).and.have.nested.property('user.id', user.id)
        const events = stage.recorder.names(/^events/)
        expect(events).to.deep.equal([
          'events.updateUser',
          'events.createUser',
          ...accounts.map(() => 'events.linkAccount'),
          'events.signIn',
        ])
        await expectApart(browser, [...accounts])
      })
    }
  }

  it('changes hands once: later proofs lead to its owner', async () => {
    await occupy()
    const id = await stage.enter(stage.app.browser(), 'one', victim)
    stage.recorder.clear()
    const browser = stage.app.browser()
    await stage.enterByMail(browser, email)
    expect(await stage.who(browser)).to.equal(id)
    const other = stage.app.browser()
    expect(await stage.enter(other, 'two', { ...victim, sub: 'victim-at-two' })).to.equal(id)
    expect(stage.recorder.names(/createUser/)).to.deep.equal([])
    await expectKept()
  })

  for (const email_verified of [false, undefined, 'true', 1]) {
    it(`does not go to who says it, and proves nothing: email_verified ${JSON.stringify(email_verified)}`, async () => {
      await occupy()
      const response = await stage.signIn(stage.app.browser(), 'one', { ...victim, email_verified })
      await stage.expectRefused(response, 'OAuthAccountNotLinked')
      expect(await stage.userByEmail(email)).to.have.property('id', user.id)
      expect(stage.recorder.writes()).to.deep.equal([])
    })
  }

  it('is not linked to by the bare word of a provider where nothing could be locked', async () => {
    await occupy({ without: ['transaction'] })
    const response = await stage.signIn(stage.app.browser(), 'two', { sub: 'victim', email })
    await stage.expectRefused(response, 'OAuthAccountNotLinked')
    expect(await stage.recorder.accountsOf(user)).to.not.include('two:victim')
  })

  it('goes to its owner by a link that the stranger asked for', async () => {
    await occupy()
    const link = await stage.askForLink(stranger, email)
    const browser = stage.app.browser()
    await open(browser, link)
    await expectApart(browser, [])
  })

  it('stays with who asks for the link while signed in, and opens it there', async () => {
    for (const options of kinds.map(([, options]) => options)) {
      await occupy(options)
      const held = heldToken(stranger)
      await stage.enterByMail(stranger, email)
      stage.expectNoFault()
      expect(heldToken(stranger)).to.not.equal(held)
      await expectKept()
      expect(present(await stage.userByEmail(email))).to.have.property('id', user.id)
      expect(present(await stage.userByEmail(email)).emailVerified).to.be.a('date')
    }
  })

  it('goes to who has signed out meanwhile, in the same browser too', async () => {
    await occupy()
    const link = await stage.askForLink(stranger, email)
    await stranger.submit('/auth/signout')
    await open(stranger, link)
    expect(await stage.who(stranger))
      .to.be.a('string')
      .and.not.equal(user.id)
    expect(await stage.recorder.accountsOf(user)).to.have.length(3)
  })

  it('creates no second user for a browser that is signed in as another user, unless they confirm it', async () => {
    await occupy()
    const browser = stage.app.browser()
    const other = await stage.enter(browser, 'one', { sub: 'other', email: 'other@example.com' })
    const link = await stage.askForLink(browser, email)
    const page = await browser.get(link)
    expect(page.text).to.include('makes a new account for this address')
    expect(await stage.who(browser)).to.equal(other)
    await open(browser, link)
    await expectApart(browser, [])
  })

  for (const strategy of ['jwt', 'database'] as const) {
    it(`is not taken by surprise from a session that did not begin in this browser (${strategy})`, async () => {
      await stage.start({ strategy })
      const browser = stage.app.browser()
      const id = await stage.enter(browser, 'one', { sub: 'ann', email })
      // As in a session that was taken over, or is shared with another host.
      browser.cookies.delete('auth.browser')
      const page = await browser.get(await stage.askForLink(browser, email))
      expect(page.status).to.equal(200)
      expect(page.text).to.include('makes a new account for this address')
      expect(await stage.who(browser)).to.equal(id)
      expect(present(await stage.userByEmail(email)).id).to.equal(id)
    })
  }

  it('is not proved by a link that was only asked for', async () => {
    await occupy()
    await stage.askForLink(stage.app.browser(), email)
    await expectKept()
    expect(present(await stage.userByEmail(email))).to.include({ id: user.id, emailVerified: null })
  })

  it('shares the user with `allowDangerousUnprovedAddressMerge`, which warns at the start', async () => {
    for (const options of kinds.map(([, options]) => options)) {
      await occupy({ ...options, allowDangerousUnprovedAddressMerge: true })
      expect(stage.app.log.warnings.map(({ code }) => code)).to.include('dangerous-merge')
      const browser = stage.app.browser()
      await stage.enterByMail(browser, email)
      const [told] = stage.recorder.details('events.updateUser')
      expect(told).to.include({ firstProof: true })
      await stage.enter(stage.app.browser(), 'two', victim)
      stage.expectNoFault()
      // Rows that the adapter lists have ended. JWT sessions do with `session.revocation`: see `first-proof-sessions`.
      const kept = options.strategy === 'jwt' || options.without?.includes('listSessionsByUserId')
      expect([await stage.who(browser), await stage.who(stranger)]).to.deep.equal([user.id, kept ? user.id : undefined])
      expect(await stage.recorder.accountsOf(user)).to.include.members(['one:mallory', 'two:victim'])
    }
  })

  it('asks the `signIn` callback about the new user, not about the stranger’s', async () => {
    const asked: unknown[] = []
    await occupy({ callbacks: { signIn: ({ user: { id } }) => asked.push(id) > 0 } })
    asked.length = 0
    await stage.enterByMail(stage.app.browser(), email)
    await stage.enter(stage.app.browser(), 'two', victim)
    expect(asked.slice(0, 2)).to.not.include(user.id)
    expect(asked).to.have.length(3)
    expect(asked[2], 'the second one ends at the user of the first').to.equal((await stage.userByEmail(email))?.id)
  })

  it('is no way around a ban: `signIn` gets the user whom linking leads to, by address and in a session', async () => {
    const banned = new Set<string>()
    await stage.start({
      two: { allowDangerousEmailAccountLinking: true },
      callbacks: { signIn: ({ user: { id } }) => !banned.has(String(id)) },
    })
    const browser = stage.app.browser()
    const id = await stage.enter(browser, 'one', victim)
    banned.add(id)
    for (const [who, before] of [
      [stage.app.browser(), undefined],
      [browser, id],
    ] as const) {
      await stage.expectRefused(await stage.signIn(who, 'two', victim), 'AccessDenied', who, before)
      stage.forgive()
    }
    const byMail = stage.app.browser()
    await byMail.submit('/auth/signin/email', { email })
    expect(stage.mails, 'no mail either').to.deep.equal([])
    expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['one:victim'])
  })

  describe('of an owner whose sign-in fails half-way', () => {
    const steps = ['updateUser', 'createUser', 'linkAccount'] satisfies AdapterMethod[]
    for (const without of [[], ['transaction']] as const) {
      for (const step of steps) {
        it(`at ${step} succeeds at the next try (${without.length ? 'no transactions' : 'transactions'})`, async () => {
          await occupy({ without })
          stage.recorder.before.set(step, () => {
            throw new Error('the database is gone')
          })
          const browser = stage.app.browser()
          await stage.expectRefused(await stage.signIn(browser, 'one', victim), 'AdapterError', browser)
          if (without.length === 0) expect(await stage.userByEmail(email)).to.have.property('id', user.id)
          await expectKept()
          stage.recorder.before.clear()
          stage.forgive()
          await stage.signIn(browser, 'one', victim)
          await expectApart(browser, ['one:victim'])
        })
      }
    }

    it('because the adapter takes no user without an address: nothing is lost, and the log says what to do', async () => {
      await occupy({ without: ['transaction'] })
      stage.recorder.before.set('updateUser', (patch) => {
        if ((patch as AdapterUser).email === null) throw new Error('NOT NULL constraint failed')
      })
      await stage.expectRefused(await stage.enterByMail(stage.app.browser(), email), 'AdapterError')
      expect(stage.app.log.errors[0]?.message).to.include('of the users nullable')
      expect(await stage.userByEmail(email)).to.have.property('id', user.id)
      await expectKept()
    })

    it('because the adapter drops `null`: nothing is lost', async () => {
      const inner = memoryAdapter()
      const { updateUser } = inner
      inner.updateUser = ({ email: address, ...patch }) =>
        updateUser(address === null ? patch : { ...patch, ...(address !== undefined && { email: address }) })
      await occupy({ adapter: inner, without: ['transaction'] })
      await stage.expectRefused(await stage.enterByMail(stage.app.browser(), email), 'AdapterError')
      expect(await stage.userByEmail(email)).to.have.property('id', user.id)
    })
  })

  it('of a creator who never finished: both can sign in, in either order', async () => {
    for (const first of ['mallory', 'victim'] as const) {
      await stage.start({ without: ['transaction'] })
      stage.recorder.before.set('linkAccount', () => {
        throw new Error('the database is gone')
      })
      await stage.expectRefused(await stage.signIn(stage.app.browser(), 'one', mallory), 'AdapterError')
      stage.recorder.before.clear()
      stage.forgive()
      if (first === 'mallory') await stage.enter(stage.app.browser(), 'one', mallory)
      const browser = stage.app.browser()
      await stage.enterByMail(browser, email)
      stage.expectNoFault()
      expect(await stage.recorder.accountsOf({ id: present(await stage.who(browser)) })).to.deep.equal([])
    }
  })

  for (const [type, more, attempt] of [
    ['oidc', [], (browser: Browser) => stage.signIn(browser, 'one', mallory)],
    [
      'credentials',
      [Credentials({ credentials: {}, authorize: () => ({ id: 'mallory', email }) })],
      (browser: Browser) => browser.submit('/auth/callback/credentials', {}),
    ],
  ] as const) {
    for (const when of ['before', 'after'] as const) {
      it(`of a user whom another process is making: nothing of the maker gets to the owner (${when} linkAccount, ${type})`, async () => {
        await stage.start({ without: ['transaction'], more: [...more] })
        const attacker = stage.app.browser()
        clearSiteMemories()
        const owner = (await stage.serve()).browser()
        stage.recorder[when].set('linkAccount', async () => {
          stage.recorder[when].clear()
          await stage.enterByMail(owner, email)
        })
        await attempt(attacker)
        stage.expectNoFault()
        const id = present(await stage.who(owner))
        expect(await stage.recorder.accountsOf({ id })).to.deep.equal([])
        expect(await stage.userByEmail(email)).to.have.property('id', id)
        expect(await stage.who(attacker)).to.not.equal(id)
      })
    }
  }

  it('leaves others alone', async () => {
    await occupy()
    const other = stage.app.browser()
    const id = await stage.enter(other, 'one', { sub: 'other', email: 'other@example.com' })
    await stage.enterByMail(stage.app.browser(), email)
    expect(await stage.who(other)).to.equal(id)
    expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['one:other'])
  })

  /** Opens a link in any browser, and confirms if required. */
  async function open(browser: Browser, link: string): Promise<void> {
    const response = await browser.get(link)
    if (response.status !== 200) return
    const query = Object.fromEntries(new URL(link).searchParams)
    const done = await browser.submit('/auth/callback/email', query)
    expect(target(done)).to.not.include('error')
    expect(browser.cookies.has(sessionName)).to.equal(true)
  }
})

for (const kind of adapterKinds) {
  describe(`at once, for the adapter ${kind}`, () => {
    const stage = useLinking()
    let opened: OpenAdapter
    before(async function () {
      opened = await openAdapter(this, kind)
    })
    beforeEach(async () => {
      await stage.start({ adapter: opened.adapter, timeout: 20 })
    })
    after(async () => {
      await opened?.close()
    })

    it('several proofs of one address, at two processes, end in one user beside the stranger’s', async () => {
      const first = stage.app
      clearSiteMemories()
      const second = await stage.serve()
      for (const round of ['a', 'b', 'c']) {
        const address = `${round}-${email}`
        const stranger = first.browser()
        await stage.signIn(stranger, 'one', { ...mallory, sub: `mallory-${round}`, email: address })
        const claimed = present(await stage.who(stranger))
        const browsers = [first, second, first, second].map((app) => app.browser())
        const links: string[] = []
        const mailed = await stage.askForLink(present(browsers[0]), address)
        const urls = await Promise.all(browsers.slice(1).map((browser) => stage.begin(browser, 'one')))
        links.push(mailed)
        await Promise.all([
          browsers[0]?.get(mailed),
          ...urls.map((url, index) =>
            stage.finish(present(browsers[index + 1]), url, { ...victim, sub: `victim-${round}`, email: address }),
          ),
        ])
        const owner = present(await stage.userByEmail(address))
        expect(owner.id).to.not.equal(claimed)
        expect(owner.emailVerified).to.be.a('date')
        for (const browser of browsers) expect([undefined, owner.id]).to.include(await stage.who(browser))
        expect(await stage.who(present(browsers[0])), 'the mailed link').to.equal(owner.id)
        expect(await stage.who(stranger)).to.equal(claimed)
        expect(await stage.recorder.accountsOf({ id: claimed })).to.deep.equal([`one:mallory-${round}`])
        // The account belongs to the owner or to no user: a provider alone does not link to a user with a verified
        // address.
        for (const account of await stage.recorder.accountsOf(owner)) expect(account).to.equal(`one:victim-${round}`)
      }
    })

    it('a session that ends as something is attached in it: nothing is (row of the user locked)', async () => {
      const { recorder } = stage
      const browser = stage.app.browser()
      const id = await stage.enter(browser, 'one', { sub: `ending-${kind}`, email: `ending-${kind}@example.com` })
      const url = await stage.begin(browser, 'two')
      const [session] = present(await recorder.inner.listSessionsByUserId?.(id))
      // Between the first look at the session and the lock.
      recorder.before.set('transaction', async () => {
        recorder.before.clear()
        await recorder.inner.deleteSession?.(present(session).sessionToken)
      })
      const response = await stage.finish(browser, url, { sub: `late-${kind}` })
      await stage.expectRefused(response, 'InvalidCheck', browser)
      expect(await recorder.accountsOf({ id })).to.deep.equal([`one:ending-${kind}`])
    })

    // The other databases block other connections while a transaction runs.
    const withRowLocks = kind === 'postgres' || kind === 'mysql' ? it : undefined
    withRowLocks?.('signing out elsewhere waits for what is being attached there', async () => {
      const { recorder, app } = stage
      const [browser, elsewhere] = [app.browser(), app.browser()]
      const person = { sub: `two-${kind}`, email: `two-${kind}@example.com` }
      const id = await stage.enter(browser, 'one', person)
      await stage.enter(elsewhere, 'one', person)
      const url = await stage.begin(elsewhere, 'two')
      const waiting = gate()
      let ended: Promise<number> | undefined
      recorder.before.set('linkAccount', async () => {
        recorder.before.clear()
        recorder.before.set('updateUser', () => waiting.open())
        const headers = { cookie: browser.cookieHeader(), host: new URL(app.origin).host }
        ended = expressFunctions(app.config).sessions.endOthers({ protocol: 'http', headers })
        await waiting.opened
      })
      recorder.clear()
      const response = await stage.finish(elsewhere, url, { sub: `attached-${kind}` })
      // The session in which the account was attached, and perhaps the session that replaces it.
      expect(await present(ended)).to.be.within(1, 2)
      expect(await stage.who(elsewhere)).to.equal(undefined)
      const names = recorder.names(/linkAccount|deleteSession|listSessions/)
      expect(names.indexOf('db.listSessionsByUserId')).to.be.greaterThan(names.indexOf('db.linkAccount'))
      // A sign-in that finds the security stamp changed is refused, and takes back what it attached.
      const isRefused = /error=/.test(response.headers.location ?? 'error=')
      const attached = isRefused ? [] : [`two:attached-${kind}`]
      expect(await recorder.accountsOf({ id })).to.deep.equal([`one:two-${kind}`, ...attached])
    })
  })
}
