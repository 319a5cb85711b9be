/** Type tests: published adapters are taken as they are, without a cast. Compiled by `npm run typecheck`, never run. */
import type { Adapter as PublishedInterface } from '@auth/core/adapters'
import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { type Codegen, type Database, KyselyAdapter, KyselyAuth } from '@auth/kysely-adapter'
import PostgresAdapter from '@auth/pg-adapter'
import { UnstorageAdapter } from '@auth/unstorage-adapter'
import type { MySql2Database } from 'drizzle-orm/mysql2'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy'
import type { Dialect, Kysely } from 'kysely'
import type { Pool } from 'pg'
import { createStorage } from 'unstorage'
import type { Adapter } from '../../lib/adapters/index.js'
import type { ServerAuthConfig } from '../../lib/index.js'

type Option = ServerAuthConfig['adapter']
function assertType<T extends true>(_proof?: T): void {}

declare const pool: Pool
declare const kysely: Kysely<Database>
declare const dialect: Dialect
declare const postgres: NodePgDatabase
declare const mysql: MySql2Database
declare const sqlite: SqliteRemoteDatabase

export const asOption = {
  pg: PostgresAdapter(pool),
  kysely: KyselyAdapter(kysely),
  kyselyAuth: KyselyAdapter(new KyselyAuth<Database>({ dialect })),
  kyselyGenerated: KyselyAdapter(new KyselyAuth<Database, Codegen>({ dialect })),
  drizzlePostgres: DrizzleAdapter(postgres),
  drizzleMysql: DrizzleAdapter(mysql),
  drizzleSqlite: DrizzleAdapter(sqlite),
  unstorage: UnstorageAdapter(createStorage()),
} satisfies Record<string, Option>

// In the place where an application writes them.
export const configurations: ServerAuthConfig[] = [
  { providers: [], adapter: PostgresAdapter(pool) },
  { providers: [], adapter: KyselyAdapter(kysely) },
  { providers: [], adapter: DrizzleAdapter(postgres) },
  { providers: [], adapter: UnstorageAdapter(createStorage()) },
]

export function theInterface(): void {
  assertType<PublishedInterface extends Adapter ? true : false>()
  // Each of its methods is one of our methods, and has the same signature.
  assertType<keyof PublishedInterface extends keyof Adapter ? true : false>()
}

export const wrong: ServerAuthConfig[] = [
  // @ts-expect-error: the function that makes one is none
  { providers: [], adapter: PostgresAdapter },
  // @ts-expect-error: a user has an id
  { providers: [], adapter: { getUser: () => ({ email: 'a@example.com', emailVerified: null }) } },
  // @ts-expect-error: no such method
  { providers: [], adapter: { findUser: () => null } },
]
