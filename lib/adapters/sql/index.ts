/** `server-auth/adapters/sql`: an adapter on SQLite, PostgreSQL, MySQL and MariaDB, by Kysely (a peer dependency). */
export { type SqlAdapter, type SqlAdapterOptions, sqlAdapter } from './adapter.js'
export { type ConnectOptions, connect } from './connect.js'
export type { AnyKysely, Dialect } from './database.js'
export type { IdType, LayoutOptions, Preset } from './layout.js'
export { type MigrateOptions, type Migration, migrate } from './migrate.js'
export type { Pruned, PruneOptions } from './prune.js'
export { type SqlStore, type SqlStoreOptions, sqlStore } from './sql-store.js'
