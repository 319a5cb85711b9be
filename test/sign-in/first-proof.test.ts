/**
 * The first proof of an address (`design.md`, decision 14): a stranger signed up with it, attached what they could, and then
 * its owner comes.
 */
import { expect } from 'chai'
import type { AdapterMethod, AdapterUser } from '../../lib/adapters/types.js'
import Credentials from '../../lib/providers/credentials.js'
import { type Browser, target } from '../support/app.js'
import { heldToken, sessionName } from '../support/session.js'
import { extensions, gate, type LinkingOptions, present, useLinking } from './linking-stage.js'

const email = 'victim@example.com'
/** The stranger's account: it says that it has the victim's address. */
const mallory = { sub: 'mallory', email, email_verified: false }
/** The victim's own. */
const victim = { sub: 'victim', email, email_verified: true }

describe('the first proof of an address', () => {
  const stage = useLinking()
  let stranger: Browser
  let user: AdapterUser

  /** A stranger is signed in as the user of the victim's address, with two accounts and a passkey. */
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

  async function expectEnded(kept: string[]): Promise<void> {
    expect(await stage.who(stranger), 'the stranger is signed out').to.equal(undefined)
    expect(await stage.recorder.accountsOf(user)).to.deep.equal(kept)
    expect(await stage.recorder.inner.listAuthenticatorsByUserId?.(user.id)).to.deep.equal([])
    const now = present(await stage.userByEmail(email))
    expect(now.id, 'the user stays').to.equal(user.id)
    expect(now.emailVerified).to.be.a('date')
    expect(stage.recorder.names(/deleteUser/)).to.deep.equal([])
  }

  async function expectKept(): Promise<void> {
    expect(await stage.recorder.accountsOf(user)).to.deep.equal(['one:mallory', 'one:mallory-2', 'passkey:passkey'])
    expect(await stage.recorder.inner.listAuthenticatorsByUserId?.(user.id)).to.have.length(1)
  }

  it('by a mailed link ends what a stranger attached (LK-02)', async () => {
    await occupy()
    const browser = stage.app.browser()
    await stage.enterByMail(browser, email)
    stage.expectNoFault()
    expect(await stage.who(browser)).to.equal(user.id)
    await expectEnded([])
    expect(stage.recorder.details('events.updateUser')).to.have.length(1)
    expect(stage.recorder.details('events.updateUser')[0]).to.have.property('firstProof', true)
    stage.forgive()
    const back = await stage.signIn(stranger, 'one', mallory)
    await stage.expectRefused(back, 'OAuthAccountNotLinked', stranger)
    expect(await stage.who(browser), 'the owner stays').to.equal(user.id)
  })

  it('by a provider that proves it ends what a stranger attached (LK-01)', async () => {
    await occupy()
    const browser = stage.app.browser()
    expect(await stage.enter(browser, 'two', victim)).to.equal(user.id)
    await expectEnded(['two:victim'])
    expect(stage.recorder.names(/^events/)).to.deep.equal(['events.updateUser', 'events.linkAccount', 'events.signIn'])
  })

  it('happens once: later links end nothing', async () => {
    await occupy()
    const browser = stage.app.browser()
    await stage.enterByMail(browser, email)
    await stage.enter(browser, 'one', { sub: 'mine' })
    const other = stage.app.browser()
    await stage.enterByMail(other, email)
    stage.expectNoFault()
    expect(await stage.who(browser)).to.equal(user.id)
    expect(await stage.who(other)).to.equal(user.id)
    expect(await stage.recorder.accountsOf(user)).to.deep.equal(['one:mine'])
  })

  it('is no help to a stranger who asked for the link in the session of before', async () => {
    await occupy()
    const link = await stage.askForLink(stranger, email)
    const browser = stage.app.browser()
    await open(browser, link)
    expect(await stage.who(browser)).to.equal(user.id)
    await expectEnded([])
  })

  it('takes nothing from who asks for the link while signed in, and opens it there', async () => {
    await occupy()
    const held = heldToken(stranger)
    await stage.enterByMail(stranger, email)
    stage.expectNoFault()
    expect(await stage.who(stranger)).to.equal(user.id)
    expect(heldToken(stranger)).to.not.equal(held)
    await expectKept()
    expect(present(await stage.userByEmail(email)).emailVerified).to.be.a('date')
  })

  it('takes everything from who has signed out meanwhile, in the same browser too', async () => {
    await occupy()
    const elsewhere = stage.app.browser()
    await stage.enter(elsewhere, 'one', mallory)
    const link = await stage.askForLink(stranger, email)
    await stranger.submit('/auth/signout')
    await open(stranger, link)
    expect(await stage.who(stranger)).to.equal(user.id)
    expect(await stage.who(elsewhere)).to.equal(undefined)
    expect(await stage.recorder.accountsOf(user)).to.deep.equal([])
  })

  it('takes everything where the session of before is somebody else’s', async () => {
    await occupy()
    const browser = stage.app.browser()
    await stage.enter(browser, 'one', { sub: 'other', email: 'other@example.com' })
    await open(browser, await stage.askForLink(browser, email))
    expect(await stage.who(browser)).to.equal(user.id)
    await expectEnded([])
  })

  it('is not made by a link that was only asked for', async () => {
    await occupy()
    await stage.askForLink(stage.app.browser(), email)
    expect(await stage.who(stranger)).to.equal(user.id)
    await expectKept()
  })

  it('ends nothing with `allowDangerousUnprovedAddressMerge`, which warns at the start', async () => {
    for (const strategy of ['database', 'jwt'] as const) {
      await occupy({ strategy, allowDangerousUnprovedAddressMerge: true })
      expect(stage.app.log.warnings.map(({ code }) => code)).to.include('dangerous-merge')
      const browser = stage.app.browser()
      await stage.enterByMail(browser, email)
      await stage.enter(stage.app.browser(), 'two', victim)
      stage.expectNoFault()
      expect([await stage.who(browser), await stage.who(stranger)]).to.deep.equal([user.id, user.id])
      expect(await stage.recorder.accountsOf(user)).to.include.members(['one:mallory', 'two:victim'])
    }
  })

  describe('is refused, and nothing is written', () => {
    const cannot: ReadonlyArray<readonly [what: string, options: LinkingOptions]> = [
      ['with JWT sessions', { strategy: 'jwt' }],
      ['with a published adapter', { without: extensions }],
      ...(
        [
          'listAccountsByUserId',
          'unlinkAccount',
          'deleteSessionsByUserId',
          'deleteAuthenticator',
          'listAuthenticatorsByUserId',
        ] satisfies AdapterMethod[]
      ).map((method) => [`with an adapter that lacks \`${method}\``, { without: [method] }] as const),
    ]
    for (const [what, options] of cannot) {
      for (const [how, enter] of [
        ['by a mailed link', () => stage.enterByMail(stage.app.browser(), email)],
        ['by a provider', () => stage.signIn(stage.app.browser(), 'two', victim)],
      ] as const) {
        it(`${what}, ${how}`, async () => {
          await occupy(options)
          const response = await enter()
          await stage.expectRefused(response, 'AccountNotLinked')
          expect(stage.app.log.errors[0]?.message).to.include('allowDangerousUnprovedAddressMerge')
          expect(stage.app.log.errors[0]?.message).to.include(
            options.strategy === 'jwt' ? 'JWT sessions' : 'this adapter',
          )
          expect(stage.recorder.writes().filter((name) => !/VerificationToken/.test(name))).to.deep.equal([])
          expect(await stage.who(stranger)).to.equal(user.id)
          expect(present(await stage.userByEmail(email)).emailVerified).to.equal(null)
        })
      }
    }

    it('but not where there are no passkeys that could not be deleted', async () => {
      await occupy({ without: ['createAuthenticator', 'listAuthenticatorsByUserId', 'deleteAuthenticator'] })
      const browser = stage.app.browser()
      await stage.enterByMail(browser, email)
      stage.expectNoFault()
      expect(await stage.who(browser)).to.equal(user.id)
      expect(await stage.recorder.accountsOf(user)).to.deep.equal([])
    })

    it('but not to who proves their own address while signed in', async () => {
      await occupy({ strategy: 'jwt' })
      await stage.enterByMail(stranger, email)
      stage.expectNoFault()
      expect(await stage.who(stranger)).to.equal(user.id)
      await expectKept()
    })
  })

  describe('that fails half-way', () => {
    const steps = [
      'listAccountsByUserId',
      'unlinkAccount',
      'deleteAuthenticator',
      'deleteSessionsByUserId',
      'updateUser',
    ] satisfies AdapterMethod[]
    for (const without of [[], ['transaction']] as const) {
      for (const step of steps) {
        it(`at ${step} proves nothing, and is made up for by the next try (${without.length ? 'no transactions' : 'transactions'})`, async () => {
          await occupy({ without })
          stage.recorder.before.set(step, () => {
            throw new Error('the database is gone')
          })
          const browser = stage.app.browser()
          await stage.expectRefused(await stage.enterByMail(browser, email), 'AdapterError', browser)
          expect(present(await stage.userByEmail(email)).emailVerified).to.equal(null)
          if (without.length === 0) await expectKept()
          stage.recorder.before.clear()
          stage.forgive()
          await stage.enterByMail(browser, email)
          stage.expectNoFault()
          expect(await stage.who(browser)).to.equal(user.id)
          await expectEnded([])
        })
      }
    }
  })

  describe('while a stranger', () => {
    it('is about to link an account: the account is not there afterwards', async () => {
      await occupy()
      const browser = stage.app.browser()
      const link = await stage.askForLink(browser, email)
      once('linkAccount', () => open(browser, link))
      const response = await stage.signIn(stranger, 'one', { sub: 'late' })
      await stage.expectRefused(response, 'OAuthAccountNotLinked', stranger)
      await expectEnded([])
      expect(await stage.who(browser)).to.equal(user.id)
    })

    it('is about to get a session: the session is none', async () => {
      await occupy()
      const browser = stage.app.browser()
      const link = await stage.askForLink(browser, email)
      const other = stage.app.browser()
      once('createSession', () => open(browser, link))
      const response = await stage.signIn(other, 'one', mallory)
      await stage.expectRefused(response, 'AccountNotLinked', other)
      await expectEnded([])
      expect(await stage.who(browser)).to.equal(user.id)
      expect(await stage.recorder.sessionsOf(user)).to.equal(1)
    })

    it('is found to be signed in, and then read as a user who is proved: the account is not there afterwards', async () => {
      await occupy()
      const browser = stage.app.browser()
      const link = await stage.askForLink(browser, email)
      once('getUser', () => open(browser, link))
      const response = await stage.signIn(stranger, 'one', { sub: 'late' })
      await stage.expectRefused(response, 'OAuthAccountNotLinked', stranger)
      await expectEnded([])
      expect(await stage.recorder.sessionsOf(user)).to.equal(1)
    })

    it('comes in by an account that is about to be unlinked, as a user who is proved: the session is none', async () => {
      await occupy({ without: ['transaction'] })
      const { inner, after } = stage.recorder
      const [browser, late] = [stage.app.browser(), stage.app.browser()]
      const link = await stage.askForLink(browser, email)
      const [coming, proved] = [gate(), gate()]
      let response: ReturnType<typeof stage.signIn> | undefined
      after.set('updateUser', async () => {
        after.delete('updateUser')
        await inner.linkAccount?.({ provider: 'one', providerAccountId: 'late', type: 'oidc', userId: user.id })
        once('createSession', () => {
          coming.open()
          return proved.opened
        })
        response = stage.signIn(late, 'one', { sub: 'late' })
        await coming.opened
      })
      await open(browser, link)
      proved.open()
      await stage.expectRefused(present(await response), 'AccountNotLinked', late)
      await expectEnded([])
      expect(await stage.recorder.sessionsOf(user)).to.equal(1)
      expect(await stage.who(browser)).to.equal(user.id)
    })

    it('unlinks accounts, neither waits for the other for ever: the row of the user is written first', async () => {
      await occupy()
      const browser = stage.app.browser()
      const link = await stage.askForLink(browser, email)
      stage.recorder.clear()
      await open(browser, link)
      const [first] = stage.recorder.writes().filter((name) => !/VerificationToken/.test(name))
      expect(first).to.equal('db.updateUser')
    })

    it('writes between its steps: that is ended too', async () => {
      await occupy({ without: ['transaction'] })
      const { inner } = stage.recorder
      once('updateUser', async () => {
        await inner.linkAccount?.({ provider: 'one', providerAccountId: 'late', type: 'oidc', userId: user.id })
        await inner.createSession?.({ sessionToken: 'late', userId: user.id, expires: new Date(Date.now() + 60_000) })
      })
      const browser = stage.app.browser()
      expect(await stage.enter(browser, 'two', victim)).to.equal(user.id)
      await expectEnded(['two:victim'])
      expect(await inner.getSessionAndUser?.('late')).to.equal(null)
    })

    function once(method: AdapterMethod, act: () => Promise<unknown>): void {
      stage.recorder.before.set(method, async () => {
        stage.recorder.before.delete(method)
        await act()
      })
    }
  })

  it('of a user whose maker never finished: the account of the maker does not come back (RC-10)', async () => {
    await stage.start({ without: ['transaction'] })
    stage.recorder.before.set('linkAccount', () => {
      throw new Error('the database is gone')
    })
    await stage.expectRefused(await stage.signIn(stage.app.browser(), 'one', mallory), 'AdapterError')
    stage.recorder.before.clear()
    stage.forgive()
    const browser = stage.app.browser()
    await stage.enterByMail(browser, email)
    const id = present(await stage.who(browser))
    const attacker = stage.app.browser()
    await stage.expectRefused(await stage.signIn(attacker, 'one', mallory), 'OAuthAccountNotLinked', attacker)
    expect(await stage.recorder.accountsOf({ id })).to.deep.equal([])
  })

  for (const [type, more, attempt] of [
    ['OAuthAccountNotLinked', [], (browser: Browser) => stage.signIn(browser, 'one', mallory)],
    [
      'AccountNotLinked',
      [Credentials({ credentials: {}, authorize: () => ({ id: 'mallory', email }) })],
      (browser: Browser) => browser.submit('/auth/callback/credentials', {}),
    ],
  ] as const) {
    for (const when of ['before', 'after'] as const) {
      it(`of a user whom another process is making: nothing of the maker stays (${when} linkAccount, ${type})`, async () => {
        await stage.start({ without: ['transaction'], more: [...more] })
        const attacker = stage.app.browser()
        const owner = (await stage.serve()).browser()
        stage.recorder[when].set('linkAccount', async () => {
          stage.recorder[when].clear()
          await stage.enterByMail(owner, email)
        })
        await stage.expectRefused(await attempt(attacker), type, attacker)
        const id = present(await stage.who(owner))
        expect(await stage.recorder.accountsOf({ id })).to.deep.equal([])
        stage.forgive()
        await stage.expectRefused(await attempt(attacker), type, attacker)
      })
    }
  }

  it('leaves the sessions of others alone', async () => {
    await occupy()
    const other = stage.app.browser()
    const id = await stage.enter(other, 'one', { sub: 'other', email: 'other@example.com' })
    await stage.enterByMail(stage.app.browser(), email)
    expect(await stage.who(other)).to.equal(id)
    expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['one:other'])
  })

  /** Opens a link in whatever browser, and confirms where that is asked for. */
  async function open(browser: Browser, link: string): Promise<void> {
    const response = await browser.get(link)
    if (response.status !== 200) return
    const query = Object.fromEntries(new URL(link).searchParams)
    const done = await browser.submit('/auth/callback/email', query)
    expect(target(done)).to.not.include('error')
    expect(browser.cookies.has(sessionName)).to.equal(true)
  }
})
