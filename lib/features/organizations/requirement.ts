/** The requirement of guards that a user is a member of an organization, with a role or a permission. */
import { mapMaybePromise } from '../../base/maybe-promise.js'
import { warnOnce } from '../../base/warn-once.js'
import { quoteName, readWords } from '../../config/reject-option.js'
import type { ResolvedConfig, ResolvedOrganizations, SessionReading } from '../../contracts/index.js'
import type { AuthEngine } from '../../engine/auth.js'
import { InvalidConfiguration } from '../../errors.js'
import {
  forbidden,
  type GuardDenial,
  type GuardedRequest,
  isNavigation,
  pageHref,
  type Rejection,
  withCallbackUrl,
} from '../../guards/rejection.js'
import type { Awaitable } from '../../types/identity.js'
import { unconfirmedRejection } from '../connections/requirement.js'
import { loadMemberships } from './steps.js'
import type { OrganizationMember, OrganizationRequirement } from './types.js'

/** The member of a session, or of an API key, which has no proofs: they were checked when the key was created. */
export type GuardedReading = Pick<SessionReading, 'member'> & Partial<Pick<SessionReading, 'proofs' | 'actor'>>

/** The user is a member, and has the required rights. */
interface AllowedMember {
  readonly kind: 'member'
  readonly organization: OrganizationMember
}

/** The checked requirement. */
export interface OrganizationRule<R> {
  /**
   * Decides on a request. `undefined`: the user is not known, because the session began without a stored user and without
   * `organizations`.
   */
  decide(
    request: GuardedRequest,
    reading: GuardedReading | null,
    given: R,
  ): Awaitable<AllowedMember | Rejection | undefined>
}

/** The names of the options, none of which may be left out by mistake: `undefined` would allow more users. */
const names = ['organization', 'role', 'permission'] as const

/** The rejection of users who are no member, and of ids that no organization has. Equal responses do not show which organizations exist. */
export const notFound: GuardDenial = {
  kind: 'denial',
  status: 404,
  reason: 'notFound',
  data: { error: 'NotFound', message: 'There is no such page.' },
}

/**
 * Creates the requirement; `undefined` if the guard has none.
 *
 * @throws {@link InvalidConfiguration} for an invalid option, and for one that no role meets.
 */
export function createOrganizationRule<R>(
  auth: AuthEngine,
  options: Partial<OrganizationRequirement<R>> & { readonly live?: boolean },
  guard: string,
): OrganizationRule<R> | undefined {
  const used = names.filter((name) => name in options)
  if (used.length === 0) return undefined
  const { config } = auth
  const { organizations, basePath } = config
  const { organization, live: isFresh = false } = options
  if (!organizations) throw new InvalidConfiguration(`\`${used[0]}\` of ${guard} needs \`organizations\`. Set it.`)
  if (organization !== true && typeof organization !== 'function') {
    throw new InvalidConfiguration(
      `\`organization\` of ${guard} must be true, or a function such as (req) => req.params.org. Without it, \`role\` and \`permission\` say nothing.`,
    )
  }
  const allowed = allowedRoles(organizations, options, guard)
  if (organization === true) auth.expectMount(basePath)
  return {
    decide(request, reading, given) {
      const { userId, organization: active } = reading?.member ?? {}
      if (!reading || userId === undefined) return undefined
      return mapMaybePromise(organization === true ? active : organization(given), (id) => {
        if (organization === true && id === undefined) return requestChoice(config, request)
        return mapMaybePromise(loadMemberships(organizations), (memberships) =>
          mapMaybePromise(memberships.memberOf(userId, id, { reading, isFresh }), (member) => {
            // The user has left the active organization, and chooses another one.
            if (member === null) return organization === true ? requestChoice(config, request) : notFound
            const { role } = member
            if (!organizations.roles.has(role)) warnOnce(config, 'organization-role', unknownRoleMessage(role))
            if (!allowed.has(role)) return forbidden
            const confirmed = unconfirmedRejection(config, request, { userId, organizationId: member.id, reading })
            return mapMaybePromise(confirmed, (rejection) => rejection ?? { kind: 'member', organization: member })
          }),
        )
      })
    },
  }
}

/** Returns the roles that a guard allows. @throws {@link InvalidConfiguration} for an unknown word, and if no role is left. */
function allowedRoles(
  { roles }: ResolvedOrganizations,
  options: Pick<Partial<OrganizationRequirement>, 'role' | 'permission'>,
  guard: string,
): ReadonlySet<string> {
  const { role, permission } = options
  const all = [...roles.keys()]
  const what = 'a role of `organizations.roles`'
  const accepted = 'role' in options ? readWords(`\`role\` of ${guard}`, role, { what, known: all }) : all
  const isPermitted = (name: string) =>
    !('permission' in options) || (permission !== undefined && roles.get(name)?.has(permission))
  const allowed = all.filter((name) => accepted.includes(name) && isPermitted(name))
  if (allowed.length > 0) return new Set(allowed)
  const known = new Set(all.filter((name) => accepted.includes(name)).flatMap((name) => [...(roles.get(name) ?? [])]))
  throw new InvalidConfiguration(
    `\`permission\` of ${guard} must be one permission that an accepted role has in \`organizations.roles\`, not ${quoteName(permission)}. Known here: ${[...known].join(', ') || 'none'}.`,
  )
}

/** Redirects a browser to the page on which the user chooses an organization, and rejects other clients with 409. */
function requestChoice({ basePath, organizations }: ResolvedConfig, request: GuardedRequest): Rejection {
  const url = organizations?.options.list && `${basePath}/organization`
  if (url && isNavigation(request)) return { kind: 'redirect', to: withCallbackUrl(url, request.path) }
  return {
    kind: 'denial',
    status: 409,
    reason: 'organization',
    href: url && pageHref(request, url),
    data: {
      error: 'OrganizationRequired',
      message: 'Choose an organization first.',
      ...(url && { organizationUrl: withCallbackUrl(url, '/') }),
    },
  }
}

/** Only a word is printed: the database of the application may have any text. */
function unknownRoleMessage(role: string): string {
  const shown = /^[\w.:-]{1,40}$/.test(role) ? `"${role}"` : 'a text'
  return `\`organizations.membership\` returned the role ${shown}, which is not in \`organizations.roles\`. Its members are rejected. Add the role.`
}
