/** The organizations of users who are deleted or disabled. */

import type { ResolvedConfig } from '../../contracts/index.js'
import { AdapterError } from '../../errors.js'
import type { AdministrationContext } from '../../types/config.js'
import { changeOrganization, isLastOwner, memberIn, reportIfUnattended } from './change.js'
import { invitationsTable } from './description.js'
import { removeMembership, removeOrganization } from './members.js'
import { addressName, ownersOf, recordsOf, requireMembers } from './store.js'

/** Returns the ids of the organizations whose only owner is the user. */
export async function soleOwnerships(config: ResolvedConfig, userId: string): Promise<readonly string[]> {
  const option = requireMembers(config)
  const memberships = await recordsOf(option).members.list(userId)
  const owned = memberships.filter(({ role }) => role === option.owner)
  const found = await Promise.all(
    owned.map(async ({ organizationId: id }) =>
      (await ownersOf(option, id)).every((owner) => owner === userId) ? [id] : [],
    ),
  )
  return found.flat()
}

/** The user who is deleted. */
interface DepartingUser {
  readonly userId: string
  /** The verified email address of the user, whose invitations end. */
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
      const isLast = await isLastOwner(state, member)
      if (isLast && !deletesOrganizations) return { ok: false, reason: 'lastOwner' }
      if (isLast) removeOrganization(state)
      else removeMembership(state, userId)
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
  for (const { organizationId: id, role } of await recordsOf(option).members.list(userId)) {
    if (role === option.owner) await reportIfUnattended({ config, id, by }, await ownersOf(option, id))
  }
}
