/**
 * Data of the application in a row. It is written only if it has not changed since it was read, and otherwise read
 * again, so no concurrent change is lost in any process.
 */
import { isRecord } from '../../base/guards.js'
import { KeyedLock, perOwner, type SiteMemory } from '../../base/memory.js'
import type { AdapterStore, SessionDataUpdater, SessionValues, StoredSession } from '../../contracts/index.js'
import type { HashedToken } from '../../crypto/session-token.js'
import { AdapterError, SessionTokenError, SessionTooLarge } from '../../errors.js'
import { type FoundRow, readRow, type StoreContext } from './row.js'

/** The limit in bytes of UTF-8, which every database can store. */
const maxDataBytes = 16_384

/** The number of attempts. In this process changes are serialised, so each failure is a change by another process. */
const maxChangeAttempts = 50

/** The lock of a session's changes in this process. */
const changeLocksOf = perOwner((_site: SiteMemory) => new KeyedLock())

/**
 * Returns the values of a row.
 *
 * @throws AdapterError when it is not a JSON object: an ignored value may have been a restriction.
 */
export function dataValues({ data }: StoredSession): SessionValues {
  if (data === null || data === undefined) return {}
  try {
    const values: unknown = JSON.parse(data)
    if (isRecord(values)) return values
  } catch {
    // Reported below, without the text.
  }
  throw new AdapterError('The stored data of a session is not a JSON object.', {
    method: 'getSessionUserAndData',
  })
}

/**
 * Writes the data of a new session.
 *
 * @throws SessionTooLarge
 */
export async function writeInitialData(
  store: AdapterStore,
  sessionToken: HashedToken,
  data: SessionValues = {},
): Promise<void> {
  if (Object.keys(data).length === 0) return
  if (await store.writeSessionData({ sessionToken, data: serializeData(data), previous: null })) return
  throw new SessionTokenError('The data of a new session could not be stored.')
}

/**
 * Changes the data and returns the row; `null` when its session has ended meanwhile.
 *
 * @throws SessionTooLarge, and errors of `change`
 */
export function changeRowData(
  { config, store }: StoreContext,
  found: FoundRow,
  change: SessionDataUpdater,
): Promise<FoundRow | null> {
  const { stored: sessionToken } = found
  return changeLocksOf(config.memory).run(sessionToken, async () => {
    let row: StoredSession | null = found.row
    for (let attempt = 0; attempt < maxChangeAttempts && row; attempt += 1) {
      const previous: string | null = row.data ?? null
      const data = serializeData(change(dataValues(row)))
      if (data === (previous ?? '{}')) return { ...found, row }
      if (await store.writeSessionData({ sessionToken, data, previous })) return { ...found, row: { ...row, data } }
      row = await readRow(store, sessionToken)
      if (!row) return null
    }
    throw new SessionTokenError('The data of a session was changed too often at the same time.')
  })
}

function serializeData(values: SessionValues): string {
  const text = JSON.stringify(values)
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxDataBytes) return text
  throw new SessionTooLarge(
    `The data of a session has ${bytes} bytes of JSON, more than the limit of ${maxDataBytes}. Store the data in your database, and only its ids in the session.`,
  )
}
