/**
 * The deletion of users. Each step can be repeated, and the record of the deletion says that it has begun, so a killed
 * process, or a store that fails, loses nothing: the next call continues. Loaded at the first call.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseEmailAddress } from '../../base/email-address.js'
import { emitEvent, emitSessionsEnded } from '../../callbacks/index.js'
import type { ResolvedConfig, SessionStrategy } from '../../contracts/index.js'
import { AdapterError, EventError, toError } from '../../errors.js'
import { emailChangeIdentifier } from '../../links/index.js'
import { requireStore } from '../../store/guard.js'
import { takeLease } from '../../store/lease.js'
import type { AdministrationContext, EventCallbacks } from '../../types/config.js'
import type { Outcome } from '../../types/outcome.js'
import { loadMembers } from '../members/loader.js'
import type { StoredDeletion } from './description.js'
import { type DeletionFacts, factsOf, readRequest } from './request.js'
import { revokeProviderTokens } from './revoke.js'
import {
  cancelDeletion,
  deletionIdsOf,
  deletionsOf,
  findDeletion,
  hasBegun,
  hasRecords,
  removeRecords,
} from './store.js'
import type { DeletionOutcome, DeletionReport, DeletionRequest, LastOwnerOutcome, UnfinishedDeletion } from './types.js'

/** The user to delete, and the origin of the call. */
export interface Deletion {
  readonly config: ResolvedConfig
  readonly sessions: SessionStrategy
  readonly userId: string
  /** For events. */
  readonly by: AdministrationContext
}

/** The milliseconds that a call waits for another process which deletes the same user. */
const longestWait = 30_000

/** The decisions about a deletion, if other processes write its record in between. */
const mostDecisions = 4

/** Deletes a user, or continues a deletion. */
export async function deleteUser(deletion: Deletion, request: DeletionRequest): Promise<DeletionOutcome> {
  const { resume, ...facts } = readRequest(request)
  const refusal = await beginDeletion(deletion, { state: 'started', facts, resume })
  // JWT sessions outlive a user who was deleted elsewhere.
  if (refusal?.reason === 'unknown' && !resume) await endSessions(deletion)
  if (refusal) return refusal
  return { ok: true, report: await finishDeletion(deletion) }
}

/** Disables a user, who is to be deleted later. */
export async function scheduleDeletion(
  deletion: Deletion,
  request: DeletionRequest,
  days: number,
): Promise<Outcome<'unknown' | 'refused', { readonly due: Date }> | LastOwnerOutcome> {
  const { resume: _resume, ...facts } = readRequest(request)
  const due = Date.now() + days * 24 * 60 * 60 * 1000
  const refusal = await beginDeletion(deletion, { state: 'scheduled', facts: { ...facts, due } })
  if (refusal) return refusal
  const { config, userId, by } = deletion
  await config.session.revocation?.disable(userId)
  await endSessions(deletion)
  await emitEvent(config, 'userDisabled', { userId, ...by })
  return { ok: true, due: new Date(due) }
}

/** Returns the deletions that are not complete, and the scheduled ones that are due. */
export async function listUnfinishedDeletions(config: ResolvedConfig): Promise<readonly UnfinishedDeletion[]> {
  const records = deletionsOf(config)
  const rows = [...(await records.list('started')), ...(await records.list('scheduled')).filter(isDue)]
  return rows.map((row) => ({ userId: row.userId ?? '', since: row.at, reason: factsOf(row).reason }))
}

function isDue(row: StoredDeletion): boolean {
  return (factsOf(row).due ?? 0) <= Date.now()
}

/** The state that a deletion is to have. */
interface NextState {
  readonly state: 'scheduled' | 'started'
  readonly facts: DeletionFacts
  /** True if no new deletion begins. */
  readonly resume?: boolean
}

/** The reason why no deletion begins. */
type DeletionRefusal = { readonly ok: false; readonly reason: 'unknown' | 'refused' } | LastOwnerOutcome

