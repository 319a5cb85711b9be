/** `npx server-auth migrate`: creates the tables of the SQL adapter, or updates them. */
import type { Migration, Preset } from '../adapters/sql/index.js'
import { readDatabaseUrl } from '../base/env.js'
import { isRecord } from '../base/guards.js'
import { toError } from '../errors.js'
import { findFile, loadConfiguration } from './doctor/load.js'
import { planSeals, readSecrets, sealAccounts } from './seal-tokens.js'
import { type Command, type CommandResult, readArguments, UsageError } from './terminal.js'

const presets: readonly Preset[] = ['default', 'drizzle', 'kysely', 'pg']

/** The command `migrate`. */
export const migrate: Command = {
  summary: 'Makes the tables in your database',
  help: `Usage: npx server-auth migrate [--url <url> | --config <file>] [--preset <name>] [--seal-tokens] [--dry-run]

Makes the tables of the SQL adapter, or brings them up to date. It can be run again at any time.

  --url <url>       postgres://…, mysql://…, mariadb:// or sqlite:<file>. Default: DATABASE_URL.
  --config <file>   The file with your configuration, such as src/auth.js. Uses the database and the tables of its
                    sqlAdapter, and adds the columns that its option \`user\` declares.
  --preset <name>   ${presets.join(', ')}. All but the first are for a database that another
                    library has made: no column and no row is changed.
  --seal-tokens     Then move the tokens of providers out of the accounts into their own table, sealed with
                    AUTH_SECRET (of several secrets the newest). For an application that has a store of
                    tokens: one without it no longer finds them. Tokens that an older secret has sealed
                    are sealed again. It can be interrupted and run again.
  --dry-run         Print the SQL, and how many accounts have tokens to seal. Change nothing.`,
  async run(args) {
    const { switches, values, rest } = readArguments(args, ['dry-run', 'seal-tokens'], ['url', 'preset', 'config'])
    if (rest.length > 0) throw new UsageError('The URL of the database goes with --url.')
    const file = values.get('config')
    if (file !== undefined) {
      if (values.size > 1 || switches.has('seal-tokens')) throw new UsageError('--config goes with --dry-run only.')
      return migrateAdapter(findFile(file), switches.has('dry-run'))
    }
    const url = values.get('url') || readDatabaseUrl()
    if (url === undefined) throw new UsageError('Which database? Use --url, or set DATABASE_URL.')
    const asked = values.get('preset') ?? 'default'
    const preset = presets.find((name) => name === asked)
    if (!preset) throw new UsageError(`The preset is one of ${presets.join(', ')}.`)
    const dryRun = switches.has('dry-run')
    const seal = switches.has('seal-tokens') && { secrets: dryRun ? [] : readSecrets() }
    return migrateDatabase(url, { preset, dryRun, seal })
  },
}

/** Migrates the database of the configuration's adapter. */
async function migrateAdapter(file: string, dryRun: boolean): Promise<CommandResult> {
  const loaded = await loadConfiguration(file)
  if (loaded.kind === 'refused') throw new Error(`${file}: ${loaded.message}`)
  const { adapter } = loaded.config
  if (!isRecord(adapter) || typeof adapter.migrate !== 'function') {
    throw new UsageError(`The adapter in ${file} is not a sqlAdapter. Use --url, or the migrations of its package.`)
  }
  const migration: Migration = await Reflect.apply(adapter.migrate, adapter, [{ dryRun }])
  return { text: migrationText(migration, dryRun), exitCode: 0 }
}

interface MigrationTask {
  readonly preset: Preset
  readonly dryRun: boolean
  /** The secrets that seal tokens, the newest first; `false` to leave tokens unchanged. */
  readonly seal: false | { readonly secrets: readonly string[] }
}

async function migrateDatabase(url: string, { preset, dryRun, seal }: MigrationTask): Promise<string> {
  const sql = await loadAdapter()
  const db = sql.connect(url)
  try {
    const told = [migrationText(await sql.migrate(db, { preset, dryRun }), dryRun)]
    if (seal) told.push(await (dryRun ? planSeals(db, preset) : sealAccounts(db, preset, seal.secrets)))
    return told.join('\n')
  } catch (error) {
    throw new Error(`The database could not be migrated: ${databaseErrorText(error)}`, { cause: error })
  } finally {
    await db.destroy()
  }
}

function migrationText({ applied, sql }: Migration, dryRun: boolean): string {
  if (applied.length === 0) return dryRun ? '-- up to date' : 'The database is up to date.'
  if (dryRun) return sql.map((statement) => `${statement};`).join('\n')
  return ['Applied:', ...applied.map((name) => `  ${name}`)].join('\n')
}

/**
 * Returns the messages of an error. A name with several addresses fails with several errors, and without its own
 * message.
 */
function databaseErrorText(error: unknown): string {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error]
  return errors.map((each) => toError(each).message).join(', ')
}

/** It is loaded here, because the other commands work without it. */
async function loadAdapter() {
  try {
    return await import('../adapters/sql/index.js')
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes("'kysely'")) throw error
    throw new Error('A package is missing: npm install kysely', { cause: error })
  }
}
