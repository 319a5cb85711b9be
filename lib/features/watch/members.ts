/** Finds the users who have left the organization of their watch. Each user is looked up once for each organization. */
import { forEachConcurrently } from '../../base/concurrently.js'
import type { ResolvedOrganizations } from '../../contracts/index.js'
import { toError } from '../../errors.js'
import { membershipsOf } from '../organizations/store.js'

/** The user of a watch, and the organization of which the user must be a member. */
export interface RequiredMember {
  readonly userId: string
  readonly organization: string
}

/** The result of a look-up: whether the user is a member, or the error. */
type Looked = boolean | Error

/** The look-ups at once, because each is a query of the application. */
const concurrentLookUps = 4

/** Looks up memberships. Returns the function that has the results, by user and organization. */
export async function lookUpMembers(
  organizations: ResolvedOrganizations,
  required: readonly RequiredMember[],
): Promise<(member: RequiredMember) => Looked> {
  const keyOf = ({ userId, organization }: RequiredMember) => JSON.stringify([userId, organization])
  const members = new Map(required.map((each) => [keyOf(each), each]))
  const looked = new Map<string, Looked>()
  await forEachConcurrently(members, concurrentLookUps, async ([key, member]) => {
    looked.set(key, await isMember(organizations, member))
  })
  return (member) => looked.get(keyOf(member)) ?? false
}

async function isMember(organizations: ResolvedOrganizations, member: RequiredMember): Promise<Looked> {
  try {
    return await membershipsOf(organizations).isMember(member.userId, member.organization, { isFresh: false })
  } catch (thrown) {
    return toError(thrown)
  }
}
