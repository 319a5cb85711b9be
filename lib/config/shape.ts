/** The checks of options, and shapes made of checks. Used at construction only. */

import { definedOnly, isRecord } from '../base/guards.js'
import { parseUrl } from '../base/url.js'
import { assertKnownKeys, describeValue, type Options, optionPath, rejectOption } from './reject-option.js'

/**
 * A function that returns the value of an option, or throws if it is invalid. The value is `undefined` if the option is
 * not set.
 */
export type Check<T> = (name: string, value: unknown) => T

type Checks = Readonly<Record<string, Check<unknown>>>

/** The values of a shape. Those whose check accepts `undefined` may be absent. */
type ShapeValues<C extends Checks> = {
  readonly [K in keyof C as undefined extends ReturnType<C[K]> ? never : K]: ReturnType<C[K]>
} & {
  readonly [K in keyof C as undefined extends ReturnType<C[K]> ? K : never]?: ReturnType<C[K]>
}

/**
 * Returns a check by a test. `message` follow the option's name; `{kind}` in them is the kind of the value, never its
 * content.
 */
export function required<T>(test: (value: unknown) => unknown, message: string): Check<T> {
  return (name, value) =>
    test(value) ? (value as T) : rejectOption(name, message.replace('{kind}', describeValue(value)))
}

/** Returns the same check for an optional value. */
export function optional<T>(test: (value: unknown) => unknown, message: string): Check<T | undefined> {
  return required((value) => value === undefined || test(value), message)
}

/** A check that accepts any value. */
export const anyValue: Check<unknown> = (_name, value) => value

export const boolean = optional<boolean>((value) => typeof value === 'boolean', 'must be true or false, not {kind}.')

export const nonEmptyText = optional<string>(isNonEmptyText, 'must be a non-empty string, not {kind}.')

export function isNonEmptyText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

export const record = optional<Options>(isRecord, 'must be an object, not {kind}.')

/** Returns the check of a function, with the option's type. */
export function functionOf<F = object>(): Check<F | undefined> {
  return optional((value) => typeof value === 'function', 'must be a function, not {kind}.')
}

/** Returns the check of seconds: a finite number of at least `least`. */
export function seconds(least: number): Check<number | undefined> {
  const range = least > 0 ? `at least ${least}` : '0 or more'
  return optional(
    (value) => typeof value === 'number' && Number.isFinite(value) && value >= least,
    `must be a number of seconds, ${range}, not {kind}. Thirty days are 30 * 24 * 60 * 60.`,
  )
}

/** Returns the check of a whole number in a range. @param what The unit, such as `of codes`, or an empty string. */
export function wholeNumber(what: string, least: number, most: number): Check<number | undefined> {
  return optional(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `must be a whole number ${what === '' ? '' : `${what} `}from ${least} to ${most}, not {kind}.`,
  )
}

/** Returns the check of an enumeration. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Check<Word | undefined> {
  const quoted = words.map((word) => JSON.stringify(word))
  const allowed = `must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
  return (name, value) => {
    if (value === undefined || words.some((word) => word === value)) return value as Word | undefined
    return rejectOption(name, `${allowed}, not ${typeof value === 'string' ? 'another string' : describeValue(value)}.`)
  }
}

/** Returns the check of a list whose members pass a test. @param least The minimum length. */
export function listOf<T = string>(
  isMember: (value: unknown) => boolean,
  message: string,
  least = 0,
): Check<readonly T[] | undefined> {
  return optional((value) => isListOf(value, isMember, least), message)
}

/** Checks whether a value is a list of at least `least` members that pass a test. */
export function isListOf(value: unknown, isMember: (value: unknown) => boolean, least = 0): boolean {
  return Array.isArray(value) && value.length >= least && value.every(isMember)
}

/** Checks whether a value is a text without spaces, like the words of a protocol. */
export function isWord(value: unknown): boolean {
  return typeof value === 'string' && /^\S+$/.test(value)
}

/** A colour for pages: `#rgb` or `#rrggbb`. */
export const colour = optional<string>(isColour, 'must be a colour such as "#3366ff".')

export function isColour(value: unknown): boolean {
  return typeof value === 'string' && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value)
}

/** Returns a text as an absolute http(s) URL, or throws. */
export function assertUrl(name: string, value: string): URL {
  const url = parseUrl(value)
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url
  return rejectOption(
    name,
    `must be an absolute http(s) URL such as "https://app.example.com", not ${JSON.stringify(value)}.`,
  )
}

/** A path of the site, or an absolute URL. */
export const pathOrUrl: Check<string | undefined> = (name, value) => {
  const given = nonEmptyText(name, value)
  if (given !== undefined && !/^\/(?!\/)/.test(given)) assertUrl(name, given)
  return given
}

/** Returns a check that treats `null` as an option that is not set. */
export function nullable<T>(check: Check<T>): Check<T> {
  return (name, value) => check(name, value ?? undefined)
}

/**
 * Returns the check of an object with these options and no others. The result is frozen and has the options that are
 * set.
 */
export function shape<C extends Checks>(checks: C): Check<ShapeValues<C>> {
  return (name, value) => {
    // The top-level options have no name.
    const options = record(name || 'config', value) ?? {}
    assertKnownKeys(name, options, Object.keys(checks))
    return checkOptions(name, options, checks)
  }
}

/** Returns the check of an object with these options, which keeps its other members. */
export function openShape<C extends Checks>(checks: C): Check<ShapeValues<C> & Options> {
  return (name, value) => {
    const options = record(name, value) ?? {}
    const others = Object.fromEntries(Object.entries(options).filter(([key]) => !Object.hasOwn(checks, key)))
    return Object.freeze<object>({ ...others, ...checkOptions(name, options, checks) }) as ShapeValues<C> & Options
  }
}

/** Returns the check of the developer's own object, which is used unchanged. Its other properties are not read. */
export function ownObject<T extends object>(checks: Checks): Check<T | undefined> {
  return (name, value) => {
    checkOptions(name, record(name, value) ?? {}, checks)
    return value as T | undefined
  }
}

function checkOptions<C extends Checks>(name: string, options: Options, checks: C): ShapeValues<C> {
  const entries = Object.entries(checks).map(([key, check]) => [key, check(optionPath(name, key), options[key])])
  return Object.freeze<object>(definedOnly(Object.fromEntries(entries))) as ShapeValues<C>
}
