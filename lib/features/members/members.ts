/** Changes of the members of an organization. */

import type { ResolvedConfig } from '../../contracts/index.js'
import { randomText } from '../../crypto/random.js'
import { requireStore } from '../../store/guard.js'
import type { AdministrationContext } from '../../types/config.js'
import type { Awaitable } from '../../types/identity.js'
import type { Outcome } from '../../types/outcome.js'
import {
  afterChange,
  changeOrganization,
  hasPermission,
  isLastOwner,
  mayGive,
  memberIn,
  type OrganizationState,
  type OrganizationTarget,
  otherOwnersOf,
} from './change.js'
import {
  invitationsTable,
  membersTable,
  organizationsTable,
  type StoredMember,
  type StoredOrganization,
  slugsTable,
} from './description.js'
import { addressName, recordsOf, requireMembers } from './store.js'

/** The permission of a call. */
export type OrganizationPermission = 'members:read' | 'members:write' | 'organization:write' | 'organization:delete'

/** A change that a member makes. */
export interface MemberChange extends OrganizationTarget {
  /** The id of the user who makes it. */
  readonly actor: string
}

/** Creates an organization with its first owner. */
export async function createOrganization(
  config: ResolvedConfig,
  { name, slug, owner, by }: { name: string; slug: string | undefined; owner: string; by: AdministrationContext },
): Promise<Outcome<'slug', { readonly organization: StoredOrganization }>> {
  const option = requireMembers(config)
  const changes = recordsOf(option).changes()
  const id = randomText(16)
  const organization = { id, name, slug: slug ?? null, createdAt: new Date() }
  changes.write(organizationsTable, organization, 0)
  if (slug !== undefined) changes.write(slugsTable, { slug, organizationId: id }, 0)
  const member = { organizationId: id, userId: owner, role: option.owner, source: 'created', since: new Date() }
  changes.write(membersTable, member, 0)
  // The id is new, so only the slug can be taken.
  if (!(await changes.commit())) return { ok: false, reason: 'slug' }
  await afterChange({ config, by }, [{ organizationId: id, change: 'created', userId: owner, role: option.owner }])
  return { ok: true, organization: { ...organization, version: 1 } }
}

/**
 * Returns the actor of a change, as the decision must see them.
 *
 * @returns `unknown` for a user who is no member: the answer is that for an organization that does not exist.
 */
export async function actorIn(
  state: OrganizationState,
  { config, actor }: Pick<MemberChange, 'config' | 'actor'>,
  permission: OrganizationPermission,
): Promise<Outcome<'unknown' | 'forbidden', { readonly role: string }>> {
  const member = await memberIn(state, actor)
  if (!member) return { ok: false, reason: 'unknown' }
  if (!hasPermission(config, member.role, permission)) return { ok: false, reason: 'forbidden' }
  return { ok: true, role: member.role }
}

type MemberOutcome = Outcome<'unknown' | 'forbidden' | 'member' | 'lastOwner'>

/** Changes the role of a member. */
export function setMemberRole(change: MemberChange, userId: string, role: string): Promise<MemberOutcome> {
  return changeMember(change, { userId, next: role }, (state, own, target) => {
    if (!mayGive(change.config, own, role)) return { ok: false, reason: 'forbidden' }
    if (target.role === role) return { ok: true }
    state.change.write(membersTable, { ...target, role }, target.version)
    state.report({ change: 'roleChanged', userId, role })
    return { ok: true }
  })
}

/** Removes a member. */
export function removeMember(change: MemberChange, userId: string): Promise<MemberOutcome> {
  return changeMember(change, { userId, next: null }, async (state) => {
    await expelMember(state, change.config, userId)
    return { ok: true }
  })
}

/** Removes a member for the application itself. The organization keeps an owner. */
export function dismissMember(
  target: OrganizationTarget,
  userId: string,
): Promise<Outcome<'unknown' | 'member' | 'lastOwner'>> {
  return changeOrganization(target, async (state): Promise<Outcome<'member' | 'lastOwner'>> => {
    const member = await memberIn(state, userId)
    if (!member) return { ok: false, reason: 'member' }
    if (await isLastOwner(state, member)) return { ok: false, reason: 'lastOwner' }
    await expelMember(state, target.config, userId)
    return { ok: true }
  })
}

