/** Each function of organizations, called by users without the permission. Each call is rejected, and the organization stays the same. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { memberRules } from '../../lib/features/members/functions.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { createScope } from '../../lib/tenants/scope.js'
import { scopeStore } from '../../lib/tenants/scoped-store.js'
import type { RecordStore, Store } from '../../lib/types/store.js'
import { watchedStore } from '../api-keys/stage.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { closedAfterEach } from '../support/opened.js'
import { accept, admit, atEach, createBy, doors, kinds, type MemberStage, option, type Person, roles } from './stage.js'

/** The arguments of each function on an organization of another user; absent for those that have no such organization. */
function callsOn(id: string, member: string, invitation: string): Record<string, unknown[]> {
  const organization = { organization: id }
  return {
    get: [id],
    members: [id, {}],
    invitations: [id],
    invite: [{ ...organization, email: 'eve@example.com', role: 'member' }],
    revokeInvitation: [{ ...organization, id: invitation }],
    setRole: [{ ...organization, userId: member, role: 'guest' }],
    removeMember: [{ ...organization, userId: member }],
    leave: [id],
    transferOwnership: [{ ...organization, userId: member, role: 'guest' }],
    update: [{ ...organization, name: 'Evil', slug: 'evil' }],
    delete: [id],
  }
}

/** The functions that members may call by themselves. */
const allowedToMembers = new Set(['get', 'leave', 'members', 'invitations'])

atEach('the functions of organizations', (open) => {
  it('AZ-02 do nothing for a visitor, a stranger, a member without rights, and an administrator of another organization', async () => {
    const stage = await open()
    const [ann, bob, guest, other] = await Promise.all(
      ['ann', 'bob', 'guest', 'other'].map((name) => stage.person(name)),
    )
    if (!ann || !bob || !guest || !other) return expect.fail()
    const id = await createBy(ann)
    await createBy(other, 'Other')
    await admit(ann, id, bob, 'member')
    await admit(ann, id, guest, 'guest')
    const sent = await ann.call('invite', { organization: id, email: 'new@example.com', role: 'member' })
    if (!sent.ok) return expect.fail(sent.reason)
    const state = async () =>
      JSON.stringify([await ann.call('get', id), await ann.call('members', id, {}), await ann.call('invitations', id)])
    const before = await state()
    const calls = callsOn(id, bob.id, sent.invitation.id)
    const covered = [...Object.keys(calls), 'create', 'list', 'admit', 'dismiss', 'listOf'].sort()
    expect(covered, 'each function is tried').to.deep.equal(Object.keys(memberRules).sort())
    const visitor: Person = { ...guest, ask: (name, ...args) => ask(stage, name, args) }
    for (const [who, person, skipped] of [
      ['visitor', visitor, new Set()],
      ['stranger', await stage.person('eve'), new Set()],
      ['administrator of another organization', other, new Set()],
      ['guest', guest, new Set(['get', 'leave'])],
      ['member', bob, allowedToMembers],
    ] as const) {
      for (const [name, args] of Object.entries(calls)) {
        if ((skipped as Set<string>).has(name)) continue
        const { status, body } = await person.ask(name as 'get', ...args)
        expect([status, body?.ok ?? false], `${who}: ${name}`).to.deep.equal([200, false])
      }
    }
    expect(await state()).to.equal(before)
  })

  it('reject invalid parameters with 400', async () => {
    const stage = await open()
    const ann = await stage.person('ann')
    const id = await createBy(ann)
    const bad: Array<[string, unknown[]]> = [
      ...[7, null, {}].map((name): [string, unknown[]] => ['create', [{ name }]]),
      ['create', [{ name: 'A', slug: 7 }]],
      ...[7, null, {}].map((name): [string, unknown[]] => ['update', [{ organization: id, name }]]),
      ['update', [{ organization: id, slug: 7 }]],
      ['update', [{}]],
      ['setRole', [{ organization: id, userId: ann.id, role: 'root' }]],
      ['setRole', [{ organization: id, userId: { $ne: '' }, role: 'member' }]],
      ['removeMember', [{ organization: ['a'], userId: ann.id }]],
      ['invite', [{ organization: id, email: 'a@example.com', role: '__proto__' }]],
      ['members', [id, { limit: 1e9 }]],
      ['members', [id, { after: { a: 1 } }]],
      ['get', [7]],
      ['admit', [{ organization: id, userId: ann.id, role: 'root' }]],
    ]
    for (const [name, args] of bad) {
      const { status } = await ann.ask(name as 'get', ...args)
      expect(status, `${name} ${JSON.stringify(args)}`).to.equal(400)
    }
    expect(await ann.call('invite', { organization: id, email: 'a@b, c@d', role: 'member' })).to.include({
      reason: 'email',
    })
    expect(await ann.call('list')).to.have.length(1)
  })

  it('return a reason for names and slugs that are not allowed', async () => {
    const stage = await open()
    const ann = await stage.person('ann')
    const names = ['', ' ', 'x'.repeat(61), 'a\nb', 'a\u202eb', 'see evil.example', 'http://x', 'a@b', '<b>']
    // Domains whose letters have marks, other full stops, and characters that are not shown.
    names.push(
      'हिन्दी.com',
      'evil.भारत',
      'evil．com',
      'evil。com',
      'evil\u034f.com',
      'evil.\u034fcom',
      '\u3164',
      '\u2800',
    )
    for (const name of names)
      expect(await ann.call('create', { name }), name).to.deep.equal({ ok: false, reason: 'name' })
    for (const slug of ['A', 'a', 'a--b', '-ab', 'admin', 'x'.repeat(41)])
      expect(await ann.call('create', { name: 'A', slug }), slug).to.deep.equal({ ok: false, reason: 'slug' })
    expect(await ann.call('list')).to.deep.equal([])
    for (const name of ['Acme Inc.', 'St. Mary', 'Acme S.A.', '株式会社。テスト', '注意：重要', '❤️ 2.0'])
      expect(await ann.call('create', { name }), name).to.have.nested.property('organization.name', name)
  })
})

