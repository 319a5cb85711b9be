/**
 * Converts values to and from columns, the same for every dialect, driver and time zone. Dates are sent as text or
 * numbers of an instant; numbers may be returned as text.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './database.js'
import type { ColumnKind, Layout } from './layout.js'

/** The characters of hashes, ids and most addresses, which need no further checks. */
const printable = /^[ -~]*$/
const lowerAscii = /^[ -@[-~]*$/

/** The longest id, token and address in characters: the limit of a unique pair in MySQL. */
const longestKey = 255
/** A credential id has up to 1023 bytes (WebAuthn §4), which are this many characters of base64. */
const longestCredentialId = 1364

/**
 * Converts a value for its column.
 *
 * @throws {TypeError} When a key is not a text that the database can store exactly.
 */
export function toColumnValue(layout: Layout, column: string, kind: ColumnKind, value: unknown): unknown {
  switch (kind) {
    case 'id':
    case 'key':
    case 'email': {
      if (kind === 'email' && (value === null || value === '')) return null
      const key = toKeyValue(layout, column, kind, value)
      // The message omits the value, which may be an address or a token.
      if (key === undefined) throw new TypeError(`\`${column}\` is not a text that can be stored exactly.`)
      return key
    }
    case 'date':
      return value === null ? null : toDateColumn(layout, value)
    case 'number':
      return Number.isFinite(value) ? Math.trunc(Number(value)) : null
    case 'boolean':
      return layout.dialect === 'postgres' ? Boolean(value) : Number(Boolean(value))
    case 'decimal':
      return value
    case 'text':
      return toTextColumn(value)
  }
}

/** Returns the value to compare a key column with; `undefined` when no row can have it. */
export function toKeyValue(layout: Layout, column: string, kind: ColumnKind, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || !isExact(value)) return undefined
  if (column === 'credentialID' ? !isCredentialId(value) : value.length > longestKey) return undefined
  if (kind === 'id' && !idForms[layout.ids](value)) return undefined
  return kind === 'email' ? toLowerAddress(value) : value
}

/**
 * Checks whether a text is stored exactly. PostgreSQL rejects NUL, and half a surrogate pair would become another
 * character.
 */
export function isExact(value: string): boolean {
  return printable.test(value) || !(value.includes('\0') || /\p{Surrogate}/u.test(value))
}

/** Checks whether a key column can store the id exactly. If not, no row has it. */
export function isStorableId(id: string): boolean {
  return id !== '' && id.length <= longestKey && isExact(id)
}

/**
 * Returns the address in lower case, or unchanged if lower case changes a letter: an address with a Kelvin sign is not
 * the one with a `k`.
 */
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
  // MySQL's DATETIME has no time zone and always contains UTC.
  return dialect === 'mysql' ? text.slice(0, -1).replace('T', ' ') : text
}

function toTextColumn(value: unknown): string | null {
  if (typeof value === 'string') return value.replaceAll('\0', '')
  return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : null
}

/** Returns the column under a name, for a list of columns to read. */
export function readable({ dialect }: Layout, reference: string, kind: ColumnKind, name: string) {
  return (kind === 'date' ? toMilliseconds(dialect, reference) : sql.ref(reference)).as(name)
}

/** Returns the instant as milliseconds since 1970, regardless of the session's time zone and the driver's dates. */
function toMilliseconds(dialect: Dialect, reference: string): RawBuilder<unknown> {
  const column = sql.ref(reference)
  if (dialect === 'postgres') return sql`cast(extract(epoch from ${column}) * 1000 as bigint)`
  if (dialect === 'mysql') return sql`timestampdiff(microsecond, '1970-01-01 00:00:00', ${column}) div 1000`
  return sql`${column}`
}

/** Converts the driver's value for the record. `null` is kept. */
export function fromColumn(kind: ColumnKind, value: unknown): unknown {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'id':
    case 'key':
    case 'text':
      return String(value)
    case 'email':
      return toLowerAddress(String(value))
    case 'number':
    case 'decimal':
      return Number(value)
    case 'boolean':
      return value === true || ['1', 't', 'true'].includes(String(value))
    case 'date':
      return fromDateColumn(value)
  }
}

function fromDateColumn(value: unknown): Date {
  if (value instanceof Date) return value
  if (typeof value !== 'string') return new Date(Number(value))
  if (/^-?\d+$/.test(value)) return new Date(Number(value))
  // SQLite's CURRENT_TIMESTAMP is UTC without a zone.
  return new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(value) ? `${value.replace(' ', 'T')}Z` : value)
}
