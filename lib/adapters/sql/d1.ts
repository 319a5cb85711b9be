/**
 * Cloudflare D1: SQLite over a binding of a Worker. A statement is atomic, and there are no transactions. So the adapter
 * has none either, and the engine links no account by address to an unverified user.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { UserFields, UserFieldValues } from '../../types/user-fields.js'
import { createSqlAdapter, type SqlAdapter, type SqlAdapterOptions } from './adapter.js'
import { type FirstRow, registerDirectRead } from './direct-read.js'
import { registerWithoutTransactions } from './transaction.js'

export type { SqlAdapterOptions } from './adapter.js'
export { type MigrateOptions, type Migration, migrate } from './migrate.js'

/** The used parts of a D1 binding. */
export interface D1Binding {
  /** Prepares a statement. */
  prepare(query: string): D1Statement
  /** Runs statements together: if one fails, none takes effect. */
  batch(statements: D1Statement[]): Promise<unknown>
}

/** The used parts of a prepared statement. */
export interface D1Statement {
  /** Returns the statement with values for its parameters. */
  bind(...values: unknown[]): D1Statement
  /** Runs the statement. */
  all<R = Record<string, unknown>>(): Promise<{
    /** The selected rows. */
    readonly results: R[]
    /** The effects of the statement. */
    readonly meta: {
      /** The number of changed rows. */
      readonly changes?: number
      /** The id of the row that was inserted last. */
      readonly last_row_id?: number
    }
  }>
}

/** The adapter of {@link d1Adapter}: that of `sqlAdapter`, without `transaction`. */
export type D1Adapter<Fields = unknown> = Omit<SqlAdapter<Fields>, 'transaction'>

/**
 * Creates an adapter on Cloudflare D1. {@link migrate} creates its tables.
 *
 * @param binding The binding of the Worker's configuration, such as `env.DB`.
 * @throws {TypeError} When it is not a binding, or an option is invalid.
 * @example
 * ```ts
 * import { env } from 'cloudflare:workers'
 * const adapter = d1Adapter(env.DB)
 * ```
 */
export function d1Adapter<const Declared extends UserFields = Record<never, never>>(
  binding: D1Binding,
  options: SqlAdapterOptions<Declared> = {},
): D1Adapter<UserFieldValues<Declared>> {
  const { transaction: _, ...adapter } = createSqlAdapter(connectD1(binding), options)
  // Users have the declared fields, because each read and write checks them.
  return adapter as D1Adapter<UserFieldValues<Declared>>
}

/**
 * Opens a D1 database, for {@link migrate}, `sqlStore` and your own queries.
 *
 * @param binding The binding of the Worker's configuration, such as `env.DB`.
 * @throws {TypeError} When it is not a binding.
 * @example
 * ```ts
 * await migrate(connectD1(env.DB))
 * ```
 */
export function connectD1<Tables = unknown>(binding: D1Binding): Kysely<Tables> {
  if (typeof binding?.prepare !== 'function' || typeof binding.batch !== 'function') {
    throw new TypeError(
      '`connectD1` got no D1 binding. Pass the one of your configuration, such as `env.DB`, and check `d1_databases`.',
    )
  }
  const db = new Kysely<Tables>({ dialect: new D1Dialect(binding) })
  const first: FirstRow = async (query, parameters) => {
    const [row] = (await run(binding, query, parameters)).results
    return row && Object.values(row)
  }
  registerWithoutTransactions(db, async (statements) => {
    await binding.batch(statements.map((statement) => binding.prepare(statement)))
  })
  return registerDirectRead(db, () => first)
}

function run<R = Record<string, unknown>>(binding: D1Binding, query: string, parameters: readonly unknown[]) {
  return binding
    .prepare(query)
    .bind(...parameters)
    .all<R>()
}

class D1Dialect implements Dialect {
  readonly #binding: D1Binding

  constructor(binding: D1Binding) {
    this.#binding = binding
  }

  createAdapter = () => new SqliteAdapter()
  createDriver = (): Driver => new D1Driver(this.#binding)
  createIntrospector = (db: Kysely<unknown>) => new SqliteIntrospector(db)
  createQueryCompiler = () => new D1QueryCompiler()
}

/** The number of parameters that D1 allows in a statement. */
const parameterLimit = 100

/** Writes further values into the statement, such as the keys of many records that a clean-up removes. */
class D1QueryCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    // SQLite ends a statement at a NUL character.
    const isNumber = typeof value === 'number' && Number.isFinite(value) && value >= 0
    const isWritable = isNumber || (typeof value === 'string' && !value.includes('\0'))
    if (isWritable && this.numParameters >= parameterLimit) this.appendImmediateValue(value)
    else super.appendValue(value)
  }
}

/** A driver without connections: each statement is one request to the binding. */
class D1Driver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(binding: D1Binding) {
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        const { results, meta } = await run<R>(binding, sql, parameters)
        return {
          rows: results,
          numAffectedRows: BigInt(meta.changes ?? 0),
          ...(meta.last_row_id != null && { insertId: BigInt(meta.last_row_id) }),
        }
      },
      streamQuery() {
        throw new Error('D1 cannot stream rows. Use `execute()`.')
      },
    }
  }

  acquireConnection = async () => this.#connection
  beginTransaction = () => noTransactions()
  commitTransaction = () => noTransactions()
  rollbackTransaction = () => noTransactions()
  async init() {}
  async releaseConnection() {}
  async destroy() {}
}

async function noTransactions(): Promise<never> {
  throw new Error('D1 has no transactions. Run the statements one after the other, or use `batch` of the binding.')
}
