/** The functions that the targets share. */
import type { Fields } from '../hostile.js'

/** Checks whether a value is an object with members. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the texts in a JSON value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** Returns a query or a form of these fields. */
export function queryOf(fields: Fields): URLSearchParams {
  return new URLSearchParams(fields.map(([name, value]) => [name, value]))
}

/** Returns the fields of a query. */
export function fieldsOf(query: URLSearchParams): Fields {
  return [...query].map(([name, value]) => [name, value] as const)
}

/** Returns the text after encoding in UTF-8. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}
