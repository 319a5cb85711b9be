/** The organizations of users who are deleted or disabled. */

import { emitEvent } from '../../callbacks/index.js'
import type { ResolvedConfig } from '../../contracts/index.js'
import { AdapterError } from '../../errors.js'
import type { AdministrationContext } from '../../types/config.js'
import { isDisabled } from './admission.js'
import { changeOrganization, hasOtherOwner, memberIn } from './change.js'
import { invitationsTable, membersTable } from './description.js'
import { removeOrganization } from './members.js'
import { addressName, ownersOf, recordsOf, requireMembers } from './store.js'

/** Returns the ids of the organizations whose only owner is the user. */
export async function soleOwnerships(config: ResolvedConfig, userId: string): Promise<readonly string[]> {
  const option = requireMembers(config)
  const owned = (await recordsOf(option).members.list(userId)).filter(({ role }) => role === option.owner)
  const found = await Promise.all(
    owned.map(async ({ organizationId }) => {
      const owners = await ownersOf(option, organizationId)
      return owners.every((owner) => owner.userId === userId) ? [organizationId] : []
    }),
  )
  return found.flat()
}

/** The user who is deleted. */
interface DepartingUser {
  readonly userId: string
  /** The email address of the user, whose invitations end. */
  readonly email: string | undefined
  /** `true` if organizations without another owner are deleted. */
  readonly deletesOrganizations: boolean
  readonly by: AdministrationContext
}

/**
 * Removes the memberships of a user, and the invitations to their address.
 *
 * @throws {@link AdapterError} if the user has become the last owner of an organization meanwhile.
 */
export async function removeFromOrganizations(
  config: ResolvedConfig,
  { userId, email, deletesOrganizations, by }: DepartingUser,
): Promise<void> {
  const { members, invitations } = recordsOf(requireMembers(config))
  for (const { organizationId: id } of await members.list(userId)) {
    const outcome = await changeOrganization({ config, id, by }, async (state) => {
      const member = await memberIn(state, userId)
      if (!member) return { ok: true }
      const isLast = member.role === state.option.owner && !(await hasOtherOwner(state, userId))
      if (isLast && !deletesOrganizations) return { ok: false, reason: 'lastOwner' }
      if (isLast) removeOrganization(state)
      else {
        state.change.remove(membersTable, { organizationId: id, userId })
        state.report({ change: 'memberRemoved', userId })
      }
      return { ok: true }
    })
    if (!outcome.ok && outcome.reason === 'lastOwner')
      throw new AdapterError(
        `The user has become the last owner of the organization ${id}. Make another member an owner with \`auth.organizations.admit\`, and continue the deletion.`,
        { method: 'writeAll' },
      )
  }
  const address = email ? addressName(email) : undefined
  for (const { organizationId: id } of address === undefined ? [] : await invitations.list(address)) {
    await changeOrganization({ config, id, by }, async ({ change, report }) => {
      change.remove(invitationsTable, { organizationId: id, address: address ?? '' })
      report({ change: 'invitationRevoked' })
      return { ok: true }
    })
  }
}

/** Emits an event for each organization whose owners are all disabled. */
export async function reportUnattended(
  config: ResolvedConfig,
  userId: string,
  by: AdministrationContext,
): Promise<void> {
  const option = requireMembers(config)
  for (const { organizationId, role } of await recordsOf(option).members.list(userId)) {
    if (role !== option.owner) continue
    const owners = await ownersOf(option, organizationId)
    const disabled = await Promise.all(owners.map((owner) => isDisabled(config, owner.userId)))
    if (disabled.every(Boolean))
      await emitEvent(config, 'organizationChanged', { organizationId, change: 'unattended', ...by })
  }
}
