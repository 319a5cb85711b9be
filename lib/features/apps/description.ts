/** The description of apps. */
import type { Description } from '../../types/description.js'
import type { RecordOf } from '../../types/records.js'
import type { RecordTable } from '../../types/store.js'

/**
 * Codes that apps exchange for a session. `id` is a keyed hash of the code. `approval` is what the user approved, and in which session.
 * `session` is the name of the session that the code began. A record stays for a while after its use, so that a second use is noticed.
 */
export const appCodesTable = {
  name: 'auth_app_codes',
  key: ['id'],
  by: 'userId',
  columns: { id: 'id', userId: 'id', state: 'id', approval: 'longText', session: 'text?', expires: 'time' },
  version: true,
  expires: 'expires',
  exported: [],
} as const satisfies RecordTable

/** A code, as it is stored. */
export type StoredAppCode = RecordOf<typeof appCodesTable>

/** Apps and command lines. */
export const apps = {
  tables: [appCodesTable],
  routes: {
    app: { plain: ['GET', 'POST'], isReturnPage: true, ownPagesOnly: true },
    'app-token': { plain: ['POST'], json: true },
    'app-signout': { plain: ['POST'], json: true },
  },
} as const satisfies Description
