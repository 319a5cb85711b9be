/** The option `organizations`: the functions of the application, and the roles. */
import { isRecord } from '../../base/guards.js'
import type { FeatureOption } from '../../config/feature-option.js'
import { functionOf, isListOf, isWord, record, required, shape, wholeNumber } from '../../config/shape.js'
import type { ResolvedOrganizations } from '../../contracts/index.js'
import type { OrganizationRoles, OrganizationsOptions } from './types.js'

const roles = required<OrganizationRoles>(
  (value) =>
    isRecord(value) &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(([role, permissions]) => isWord(role) && isListOf(permissions, isWord)),
  'must be an object with the permissions of each role, such as { admin: ["members:write"], member: [] }, not {kind}.',
)

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
