/** The clock of the database. Times that several processes compare are taken from it. */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './database.js'

/** Milliseconds since the epoch. Not the time of the transaction, which would be in the past in a long one. */
export const clocks: Readonly<Record<Dialect, RawBuilder<number>>> = {
  postgres: sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
  mysql: sql`(timestampdiff(microsecond, '1970-01-01 00:00:00', utc_timestamp(3)) div 1000)`,
  sqlite: sql`cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
}
