/** The functions of an organization that requires its connection, in sessions that have not proved it. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { connectionsTable } from '../../lib/features/connections/description.js'
import { connectionRules } from '../../lib/features/connections/functions.js'
import { membersTable } from '../../lib/features/members/description.js'
import { memberRules } from '../../lib/features/members/functions.js'
import {
  base,
  changeRecord,
  connectStored,
  openWorld,
  type Stage,
  stagesOf,
  storedOrganizations,
  strategies,
  type World,
} from './stage.js'

const people = [
  { login: 'owner', sub: 'owner-sub', name: 'Owner', email: 'owner@acme.example' },
  { login: 'partner', sub: 'partner-sub', name: 'Partner', email: 'partner@elsewhere.example' },
]

/** The functions that show a user their own organizations, let them leave, or are for the application's own code. */
const exceptMembers = ['create', 'get', 'list', 'leave', 'admit', 'dismiss', 'listOf']

describe('functions of an organization that requires its connection', () => {
  let world: World
  before(async () => {
    world = await openWorld(people)
  })
  after(() => world.close())

  for (const [door, at] of Object.entries(stagesOf(() => world))) {
    for (const strategy of strategies) {
      it(`CN-10 treat an owner who has not proved it as a stranger, until the proof, at ${door}, with ${strategy} sessions`, async () => {
        const adapter = memoryAdapter()
        const stage: Stage = await at(strategy)({ adapter, ...storedOrganizations })
        try {
          const { owner, organizationId: organization, id } = await connectStored(stage)
          const partner = await stage.signIn('partner@elsewhere.example')
          const { records } = adapter.store()
          const member = { organizationId: organization, userId: partner.userId, role: 'owner', source: 'test' }
          await records.write(membersTable, { ...member, since: new Date() }, 0)
          await changeRecord(records, { table: connectionsTable, key: { id } }, { policy: 'required' })

          const refused = { ok: false, reason: 'refused' }
          const unknown = { ok: false, reason: 'unknown' }
          const { userId } = owner
          const ofConnections: Array<[name: string, ...args: unknown[]]> = [
            ['list', organization],
            ['claimDomain', { organization, domain: 'more.example' }],
            ['verifyDomain', { organization, domain: 'more.example' }],
            ['create', { organization, name: 'Other', ...world.idp.settings() }],
            ['set', id, { policy: 'optional' }],
            ['set', id, { exempt: [partner.userId] }],
            ['releaseDomain', { organization, domain: 'acme.example' }],
            ['delete', id],
          ]
          const triedOfConnections = new Set([...ofConnections.map(([name]) => name), 'verifiesAddress'])
          expect([...triedOfConnections].sort()).to.deep.equal(Object.keys(connectionRules).sort())
          for (const [name, ...args] of ofConnections)
            expect(await stage.callAny(partner.browser, 'connections', name, ...args), name).to.deep.equal(refused)
          const ofMembers: Array<[name: string, ...args: unknown[]]> = [
            ['members', organization],
            ['invitations', organization],
            ['invite', { organization, email: 'more@elsewhere.example', role: 'owner' }],
            ['revokeInvitation', { organization, id: 'any' }],
            ['setRole', { organization, userId, role: 'member' }],
            ['removeMember', { organization, userId }],
            ['transferOwnership', { organization, userId, role: 'member' }],
            ['update', { organization, name: 'Other' }],
            ['delete', organization],
          ]
          const tried = [...ofMembers.map(([name]) => name), ...exceptMembers].sort()
          expect(tried, 'each function is tried').to.deep.equal(Object.keys(memberRules).sort())
          for (const [name, ...args] of ofMembers)
            expect(await stage.callAny(partner.browser, 'organizations', name, ...args), name).to.deep.equal(unknown)

          await stage.through(partner.browser, id, 'partner')
          expect((await partner.browser.session(base)).user.id).to.equal(partner.userId)
          expect(await stage.callAny(partner.browser, 'organizations', 'members', organization)).to.include({
            ok: true,
          })
          expect(await stage.call(partner.browser, 'set', id, { policy: 'optional' })).to.deep.equal({ ok: true })
        } finally {
          await stage.close()
        }
      })
    }
  }
})
