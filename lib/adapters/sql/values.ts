/**
 * What goes into a column and what comes out. Every dialect, driver and time zone gives the same values: dates travel as
 * text or numbers that say the instant, numbers may come back as text.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './database.js'
import type { Kind, Layout } from './layout.js'

/** What hashes, ids and most addresses are made of: nothing else has to be looked for in them. */
const printable = /^[ -~]*$/
const lowerAscii = /^[ -@[-~]*$/

/** The longest id, token and address in characters: what MySQL can hold a unique pair of. */
const longestKey = 255
/** A credential id has up to 1023 bytes (WebAuthn §4): so many characters of base64. */
const longestCredentialId = 1364

/**
 * The value as the column takes it.
 *
 * @throws {TypeError} When a key is no text that the database can hold exactly.
 */
export function toColumn(layout: Layout, column: string, kind: Kind, value: unknown): unknown {
  switch (kind) {
    case 'id':
    case 'key':
    case 'email': {
      if (kind === 'email' && (value === null || value === '')) return null
      const key = toKey(layout, column, kind, value)
      // The value stays out of the message: it may be an address or a token.
      if (key === undefined) throw new TypeError(`\`${column}\` is not a text that can be stored exactly.`)
      return key
    }
    case 'date':
      return value === null ? null : toDateColumn(layout, value)
    case 'number':
      return Number.isFinite(value) ? Math.trunc(Number(value)) : null
    case 'boolean':
      return layout.dialect === 'postgres' ? Boolean(value) : Number(Boolean(value))
    case 'text':
      return toText(value)
    case 'other':
      return toOther(layout.dialect, value)
  }
}

/** The value to compare a key column with; `undefined` when no row can have it. */
export function toKey(layout: Layout, column: string, kind: Kind, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || !isExact(value)) return undefined
  if (column === 'credentialID' ? !isCredentialId(value) : value.length > longestKey) return undefined
  if (kind === 'id' && !idForms[layout.ids](value)) return undefined
  return kind === 'email' ? toLowerAddress(value) : value
}

/** PostgreSQL refuses NUL. Half a surrogate pair would arrive as another character. */
function isExact(value: string): boolean {
  return printable.test(value) || !(value.includes('\0') || /\p{Surrogate}/u.test(value))
}

/** Whether a key column of ours holds the id as it is; where not, no row can have it. */
export function isStorableId(id: string): boolean {
  return id !== '' && id.length <= longestKey && isExact(id)
}

/** As typed where lower case changes a letter: an address with a Kelvin sign is another person's than the one with a `k`. */
export function toLowerAddress(address: string): string {
  if (lowerAscii.test(address)) return address
  const lower = address.toLowerCase()
  return lower.toUpperCase() === address.toUpperCase() ? lower : address
}

function isCredentialId(value: string): boolean {
  return value.length <= longestCredentialId && /^[\w+/=-]+$/.test(value)
}

const idForms: Readonly<Record<Layout['ids'], (id: string) => boolean>> = {
  text: () => true,
  uuid: (id) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/.test(id),
  integer: (id) => /^[1-9]\d{0,9}$/.test(id) && Number(id) <= 2 ** 31 - 1,
}

function toDateColumn({ dialect, sqliteDates }: Layout, value: unknown): unknown {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) throw new TypeError('A date is needed.')
  if (dialect === 'sqlite' && sqliteDates === 'milliseconds') return value.getTime()
  const text = value.toISOString()
  // MySQL's DATETIME knows no zone: it always holds UTC.
  return dialect === 'mysql' ? text.slice(0, -1).replace('T', ' ') : text
}

function toText(value: unknown): string | null {
  if (typeof value === 'string') return value.replaceAll('\0', '')
  return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : null
}

/** What the drivers can bind. */
function toOther(dialect: Dialect, value: unknown): unknown {
  if (typeof value === 'string') return toText(value)
  if (typeof value === 'boolean') return dialect === 'postgres' ? value : Number(value)
  if (value instanceof Date) return dialect === 'mysql' ? value.toISOString().slice(0, -1) : value.toISOString()
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array) ? JSON.stringify(value) : value
}

/** The column in a list of columns to read, under a name. */
export function readable({ dialect }: Layout, reference: string, kind: Kind, name: string) {
  return (kind === 'date' ? toMilliseconds(dialect, reference) : sql.ref(reference)).as(name)
}

/** The instant as milliseconds since 1970, whatever the zone of the session and whatever the driver does with dates. */
function toMilliseconds(dialect: Dialect, reference: string): RawBuilder<unknown> {
  const column = sql.ref(reference)
  if (dialect === 'postgres') return sql`cast(extract(epoch from ${column}) * 1000 as bigint)`
  if (dialect === 'mysql') return sql`timestampdiff(microsecond, '1970-01-01 00:00:00', ${column}) div 1000`
  return sql`${column}`
}

/** The value that the driver gave, as the record has it. `null` stays `null`. */
export function fromColumn(kind: Kind, value: unknown): unknown {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'id':
    case 'key':
    case 'text':
      return String(value)
    case 'email':
      return toLowerAddress(String(value))
    case 'number':
      return Number(value)
    case 'boolean':
      return value === true || ['1', 't', 'true'].includes(String(value))
    case 'date':
      return fromDateColumn(value)
    case 'other':
      return value
  }
}

function fromDateColumn(value: unknown): Date {
  if (value instanceof Date) return value
  if (typeof value !== 'string') return new Date(Number(value))
  if (/^-?\d+$/.test(value)) return new Date(Number(value))
  // SQLite's own CURRENT_TIMESTAMP is UTC, and does not say so.
  return new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(value) ? `${value.replace(' ', 'T')}Z` : value)
}
