/** The option `organizations`: the functions of the application, and the roles. */
import { isRecord } from '../../base/guards.js'
import type { FeatureOption } from '../../config/feature-option.js'
import { optionPath, rejectOption } from '../../config/reject-option.js'
import { functionOf, isListOf, isWord, record, required, shape, wholeNumber } from '../../config/shape.js'
import type { ResolvedOrganizations } from '../../contracts/index.js'
import type { OrganizationRoles, OrganizationsOptions } from './types.js'

const example = 'such as { admin: ["members:write"], member: [] }'

const rolesOf = required<OrganizationRoles>(
  isRecord,
  `must be an object with the permissions of each role, ${example}, not {kind}.`,
)

const permissionsOf = required<readonly string[]>(
  (value) => isListOf(value, isWord),
  'must be a list of permissions without spaces, such as ["members:write"]. It is {kind}.',
)

/** Checks the roles, and names the role whose permissions are invalid. */
function roles(name: string, value: unknown): OrganizationRoles {
  const given = rolesOf(name, value)
  const entries = Object.entries(given)
  if (entries.length === 0) rejectOption(name, `has no role. List the permissions of each role, ${example}.`)
  for (const [role, permissions] of entries) {
    if (!isWord(role)) rejectOption(name, 'has a role whose name is empty or contains a space. Rename it.')
    permissionsOf(optionPath(name, role), permissions)
  }
  return given
}

const options = shape({
  membership: required<OrganizationsOptions['membership']>(
    (value) => typeof value === 'function',
    'must be a function that returns { role } or null, not {kind}.',
  ),
  list: functionOf<NonNullable<OrganizationsOptions['list']>>(),
  roles,
  cacheFor: wholeNumber('of seconds', 0, 300),
})

/** The option, checked. */
type OrganizationsSetting = ReturnType<typeof options>

/** The option `organizations`. */
export const organizationsOption: FeatureOption<OrganizationsSetting, ResolvedOrganizations> = {
  check: (name, value) => (value === undefined ? undefined : options(name, record(name, value))),
  resolve(setting, { timeout }) {
    if (!setting) return undefined
    const { membership, list, roles: given, cacheFor = 0 } = setting
    return Object.freeze({
      options: Object.freeze({ membership, ...(list && { list }) }),
      roles: new Map(Object.entries(given).map(([role, permissions]) => [role, new Set(permissions)])),
      cacheFor: cacheFor * 1000,
      timeout,
    })
  },
}