/** Decides on a member, whose role the actor may take. The organization keeps an owner. @param next The next role; `null` for none. */
function changeMember(
  change: MemberChange,
  { userId, next }: { userId: string; next: string | null },
  decide: (state: OrganizationState, own: string, target: StoredMember) => Awaitable<MemberOutcome>,
): Promise<MemberOutcome> {
  return changeOrganization(change, async (state): Promise<MemberOutcome> => {
    const actor = await actorIn(state, change, 'members:write')
    if (!actor.ok) return actor
    const target = await memberIn(state, userId)
    if (!target) return { ok: false, reason: 'member' }
    if (!mayGive(change.config, actor.role, target.role)) return { ok: false, reason: 'forbidden' }
    if (target.role !== next && (await isLastOwner(state, target))) return { ok: false, reason: 'lastOwner' }
    return decide(state, actor.role, target)
  })
}

/** Removes a member, and the pending invitation to their verified email address, by which they could return. */
async function expelMember(state: OrganizationState, config: ResolvedConfig, userId: string): Promise<void> {
  const { organization, records, change, report } = state
  removeMembership(state, userId)
  const user = await requireStore(config).getUser(userId)
  if (!user?.emailVerified) return
  const key = { organizationId: organization.id, address: addressName(user.email) }
  const invitation = await records.invitations.find(key)
  if (!invitation) return
  change.remove(invitationsTable, key)
  report({ change: 'invitationRevoked', role: invitation.role })
}

/** Removes a membership. */
export function removeMembership({ change, organization, report }: OrganizationState, userId: string): void {
  change.remove(membersTable, { organizationId: organization.id, userId })
  report({ change: 'memberRemoved', userId })
}

/** Removes the user who calls it. */
export function leaveOrganization(change: MemberChange): Promise<Outcome<'unknown' | 'lastOwner'>> {
  return changeOrganization(change, async (state): Promise<Outcome<'unknown' | 'lastOwner'>> => {
    const own = await memberIn(state, change.actor)
    if (!own) return { ok: false, reason: 'unknown' }
    if (await isLastOwner(state, own)) return { ok: false, reason: 'lastOwner' }
    removeMembership(state, own.userId)
    return { ok: true }
  })
}

/** Makes another member the owner, and gives the previous one another role. */
export function transferOwnership(
  change: MemberChange,
  userId: string,
  role: string,
): Promise<Outcome<'unknown' | 'forbidden' | 'member'>> {
  return changeOrganization(change, async (state): Promise<Outcome<'unknown' | 'forbidden' | 'member'>> => {
    const { owner } = state.option
    const own = await memberIn(state, change.actor)
    if (!own) return { ok: false, reason: 'unknown' }
    if (own.role !== owner) return { ok: false, reason: 'forbidden' }
    const next = await memberIn(state, userId)
    if (!next || userId === own.userId) return { ok: false, reason: 'member' }
    state.change.write(membersTable, { ...next, role: owner }, next.version)
    state.change.write(membersTable, { ...own, role }, own.version)
    state.keepOwners([...(await otherOwnersOf(state, own.userId)), userId])
    state.report({ change: 'ownershipTransferred', userId, role: owner })
    return { ok: true }
  })
}

/** Changes the name or the slug of an organization. `null` removes the slug. */
export function updateOrganization(
  change: MemberChange,
  { name, slug }: { readonly name?: string | undefined; readonly slug?: string | null | undefined },
): Promise<Outcome<'unknown' | 'forbidden' | 'slug', { readonly organization: StoredOrganization }>> {
  return changeOrganization(change, async (state) => {
    const { organization, records } = state
    const actor = await actorIn(state, change, 'organization:write')
    if (!actor.ok) return actor
    const next = { ...organization, ...(name !== undefined && { name }), ...(slug !== undefined && { slug }) }
    if (next.slug !== organization.slug) {
      if (next.slug !== null) {
        if (await records.slugs.find({ slug: next.slug })) return { ok: false, reason: 'slug' } as const
        state.change.write(slugsTable, { slug: next.slug, organizationId: organization.id }, 0)
      }
      if (organization.slug !== null) state.change.remove(slugsTable, { slug: organization.slug })
    }
    state.update(next)
    state.report({ change: 'updated' })
    return { ok: true, organization: next } as const
  })
}

/** Deletes an organization, if a member with the permission asks for it. */
export function deleteOrganization(change: MemberChange): Promise<Outcome<'unknown' | 'forbidden'>> {
  return changeOrganization(change, async (state): Promise<Outcome<'unknown' | 'forbidden'>> => {
    const actor = await actorIn(state, change, 'organization:delete')
    if (!actor.ok) return actor
    removeOrganization(state)
    return { ok: true }
  })
}

/** Removes an organization with its members and invitations. */
export function removeOrganization({ change, organization: { id, slug }, report }: OrganizationState): void {
  change.remove(membersTable, { organizationId: id })
  change.remove(invitationsTable, { organizationId: id })
  if (slug !== null) change.remove(slugsTable, { slug })
  change.remove(organizationsTable, { id })
  report({ change: 'deleted' })
}
