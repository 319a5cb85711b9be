/** The user of an account: ids are compared as exact strings, separately for each provider. */
import { expect } from 'chai'
import type { Adapter } from '../../lib/types/adapter.js'
import { extensions, strategies, useLinking } from './linking-stage.js'

describe('the id of an account', () => {
  const stage = useLinking()

  for (const strategy of strategies) {
    it(`is another one at another provider: two users (${strategy})`, async () => {
      await stage.start({ strategy })
      const first = await stage.enter(stage.app.browser(), 'one', { sub: 'same' })
      const second = await stage.enter(stage.app.browser(), 'two', { sub: 'same' })
      expect(second).to.not.equal(first)
      expect(await stage.recorder.accountsOf({ id: first })).to.deep.equal(['one:same'])
      expect(await stage.recorder.accountsOf({ id: second })).to.deep.equal(['two:same'])
    })
  }

  it('counts, not the name or the address that goes with it', async () => {
    await stage.start()
    const person = { name: 'Ann', preferred_username: 'ann', email: 'ann@example.com' }
    const first = await stage.enter(stage.app.browser(), 'one', { sub: '1', ...person })
    expect(await stage.enter(stage.app.browser(), 'one', { sub: '1', name: 'X', email: 'x@example.com' })).to.equal(
      first,
    )
    // Another user has the name and, after the first user was deleted, the same address.
    await stage.recorder.inner.deleteUser?.(first)
    expect(await stage.enter(stage.app.browser(), 'one', { sub: '2', ...person })).to.not.equal(first)
  })

  for (const [what, sub] of [
    ['in upper case', 'ABC'],
    ['with a space at the end', 'abc '],
    ['with an accent', 'äbc'],
    ['in wide letters', 'ａｂｃ'],
  ] as const) {
    it(`is another one ${what}, whatever the database thinks`, async () => {
      await stage.start({ without: ['transaction'] })
      const victim = await stage.enter(stage.app.browser(), 'one', { sub: 'abc' })
      fold(stage.recorder.inner)
      const browser = stage.app.browser()
      await stage.signIn(browser, 'one', { sub })
      expect(await stage.who(browser)).to.not.equal(victim)
      expect(await stage.recorder.accountsOf({ id: victim })).to.deep.equal(['one:abc'])
    })

    it(`is handed to the \`signIn\` callback as a stranger’s ${what}`, async () => {
      const ids: unknown[] = []
      await stage.start({
        without: ['transaction'],
        callbacks: {
          signIn: ({ user }) => {
            ids.push(user.id)
            return true
          },
        },
      })
      const victim = await stage.enter(stage.app.browser(), 'one', { sub: 'abc' })
      fold(stage.recorder.inner)
      await stage.signIn(stage.app.browser(), 'one', { sub })
      expect(ids.at(-1)).to.not.equal(victim)
    })
  }

  it('belongs to no user if the adapter finds a user by it, but no account', async () => {
    await stage.start({ without: ['transaction'] })
    const victim = await stage.enter(stage.app.browser(), 'one', { sub: 'abc' })
    const { inner } = stage.recorder
    const exact = inner.getUserByAccount
    inner.getUserByAccount = (key) =>
      exact?.({ ...key, providerAccountId: key.providerAccountId.toLowerCase() }) ?? null
    const browser = stage.app.browser()
    await stage.signIn(browser, 'one', { sub: 'ABC' })
    expect(await stage.who(browser)).to.not.equal(victim)
  })

  it('is taken at its word where the adapter has no `getAccount`', async () => {
    await stage.start({ without: ['getAccount', ...extensions] })
    const id = await stage.enter(stage.app.browser(), 'one', { sub: 'abc' })
    expect(await stage.enter(stage.app.browser(), 'one', { sub: 'abc' })).to.equal(id)
    expect(await stage.enter(stage.app.browser(), 'one', { sub: 'ABC' })).to.not.equal(id)
  })

  it('is stored as it came', async () => {
    await stage.start()
    for (const sub of ['UPPER', ' space ', "o'neill; --", '__proto__', '7', 'x'.repeat(255)]) {
      const id = await stage.enter(stage.app.browser(), 'one', { sub })
      expect(await stage.account('one', sub)).to.include({ providerAccountId: sub, userId: id })
      expect(await stage.enter(stage.app.browser(), 'one', { sub })).to.equal(id)
    }
  })
})

/** A database that compares without case, accents, widths, and spaces at the end. */
function fold(inner: Adapter): void {
  const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').trimEnd().toLowerCase()
  const { getUserByAccount, getAccount } = inner
  inner.getUserByAccount = (key) =>
    getUserByAccount?.({ ...key, providerAccountId: plain(key.providerAccountId) }) ?? null
  inner.getAccount = (id, provider) => getAccount?.(plain(id), provider) ?? null
}
