/**
 * The deletion of users. Each step can be repeated, and the record of the deletion says that it has begun, so a killed
 * process, or a store that fails, loses nothing: the next call continues. Loaded at the first call.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Actor, actorOf, administrationContextOf, assertUserId } from '../../account/actor.js'
import { isRecord } from '../../base/guards.js'
import { parseRecord } from '../../base/json.js'
import { emitSessionsEnded } from '../../callbacks/index.js'
import type { ResolvedConfig } from '../../contracts/index.js'
import { shortHash } from '../../crypto/hash.js'
import { AdapterError, EventError, toError } from '../../errors.js'
import type { AnyCall } from '../../functions/run.js'
import { requireStore } from '../../store/guard.js'
import type { EventCallbacks } from '../../types/config.js'
import type { Outcome } from '../../types/outcome.js'
import { takeLease } from '../tokens/lease.js'
import { revokeProviderTokens } from './calls-revoke.js'
import type { StoredDeletion } from './description.js'
import { deletionIdsOf, findDeletion, guardDeletions, requireDeletion, userRecordsOf } from './store.js'
import type { DeletionReport, DeletionRequest, ProviderRevocation, UnfinishedDeletion } from './types.js'

/** The facts of a deletion that later calls need. */
interface DeletionFacts {
  readonly reason: string
  readonly keepAudit: boolean
  /** Absent until the tokens of providers are revoked. */
  readonly providers?: readonly ProviderRevocation[]
}

/** The milliseconds that a call waits for another process which deletes the same user. */
const longestWait = 30_000

/** The decisions about a deletion, if other processes write its record in between. */
const mostDecisions = 4

/** Deletes a user, or continues a deletion. */
export async function deleteUser(
  call: AnyCall,
  userId: string,
  request: DeletionRequest,
): Promise<Outcome<'unknown' | 'refused', { readonly report: DeletionReport }>> {
  const { config } = call.auth
  requireDeletion(config)
  assertUserId(userId)
  const facts = readRequest(request)
  const actor = await actorOf(call)
  const refusal = await beginDeletion(config, { userId, facts, actor })
  if (refusal) return { ok: false, reason: refusal }
  return { ok: true, report: await finishDeletion(call, userId, actor) }
}

/** Returns the deletions that are not complete. */
export async function listUnfinishedDeletions({ auth }: AnyCall): Promise<readonly UnfinishedDeletion[]> {
  const rows = await guardDeletions(requireDeletion(auth.config)).list('started')
  return rows.map((row) => ({ userId: row.userId ?? '', since: row.at, reason: factsOf(row).reason }))
}

function readRequest(request: unknown): DeletionFacts {
  const { reason, keepAudit = true } = isRecord(request) ? request : {}
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > 500)
    throw new TypeError('users.delete needs `{ reason }`, a text of 1 to 500 characters.')
  if (typeof keepAudit !== 'boolean') throw new TypeError('`keepAudit` of users.delete must be true or false.')
  return { reason, keepAudit }
}

/** Reads the facts of a record. */
function factsOf({ data }: StoredDeletion): DeletionFacts {
  const facts = parseRecord(data)
  if (facts && typeof facts.reason === 'string') return facts as unknown as DeletionFacts
  throw new AdapterError('A record of a deletion cannot be read.', { method: 'find' })
}

/** Writes the record of a new deletion. @returns The reason why none begins; `undefined` if it has begun. */
async function beginDeletion(
  config: ResolvedConfig,
  { userId, facts, actor }: { readonly userId: string; readonly facts: DeletionFacts; readonly actor: Actor },
): Promise<'unknown' | 'refused' | undefined> {
  const records = guardDeletions(requireDeletion(config))
  const [id = ''] = deletionIdsOf(config, userId)
  for (let count = 0; count < mostDecisions; count += 1) {
    if (await findDeletion(config, userId)) return undefined
    if (!(await requireStore(config).getUser(userId))) return 'unknown'
    const message = { userId, reason: facts.reason, ...administrationContextOf(actor) }
    if ((await callOwnEvent(config, 'beforeDeleteUser', message)) === false) return 'refused'
    const row = { id, state: 'started', userId, data: JSON.stringify(facts), at: new Date() }
    if (await records.write(row, 0)) return undefined
  }
  throw new AdapterError('The store of deletions rejected all writes.', { method: 'write' })
}

