/** The sign-out of a browser with database sessions. */
import type { BrowserSignOut, StoredSession } from '../../contracts/index.js'
import { recordEndedSessions, sessionIdOf, sessionsInUse } from '../browser.js'
import { impersonationOf } from '../own-session.js'
import { clearSessionCookie } from '../session-cookie.js'
import { deletePresentedRow } from './end-rows.js'
import {
  chooseAmongRows,
  type PresentedToken,
  presentedDatabaseTokens,
  readRow,
  type StoreContext,
  toFoundRow,
  usableRows,
} from './row.js'

/** Reads the browser's rows, also expired ones, and chooses the session in use before any row is deleted. */
export async function signOutOfDatabase(context: StoreContext): Promise<BrowserSignOut | null> {
  const { config } = context
  const presented = presentedDatabaseTokens(context)
  clearSessionCookie(context)
  if (presented.length === 0) return null
  const rows = await readPresentedRows(context, presented)
  const valid = presented.map((each) => {
    const row = rows.get(each)
    return row ? toFoundRow(config, each, row) : null
  })
  const usable = usableRows(valid.filter((found) => found !== null))
  const choice = await chooseAmongRows(context, usable)
  const { found } = choice
  const session = (found?.row ?? [...rows.values()].find((row) => row !== null))?.session ?? null
  return {
    message: session ? { session, sid: sessionIdOf(session.sessionToken) } : { session },
    impersonation: found && impersonationOf(found.userId, sessionIdOf(found.stored), found.actor),
    owners: async () => sessionsInUse(usable, choice).flatMap(({ actor, userId }) => (actor ? [] : [userId])),
    end: () => deleteRemainingRows(context, rows),
  }
}

/** Reads the rows, and notes that they end. If that fails, each may be a session. */
async function readPresentedRows({ config, store }: StoreContext, presented: readonly PresentedToken[]) {
  let rows: ReadonlyArray<StoredSession | null> = []
  try {
    rows = await Promise.all(presented.map(({ stored }) => readRow(store, stored)))
  } finally {
    recordEndedSessions(config, new Map(presented.map(({ stored }, at) => [stored, rows[at] !== null])))
  }
  return new Map(presented.map((each, at) => [each, rows[at] ?? null]))
}

/** Deletes the rows, and removes each deleted one from `rows`, so that a retry continues with the others. */
async function deleteRemainingRows(
  { store }: StoreContext,
  rows: Map<PresentedToken, StoredSession | null>,
): Promise<void> {
  const results = await Promise.allSettled(
    [...rows].map(async ([each, row]) => {
      await deletePresentedRow(store, each, row !== null)
      rows.delete(each)
    }),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
