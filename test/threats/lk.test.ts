/** `threats.md`, group LK: the rows that no other suite has. The rest is in `test/sign-in/linking*` and `first-proof`. */
import { expect } from 'chai'
import { adapterKinds, type OpenAdapter, openAdapter } from '../sign-in/linking-databases.js'
import { Linking, type LinkingOptions, present, useLinking } from '../sign-in/linking-stage.js'
import { type Browser, credentials } from '../support/app.js'

const email = 'victim@example.com'

describe('somebody signs up with the address of a victim, and a password', () => {
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

  async function expectRid(): Promise<void> {
    expect(await stage.who(stranger), 'signed out').to.equal(undefined)
    expect(await stage.recorder.accountsOf({ id })).to.not.include('credentials:id-of-mallory')
    stage.forgive()
    await stranger.signIn({ username: 'mallory' })
    expect(stage.faults(), 'the password leads nowhere').to.deep.equal(['AccountNotLinked'])
    expect(await stage.who(stranger)).to.equal(undefined)
  }

  it('whose password and sessions end when the victim comes by a provider that proves it (LK-01)', async () => {
    await occupy()
    const browser = stage.app.browser()
    expect(await stage.enter(browser, 'two', { sub: 'victim', email, email_verified: true })).to.equal(id)
    await expectRid()
    expect(await stage.who(browser)).to.equal(id)
  })

  it('whose password and sessions end when the victim comes by a mailed link (LK-02)', async () => {
    await occupy()
    const browser = stage.app.browser()
    await stage.enterByMail(browser, email)
    expect(await stage.who(browser)).to.equal(id)
    await expectRid()
  })

  it('and stays apart where nothing links by address', async () => {
    await occupy()
    for (const email_verified of [true, undefined]) {
      const browser = stage.app.browser()
      const response = await stage.signIn(browser, 'one', { sub: 'victim', email, email_verified })
      await stage.expectRefused(response, 'OAuthAccountNotLinked', browser)
      stage.forgive()
    }
    expect(await stage.who(stranger)).to.equal(id)
  })

  it('after the victim: the password does not come to the victim’s user', async () => {
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
  describe(`who is who, for the adapter ${kind}`, () => {
    const stage = new Linking()
    let opened: OpenAdapter
    before(async function () {
      opened = await openAdapter(this, kind)
      await stage.open()
    })
    beforeEach(async () => {
      stage.reset()
      await stage.start({ adapter: opened.adapter, two: { allowDangerousEmailAccountLinking: true } })
    })
    afterEach(() => stage.leave())
    after(async () => {
      await stage.close()
      await opened?.close()
    })
    const enter = (id: string, person: { sub: string; email?: string; email_verified?: boolean }) =>
      stage.enter(stage.app.browser(), id, person)

    it('ids that are nearly the same are other people (LK-05)', async () => {
      const subs = ['abc', 'ABC', 'abc ', 'äbc', 'ａｂｃ', 'ab\u0063\u0301', 'abć']
      const ids: string[] = []
      for (const sub of subs) ids.push(await enter('one', { sub }))
      expect(new Set(ids).size).to.equal(subs.length)
      for (const [index, sub] of subs.entries()) expect(await enter('one', { sub })).to.equal(ids[index])
    })

    it('addresses that are nearly the same are other people (LK-12)', async () => {
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

    it('who gets the address of a deleted user gets nothing of that user (LK-09)', async () => {
      const first = await enter('one', { sub: 'first', email: 'used@example.com', email_verified: true })
      const old = stage.app.browser()
      await stage.enter(old, 'one', { sub: 'first', email: 'used@example.com' })
      await stage.recorder.inner.deleteUser?.(first)
      const second = await enter('one', { sub: 'second', email: 'used@example.com', email_verified: true })
      expect(second).to.not.equal(first)
      expect(await stage.who(old), 'sessions of the deleted user').to.equal(undefined)
      expect(await stage.recorder.accountsOf({ id: second })).to.deep.equal(['one:second'])
    })

    it('who links is who began, here too (LK-04)', async () => {
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

    it('the first proof ends what a stranger attached (LK-01)', async () => {
      const stranger = stage.app.browser()
      const id = await stage.enter(stranger, 'one', { sub: 'stranger', email, email_verified: false })
      expect(await enter('two', { sub: 'victim', email, email_verified: true })).to.equal(id)
      expect(await stage.who(stranger)).to.equal(undefined)
      expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['two:victim'])
    })

    // The others let nobody write meanwhile.
    const onPostgres = kind === 'postgres' ? it : undefined
    onPostgres?.('and what a stranger attaches from another connection while it runs', async () => {
      const { inner, before } = stage.recorder
      const address = 'busy@example.com'
      const id = await enter('one', { sub: 'busy-stranger', email: address })
      before.set('updateUser', async () => {
        before.delete('updateUser')
        await inner.linkAccount?.({ provider: 'one', providerAccountId: 'late', type: 'oidc', userId: id })
        await inner.createSession?.({ sessionToken: 'late', userId: id, expires: new Date(Date.now() + 60_000) })
      })
      expect(await enter('two', { sub: 'busy-victim', email: address, email_verified: true })).to.equal(id)
      expect(await stage.recorder.accountsOf({ id })).to.deep.equal(['two:busy-victim'])
      expect(await inner.getSessionAndUser?.('late')).to.equal(null)
    })
  })
}
