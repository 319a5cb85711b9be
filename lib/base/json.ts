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

/** Copies a JSON object deeply, so that the caller may change it. A member `__proto__` remains an ordinary member. */
export function copyJson(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy = { ...value }
  for (const key in copy) {
    const member = copy[key]
    if (typeof member === 'object' && member !== null) copy[key] = copyJsonMember(member)
  }
  return copy
}

/** Copies any JSON value deeply. */
export function copyJsonValue<T>(value: T): T
export function copyJsonValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? copyJsonMember(value) : value
}

function copyJsonMember(value: object): object {
  return Array.isArray(value)
    ? value.map((item: unknown) => copyJsonValue(item))
    : copyJson(value as Record<string, unknown>)
}

/** Freezes a JSON value deeply, so that several owners may share it, and returns it. */
export function freezeJson<T extends object>(value: T): Readonly<T> {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) freezeJson(member)
  return Object.freeze(value)
}

/** Returns the approximate size of a JSON value in memory, in bytes. Names of members are shared by most values. */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string') return 16 + (isLatin1.test(value) ? 1 : 2) * value.length
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 32
  for (const member of Object.values(value)) bytes += 8 + jsonBytes(member)
  return bytes
}

const isLatin1 = /^[\0-\xff]*$/
