/** The log of ended sessions in the memory of one process. */
import type { ListedSession, LogStore, Revocation } from '../../types/store.js'

/** The log of a process. It has no feed of changes: it is queried at each read, which costs almost nothing. */
export type MemoryLog = Required<Omit<LogStore, 'changes'>>

/** The entries of a key, by `exceptSid`. Most keys have one entry, without it. */
type RevocationMarks = Readonly<Record<string, { readonly notBefore: number; readonly until: number }>>

/**
 * Creates the log.
 *
 * @param maxRecords The maximum number of entries. When it is reached, ending a session rejects; no entry is dropped.
 */
export function createMemoryLog(maxRecords: number): MemoryLog {
  /** The entries. A number is the `until` of one ended session, the most common case, whenever that session began. */
  const rows = new Map<string, number | RevocationMarks>()
  const prune = createPrune(rows)
  return {
    ...createMemoryLists(maxRecords),
    add(revocations) {
      prune()
      for (const revocation of revocations) {
        const row = rows.get(revocation.key)
        if (row === undefined && rows.size >= maxRecords) {
          throw new Error(`The memory of ended sessions is full: it holds ${maxRecords}.`)
        }
        rows.set(revocation.key, merge(row, revocation))
      }
    },
    replace({ key, notBefore, until }) {
      const row = rows.get(key)
      if (row !== undefined) rows.set(key, { ...marksOf(row), '': { notBefore, until } })
    },
    find(keys) {
      const revocations: Revocation[] = []
      for (const key of keys) {
        const row = rows.get(key)
        if (row === undefined) continue
        for (const [exceptSid, mark] of Object.entries(marksOf(row))) revocations.push({ key, exceptSid, ...mark })
      }
      return { revocations, now: nowInSeconds() }
    },
  }
}

/**
 * Creates the list of live sessions by user. When it is full, the entry that was added first is dropped; its session
 * continues.
 */
function createMemoryLists(maxRecords: number): Required<Pick<LogStore, 'list' | 'listed' | 'unlist'>> {
  const sessions = new Map<string, ListedSession>()
  const sidsOf = new Map<string, Set<string>>()
  const remove = (sid: string) => {
    const userKey = sessions.get(sid)?.userKey
    sessions.delete(sid)
    if (userKey === undefined) return
    const sids = sidsOf.get(userKey)
    sids?.delete(sid)
    if (sids?.size === 0) sidsOf.delete(userKey)
  }
  return {
    list(session) {
      const { sid, userKey, usedAt, until } = session
      const before = sessions.get(sid)
      const [oldest] = sessions.keys()
      if (!before && oldest !== undefined && sessions.size >= maxRecords) remove(oldest)
      const later = before && { usedAt: Math.max(before.usedAt, usedAt), until: Math.max(before.until, until) }
      sessions.set(sid, { ...(before ?? session), ...later })
      sidsOf.set(userKey, (sidsOf.get(userKey) ?? new Set()).add(sid))
    },
    listed(userKey) {
      const now = nowInSeconds()
      const found = [...(sidsOf.get(userKey) ?? [])].flatMap((sid) => sessions.get(sid) ?? [])
      for (const { sid, until } of found) if (until < now) remove(sid)
      return found.filter(({ until }) => until >= now)
    },
    unlist(userKey, sids) {
      for (const sid of sids) if (sessions.get(sid)?.userKey === userKey) remove(sid)
    },
  }
}

/** The year 9999: the engine's value for a session that has ended whenever it began. */
const alwaysRevoked = 253_402_300_799

function marksOf(row: number | RevocationMarks): RevocationMarks {
  return typeof row === 'number' ? { '': { notBefore: alwaysRevoked, until: row } } : row
}

function merge(
  row: number | RevocationMarks | undefined,
  { exceptSid, notBefore, until }: Revocation,
): number | RevocationMarks {
  const isSession = exceptSid === '' && notBefore === alwaysRevoked
  if (isSession && (row === undefined || typeof row === 'number')) return Math.max(row ?? 0, until)
  const marks = row === undefined ? {} : marksOf(row)
  const before = marks[exceptSid] ?? { notBefore: 0, until: 0 }
  const later = { notBefore: Math.max(before.notBefore, notBefore), until: Math.max(before.until, until) }
  return { ...marks, [exceptSid]: later }
}

function latestUntil(row: number | RevocationMarks): number {
  return typeof row === 'number' ? row : Math.max(...Object.values(row).map(({ until }) => until))
}

/**
 * Creates a function that checks some rows at each call and removes expired ones, so that no call checks all of them.
 */
function createPrune(rows: Map<string, number | RevocationMarks>): () => void {
  let round = rows.entries()
  return () => {
    const now = nowInSeconds()
    for (let count = 0; count < 20; count += 1) {
      const { value, done } = round.next()
      if (done) {
        round = rows.entries()
        return
      }
      if (latestUntil(value[1]) < now) rows.delete(value[0])
    }
  }
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