const unknown: DeletionRefusal = { ok: false, reason: 'unknown' }

/** Writes the record of a deletion. @returns The reason why none begins; `undefined` if it has begun. */
async function beginDeletion(
  { config, userId, by }: Deletion,
  { state, facts, resume = false }: NextState,
): Promise<DeletionRefusal | undefined> {
  const records = deletionsOf(config)
  const [id = ''] = deletionIdsOf(config, userId)
  for (let count = 0; count < mostDecisions; count += 1) {
    const found = await findDeletion(config, userId)
    if (hasBegun(found)) return undefined
    const isScheduled = found?.state === 'scheduled'
    if (resume && !(isScheduled && isDue(found) && (await isStillDisabled(config, userId)))) return unknown
    if (!(await isKnown(config, userId))) return unknown
    const kept = resume && found ? factsOf(found) : facts
    const owned = kept.organizations === 'delete' ? [] : await soleOwnerships(config, userId)
    if (owned.length > 0) return { ok: false, reason: 'lastOwner', organizations: owned }
    const answer = await callOwnEvent(config, 'beforeDeleteUser', { userId, reason: kept.reason, ...by })
    if (answer === false) return { ok: false, reason: 'refused' }
    const row = { id: found?.id ?? id, state, userId, data: JSON.stringify(kept), at: new Date() }
    if (await records.write(row, found?.version ?? 0)) return undefined
  }
  throw new AdapterError('The store of deletions rejected all writes.', { method: 'write' })
}

/**
 * Checks whether a user is still disabled since the deletion was scheduled. Otherwise cancels it: the user was enabled where the option
 * is off, or a fault prevented that the user was disabled, and uses the account.
 */
async function isStillDisabled(config: ResolvedConfig, userId: string): Promise<boolean> {
  if ((await config.session.revocation?.listDisabled([userId]))?.has(userId)) return true
  await cancelDeletion(config, userId)
  return false
}

/**
 * Checks whether there is something to delete: a user, or records of a user that was deleted elsewhere, such as in another tenant
 * with the same database.
 */
async function isKnown(config: ResolvedConfig, userId: string): Promise<boolean> {
  return (await requireStore(config).getUser(userId)) !== null || hasRecords(config, userId)
}

/** Runs the steps, or waits for the process that does. */
async function finishDeletion(deletion: Deletion): Promise<DeletionReport> {
  const { config, userId } = deletion
  const records = deletionsOf(config)
  const deadline = performance.now() + longestWait
  for (;;) {
    const row = await findDeletion(config, userId)
    if (!row) throw new AdapterError('The record of a deletion has disappeared.', { method: 'find' })
    if (row.state === 'done') return reportOf(row)
    const lease = await takeLease(records, row, async () => true)
    if (lease) {
      try {
        return await runSteps(deletion, row)
      } finally {
        await lease.release()
      }
    }
    if (performance.now() > deadline)
      throw new AdapterError('Another process is deleting the same user. Try again.', { method: 'lease' })
    await pause(200)
  }
}

function reportOf(row: StoredDeletion): DeletionReport {
  const { reason, providers = [] } = factsOf(row)
  return { deletedAt: row.at, reason, providers }
}

/**
 * Runs all steps. A step that was done before changes nothing.
 *
 * The user is disabled first: a sign-in under way finds that, or its session is ended by the next step. The tombstone is
 * last, so that no step is lost.
 */
