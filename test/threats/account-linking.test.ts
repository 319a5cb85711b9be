/** Attacks on account linking that no other suite has. The rest is in `test/sign-in/linking*` and `first-proof`. */
import { expect } from 'chai'
import { adapterKinds, type OpenAdapter, openAdapter } from '../sign-in/linking-databases.js'
import { type LinkingOptions, present, useLinking } from '../sign-in/linking-stage.js'
import { type Browser, credentials } from '../support/app.js'

const email = 'victim@example.com'

describe('a stranger who signs up with the address of a victim, and a password', () => {
  const stage = useLinking()
  let stranger: Browser
  let id: string

  /** As `app.credentials` does: any name, the password `right`, and ids of the application's own. */
  async function occupy(options: LinkingOptions = {}): Promise<void> {
    const authorize = ({ username, password }: { username?: unknown; password?: unknown }) =>
      password === 'right' ? { id: `id-of-${username}`, name: String(username), email } : null
    const more = [credentials({ authorize })]
    await stage.start({ two: { allowDangerousEmailAccountLinking: true }, more, ...options })
    stranger = stage.app.browser()
    await stranger.signIn({ username: 'mallory' })
    id = present(await stage.who(stranger))
    stage.recorder.clear()
  }

  /** The password leads to the stranger's own user, who has no address any more. */
  async function expectApart(browser: Browser, accounts: string[]): Promise<void> {
    stage.expectNoFault()
    const owner = present(await stage.userByEmail(email))
    expect(await stage.who(browser))
      .to.equal(owner.id)
      .and.not.equal(id)
    expect(await stage.recorder.accountsOf(owner)).to.deep.equal(accounts)
    await stranger.signIn({ username: 'mallory' })
    stage.expectNoFault()
    expect(await stage.who(stranger)).to.equal(id)
    expect(present(await stage.recorder.inner.getUser?.(id)).email || null).to.equal(null)
  }

  for (const id of ['one', 'two']) {
    it(`LK-01 loses the address when the victim signs in by a provider that verifies it: ${id}`, async () => {
      await occupy()
      const browser = stage.app.browser()
      await stage.enter(browser, id, { sub: 'victim', email, email_verified: true })
      await expectApart(browser, [`${id}:victim`])
    })
  }

  it('LK-02 loses the address when the victim signs in by an email link', async () => {
    await occupy()
    const browser = stage.app.browser()
    await stage.enterByMail(browser, email)
    await expectApart(browser, [])
  })

  it('and stays apart from a user who does not verify it', async () => {
    await occupy()
    const browser = stage.app.browser()
    const response = await stage.signIn(browser, 'one', { sub: 'victim', email })
    await stage.expectRefused(response, 'OAuthAccountNotLinked', browser)
    expect(await stage.who(stranger)).to.equal(id)
  })

  it('after the victim: the password does not lead to the victim’s user', async () => {
    await occupy()
    await stage.recorder.inner.deleteUser?.(id)
    const victim = await stage.enter(stage.app.browser(), 'one', { sub: 'victim', email, email_verified: true })
    await stranger.signIn({ username: 'mallory' })
    expect(stage.faults()).to.deep.equal(['AccountNotLinked'])
    expect(await stage.who(stranger)).to.equal(undefined)
    expect(await stage.recorder.accountsOf({ id: victim })).to.deep.equal(['one:victim'])
  })
})

