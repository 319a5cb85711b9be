/** Members of stored organizations: who may do what, the last owner, and what other functions make of it. */
import { expect } from 'chai'
import { admit, atEach, createBy } from './stage.js'

atEach('stored organizations', (open) => {
  it('belong to the user who creates them, who adds, changes and removes members', async () => {
    const stage = await open()
    const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
    const created = await ann.call('create', { name: ' Acme GmbH ', slug: 'acme' })
    if (!created.ok) return expect.fail(created.reason)
    const { id } = created.organization
    expect(created.organization).to.include({ name: 'Acme GmbH', slug: 'acme' })
    expect(await ann.call('get', 'acme')).to.include({ id, role: 'owner' })
    expect(await ann.call('list')).to.have.length(1)
    expect(await bob.call('list')).to.deep.equal([])
    expect([await ann.guard(id), await bob.guard(id)]).to.deep.equal([200, 404])
    await admit(ann, id, bob, 'member')
    expect([await bob.guard(id), await bob.guard(id, 'write')]).to.deep.equal([200, 403])
    expect(await ann.call('setRole', { organization: id, userId: bob.id, role: 'admin' })).to.deep.equal({ ok: true })
    expect(await bob.guard(id, 'write')).to.equal(200)
    const listed = await bob.call('members', id, {})
    expect(listed).to.deep.include({ ok: true, next: null })
    if (listed.ok)
      expect(listed.members.map(({ userId, role }) => [userId, role])).to.have.deep.members([
        [ann.id, 'owner'],
        [bob.id, 'admin'],
      ])
    expect(await ann.call('removeMember', { organization: id, userId: bob.id })).to.deep.equal({ ok: true })
    expect([await bob.guard(id), await bob.call('get', id)]).to.deep.equal([404, null])
    expect(stage.changes.map(({ change }) => change)).to.deep.equal([
      'created',
      'memberAdded',
      'roleChanged',
      'memberRemoved',
    ])
    expect(stage.changes.at(-1)).to.include({ organizationId: id, userId: bob.id, by: ann.id })
  })

  it('have a name and a slug that change, each slug for one organization', async () => {
    const stage = await open()
    const ann = await stage.person('ann')
    const [one, other] = [await createBy(ann, 'One'), await createBy(ann, 'Other')]
    const update = (organization: string, names: object) => ann.call('update', { organization, ...names })
    const named = await update(one, { name: ' Acme ', slug: 'acme' })
    expect(named.ok && named.organization).to.include({ id: one, name: 'Acme', slug: 'acme' })
    expect(await ann.call('get', 'acme')).to.include({ id: one, name: 'Acme', slug: 'acme' })
    expect(await update(other, { slug: 'acme' })).to.deep.equal({ ok: false, reason: 'slug' })
    expect(await update(other, { slug: 'admin' })).to.deep.equal({ ok: false, reason: 'slug' })
    expect(await update(other, { name: 'see evil.example' })).to.deep.equal({ ok: false, reason: 'name' })
    expect(await ann.call('get', other)).to.include({ name: 'Other', slug: null })
    // Only what is given changes, and a slug that was given up is free.
    expect((await update(one, { slug: 'acme-2' })).ok).to.equal(true)
    expect(await ann.call('get', 'acme-2')).to.include({ id: one, name: 'Acme' })
    expect(await ann.call('get', 'acme')).to.equal(null)
    expect((await update(one, { name: 'New' })).ok).to.equal(true)
    expect(await ann.call('get', 'acme-2')).to.include({ id: one, name: 'New' })
    expect((await update(other, { slug: 'acme' })).ok).to.equal(true)
    expect((await update(one, { slug: null })).ok).to.equal(true)
    expect(await ann.call('get', 'acme-2')).to.equal(null)
    expect(stage.changes.filter(({ change }) => change === 'updated')).to.have.length(5)
    // Of two organizations that want the same slug at once, one gets it.
    const outcomes = await Promise.all([update(one, { slug: 'same' }), update(other, { slug: 'same' })])
    expect(outcomes.map(({ ok }) => ok).sort()).to.deep.equal([false, true])
    expect(outcomes.find(({ ok }) => !ok)).to.deep.equal({ ok: false, reason: 'slug' })
    await ann.call('delete', (await ann.call('get', 'same'))?.id ?? '')
    expect((await update(outcomes[0]?.ok ? other : one, { slug: 'same' })).ok).to.equal(true)
  })

  it('always have an owner', async () => {
    const stage = await open()
    const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
    const id = await createBy(ann)
    const lastOwner = { ok: false, reason: 'lastOwner' }
    const own = { organization: id, userId: ann.id }
    await admit(ann, id, bob, 'admin')
    expect(await ann.call('leave', id)).to.deep.equal(lastOwner)
    expect(await ann.call('removeMember', own)).to.deep.equal(lastOwner)
    expect(await ann.call('setRole', { ...own, role: 'member' })).to.deep.equal(lastOwner)
    expect(await ann.call('setRole', { ...own, role: 'owner' })).to.deep.equal({ ok: true })
    expect(await ann.call('get', id)).to.include({ role: 'owner' })
    expect(await bob.call('transferOwnership', { ...own, role: 'admin' })).to.deep.equal({
      ok: false,
      reason: 'forbidden',
    })
    const moved = await ann.call('transferOwnership', { organization: id, userId: bob.id, role: 'guest' })
    expect(moved).to.deep.equal({ ok: true })
    expect([await ann.call('get', id), await bob.call('get', id)].map((each) => each?.role)).to.deep.equal([
      'guest',
      'owner',
    ])
    expect(await ann.call('leave', id)).to.deep.equal({ ok: true })
    expect(await bob.call('delete', id)).to.deep.equal({ ok: true })
    expect(await bob.call('get', id)).to.equal(null)
    expect(await bob.guard(id)).to.equal(404)
  })

  it('dismiss members for the application, but no last owner', async () => {
    const stage = await open()
    const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
    const [id, other] = [await createBy(ann), await createBy(bob, 'Other')]
    await admit(ann, id, bob, 'member')
    expect((await ann.call('listOf', bob.id)).map((each) => [each.id, each.role])).to.deep.equal([
      [id, 'member'],
      [other, 'owner'],
    ])
    const dismiss = (organization: string, userId: string) => ann.call('dismiss', { organization, userId })
    expect(await dismiss(id, bob.id)).to.deep.equal({ ok: true })
    expect(stage.changes.at(-1)).to.include({ organizationId: id, change: 'memberRemoved', userId: bob.id })
    expect([await bob.guard(id), await bob.guard(other)]).to.deep.equal([404, 200])
    expect(await dismiss(id, bob.id)).to.deep.equal({ ok: false, reason: 'member' })
    expect(await dismiss(id, ann.id)).to.deep.equal({ ok: false, reason: 'lastOwner' })
    expect(await dismiss('none', ann.id)).to.deep.equal({ ok: false, reason: 'unknown' })
    expect(await ann.call('listOf', 'nobody')).to.deep.equal([])
    expect(await ann.guard(id)).to.equal(200)
    for (const args of [{}, { organization: id }, { organization: id, userId: { $ne: '' } }])
      expect((await ann.ask('dismiss', args)).status).to.equal(400)
  })

  it('keep owners when two leave at once', async () => {
    const stage = await open()
    const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
    for (let round = 0; round < 10; round += 1) {
      const id = await createBy(ann)
      await admit(ann, id, bob, 'owner')
      const left = await Promise.all([ann.call('leave', id), bob.call('leave', id)])
      expect(left.filter(({ ok }) => ok)).to.have.length(1)
    }
  })

  it('let no member give or take more than their own permissions', async () => {
    const stage = await open()
    const [ann, bob, eve] = [await stage.person('ann'), await stage.person('bob'), await stage.person('eve')]
    const id = await createBy(ann)
    await admit(ann, id, bob, 'admin')
    await admit(ann, id, eve, 'member')
    const forbidden = { ok: false, reason: 'forbidden' }
    const of = (userId: string, role?: string) => ({ organization: id, userId, ...(role && { role }) })
    expect(await bob.call('setRole', of(eve.id, 'owner'))).to.deep.equal(forbidden)
    expect(await bob.call('setRole', of(bob.id, 'owner'))).to.deep.equal(forbidden)
    expect(await bob.call('setRole', of(ann.id, 'member'))).to.deep.equal(forbidden)
    expect(await bob.call('removeMember', of(ann.id))).to.deep.equal(forbidden)
    expect(await bob.call('delete', id)).to.deep.equal(forbidden)
    expect(await bob.call('invite', { organization: id, email: 'x@example.com', role: 'owner' })).to.deep.equal(
      forbidden,
    )
    expect(await eve.call('setRole', of(eve.id, 'admin'))).to.deep.equal(forbidden)
    expect(await eve.call('invite', { organization: id, email: 'x@example.com', role: 'guest' })).to.deep.equal(
      forbidden,
    )
    expect(await bob.call('setRole', of(eve.id, 'admin'))).to.deep.equal({ ok: true })
    expect(stage.mails).to.have.length(0)
  })
})
