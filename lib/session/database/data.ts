/**
 * Data of the application in a row. It is written only where it still is what it was when it was read, and else read again: of
 * changes at the same time, in whatever processes, none is lost.
 */
import { isRecord } from '../../base/guards.js'
import { KeyedLock, perOwner, type SiteMemory } from '../../base/memory.js'
import type { ChangeData, SessionValues, Store, StoredSession } from '../../contracts/index.js'
import type { HashedToken } from '../../crypto/stored-token.js'
import { AdapterError, SessionTokenError, SessionTooLarge } from '../../errors.js'
import type { FoundRow, StoreContext } from './row.js'

/** Bytes of UTF-8: what each database can hold. */
const mostBytes = 16_384

/** How often a change is tried. In this process they come one after the other: each failure is another process that changed it. */
const attempts = 50

/** Changes of one session in this process. */
const changesOf = perOwner((_site: SiteMemory) => new KeyedLock())

/** The values of a row. @throws AdapterError for what is no JSON object: who wrote it may have meant a restriction by it. */
export function valuesOf({ data }: StoredSession): SessionValues {
  if (data === null || data === undefined) return {}
  try {
    const values: unknown = JSON.parse(data)
    if (isRecord(values)) return values
  } catch {
    // Told below, without the text.
  }
  throw new AdapterError('The data of a session in the database is no JSON object.', {
    method: 'getSessionUserAndData',
  })
}

/** Writes the data of a session that begins. @throws SessionTooLarge */
export async function writeFirst(store: Store, sessionToken: HashedToken, data: SessionValues = {}): Promise<void> {
  if (Object.keys(data).length === 0) return
  if (await store.writeSessionData({ sessionToken, data: toText(data), previous: null })) return
  throw new SessionTokenError('The data of a new session could not be stored.')
}

/** The row after the change; `null` where its session has ended meanwhile. @throws SessionTooLarge, and what the change throws */
export function changeRow(
  { config, store }: StoreContext,
  found: FoundRow,
  change: ChangeData,
): Promise<FoundRow | null> {
  const { stored: sessionToken } = found
  return changesOf(config.memory).run(sessionToken, async () => {
    let row: StoredSession | null = found.row
    for (let attempt = 0; attempt < attempts && row; attempt += 1) {
      const previous: string | null = row.data ?? null
      const data = toText(change(valuesOf(row)))
      if (data === (previous ?? '{}')) return { ...found, row }
      if (await store.writeSessionData({ sessionToken, data, previous })) return { ...found, row: { ...row, data } }
      row = await store.getSessionAndUser(sessionToken)
      if (row?.session.sessionToken !== sessionToken) return null
    }
    throw new SessionTokenError('The data of a session was changed too often at the same time.')
  })
}

function toText(values: SessionValues): string {
  const text = JSON.stringify(values)
  const bytes = Buffer.byteLength(text)
  if (bytes <= mostBytes) return text
  throw new SessionTooLarge(
    `The data of a session has ${bytes} bytes of JSON; ${mostBytes} are the most. Put ids there, and what they name into your database.`,
  )
}
