/** Checks of single options. Each message names the option, what was found, and what to write instead. */

import { isRecord } from '../base/guards.js'
import { InvalidConfiguration } from '../errors.js'

/** A plain record of unknown values. */
export type Options = Readonly<Record<string, unknown>>

/** The value as a record of own properties; `undefined` becomes an empty one. */
export function assertOptions(name: string, value: unknown): Options {
  if (value === undefined) return {}
  if (!isRecord(value)) {
    throw new InvalidConfiguration(`${quote(name)} must be an object, not ${describe(value)}.`)
  }
  return value
}

/** Refuses names that no option has: a misspelt option would be silently without effect. */
export function assertKnownKeys(name: string, options: Options, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue
    const similar = known.find((candidate) => isSimilar(candidate, key))
    const path = name === '' ? key : `${name}.${key}`
    throw new InvalidConfiguration(
      `There is no option ${quote(path)}. ${similar ? `Did you mean ${quote(similar)}?` : `Known here: ${known.join(', ')}.`}`,
    )
  }
}

/**
 * Refuses a name that is a known one, misspelt (`clientID`, `client_id`). For objects that may have names of their own: what
 * is like none of ours is left alone.
 */
export function assertNoMisspelling(name: string, options: Options, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    const meant = known.includes(key) ? undefined : known.find((candidate) => isMisspelling(candidate, key))
    if (meant === undefined) continue
    throw new InvalidConfiguration(`There is no option ${quote(`${name}.${key}`)}. Did you mean ${quote(meant)}?`)
  }
}

function isMisspelling(known: string, key: string): boolean {
  const [left, right] = [known, key].map((each) => each.toLowerCase().replace(/[_-]/g, '')) as [string, string]
  return left === right || (left.length > 5 && Math.abs(left.length - right.length) < 2 && distance(left, right) < 2)
}

/** A function, or nothing. */
export function assertFunctions(name: string, options: Options): void {
  for (const [key, value] of Object.entries(options)) {
    if (value !== undefined && typeof value !== 'function') {
      throw new InvalidConfiguration(`${quote(`${name}.${key}`)} must be a function, not ${describe(value)}.`)
    }
  }
}

/** Seconds: a finite number not below `least`. */
export function assertSeconds(name: string, value: unknown, least: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < least) {
    throw new InvalidConfiguration(
      `${quote(name)} must be a number of seconds, ${least > 0 ? `at least ${least}` : '0 or more'}, not ${describe(value)}. Thirty days are 30 * 24 * 60 * 60.`,
    )
  }
  return value
}

/** A boolean, or nothing. */
export function assertBoolean(name: string, value: unknown): boolean | undefined {
  if (value !== undefined && typeof value !== 'boolean') {
    throw new InvalidConfiguration(`${quote(name)} must be true or false, not ${describe(value)}.`)
  }
  return value
}

/** A non-empty text, or nothing. */
export function assertText(name: string, value: unknown): string | undefined {
  if (value !== undefined && (typeof value !== 'string' || value === '')) {
    throw new InvalidConfiguration(`${quote(name)} must be a non-empty string, not ${describe(value)}.`)
  }
  return value
}

/** An absolute http(s) URL. */
export function assertUrl(name: string, value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password) {
    throw new InvalidConfiguration(
      `${quote(name)} must be an absolute http(s) URL such as "https://app.example.com", not ${JSON.stringify(value)}.`,
    )
  }
  return url
}

/** An option's name in a message. */
export function quote(name: string): string {
  return `\`${name}\``
}

/** A value in a message: its kind, never its content, which could be a secret. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'object') return 'an object'
  return typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`
}

/** Whether two names differ by case, by an ending, or by two letters at the most. */
function isSimilar(a: string, b: string): boolean {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()]
  if (left === right) return true
  const shorter = Math.min(left.length, right.length)
  return shorter > 3 && (left.startsWith(right) || right.startsWith(left) || distance(left, right) <= 2)
}

/** How many letters have to be put in, left out or changed (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** Whether a value is a colour as pages take it: `#rgb` or `#rrggbb`. */
export function isColour(value: unknown): boolean {
  return typeof value === 'string' && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value)
}
