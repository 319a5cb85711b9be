/** The records of stored organizations, and the membership that guards ask for. */
import { foldAddress } from '../../base/email-address.js'
import { perOwner } from '../../base/memory.js'
import type { ResolvedConfig, ResolvedMembers } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { InvalidConfiguration } from '../../errors.js'
import { guardChanges, guardRecords } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { invitationsTable, membersTable, organizationsTable, type StoredInvitation, slugsTable } from './description.js'

/** The members in one page of a search. */
const pageSize = 500

/** Returns the option. @throws {@link InvalidConfiguration} without it. */
export function requireMembers({ organizations }: Pick<ResolvedConfig, 'organizations'>): ResolvedMembers {
  if (organizations?.stored) return organizations.stored
  throw new InvalidConfiguration(
    'This function of `auth.organizations` needs stored organizations. Set `organizations.store`, such as `true`.',
  )
}

/** The guarded records of stored organizations. */
export type OrganizationRecords = ReturnType<typeof recordsOf>

/** Returns the records, behind the guard. */
export const recordsOf = perOwner(({ store, timeout }: ResolvedMembers) => {
  const guard = { keeps: 'organizations', timeout }
  return {
    organizations: guardRecords(store, organizationsTable, guard),
    slugs: guardRecords(store, slugsTable, guard),
    members: guardRecords(store, membersTable, guard),
    invitations: guardRecords(store, invitationsTable, guard),
    changes: () => guardChanges(store, guard),
  }
})

/** Returns the name of an email address in invitations. Spellings of one mailbox that differ in case have one name. */
export function addressName(email: string): string {
  return shortHash(`invitation ${foldAddress(email)}`)
}

/** Returns the answer to a guard, by one query. */
export async function storedMembership(
  option: ResolvedMembers,
  userId: string,
  organizationId: string,
): Promise<{ role: string } | null> {
  return recordsOf(option).members.find({ organizationId, userId })
}

/** Returns the organizations of a user, with their role. */
export async function organizationsOf(option: ResolvedMembers, userId: string) {
  const { members, organizations } = recordsOf(option)
  const found = await Promise.all(
    (await members.list(userId)).map(async ({ organizationId: id, role }) => ({
      stored: await organizations.find({ id }),
      role,
    })),
  )
  const present = found.flatMap(({ stored, role }) => (stored ? [{ ...stored, role }] : []))
  return present.sort((one, other) => one.name.localeCompare(other.name, 'en') || (one.id < other.id ? -1 : 1))
}

/** Returns the pending invitations to the verified email address of a user. */
export async function invitationsTo(
  option: ResolvedMembers,
  { email, emailVerified }: Pick<AdapterUser, 'email' | 'emailVerified'>,
): Promise<readonly StoredInvitation[]> {
  return emailVerified === null ? [] : recordsOf(option).invitations.list(addressName(email))
}

/** Returns the ids of the owners of an organization. */
export async function ownersOf(option: ResolvedMembers, organizationId: string): Promise<readonly string[]> {
  const { members } = recordsOf(option)
  const owners: string[] = []
  let after: string | undefined
  do {
    const page = await members.page(organizationId, { after, limit: pageSize })
    owners.push(...page.flatMap(({ role, userId }) => (role === option.owner ? [userId] : [])))
    after = page.length < pageSize ? undefined : page.at(-1)?.userId
  } while (after !== undefined)
  return owners
}
