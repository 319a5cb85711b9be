/**
 * Declared fields of users: reads declarations, and converts values, the same for every database and adapter. A value
 * that is not of the declared type throws: as another value, it could give a user more rights.
 */
import type { UserFieldDescription } from '../types/user-fields.js'
import { isRecord } from './guards.js'

/** The declared fields by their names. */
export type DescribedFields = Readonly<Record<string, UserFieldDescription>>

/** The fields of every stored user. Applications cannot declare them. */
const builtIn = ['id', 'name', 'email', 'emailVerified', 'image']

const types = ['string', 'number', 'boolean', 'date'] as const

/**
 * Reads a declaration.
 *
 * @param option The name of the option, for messages.
 * @param reserved Further names that no field can have.
 * @throws {TypeError} With the fix.
 */
export function describeFields(option: string, declared: unknown, reserved: readonly string[] = []): DescribedFields {
  if (declared === undefined) return {}
  if (!isRecord(declared)) {
    throw new TypeError(`\`${option}\` is not an object of fields. Write \`${option}: { role: 'string' }\`.`)
  }
  const taken = new Set([...builtIn, ...reserved].map((name) => name.toLowerCase()))
  const fields = Object.entries(declared).map(([name, field]) => {
    assertFieldName(option, name, taken)
    taken.add(name.toLowerCase())
    return [name, describeField(`${option}.${name}`, field)] as const
  })
  return Object.freeze(Object.fromEntries(fields))
}

function assertFieldName(option: string, name: string, taken: ReadonlySet<string>): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(name) || name === '__proto__') {
    throw new TypeError(
      `\`${option}\`: ${JSON.stringify(name)} is not a column name. Use up to 63 letters, digits and underscores.`,
    )
  }
  if (taken.has(name.toLowerCase())) {
    throw new TypeError(`\`${option}\`: ${name} is a built-in or declared column. Remove it, or rename it.`)
  }
}

function describeField(option: string, field: unknown): UserFieldDescription {
  const given = isRecord(field) ? field : { type: field }
  const unknown = Object.keys(given).find((key) => key !== 'type' && key !== 'default')
  if (unknown !== undefined) {
    throw new TypeError(`\`${option}\` has no option \`${unknown}\`. It has: type, default.`)
  }
  const description = describeType(option, given.type)
  const { default: initial } = given
  if (initial === undefined) return Object.freeze(description)
  if (kindOf(initial) !== description.type || !isAllowed(description, initial)) {
    throw new TypeError(`\`${option}.default\` is not ${typeText(description)}. Correct it, or remove it.`)
  }
  return Object.freeze({ ...description, default: initial })
}

function describeType(option: string, given: unknown): UserFieldDescription {
  const type = types.find((each) => each === given)
  if (type) return { type }
  if (Array.isArray(given) && given.length > 0 && given.every((each) => typeof each === 'string')) {
    return { type: 'string', values: Object.freeze([...given]) }
  }
  throw new TypeError(`\`${option}\` has no known type. Use ${types.join(', ')}, or the list of allowed strings.`)
}

/** Checks a value of the right JavaScript type. */
function isAllowed({ values }: UserFieldDescription, value: unknown): value is string | number | boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'string' ? !values || values.includes(value) : typeof value === 'boolean'
}

/** Returns the allowed values, for messages. */
function typeText({ type, values }: UserFieldDescription): string {
  return values ? `one of ${values.join(', ')}` : `a ${type === 'number' ? 'finite number' : type}`
}

/**
 * Reads the value of a column or of another adapter: a number may come as text, a boolean as 0 or 1.
 *
 * @returns The default, or `null`, for `null` and `undefined`.
 * @throws {TypeError} For a value that is not of the type. The message omits the value.
 */
export function readField(name: string, field: UserFieldDescription, value: unknown): unknown {
  if (value === null || value === undefined) return field.default ?? null
  const read = readers[field.type](value)
  if (read !== undefined && (field.type === 'date' || isAllowed(field, read))) return read
  throw new TypeError(
    `The stored \`${name}\` of a user is not ${typeText(field)}. Correct the record, or the declaration of the field.`,
  )
}

/** The readers of stored values. They return `undefined` for a value of another type. */
const readers: Readonly<Record<UserFieldDescription['type'], (value: unknown) => unknown>> = {
  string: (value) => (['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : undefined),
  number: readNumber,
  boolean(value) {
    const text = value instanceof Uint8Array && value.length === 1 ? String(value[0]) : String(value)
    if (['true', '1', 't'].includes(text)) return true
    return ['false', '0', 'f'].includes(text) ? false : undefined
  },
  date(value) {
    const date = value instanceof Date ? value : toDate(value)
    return Number.isNaN(date.getTime()) ? undefined : date
  },
}

function readNumber(value: unknown): number | undefined {
  const isNumeric = typeof value === 'string' ? /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(value) : typeof value !== 'object'
  const number = isNumeric ? Number(value) : Number.NaN
  // A larger whole number would become another one.
  const isExact = typeof value === 'number' || !Number.isInteger(number) || Number.isSafeInteger(number)
  return Number.isFinite(number) && isExact ? number : undefined
}

/** Returns the date of milliseconds since 1970, or of a text. Text without a time zone is UTC. */
function toDate(value: unknown): Date {
  if (typeof value === 'number' || typeof value === 'bigint') return new Date(Number(value))
  if (typeof value !== 'string') return new Date(Number.NaN)
  if (/^-?\d+$/.test(value)) return new Date(Number(value))
  const isWithoutZone = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?$/.test(value)
  return new Date(isWithoutZone ? `${value.replace(' ', 'T')}Z` : value)
}

/**
 * Checks a value before it is stored. `null` becomes the default.
 *
 * @throws {TypeError} For a value that is not of the type. The message omits the value.
 */
function writeField(name: string, field: UserFieldDescription, value: unknown): unknown {
  if (value === null || value === undefined) return field.default ?? null
  const isOfType = field.type === 'date' ? isDate(value) : kindOf(value) === field.type && isAllowed(field, value)
  // Databases store NUL and half a surrogate pair differently, or not at all.
  if (isOfType)
    return typeof value === 'string' ? value.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD') : value
  throw new TypeError(`\`${name}\` of a user is not ${typeText(field)}. Nothing was stored: correct the value.`)
}

function isDate(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime())
}

function kindOf(value: unknown): string {
  return typeof value
}

/** Returns the user with all declared fields, read from a stored user. */
export function readFields<U extends object>(fields: DescribedFields, user: U): U {
  const read = Object.entries(fields).map(([name, field]) => [name, readField(name, field, Reflect.get(user, name))])
  return { ...user, ...Object.fromEntries(read) }
}

/**
 * Returns the user with its declared fields checked.
 *
 * @param isNew Whether to add the defaults of fields that the user lacks.
 */
export function writeFields<U extends object>(fields: DescribedFields, user: U, isNew: boolean): U {
  const given = Object.entries(fields).filter(([name]) => isNew || Reflect.get(user, name) !== undefined)
  const written = given.map(([name, field]) => [name, writeField(name, field, Reflect.get(user, name))])
  return { ...user, ...Object.fromEntries(written) }
}
