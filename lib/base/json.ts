/** Parses and copies JSON. */
import { isRecord } from './guards.js'

/** Parses a text. Returns `undefined` when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a JSON object. Returns `undefined` for anything else. */
export function parseRecord(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return isRecord(value) ? value : undefined
}

/** Copies a JSON value deeply, so that the caller may change it. A member `__proto__` remains an ordinary member. */
export function copyJson(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy = { ...value }
  for (const key in copy) {
    const member = copy[key]
    if (typeof member === 'object' && member !== null) copy[key] = copyJsonMember(member)
  }
  return copy
}

function copyJsonMember(value: object): object {
  return Array.isArray(value)
    ? value.map((item: unknown) => (typeof item === 'object' && item !== null ? copyJsonMember(item) : item))
    : copyJson(value as Record<string, unknown>)
}
