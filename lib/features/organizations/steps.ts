/** The active organization at the beginning of a session, if the option `organizations` is set. */
import type { StepOf } from '../../actions/sign-in-stages.js'
import { createLazyLoader, lazyPerOwner } from '../../base/lazy-loader.js'
import type { AuthContext, ResolvedConfig, ResolvedOrganizations } from '../../contracts/index.js'
import { toError } from '../../errors.js'

/** Loads the endpoint's page and the memberships, if `organizations` is set. */
export const loadOrganizations = createLazyLoader('Organizations', () => import('./entry.js'))

/** Loads the memberships. */
export const loadMemberships = lazyPerOwner(async (organizations: ResolvedOrganizations) =>
  (await loadOrganizations()).membershipsOf(organizations),
)

/** Stores the user for `membership`, and the active organization. */
export const activeOrganizationStep: StepOf<'session'> = {
  name: 'active organization',
  stage: 'session',
  async run({ context, signedIn, beginning }) {
    const { organizations } = context.config
    const { id: member } = signedIn.user
    if (!organizations || member === undefined) return undefined
    // A session for an app has the organization of the session in which it was approved.
    const isGiven = beginning && 'organization' in beginning
    const organization = isGiven ? beginning.organization : await firstOrganization(context, member)
    return { beginning: { ...beginning, member, organization } }
  },
}

/** Returns the active organization of the session that the user has in this browser, otherwise the only one of the user. */
async function firstOrganization(context: AuthContext, userId: string): Promise<string | undefined> {
  const before = await context.sessions.principal(context)
  if (before?.userId === userId && before.organization !== undefined) return before.organization
  return onlyOrganizationOf(context.config, userId)
}

/** Returns the organization of a user who has one only, if the application lists them. */
export async function onlyOrganizationOf(
  { organizations, logger }: Pick<ResolvedConfig, 'organizations' | 'logger'>,
  userId: string,
): Promise<string | undefined> {
  if (!organizations?.options.list) return undefined
  try {
    const [only, second] = await (await loadMemberships(organizations)).list(userId)
    return second ? undefined : only?.id
  } catch (error) {
    // Guards ask for an organization later, so the fault does not prevent the beginning of the session.
    logger.error(toError(error))
    return undefined
  }
}