/** Returns the functions about any user, with the configuration of a stage. */
const stageAuth = ({ config }: MemberStage) => ({ auth: expressFunctions(config) })

async function ask(stage: MemberStage, name: string, args: unknown[]) {
  return stage.stranger().get(`/call/${name}?args=${encodeURIComponent(JSON.stringify(args))}`)
}

describe('stored organizations beside other options', () => {
  afterEach(restoreClock)
  const open = closedAfterEach((config: object = {}, door: keyof typeof doors = 'express') =>
    doors[door]({ ...kinds['jwt sessions'](), ...config }),
  )

  it('limit the invitations of an organization and of a user', async () => {
    const rateLimit = { rules: { invitation: { perAccount: 2, window: 60 }, inviter: { perAccount: 3, window: 60 } } }
    const stage = await open({ rateLimit })
    const ann = await stage.person('ann')
    const invite = async (id: string, name: string) => {
      const outcome = await ann.call('invite', { organization: id, email: `${name}@example.com`, role: 'member' })
      return outcome.ok ? 'sent' : outcome.reason
    }
    const [first, second] = [await createBy(ann), await createBy(ann)]
    const sent = [await invite(first, 'a'), await invite(first, 'b'), await invite(first, 'c')]
    expect(sent).to.deep.equal(['sent', 'sent', 'limited'])
    expect(await invite(second, 'd')).to.equal('limited')
  })

  it('refuse to delete the last owner, and remove the memberships and invitations of others', async () => {
    for (const door of ['express', 'shim'] as const) {
      const adapter = memoryAdapter()
      const stage = await open({ adapter, deletion: true, session: { strategy: 'jwt', revocation: true } }, door)
      const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
      const [id, other] = [await createBy(ann), await createBy(ann)]
      await admit(ann, id, bob, 'member')
      await ann.call('invite', { organization: other, email: bob.email, role: 'member' })
      const { auth } = stageAuth(stage)
      const remove = (userId: string, more = {}) => auth.users.delete(userId, { reason: 'test', ...more })
      const refused = await remove(ann.id)
      expect(refused).to.deep.include({ ok: false, reason: 'lastOwner' })
      expect('organizations' in refused && [...refused.organizations].sort()).to.deep.equal([id, other].sort())
      expect(await ann.guard(id)).to.equal(200)
      expect(await remove(bob.id)).to.include({ ok: true })
      expect(await ann.call('members', id, {}))
        .to.have.property('members')
        .that.has.length(1)
      expect(await ann.call('invitations', other))
        .to.have.property('invitations')
        .that.has.length(0)
      expect(await ann.call('admit', { organization: id, userId: bob.id, role: 'member' })).to.include({
        reason: 'user',
      })
      expect(await remove(ann.id, { organizations: 'delete' })).to.include({ ok: true })
      expect(stage.changes.filter(({ change }) => change === 'deleted')).to.have.length(2)
    }
  })

  it('report an organization whose owners are all disabled, whose invitations end', async () => {
    const stage = await open()
    const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
    const id = await createBy(ann)
    await ann.call('invite', { organization: id, email: bob.email, role: 'member' })
    const token = await stage.tokenOf(bob.email)
    await stageAuth(stage).auth.users.disable(ann.id)
    expect(stage.changes.at(-1)).to.include({ organizationId: id, change: 'unattended' })
    const page = await bob.browser.get(`/api/auth/invitation?token=${token}`)
    expect(page.headers.location).to.include('error=Verification')
    expect(await bob.call('admit', { organization: id, userId: ann.id, role: 'member' })).to.include({ reason: 'user' })
  })

  for (const way of ['leave', 'removeMember', 'setRole', 'dismiss', 'transferOwnership', 'a deletion']) {
    it(`report an organization whose last enabled owner is gone: ${way}`, async () => {
      const stage = await open({ deletion: true })
      const [ann, bob, eve] = [await stage.person('ann'), await stage.person('bob'), await stage.person('eve')]
      const id = await createBy(ann)
      await admit(ann, id, bob, way === 'transferOwnership' ? 'member' : 'owner')
      await admit(ann, id, eve, 'member')
      await stageAuth(stage).auth.users.disable(bob.id)
      const gone = { organization: id, userId: ann.id }
      const actions: Readonly<Record<string, () => Promise<unknown>>> = {
        leave: () => ann.call('leave', id),
        removeMember: () => ann.call('removeMember', gone),
        setRole: () => ann.call('setRole', { ...gone, role: 'member' }),
        dismiss: () => stageAuth(stage).auth.organizations.dismiss(gone),
        transferOwnership: () => ann.call('transferOwnership', { organization: id, userId: bob.id, role: 'member' }),
        'a deletion': () => stageAuth(stage).auth.users.delete(ann.id, { reason: 'asked' }),
      }
      expect(await ann.call('removeMember', { organization: id, userId: eve.id })).to.include({ ok: true })
      expect(stage.changes.map(({ change }) => change)).not.to.include('unattended')
      expect(await actions[way]?.()).to.include({ ok: true })
      expect(stage.changes.at(-1)).to.include({ organizationId: id, change: 'unattended' })
    })
  }

  it('answer that a member was dismissed, if the store of disabled users fails afterwards', async () => {
    const store = memoryStore()
    let isBroken = false
    const log: NonNullable<Store['log']> = {
      ...store.log,
      async find(keys) {
        if (isBroken) throw new Error('The database failed.')
        return store.log.find(keys)
      },
    }
    const stage = await open({ session: { strategy: 'jwt', revocation: { store: { ...store, log } } } })
    const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
    const id = await createBy(ann)
    await admit(ann, id, bob, 'owner')
    isBroken = true
    const { organizations } = stageAuth(stage).auth
    expect(await organizations.dismiss({ organization: id, userId: ann.id })).to.deep.equal({ ok: true })
    expect(await organizations.listOf(ann.id)).to.deep.equal([])
    expect(stage.changes.at(-1)).to.include({ change: 'memberRemoved', userId: ann.id })
    expect(stage.log.errors.splice(0).map((error) => String(error))).to.have.length(1)
  })

  it('forget a cached membership at once in this process', async () => {
    const stage = await open({ organizations: { ...option, cacheFor: 300 } })
    const [ann, bob] = [await stage.person('ann'), await stage.person('bob')]
    const id = await createBy(ann)
    await admit(ann, id, bob, 'admin')
    expect(await bob.guard(id, 'write')).to.equal(200)
    await ann.call('setRole', { organization: id, userId: bob.id, role: 'guest' })
    expect(await bob.guard(id, 'write')).to.equal(403)
    await ann.call('transferOwnership', { organization: id, userId: bob.id, role: 'guest' })
    expect([await bob.guard(id, 'write'), await ann.guard(id, 'write')]).to.deep.equal([200, 403])
    await bob.call('delete', id)
    expect([await bob.guard(id), await ann.guard(id)]).to.deep.equal([404, 404])
  })

  it('query the database once for a guard, by the primary key', async () => {
    const { store, calls } = watchedStore()
    const stage = await open({ organizations: { ...option, store } })
    const ann = await stage.person('ann')
    const id = await createBy(ann)
    calls.length = 0
    expect(await ann.guard(id, 'write')).to.equal(200)
    expect(calls).to.deep.equal(['find'])
  })

  it('need a fresh sign-in before an organization is deleted', async () => {
    const stage = await open()
    const ann = await stage.person('ann')
    const id = await createBy(ann)
    advanceClock(6 * 60)
    expect(await ann.call('delete', id)).to.deep.equal({ ok: false, reason: 'stale' })
    restoreClock()
    expect(await ann.call('delete', id)).to.deep.equal({ ok: true })
  })
})

