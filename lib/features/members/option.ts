/** The part of the option `organizations` with `store`. */
import { definedOnly } from '../../base/guards.js'
import { createLazyLoader } from '../../base/lazy-loader.js'
import type { OptionSurroundings } from '../../config/feature-option.js'
import { rejectOption } from '../../config/reject-option.js'
import { requiredContract } from '../../config/resolve-store.js'
import type { ResolvedEmailProvider, ResolvedMembers, ResolvedProvider } from '../../contracts/index.js'
import type { RecordStore } from '../../types/store.js'
import type { OrganizationQueries, OrganizationRoles } from '../organizations/types.js'
import { passwordProviderOf } from '../passwords/store.js'

/** Loads the queries of guards only: edge runtimes bundle every file that a check of options can load. */
const loadQueries = createLazyLoader('The memberships of stored organizations', () => import('./store.js'))

/** The permissions that the functions check. */
const permissions = ['members:read', 'members:write', 'organization:write', 'organization:delete']

/** Seconds: a week. */
const defaultMaxAge = 7 * 24 * 60 * 60

/** The setting, checked as far as possible alone. */
export interface MembersSetting {
  readonly store: RecordStore | true
  readonly owner?: string | undefined
  readonly invitationMaxAge?: number | undefined
}

/** Completes the option. @throws {@link InvalidConfiguration} */
export function resolveMembers(
  { store: given, owner, invitationMaxAge = defaultMaxAge }: MembersSetting,
  roles: OrganizationRoles,
  { adapter, providers, timeout }: OptionSurroundings,
): ResolvedMembers {
  if (owner === undefined || !Object.hasOwn(roles, owner))
    rejectOption('organizations.owner', 'must be the name of a role in `organizations.roles`, such as "owner".')
  const lacking = permissions.filter((permission) => !roles[owner]?.includes(permission))
  if (lacking.length > 0)
    rejectOption(
      'organizations.roles',
      `gives the owner role "${owner}" no ${lacking.join(', ')}. Add them to its list.`,
    )
  if (adapter === undefined)
    rejectOption(
      'organizations.store',
      'needs an `adapter`, because members are stored users. Set one, such as `sqlAdapter(db)`.',
    )
  const store = requiredContract('organizations.store', 'records', { store: given, adapter })
  if (typeof store.writeAll !== 'function' || typeof store.page !== 'function')
    rejectOption(
      'organizations.store',
      'needs a store whose `records` have `writeAll` and `page`. Set `sqlStore(db)`, `redisStore(client)` or `memoryStore()`; D1 has no transactions.',
    )
  const mailer = mailerOf(providers)
  return Object.freeze(
    definedOnly<ResolvedMembers>({
      store,
      owner,
      invitationMaxAge,
      mailer,
      signsIn: mailer !== undefined && providers.has(mailer.id),
      timeout,
    }),
  )
}

/** Returns the functions that answer guards. Their code is loaded at the first call. */
export function storedQueries(stored: ResolvedMembers): Required<Pick<OrganizationQueries, 'membership' | 'list'>> {
  return {
    membership: async (userId, id) => (await loadQueries()).storedMembership(stored, userId, id),
    list: async (userId) => (await loadQueries()).organizationsOf(stored, userId),
  }
}

/** Returns the provider that sends emails: an email provider, otherwise that of passwords. */
function mailerOf(providers: ReadonlyMap<string, ResolvedProvider>): ResolvedEmailProvider | undefined {
  const isEmail = (provider: ResolvedProvider): provider is ResolvedEmailProvider => provider.kind === 'email'
  return [...providers.values()].find(isEmail) ?? passwordProviderOf({ providers })?.password.mailer
}
