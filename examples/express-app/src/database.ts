/** The database of the example: a file of SQLite, or what `DATABASE_URL` names. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { connect, migrate, type SqlAdapter, sqlAdapter } from 'server-auth/adapters/sql'
import { StartError } from './settings.js'

/** Ignored by git. */
const folder = fileURLToPath(new URL('../data/', import.meta.url))

export interface OpenDatabase {
  readonly adapter: SqlAdapter
  /** Its URL, without user and password. */
  readonly place: string
  close(): Promise<void>
}

/**
 * Opens the database and makes the tables, or brings them up to date.
 *
 * @throws {@link StartError} when the database cannot be used.
 */
export async function openDatabase(url = process.env.DATABASE_URL || ownFile()): Promise<OpenDatabase> {
  const db = open(url)
  const place = withoutPassword(url)
  try {
    await migrate(db)
  } catch (error) {
    await db.destroy()
    throw new StartError(`The database at ${place} cannot be used: ${reasonOf(error)}

Is it running, and is DATABASE_URL right? Without DATABASE_URL the example keeps its data in a file.`)
  }
  return { adapter: sqlAdapter(db), place, close: () => db.destroy() }
}

function open(url: string) {
  try {
    return connect(url)
  } catch (error) {
    throw new StartError(`DATABASE_URL: ${reasonOf(error)}`)
  }
}

function ownFile(): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return `sqlite:${folder}app.db`
}

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return url
  const { protocol, host, pathname } = new URL(url)
  return host ? `${protocol}//${host}${pathname}` : url
}

/** Where a host has two addresses, both say why. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