describe('guards', () => {
  it('give the same answers for stored members as for those of your own tables', async () => {
    const stored = await doors.express(kinds['jwt sessions']())
    const members = new Map<string, string>()
    const membership = (userId: string, id: string) => {
      const role = members.get(`${userId} ${id}`)
      return role === undefined ? null : { role }
    }
    const byHand = await doors.express({ ...kinds['jwt sessions'](), organizations: { membership, roles } })
    try {
      const ann = await stored.person('ann')
      const id = await createBy(ann)
      for (const role of [...Object.keys(roles), undefined] as Array<keyof typeof roles | undefined>) {
        const [one, other] = [await stored.person(`${role}-1`), await byHand.person(`${role}-1`)]
        if (role) await admit(ann, id, one, role)
        if (role) members.set(`${other.id} ${id}`, role)
        for (const organization of [id, 'unknown', '%00', 'x'.repeat(200)]) {
          for (const name of ['any', 'write'] as const) {
            const answers = await Promise.all(
              [one, other].map((each) => each.browser.get(`/org/${organization}/${name}`)),
            )
            const [first, second] = answers.map(({ status, body }) => ({ status, error: body.error, role: body.role }))
            expect(first, `${role} at ${organization}/${name}`).to.deep.equal(second)
          }
        }
      }
    } finally {
      await Promise.all([stored.close(), byHand.close()])
    }
  })

  it('TN-01 know nothing of the organizations of another tenant in the same database', async () => {
    const adapter = memoryAdapter()
    const scopes = ['a', 'b'].map((tenant) => createScope(tenant, new Set()))
    const stores = scopes.map((scope) => scopeStore(adapter.store(), scope))
    const own = (store: (typeof stores)[number]) => ({ ...option, store: store as { records: RecordStore } })
    const stages = await Promise.all(
      stores.map((store) => doors.express({ ...kinds['jwt sessions'](), adapter, organizations: own(store) })),
    )
    const [first, second] = stages
    try {
      if (!first || !second) return expect.fail()
      const [ann, same] = [await first.person('ann'), await second.person('ann')]
      expect(same.id).to.equal(ann.id)
      const created = await ann.call('create', { name: 'Acme', slug: 'acme' })
      if (!created.ok) return expect.fail(created.reason)
      const { id } = created.organization
      expect([await ann.guard(id), await same.guard(id)]).to.deep.equal([200, 404])
      expect([await same.call('get', 'acme'), await same.call('get', id), await same.call('list')]).to.deep.equal([
        null,
        null,
        [],
      ])
      expect(await same.call('leave', id)).to.include({ reason: 'unknown' })
      await ann.call('invite', { organization: id, email: 'new@example.com', role: 'member' })
      const answer = await accept(second.stranger(), await first.tokenOf('new@example.com'))
      expect(answer.headers.location).to.include('error=Verification')
      expect(await same.call('create', { name: 'Other', slug: 'acme' })).to.include({ ok: true })
      expect(await ann.call('members', id, {}))
        .to.have.property('members')
        .that.has.length(1)
    } finally {
      await Promise.all(stages.map((stage) => stage.close()))
    }
  })
})
