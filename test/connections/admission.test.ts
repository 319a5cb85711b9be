/** Memberships by a connection in stored organizations, without a function of the application. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { ConnectionsOptions } from '../../lib/features/connections/types.js'
import { membersTable, organizationsTable } from '../../lib/features/members/description.js'
import { closedAfterEach } from '../support/opened.js'
import { base, connectStored, openWorld, stagesOf, storedOrganizations, strategies, type World } from './stage.js'

const people = [
  { login: 'ann', sub: 'ann-sub', name: 'Ann', email: 'ann@acme.example' },
  { login: 'guest', sub: 'guest-sub', name: 'Guest', email: 'guest@elsewhere.example' },
  { login: 'owner', sub: 'owner-sub', name: 'Owner', email: 'owner@acme.example' },
]

describe('memberships by a connection in stored organizations', () => {
  let world: World
  before(async () => {
    world = await openWorld(people)
  })
  after(() => world.close())

  for (const [door, at] of Object.entries(stagesOf(() => world))) {
    for (const strategy of strategies) {
      describe(`${door}, ${strategy} sessions`, () => {
        const openStage = closedAfterEach(at(strategy))

        const open = async (connections: Partial<ConnectionsOptions>) => {
          const adapter = memoryAdapter()
          const stage = await openStage({ adapter, ...storedOrganizations, connections })
          const { owner, organizationId, id } = await connectStored(stage)
          const { records } = adapter.store()
          return {
            ...{ stage, adapter, owner, organizationId, id },
            /** Signs a user in by the connection, and returns the membership. */
            async memberBy(login: string) {
              const browser = stage.browser()
              await stage.through(browser, id, login)
              const userId: string | undefined = (await browser.session(base))?.user?.id
              if (userId === undefined) return undefined
              const member = await records.find(membersTable, { organizationId, userId })
              return {
                userId,
                role: member?.role,
                source: member?.source,
                page: await stage.status(browser, organizationId),
              }
            },
            invite: (email: string, role: string) =>
              stage.callAny(owner.browser, 'organizations', 'invite', { organization: organizationId, email, role }),
          }
        }

        it('begin with the role of the option, and keep a role that was given later', async () => {
          const { stage, owner, organizationId, memberBy } = await open({ role: 'member' })
          const joined = await memberBy('ann')
          expect(joined).to.include({ role: 'member', source: 'connection', page: 200 })
          const change = { organization: organizationId, userId: joined?.userId, role: 'editor' }
          expect(await stage.callAny(owner.browser, 'organizations', 'setRole', change)).to.include({ ok: true })
          expect(await memberBy('ann')).to.include({ userId: joined?.userId, role: 'editor' })
          expect(await memberBy('owner')).to.include({ userId: owner.userId, role: 'owner', source: 'created' })
        })

        it('follow the claims of the identity provider, but lower no owner', async () => {
          let stated: string | undefined = 'editor'
          const { owner, memberBy } = await open({ role: () => stated })
          expect(await memberBy('ann')).to.include({ role: 'editor' })
          stated = 'member'
          expect(await memberBy('ann')).to.include({ role: 'member' })
          expect(await memberBy('owner')).to.include({ userId: owner.userId, role: 'owner' })
          stated = 'owner'
          expect(await memberBy('ann')).to.include({ role: 'owner' })
          stated = 'member'
          expect(await memberBy('ann')).to.include({ role: 'owner' })
          stated = undefined
          expect(await memberBy('ann')).to.include({ role: 'owner' })
          stated = 'unknown'
          expect(await memberBy('ann')).to.equal(undefined)
        })

        it('begin with the role of a pending invitation, which later claims do not change', async () => {
          const { invite, memberBy } = await open({ role: () => 'member' })
          expect(await invite('ann@acme.example', 'editor')).to.include({ ok: true })
          expect(await memberBy('ann')).to.include({ role: 'editor', source: 'invitation', page: 200 })
          expect(await memberBy('ann')).to.include({ role: 'editor' })
        })

        it('need an invitation without a role, and guards reject the others', async () => {
          const { invite, memberBy } = await open({})
          expect(await memberBy('ann')).to.include({ role: undefined, page: 404 })
          await invite('ann@acme.example', 'member')
          expect(await memberBy('ann')).to.include({ role: 'member', source: 'connection', page: 200 })
        })

        it('CN-14 create invited users only, if the option says so', async () => {
          const { stage, owner, organizationId, invite, memberBy } = await open({
            provision: 'invited',
            role: 'member',
          })
          expect(await memberBy('ann')).to.equal(undefined)
          const { invitation } = await invite('ann@acme.example', 'editor')
          const revoked = { organization: organizationId, id: invitation.id }
          expect(await stage.callAny(owner.browser, 'organizations', 'revokeInvitation', revoked)).to.include({
            ok: true,
          })
          expect(await memberBy('ann')).to.equal(undefined)
          await invite('guest@elsewhere.example', 'editor')
          expect(await memberBy('guest')).to.equal(undefined)
          await invite('ann@acme.example', 'editor')
          expect(await memberBy('ann')).to.include({ role: 'editor', page: 200 })
        })

        it('end with the organization: its connection signs no user in', async () => {
          const { adapter, organizationId, memberBy } = await open({ role: 'member' })
          expect(await memberBy('ann')).to.include({ role: 'member' })
          await adapter.store().records.remove(organizationsTable, { id: organizationId })
          expect(await memberBy('ann')).to.equal(undefined)
        })
      })
    }
  }

  it('need a role that exists, and stored organizations or functions', async () => {
    const open = stagesOf(() => world).express('jwt')
    const failure = (connections: Partial<ConnectionsOptions>, more = {}) =>
      open({ organizations: storedOrganizations.organizations, ...more, connections }).then(
        (stage) => stage.close(),
        (error: Error) => error.message,
      )
    expect(await failure({ role: 'chief' })).to.include('`connections.role` is "chief"')
    expect(await failure({ role: '' })).to.include('`connections.role` must be a role')
    const ownTables = { organizations: { membership: () => null, roles: storedOrganizations.organizations.roles } }
    expect(await failure({ provision: 'invited' }, ownTables)).to.include('needs the function `invited`')
  })
})
