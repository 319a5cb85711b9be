/** The codes of apps: each is stored once, used once, and ends its session if it is used again. */
import type { ResolvedApps, ResolvedConfig, SecurityStamp } from '../../contracts/index.js'
import { keyedHashes } from '../../crypto/keyed-hashes.js'
import { randomText } from '../../crypto/random.js'
import { guardRecords } from '../../store/guard.js'
import type { Records } from '../../types/records.js'
import { appCodesTable, type StoredAppCode } from './description.js'

/** Milliseconds in which a code can be used. */
const codeLifetime = 60_000
/** Milliseconds for which its record is stored, to notice a second use. */
const recordLifetime = 10 * 60_000

/** An approval of the user, with the facts of the session in which it was given. Plain JSON. */
export interface Approval {
  readonly app: string
  readonly redirectUri: string
  /** The challenge of PKCE (RFC 7636 §4.2, S256). */
  readonly challenge: string
  /** The name of the session ({@link Principal.name}). */
  readonly session: string
  /** The proofs as text (`principal/proofs`). */
  readonly proofs: string
  readonly startedAt?: number | undefined
  readonly organization?: string | undefined
  readonly provider?: { readonly subject: string; readonly session?: string | undefined } | undefined
  /** The stamp of the user, read before the session was found valid. */
  readonly stamp?: SecurityStamp | undefined
  /** The end of the code, in milliseconds since the epoch. */
  readonly until: number
}

/** A code, and what was approved. */
export interface FoundCode {
  readonly record: StoredAppCode
  readonly approval: Approval
}

function recordsOf({ store, timeout }: ResolvedApps): Records<typeof appCodesTable> {
  return guardRecords(store, appCodesTable, { keeps: 'app codes', timeout })
}

/** Returns the hashes of a code, one for each secret. The first one is for new records. */
const idsOf = (config: ResolvedConfig, code: string) => keyedHashes(config, 'app code', [code])

/** Stores an approval. @returns The code: 256 random bits. */
export async function createCode(
  config: ResolvedConfig,
  apps: ResolvedApps,
  { userId, ...facts }: Omit<Approval, 'until'> & { readonly userId: string },
): Promise<string> {
  const code = randomText(32)
  const [id = ''] = idsOf(config, code)
  const now = Date.now()
  const approval = JSON.stringify({ ...facts, until: now + codeLifetime } satisfies Approval)
  const expires = new Date(now + recordLifetime)
  await recordsOf(apps).write({ id, userId, state: 'open', approval, session: null, expires }, 0)
  return code
}

/** Returns the record of a code. */
export const readCode = (apps: ResolvedApps, id: string) => recordsOf(apps).find({ id })

/** Returns a code, used or not; `undefined` if there is none. */
export async function findCode(
  config: ResolvedConfig,
  apps: ResolvedApps,
  code: string,
): Promise<FoundCode | undefined> {
  for (const id of idsOf(config, code)) {
    const record = await readCode(apps, id)
    if (record) return { record, approval: JSON.parse(record.approval) }
  }
  return undefined
}

/**
 * Changes a record that has not changed since it was read. Of concurrent calls, exactly one succeeds.
 *
 * @returns The record after the change; `undefined` if another process has changed it.
 */
export async function changeCode(
  apps: ResolvedApps,
  { version, ...record }: StoredAppCode,
  change: { readonly state: 'open' | 'used' | 'replayed'; readonly session?: string },
): Promise<StoredAppCode | undefined> {
  const changed = { ...record, ...change }
  return (await recordsOf(apps).write(changed, version)) ? { ...changed, version: version + 1 } : undefined
}
