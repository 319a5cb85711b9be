/** Values of JSON. */
import { isRecord } from './guards.js'

/** Parses a text. Returns `undefined` where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses the text of an object. Returns `undefined` for anything else. */
export function parseRecord(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return isRecord(value) ? value : undefined
}

/** A value of JSON once more: who gets it may write into it. A member `__proto__` stays a mere member. */
export function copyOfJson(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy = { ...value }
  for (const key in copy) {
    const member = copy[key]
    if (typeof member === 'object' && member !== null) copy[key] = copyOfMember(member)
  }
  return copy
}

function copyOfMember(value: object): object {
  return Array.isArray(value)
    ? value.map((item: unknown) => (typeof item === 'object' && item !== null ? copyOfMember(item) : item))
    : copyOfJson(value as Record<string, unknown>)
}
