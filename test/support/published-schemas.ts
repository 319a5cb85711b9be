/** The tables that the documentation of published adapters describes. */
import type { Database } from '@auth/kysely-adapter'
import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from 'kysely'

/** https://authjs.dev/getting-started/adapters/pg: nothing is unique but verification tokens. */
export const pgSchema = `
  create table verification_token (
    identifier text not null, expires timestamptz not null, token text not null, primary key (identifier, token)
  );
  create table accounts (
    id serial primary key, "userId" integer not null, type varchar(255) not null, provider varchar(255) not null,
    "providerAccountId" varchar(255) not null, refresh_token text, access_token text, expires_at bigint, id_token text,
    scope text, session_state text, token_type text
  );
  create table sessions (
    id serial primary key, "userId" integer not null, expires timestamptz not null, "sessionToken" varchar(255) not null
  );
  create table users (
    id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text
  )`

/**
 * https://authjs.dev/getting-started/adapters/kysely: accounts are not unique. The page is about PostgreSQL; on SQLite,
 * which makes no ids, the tables are those of the adapter's own tests.
 */
export async function kyselySchema(db: Kysely<Database>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  const { schema } = db
  const withId = (table: CreateTableBuilder<string, never>) =>
    table.addColumn('id', 'uuid', (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()`))
  const maybeWithId = (table: CreateTableBuilder<string, never>) => (isSqlite ? table : withId(table))
  const users = schema.createTable('User')
  await (isSqlite ? users.addColumn('id', 'varchar', (column) => column.primaryKey()) : withId(users))
    .addColumn('name', 'text')
    .addColumn('email', 'text', (column) => column.unique().notNull())
    .addColumn('emailVerified', 'timestamptz')
    .addColumn('image', 'text')
    .execute()
  await maybeWithId(schema.createTable('Account'))
    .addColumn('userId', 'uuid', (column) => column.references('User.id').onDelete('cascade').notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('providerAccountId', 'text', (column) => column.notNull())
    .addColumn('refresh_token', 'text')
    .addColumn('access_token', 'text')
    .addColumn('expires_at', 'bigint')
    .addColumn('token_type', 'text')
    .addColumn('scope', 'text')
    .addColumn('id_token', 'text')
    .addColumn('session_state', 'text')
    .execute()
  await maybeWithId(schema.createTable('Session'))
    .addColumn('userId', 'uuid', (column) => column.references('User.id').onDelete('cascade').notNull())
    .addColumn('sessionToken', 'text', (column) => column.notNull().unique())
    .addColumn('expires', 'timestamptz', (column) => column.notNull())
    .execute()
  await schema
    .createTable('VerificationToken')
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull().unique())
    .addColumn('expires', 'timestamptz', (column) => column.notNull())
    .execute()
}
