/**
 * Changes of an organization, its members and its invitations. A decision reads the version of the organization first,
 * and is written together with the next version. If another process decided meanwhile, nothing is written, and the
 * decision is made again from what is stored then.
 */
import { emitEvent } from '../../callbacks/index.js'
import type { ResolvedConfig, ResolvedMembers } from '../../contracts/index.js'
import { AdapterError, toError } from '../../errors.js'
import type { GuardedChanges } from '../../store/guard.js'
import type { AdministrationContext } from '../../types/config.js'
import { removeConnectionsOf } from '../connections/store.js'
import { membershipsOf } from '../organizations/store.js'
import { organizationsTable, type StoredMember, type StoredOrganization } from './description.js'
import { type OrganizationRecords, ownersOf, recordsOf, requireMembers } from './store.js'
import type { OrganizationChangedMessage } from './types.js'

/** Milliseconds for which a decision is repeated, and the longest pause between two. */
const longestWait = 10_000
const longestPause = 100

/** An organization at the version on which a decision is based. */
export interface OrganizationState {
  readonly option: ResolvedMembers
  readonly organization: StoredOrganization
  readonly records: OrganizationRecords
  /** The writes of the decision. */
  readonly change: Pick<GuardedChanges, 'write' | 'remove'>
  /** Changes the organization itself. */
  update(next: StoredOrganization): void
  /** Notes the ids of the owners after the decision. If all of them are disabled, that is reported, after it was written. */
  keepOwners(userIds: readonly string[]): void
  /** Reports a change, after it was written. */
  report(message: Omit<OrganizationChangedMessage, 'organizationId' | 'by' | 'sid' | 'request'>): void
}

/** The organization that a decision is about, and the actor, for events. */
export interface OrganizationTarget {
  readonly config: ResolvedConfig
  readonly id: string
  readonly by: AdministrationContext
}

/**
 * Makes a decision and writes it. A decision without writes, or that is not `ok`, changes nothing.
 *
 * @returns The result of the decision; `unknown` if there is no such organization.
 * @throws {@link AdapterError} if the store fails, or other processes decide first each time.
 */
export async function changeOrganization<Result extends { readonly ok: boolean }>(
  target: OrganizationTarget,
  decide: (state: OrganizationState) => Promise<Result>,
): Promise<Result | { readonly ok: false; readonly reason: 'unknown' }> {
  const { config, id } = target
  const option = requireMembers(config)
  const records = recordsOf(option)
  const deadline = performance.now() + longestWait
  for (let tries = 1; ; tries += 1) {
    const organization = await records.organizations.find({ id })
    if (!organization) return { ok: false, reason: 'unknown' }
    let next = organization
    const writes: Array<(changes: GuardedChanges) => void> = []
    const change: OrganizationState['change'] = {
      write: (table, record, previous) => void writes.push((changes) => changes.write(table, record, previous)),
      remove: (table, key) => void writes.push((changes) => changes.remove(table, key)),
    }
    const reports: OrganizationChangedMessage[] = []
    const report: OrganizationState['report'] = (each) => void reports.push({ organizationId: id, ...each })
    let owners: readonly string[] = []
    const keepOwners: OrganizationState['keepOwners'] = (userIds) => {
      owners = userIds
    }
    const update: OrganizationState['update'] = (changed) => {
      next = changed
    }
    const result = await decide({ option, organization, records, change, update, keepOwners, report })
    if ((writes.length === 0 && next === organization) || !result.ok) return result
    const changes = records.changes()
    // First, so that the database makes concurrent changes wait at the same record.
    changes.write(organizationsTable, next, organization.version)
    for (const write of writes) write(changes)
    // Before the organization, so that a failure leaves no required connection without an owner.
    if (reports.some((each) => each.change === 'deleted')) await removeConnectionsOf(config, id)
    if (await changes.commit()) {
      await afterChange(target, reports)
      if (owners.length > 0) await reportIfUnattended(target, owners)
      return result
    }
    if (performance.now() > deadline)
      throw new AdapterError('Other changes of the organization came first each time. Try again.', {
        method: 'writeAll',
      })
    const pause = Math.random() * Math.min(longestPause, 2 ** tries)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Forgets cached memberships, and emits the events. */
export async function afterChange(
  { config, by }: Pick<OrganizationTarget, 'config' | 'by'>,
  reports: readonly OrganizationChangedMessage[],
): Promise<void> {
  const memberships = config.organizations && membershipsOf(config.organizations)
  for (const { change, userId } of reports) {
    if (change === 'deleted') memberships?.forgetAll()
    else if (userId !== undefined) memberships?.forget(userId)
    // Both users of a transfer have another role.
    if (change === 'ownershipTransferred' && by.by !== undefined) memberships?.forget(by.by)
  }
  for (const each of reports) await emitEvent(config, 'organizationChanged', { ...each, ...by })
}

/** Emits the event of an organization whose owners are all disabled, if they are. An error of the store is logged, because the change is made. */
export async function reportIfUnattended(
  { config, id, by }: OrganizationTarget,
  owners: readonly string[],
): Promise<void> {
  if (!config.events.organizationChanged) return
  try {
    const disabled = await config.session.revocation?.listDisabled(owners)
    if (!owners.every((owner) => disabled?.has(owner))) return
  } catch (error) {
    config.logger.error(toError(error))
    return
  }
  await emitEvent(config, 'organizationChanged', { organizationId: id, change: 'unattended', ...by })
}

/** Returns the ids of the owners other than one of them. */
export async function otherOwnersOf({ option, organization }: OrganizationState, userId: string): Promise<string[]> {
  return (await ownersOf(option, organization.id)).filter((owner) => owner !== userId)
}

/** Checks whether a member, who is to be an owner no longer, is the only one. If not, the others are the owners after the decision. */
export async function isLastOwner(state: OrganizationState, { userId, role }: StoredMember): Promise<boolean> {
  if (role !== state.option.owner) return false
  const others = await otherOwnersOf(state, userId)
  state.keepOwners(others)
  return others.length === 0
}

/** Checks whether a member with one role may give, change or take another role: owners all, and others only what they have. */
export function mayGive({ organizations }: ResolvedConfig, own: string, given: string): boolean {
  const { stored, roles = new Map<string, ReadonlySet<string>>() } = organizations ?? {}
  if (own === stored?.owner) return true
  const permissions = roles.get(own) ?? new Set()
  return given !== stored?.owner && [...(roles.get(given) ?? [])].every((each) => permissions.has(each))
}

/** Checks whether a role has a permission. */
export function hasPermission({ organizations }: ResolvedConfig, role: string, permission: string): boolean {
  return organizations?.roles.get(role)?.has(permission) ?? false
}

/** Returns a member of the organization, as the decision must see them. */
export function memberIn({ records, organization }: OrganizationState, userId: string): Promise<StoredMember | null> {
  return records.members.find({ organizationId: organization.id, userId })
}
