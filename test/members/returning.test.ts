/** Invitations that are used by several browsers at once, and those of removed members and of deleted users. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { accept, admit, atEach, base, createBy } from './stage.js'

/** Returns a function whose first calls wait for each other. */
function barrier(count: number): () => Promise<void> {
  let left = count
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    left -= 1
    if (left <= 0) open()
    return opened
  }
}

atEach('a pending invitation', (open) => {
  it('RC-01 signs in one of two visitors who accept it at once', async () => {
    const adapter = memoryAdapter()
    const met = barrier(2)
    const stage = await open({
      adapter: {
        ...adapter,
        async getUserByEmail(email) {
          const found = await adapter.getUserByEmail(email)
          if (email === 'new@example.com') await met()
          return found
        },
      },
    })
    const ann = await stage.person('ann')
    const id = await createBy(ann)
    await ann.call('invite', { organization: id, email: 'new@example.com', role: 'member' })
    const token = await stage.tokenOf('new@example.com')
    const visitors = [stage.stranger(), stage.stranger()]
    const answers = await Promise.all(visitors.map((visitor) => accept(visitor, token)))
    expect(answers.map(({ status }) => status)).to.satisfy((all: number[]) => all.every((status) => status < 500))
    const sessions = await Promise.all(visitors.map((visitor) => visitor.session(base)))
    expect(sessions.filter((session) => session !== null)).to.have.length(1)
    expect(stage.changes.filter(({ change }) => change === 'memberAdded')).to.have.length(1)
  })

  for (const [way, remove] of [
    ['removeMember', 'an owner removes'],
    ['dismiss', 'the application dismisses'],
  ] as const) {
    it(`does not let a member return whom ${remove}`, async () => {
      const stage = await open()
      const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
      const id = await createBy(ann)
      await admit(ann, id, bob, 'member')
      await ann.call('invite', { organization: id, email: 'Bob@example.com', role: 'admin' })
      await ann.call('invite', { organization: id, email: 'eve@example.com', role: 'member' })
      const token = await stage.tokenOf('bob@example.com')
      expect(await ann.call(way, { organization: id, userId: bob.id })).to.deep.equal({ ok: true })
      expect((await accept(bob.browser, token)).headers.location).to.include('error=Verification')
      expect(await bob.guard(id)).to.equal(404)
      const { invitations } = (await ann.call('invitations', id)) as { invitations: readonly { email: string }[] }
      expect(invitations.map(({ email }) => email)).to.deep.equal(['eve@example.com'])
      expect(await ann.call('invite', { organization: id, email: bob.email, role: 'member' })).to.include({ ok: true })
    })
  }

  it('LK-08 stays valid when a user is removed or deleted who only claims its address', async () => {
    const stage = await open({ deletion: true })
    const [ann, claimant] = [await stage.person('ann'), await stage.person('bob', false)]
    const id = await createBy(ann)
    await admit(ann, id, claimant, 'guest')
    await ann.call('invite', { organization: id, email: claimant.email, role: 'admin' })
    const pending = async () => {
      const { invitations } = (await ann.call('invitations', id)) as { invitations: readonly unknown[] }
      return invitations.length
    }
    expect(await ann.call('removeMember', { organization: id, userId: claimant.id })).to.deep.equal({ ok: true })
    expect(await pending()).to.equal(1)
    const { users } = expressFunctions(stage.config)
    expect(await users.delete(claimant.id, { reason: 'test' })).to.include({ ok: true })
    expect(await pending()).to.equal(1)
  })
})
