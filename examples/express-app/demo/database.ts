/** The database of the example: a file of SQLite, or what `DATABASE_URL` names; and what to say when it cannot be used. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type OpenDatabase, openDatabase } from '../src/database.js'
import { StartError } from './settings.js'

/** Ignored by git. */
const folder = fileURLToPath(new URL('../data/', import.meta.url))

export interface NamedDatabase extends OpenDatabase {
  /** Its URL, without user and password. */
  readonly place: string
}

/** @throws {@link StartError} when the database cannot be used. */
export async function openNamedDatabase(url = process.env.DATABASE_URL || ownFile()): Promise<NamedDatabase> {
  const place = withoutPassword(url)
  try {
    return { ...(await openDatabase(url)), place }
  } catch (error) {
    // The value is no URL of a database.
    if (error instanceof TypeError) throw new StartError(`DATABASE_URL: ${reasonOf(error)}`)
    throw new StartError(`The database at ${place} cannot be used: ${reasonOf(error)}

Is it running, and is DATABASE_URL right? Without DATABASE_URL the example keeps its data in a file.`)
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

/** Returns the reason of an error. If a host has two addresses, both reasons are returned. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
