/** The tables that stores keep records in. Drivers, guards, migrations, pruning and contract suites follow their descriptions. */
import { described } from '../features/described.js'
import type { Description } from '../types/description.js'
import type { RecordTable } from '../types/store.js'

/** All tables of records. */
export const recordTables: readonly RecordTable[] = Object.values<Description>(described).flatMap(
  ({ tables = [] }) => tables,
)

/** Returns the tables whose records belong to users, by the column `userId`. */
export const tablesOfUsers = (): RecordTable[] => recordTables.filter(({ by }) => by === 'userId')
