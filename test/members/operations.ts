/** The operations on an organization that histories consist of, and what must be true after each of them. */
import type { ResolvedConfig } from '../../lib/contracts/index.js'
import { membersTable } from '../../lib/features/members/description.js'
import {
  acceptInvitation,
  admitUser,
  createInvitation,
  dismissMember,
  leaveOrganization,
  removeMember,
  revokeInvitation,
  setMemberRole,
  transferOwnership,
} from '../../lib/features/members/entry.js'
import { addressName } from '../../lib/features/members/store.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { RecordStore } from '../../lib/types/store.js'
import { credentials } from '../support/app.js'
import { option } from './stage.js'

/** The users of all histories. The first one creates the organization. */
export const users = ['u0', 'u1', 'u2', 'u3'] as const
export const roleNames = ['owner', 'admin', 'member', 'guest'] as const
export const kinds = [
  'setRole',
  'remove',
  'leave',
  'transfer',
  'invite',
  'accept',
  'revoke',
  'admit',
  'dismiss',
] as const

/** An operation: the user who acts, the user whom it is about, and the role that it gives. */
export interface Operation {
  readonly kind: (typeof kinds)[number]
  readonly actor: string
  readonly user: string
  readonly role: string
}

/** Returns the configuration of each process. */
export function settingsOf(adapter: Adapter): ServerAuthConfig {
  return {
    ...{ adapter, providers: [credentials()], organizations: option },
    secret: 'a secret of the test, which is long enough',
  }
}

/** Stores the users. */
export async function addUsers(adapter: Adapter): Promise<void> {
  for (const id of users) await adapter.createUser?.({ id, email: `${id}@example.com`, emailVerified: new Date() })
}

/**
 * Performs an operation. Returns whether it took effect.
 *
 * @param tokens The token of each user's last invitation.
 */
export async function perform(
  config: ResolvedConfig,
  id: string,
  { kind, actor, user, role }: Operation,
  tokens: Map<string, string>,
): Promise<boolean> {
  const by = { by: actor }
  const change = { config, id, actor, by }
  const token = tokens.get(user) ?? ''
  if (kind === 'setRole') return (await setMemberRole(change, user, role)).ok
  if (kind === 'remove') return (await removeMember(change, user)).ok
  if (kind === 'dismiss') return (await dismissMember({ config, id, by }, user)).ok
  if (kind === 'leave') return (await leaveOrganization(change)).ok
  if (kind === 'transfer') return (await transferOwnership(change, user, role)).ok
  if (kind === 'revoke') return (await revokeInvitation(change, addressName(`${user}@example.com`))).ok
  if (kind === 'admit') return (await admitUser({ config, id, by, userId: user, role, source: 'test' })).ok
  if (kind === 'accept') return (await acceptInvitation(config, { token, userId: user, by })) !== undefined
  const sent = await createInvitation(change, { email: `${user}@example.com`, role })
  if (sent.ok) tokens.set(user, sent.token)
  return sent.ok
}

/** Returns the roles that operations gave to a user. */
function rolesGiven(user: string, performed: readonly Operation[]): Set<string> {
  const given = performed.flatMap((each) => {
    if (each.kind === 'transfer')
      return [...(each.user === user ? ['owner'] : []), ...(each.actor === user ? [each.role] : [])]
    return ['setRole', 'invite', 'admit'].includes(each.kind) && each.user === user ? [each.role] : []
  })
  return new Set(user === users[0] ? ['owner', ...given] : given)
}

/** Returns the members of an organization, by one query. */
export async function membersOf(records: RecordStore, id: string) {
  const page = (await records.page?.(membersTable, id, { limit: 100 })) ?? []
  return page.map(({ userId, role }) => ({ userId: String(userId), role: String(role) }))
}

type Members = Awaited<ReturnType<typeof membersOf>>

/** Throws if an organization has no owner, or a member twice. */
export function assertOwned(members: Members): void {
  const ids = members.map(({ userId }) => userId)
  if (!members.some(({ role }) => role === 'owner')) throw new Error('The organization has no owner.')
  if (new Set(ids).size < ids.length) throw new Error(`A user is a member twice: ${ids.join()}.`)
}

/** Throws if the members are not explained by the operations that took effect. */
export function assertExplained(members: Members, performed: readonly Operation[]): void {
  assertOwned(members)
  for (const { userId, role } of members) {
    if (!rolesGiven(userId, performed).has(role)) throw new Error(`Nobody gave ${userId} the role ${role}.`)
    const hasJoined = performed.some(({ kind, user }) => user === userId && (kind === 'admit' || kind === 'accept'))
    if (userId !== users[0] && !hasJoined) throw new Error(`${userId} has not joined.`)
  }
}
