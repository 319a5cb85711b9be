/** Data of the application in a session (`session.data`): checked where it is put in, so that it comes out as it went in. */
import { describe, refuse } from '../config/refusal.js'
import type { ChangeData, SessionValues } from '../contracts/index.js'

/** How deep objects may be nested: one that holds itself has no end. */
const deepest = 32

/**
 * A copy of the values. What is `undefined` is left out, as JSON does.
 *
 * @param name Of the object, for messages.
 * @throws {@link InvalidConfiguration} that names the member which JSON cannot say.
 */
export function toSessionValues(name: string, value: unknown): SessionValues {
  if (!isPlain(value)) refuse(name, `must be a plain object, not ${describe(value)}.`)
  return recordOf(name, value, 0)
}

/**
 * The change that `auth.sessions.setData` was asked for: values to be merged, where `undefined` removes one, or a function.
 *
 * @throws {@link InvalidConfiguration} as {@link toSessionValues}; the change itself where the function returns such a thing.
 */
export function toChange(given: unknown): ChangeData {
  if (typeof given === 'function') {
    return (data) =>
      toSessionValues('what the function of sessions.setData returns', Reflect.apply(given, undefined, [data]))
  }
  const set = toSessionValues('sessions.setData', given)
  const named = new Set(Object.keys(given as object))
  return (data) => ({ ...Object.fromEntries(Object.entries(data).filter(([key]) => !named.has(key))), ...set })
}

function recordOf(name: string, value: object, depth: number): SessionValues {
  const copy: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__') refuse(name, 'must not have a member `__proto__`.')
    if (member !== undefined) copy[key] = memberOf(`${name}.${key}`, member, depth + 1)
  }
  return copy
}

function memberOf(name: string, value: unknown, depth: number): unknown {
  if (depth > deepest) refuse(name, `is nested deeper than ${deepest} levels, or holds itself.`)
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value
  if (Array.isArray(value)) return Array.from(value, (item, at) => memberOf(`${name}[${at}]`, item, depth + 1))
  if (isPlain(value)) return recordOf(name, value, depth)
  const what = value instanceof Date ? 'a Date: put its `toISOString()`' : describe(value)
  return refuse(
    name,
    `must be a value of JSON (text, finite number, boolean, null, list or plain object), not ${what}.`,
  )
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
