/** The fields of users that `session.userFields` names, as sessions of both strategies show them. */
import { type DescribedFields, readField } from '../base/user-fields.js'
import type { UserFieldDescription } from '../types/user-fields.js'

/** The shown values by their names. Dates are text, because sessions are JSON. */
export type ShownFields = Readonly<Record<string, unknown>>

/**
 * Returns the named fields of a user. Without a record, they are the defaults.
 *
 * @throws {TypeError} For a value that is not of the declared type.
 */
export function shownFields(fields: DescribedFields, user: object | null): ShownFields {
  const shown = Object.entries(fields).map(([name, field]) => {
    const value = readField(name, field, user === null ? undefined : Reflect.get(user, name))
    return [name, value instanceof Date ? value.toISOString() : value] as const
  })
  return Object.fromEntries(shown)
}

/** Checks whether shown values are of the declared types, which may have changed since they were written. */
export function areShownFields(fields: DescribedFields, shown: ShownFields): boolean {
  return Object.entries(fields).every(([name, field]) => Object.hasOwn(shown, name) && isShown(field, shown[name]))
}

function isShown({ type, values, default: initial }: UserFieldDescription, value: unknown): boolean {
  if (value === null) return initial === undefined
  const kind: string = typeof value
  if (typeof value === 'string' && values) return values.includes(value)
  return kind === (type === 'date' ? 'string' : type)
}
