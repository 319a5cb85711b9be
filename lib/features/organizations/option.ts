/** The option `organizations`: the functions of the application, and the roles. */
import { isRecord } from '../../base/guards.js'
import type { FeatureOption } from '../../config/feature-option.js'
import { functionOf, isListOf, isWord, record, required, seconds, shape } from '../../config/shape.js'
import type { ResolvedOrganizations } from '../../contracts/index.js'
import type { OrganizationRoles, OrganizationsOptions } from './types.js'

/** The longest time for which an answer is used again, in seconds. */
const maxCacheFor = 300

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
  cacheFor: (name: string, value: unknown) =>
    required<number | undefined>(
      (given) => given === undefined || Number(given) <= maxCacheFor,
      `must be at most ${maxCacheFor} seconds, not {kind}.`,
    )(name, seconds(0)(name, value)),
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
