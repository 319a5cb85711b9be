/** The export of a user's data: memberships, and the invitations to the user's verified address. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { getEngine } from '../../lib/engine/index.js'
import { membersTable } from '../../lib/features/members/description.js'
import { admitUser, createInvitation, createOrganization } from '../../lib/features/members/entry.js'
import { defineAuth } from '../../lib/index.js'
import { addUsers, settingsOf } from './operations.js'
import { option } from './stage.js'

for (const store of [true as const, memoryStore()]) {
  const place = store === true ? 'the database of the adapter' : 'a store of their own'

  it(`DL-08 an export has the memberships and invitations of the user only, from ${place}`, async () => {
    const adapter = memoryAdapter()
    const config = {
      ...settingsOf(adapter),
      organizations: { ...option, store },
      session: { revocation: memoryStore() },
      deletion: true,
    }
    await addUsers(adapter)
    await adapter.createUser({ id: 'claimed', email: 'claimed@example.com', emailVerified: null })
    const { users } = defineAuth(config)
    const { config: resolved } = getEngine(config)
    const ids: string[] = []
    for (const owner of ['u0', 'u1']) {
      const created = await createOrganization(resolved, { name: 'Acme', slug: undefined, owner, by: {} })
      if (!created.ok) expect.fail(created.reason)
      const { id } = created.organization
      ids.push(id)
      const change = { config: resolved, id, actor: owner, by: {} }
      for (const email of ['U2@example.com', 'u3@example.com', 'claimed@example.com'])
        expect(await createInvitation(change, { email, role: 'member' })).to.include({ ok: true })
    }
    const [first = '', second = ''] = ids
    await admitUser({ config: resolved, id: first, by: {}, userId: 'u2', role: 'guest', source: 'test' })
    const { records = {}, withheld = [] } = (await users.export('u2')) ?? {}
    expect(records.auth_members).to.have.length(1)
    expect(records.auth_members?.[0]).to.include({ organizationId: first, role: 'member', source: 'test' })
    expect(records.auth_invitations).to.have.length(1)
    expect(records.auth_invitations?.[0]).to.include({
      organizationId: second,
      email: 'U2@example.com',
      role: 'member',
    })
    expect(records.auth_invitations?.[0]).to.have.all.keys('organizationId', 'email', 'role', 'createdAt', 'expires')
    expect(withheld.map((each) => each.name)).to.include.members([
      ...['auth_invitations.tokenHash', 'auth_invitations.invitedBy'],
    ])
    // The address is not verified, so the invitation may be another user's.
    expect((await users.export('claimed'))?.records).to.deep.equal({})
    expect(await users.delete('u2', { reason: 'test' })).to.include({ ok: true })
    expect(await resolved.organizations?.stored?.store.list(membersTable, 'u2')).to.deep.equal([])
  })
}