for (const kind of adapterKinds) {
  describe(`the identity of users, for the adapter ${kind}`, () => {
    const stage = useLinking()
    let opened: OpenAdapter
    before(async function () {
      opened = await openAdapter(this, kind)
    })
    beforeEach(async () => {
      await stage.start({ adapter: opened.adapter, two: { allowDangerousEmailAccountLinking: true } })
    })
    after(async () => {
      await opened?.close()
    })
    const enter = (id: string, person: { sub: string; email?: string; email_verified?: boolean }) =>
      stage.enter(stage.app.browser(), id, person)

    it('ids that are nearly the same are other users', async () => {
      const subs = ['abc', 'ABC', 'abc ', 'äbc', 'ａｂｃ', 'ab\u0063\u0301', 'abć']
      const ids: string[] = []
      for (const sub of subs) ids.push(await enter('one', { sub }))
      expect(new Set(ids).size).to.equal(subs.length)
      for (const [index, sub] of subs.entries()) expect(await enter('one', { sub })).to.equal(ids[index])
    })

    it('addresses that are nearly the same are other users', async () => {
      const victim = await enter('one', { sub: 'jose', email: 'jose@example.com', email_verified: true })
      for (const similar of ['josé@example.com', 'jose@example.com ', 'ｊose@example.com', 'joſe@example.com']) {
        const browser = stage.app.browser()
        await stage.signIn(browser, 'two', { sub: `mallory ${similar}`, email: similar, email_verified: true })
        expect(await stage.who(browser), similar).to.not.equal(victim)
        expect(await stage.recorder.accountsOf({ id: victim })).to.deep.equal(['one:jose'])
      }
      stage.forgive()
      expect(await enter('two', { sub: 'jose', email: 'JOSE@Example.com', email_verified: true })).to.equal(victim)
    })

    it('LK-12 addresses that lower or upper case, or NFKC, would make the same are other users', async () => {
      const victim = await enter('one', { sub: 'kas', email: 'kås@example.com', email_verified: true })
      for (const similar of [
        '\u212aås@example.com',
        'k\u212bs@example.com',
        'kåſ@example.com',
        '\uff4bås@example.com',
      ]) {
        for (const email_verified of [true, undefined]) {
          const browser = stage.app.browser()
          const sub = `mallory ${similar} ${email_verified}`
          await stage.signIn(browser, 'two', { sub, email: similar, ...(email_verified && { email_verified }) })
          expect(await stage.who(browser), similar).to.not.equal(victim)
          expect(await stage.recorder.accountsOf({ id: victim })).to.deep.equal(['one:kas'])
        }
        expect(await stage.userByEmail(similar), 'as typed, and not proved').to.include({
          email: similar,
          emailVerified: null,
        })
      }
      stage.forgive()
      expect(await enter('two', { sub: 'kas', email: 'KÅS@example.com', email_verified: true })).to.equal(victim)
    })

    it('LK-09 a new user with the address of a deleted user gets nothing of that user', async () => {
      const first = await enter('one', { sub: 'first', email: 'used@example.com', email_verified: true })
      const old = stage.app.browser()
      await stage.enter(old, 'one', { sub: 'first', email: 'used@example.com' })
      await stage.recorder.inner.deleteUser?.(first)
      const second = await enter('one', { sub: 'second', email: 'used@example.com', email_verified: true })
      expect(second).to.not.equal(first)
      expect(await stage.who(old), 'sessions of the deleted user').to.equal(undefined)
      expect(await stage.recorder.accountsOf({ id: second })).to.deep.equal(['one:second'])
    })

    it('LK-04 the account is linked to the user who began, here too', async () => {
      const [ann, bob] = [stage.app.browser(), stage.app.browser()]
      const annsId = await stage.enter(ann, 'one', { sub: 'ann-lk4' })
      const bobsId = await stage.enter(bob, 'one', { sub: 'bob-lk4' })
      const url = await stage.begin(ann, 'two')
      const session = bob.cookies.get('auth.session-token') ?? ''
      ann.cookies.set('auth.session-token', session)
      await stage.expectRefused(await stage.finish(ann, url, { sub: 'late-lk4' }), 'InvalidCheck', ann, bobsId)
      expect(await stage.recorder.accountsOf({ id: annsId })).to.deep.equal(['one:ann-lk4'])
      expect(await stage.recorder.accountsOf({ id: bobsId })).to.deep.equal(['one:bob-lk4'])
    })

    it('a user who verifies an address gets it, and a user of their own', async () => {
      const stranger = stage.app.browser()
      const id = await stage.enter(stranger, 'one', { sub: 'stranger', email, email_verified: false })
      const owner = await enter('two', { sub: 'victim', email, email_verified: true })
      expect(owner).to.not.equal(id)
      expect(await stage.who(stranger)).to.equal(id)
      expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['one:stranger'])
      expect(await stage.recorder.accountsOf({ id: owner })).to.deep.equal(['two:victim'])
      expect(await stage.userByEmail(email)).to.include({ id: owner })
    })
  })
}
