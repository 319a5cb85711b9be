/** The option `organizations`: the functions of the application or a store, and the roles. */
import { isRecord } from '../../base/guards.js'
import type { FeatureOption } from '../../config/feature-option.js'
import { optionPath, rejectOption } from '../../config/reject-option.js'
import { storeOption } from '../../config/resolve-store.js'
import {
  type Check,
  functionOf,
  isListOf,
  isWord,
  nonEmptyText,
  record,
  required,
  shape,
  wholeNumber,
} from '../../config/shape.js'
import type { ResolvedOrganizations } from '../../contracts/index.js'
import { resolveMembers, storedQueries } from '../members/option.js'
import type { OrganizationQueries, OrganizationRoles } from './types.js'

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

const ownTables = shape({
  membership: required<OrganizationQueries['membership']>(
    (value) => typeof value === 'function',
    'must be a function that returns { role } or null, not {kind}. For organizations in a store of the library, set `store` instead.',
  ),
  list: functionOf<NonNullable<OrganizationQueries['list']>>(),
  roles,
  cacheFor: wholeNumber('of seconds', 0, 300),
})

const stored = shape({
  store: storeOption('records'),
  owner: nonEmptyText,
  invitationMaxAge: wholeNumber('of seconds', 60, 30 * 24 * 60 * 60),
  roles,
  cacheFor: wholeNumber('of seconds', 0, 300),
})

/** The option, checked. */
type OrganizationsSetting = ReturnType<typeof ownTables> | ReturnType<typeof stored>

const options: Check<OrganizationsSetting> = (name, value) => {
  const given = record(name, value)
  if (given?.store === undefined) {
    const storedOnly = ['owner', 'invitationMaxAge'].find((key) => given?.[key] !== undefined)
    if (storedOnly !== undefined)
      rejectOption(
        optionPath(name, storedOnly),
        'needs `organizations.store`. Set `store: true`, or remove this option.',
      )
    return ownTables(name, given)
  }
  if (given.membership !== undefined || given.list !== undefined)
    rejectOption(name, 'has `store` and also `membership` or `list`. Remove `store`, or both functions.')
  return stored(name, given)
}

/** The option `organizations`. */
export const organizationsOption: FeatureOption<OrganizationsSetting, ResolvedOrganizations> = {
  check: (name, value) => (value === undefined ? undefined : options(name, value)),
  resolve(setting, surroundings) {
    if (!setting) return undefined
    const { roles: given, cacheFor = 0 } = setting
    const { timeout } = surroundings
    const members =
      'membership' in setting || setting.store === undefined
        ? undefined
        : resolveMembers({ ...setting, store: setting.store }, given, surroundings)
    const { membership, list } = members ? storedQueries(members) : (setting as ReturnType<typeof ownTables>)
    return Object.freeze({
      options: Object.freeze({ membership, ...(list && { list }) }),
      ...(members && { stored: members }),
      roles: new Map(Object.entries(given).map(([role, permissions]) => [role, new Set(permissions)])),
      cacheFor: cacheFor * 1000,
      timeout,
    })
  },
}