async function runSteps(deletion: Deletion, row: StoredDeletion): Promise<DeletionReport> {
  const { config, userId, by } = deletion
  await config.session.revocation?.disable(userId)
  await endSessions(deletion)
  const facts = factsOf(row)
  if (config.organizations?.stored) {
    // Before anything is removed: the user may have become the last owner in the meantime.
    const user = await requireStore(config).getUser(userId)
    // Invitations to an address that the user only claims are for its owner.
    const email = user?.emailVerified ? user.email : undefined
    const deletesOrganizations = facts.organizations === 'delete'
    const { removeFromOrganizations } = await loadMembers()
    await removeFromOrganizations(config, { userId, email, deletesOrganizations, by })
  }
  const providers = facts.providers ?? (await revokeProviderTokens(config, userId))
  const revoked = await writeProgress(config, row, { data: JSON.stringify({ ...facts, providers }) })
  await removeUser(deletion)
  const { reason, keepAudit } = facts
  await callOwnEvent(config, 'userDeleted', { userId, reason, keepAudit, ...by })
  const data = JSON.stringify({ reason, providers })
  return reportOf(await writeProgress(config, revoked, { state: 'done', userId: null, data, at: new Date() }))
}

/** Returns the ids of the stored organizations whose only owner is the user. */
async function soleOwnerships(config: ResolvedConfig, userId: string): Promise<readonly string[]> {
  if (!config.organizations?.stored) return []
  return (await loadMembers()).soleOwnerships(config, userId)
}

async function endSessions({ config, sessions, userId, by: { sid, ...by } }: Deletion): Promise<void> {
  // An adapter may remove the data of sessions only in processes that have read some.
  if (config.session.data && config.session.strategy === 'database') await config.store?.getSessionAndUser('none')
  const ended = await sessions.endAllSessions(config, userId)
  // Removes the ended sessions from the list.
  await config.session.revocation?.lists?.listSessions(userId)
  await emitSessionsEnded(config, ended, { reason: 'deleteUser', ...by, ...(sid !== undefined && { endedBy: sid }) })
}

async function removeUser({ config, userId }: Deletion): Promise<void> {
  const store = requireStore(config)
  const user = await store.getUser(userId)
  if (store.abilities.deleteTokens) {
    const identifiers = [...spellingsOf(user?.email), emailChangeIdentifier(userId)]
    for (const identifier of identifiers) await store.deleteVerificationTokens(identifier)
  }
  await removeRecords(config, userId)
  if (user) await store.deleteUser(userId)
  if (await store.getUser(userId))
    throw new AdapterError('The adapter did not delete the user.', { method: 'deleteUser' })
  // A change that began before the user was disabled may have written one in between.
  await removeRecords(config, userId)
}

/** Returns an email address as it is stored, and as email links have it: the stored one may have another case. */
function spellingsOf(email: string | null | undefined): Set<string> {
  return new Set(email ? [email, parseEmailAddress(email) ?? email] : [])
}

/** Writes the next version of the record. @throws {@link AdapterError} if another process has taken the lease over. */
async function writeProgress(
  config: ResolvedConfig,
  row: StoredDeletion,
  changes: Partial<StoredDeletion>,
): Promise<StoredDeletion> {
  const { version, ...next } = { ...row, ...changes }
  if (await deletionsOf(config).write(next, version)) return { ...next, version: version + 1 }
  throw new AdapterError('Another process continues this deletion. Try again.', { method: 'write' })
}

/**
 * Calls an event whose error the caller of the deletion gets, because the application decides or removes data there.
 *
 * @throws {@link EventError}
 */
async function callOwnEvent<E extends 'beforeDeleteUser' | 'userDeleted'>(
  { events }: ResolvedConfig,
  name: E,
  message: Parameters<EventCallbacks[E]>[0],
): Promise<unknown> {
  const handler = events[name] as ((message: Parameters<EventCallbacks[E]>[0]) => unknown) | undefined
  try {
    return await handler?.(message)
  } catch (error) {
    const effect = name === 'userDeleted' ? 'the deletion is not complete' : 'nothing is deleted'
    const advice = 'Correct the handler, and call `auth.users.delete` again.'
    throw new EventError(`The event handler \`events.${name}\` threw, so ${effect}. ${advice}`, toError(error))
  }
}