/** Runs the steps, or waits for the process that does. */
async function finishDeletion(call: AnyCall, userId: string, actor: Actor): Promise<DeletionReport> {
  const { config } = call.auth
  const records = guardDeletions(requireDeletion(config))
  const deadline = performance.now() + longestWait
  for (;;) {
    const row = await findDeletion(config, userId)
    if (!row) throw new AdapterError('The record of a deletion has disappeared.', { method: 'find' })
    if (row.state === 'done') return reportOf(row)
    const lease = await takeLease(records, row, async () => true)
    if (lease) {
      try {
        return await runSteps({ call, config, userId, actor, row })
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

/** A deletion in progress, whose lease this process has. */
interface Deletion {
  readonly call: AnyCall
  readonly config: ResolvedConfig
  readonly userId: string
  readonly actor: Actor
  readonly row: StoredDeletion
}

/**
 * Runs all steps. A step that was done before changes nothing.
 *
 * The user is disabled first: a sign-in under way finds that, or its session is ended by the next step. The tombstone is
 * last, so that no step is lost.
 */
async function runSteps(deletion: Deletion): Promise<DeletionReport> {
  const { config, userId, row } = deletion
  await config.session.revocation?.disable(userId)
  await endSessions(deletion)
  const facts = factsOf(row)
  const providers = facts.providers ?? (await revokeProviderTokens(config, userId))
  const revoked = await writeProgress(config, row, { data: JSON.stringify({ ...facts, providers }) })
  await removeUser(deletion)
  const { reason, keepAudit } = facts
  const context = administrationContextOf(deletion.actor)
  await callOwnEvent(config, 'userDeleted', { userId, reason, keepAudit, ...context })
  const data = JSON.stringify({ reason, providers })
  return reportOf(await writeProgress(config, revoked, { state: 'done', userId: null, data, at: new Date() }))
}

async function endSessions({ call, config, userId, actor }: Deletion): Promise<void> {
  // An adapter may remove the data of sessions only in processes that have read some.
  if (config.session.data && config.session.strategy === 'database') await config.store?.getSessionAndUser('none')
  const ended = await call.auth.sessions.endAllSessions(config, userId)
  // Removes the ended sessions from the list.
  await config.session.revocation?.lists?.listSessions(userId)
  await emitSessionsEnded(config, ended, { reason: 'deleteUser', ...actor })
}

async function removeUser({ config, userId }: Deletion): Promise<void> {
  const store = requireStore(config)
  const user = await store.getUser(userId)
  if (store.abilities.deleteTokens) {
    if (user?.email) await store.deleteVerificationTokens(user.email)
    await store.deleteVerificationTokens(`change-email:${shortHash(userId)}`)
  }
  await removeRecords(config, userId)
  if (user) await store.deleteUser(userId)
  if (await store.getUser(userId))
    throw new AdapterError('The adapter did not delete the user.', { method: 'deleteUser' })
  // A change that began before the user was disabled may have written one in between.
  await removeRecords(config, userId)
}

async function removeRecords(config: ResolvedConfig, userId: string): Promise<void> {
  for (const { records, names } of userRecordsOf(config, userId))
    for (const name of names) await records.remove({ userId: name })
}

/** Writes the next version of the record. @throws {@link AdapterError} if another process has taken the lease over. */
async function writeProgress(
  config: ResolvedConfig,
  row: StoredDeletion,
  changes: Partial<StoredDeletion>,
): Promise<StoredDeletion> {
  const { version, ...next } = { ...row, ...changes }
  if (await guardDeletions(requireDeletion(config)).write(next, version)) return { ...next, version: version + 1 }
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
    throw new EventError(`The event handler \`events.${name}\` threw, so the user is not deleted.`, toError(error))
  }
}
