/** What options must be, declared: a check for each option, and shapes made of checks. Used at construction only. */

import { definedOnly, isRecord } from '../base/guards.js'
import { parseUrl } from '../base/url.js'
import { assertKnownKeys, describe, type Options, pathOf, refuse } from './refusal.js'

/** Returns the value of an option as it is used, or throws what is wrong with it. `undefined`: the option is not set. */
export type Check<T> = (name: string, value: unknown) => T

type Checks = Readonly<Record<string, Check<unknown>>>

/** The options of a shape: those whose check lets `undefined` pass may be absent. */
type Values<C extends Checks> = {
  readonly [K in keyof C as undefined extends ReturnType<C[K]> ? never : K]: ReturnType<C[K]>
} & {
  readonly [K in keyof C as undefined extends ReturnType<C[K]> ? K : never]?: ReturnType<C[K]>
}

/** A check by a test. `words` follow the option's name; `{kind}` in them is what was found, and never its content. */
export function required<T>(test: (value: unknown) => unknown, words: string): Check<T> {
  return (name, value) => (test(value) ? (value as T) : refuse(name, words.replace('{kind}', describe(value))))
}

/** The same for an option that may be left out. */
export function optional<T>(test: (value: unknown) => unknown, words: string): Check<T | undefined> {
  return required((value) => value === undefined || test(value), words)
}

/** Whatever it is: looked at elsewhere, or not at all. */
export const anything: Check<unknown> = (_name, value) => value

export const boolean = optional<boolean>((value) => typeof value === 'boolean', 'must be true or false, not {kind}.')

export const text = optional<string>(isText, 'must be a non-empty string, not {kind}.')

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

export const record = optional<Options>(isRecord, 'must be an object, not {kind}.')

/** A function, of the type that the option has. */
export function functionOf<F = object>(): Check<F | undefined> {
  return optional((value) => typeof value === 'function', 'must be a function, not {kind}.')
}

/** Seconds: a finite number not below `least`. */
export function seconds(least: number): Check<number | undefined> {
  const range = least > 0 ? `at least ${least}` : '0 or more'
  return optional(
    (value) => typeof value === 'number' && Number.isFinite(value) && value >= least,
    `must be a number of seconds, ${range}, not {kind}. Thirty days are 30 * 24 * 60 * 60.`,
  )
}

/** A whole number in a range. @param what The unit, such as `of codes`, or nothing. */
export function wholeNumber(what: string, least: number, most: number): Check<number | undefined> {
  return optional(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `must be a whole number ${what === '' ? '' : `${what} `}from ${least} to ${most}, not {kind}.`,
  )
}

/** One of several words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Check<Word | undefined> {
  const quoted = words.map((word) => JSON.stringify(word))
  const allowed = `must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
  return (name, value) => {
    if (value === undefined || words.some((word) => word === value)) return value as Word | undefined
    return refuse(name, `${allowed}, not ${typeof value === 'string' ? 'another string' : describe(value)}.`)
  }
}

/** A list whose members pass a test. @param least Its length at the least. */
export function listOf<T = string>(
  isMember: (value: unknown) => boolean,
  words: string,
  least = 0,
): Check<readonly T[] | undefined> {
  return optional((value) => isListOf(value, isMember, least), words)
}

/** Checks whether a value is a list of at least so many members that pass a test. */
export function isListOf(value: unknown, isMember: (value: unknown) => boolean, least = 0): boolean {
  return Array.isArray(value) && value.length >= least && value.every(isMember)
}

/** Checks whether a value is a text without spaces, as the words of a protocol are. */
export function isWord(value: unknown): boolean {
  return typeof value === 'string' && /^\S+$/.test(value)
}

/** `#rgb` or `#rrggbb`, as pages take it. */
export const colour = optional<string>(isColour, 'must be a colour such as "#3366ff".')

export function isColour(value: unknown): boolean {
  return typeof value === 'string' && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value)
}

/** An absolute http(s) URL. */
export function assertUrl(name: string, value: string): URL {
  const url = parseUrl(value)
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url
  return refuse(
    name,
    `must be an absolute http(s) URL such as "https://app.example.com", not ${JSON.stringify(value)}.`,
  )
}

/** A path of the own site, or an absolute URL. */
export const pathOrUrl: Check<string | undefined> = (name, value) => {
  const given = text(name, value)
  if (given !== undefined && !/^\/(?!\/)/.test(given)) assertUrl(name, given)
  return given
}

/** `null` stands for an option that is not set. */
export function orNull<T>(check: Check<T>): Check<T> {
  return (name, value) => check(name, value ?? undefined)
}

/** An object with these options and no others. What comes out is frozen, and has what is set. */
export function shape<C extends Checks>(checks: C): Check<Values<C>> {
  return (name, value) => {
    // The options at the top have no name.
    const options = record(name || 'config', value) ?? {}
    assertKnownKeys(name, options, Object.keys(checks))
    return checked(name, options, checks)
  }
}

/** The same for an object that may have other options, which it keeps. */
export function openShape<C extends Checks>(checks: C): Check<Values<C> & Options> {
  return (name, value) => {
    const options = record(name, value) ?? {}
    const others = Object.fromEntries(Object.entries(options).filter(([key]) => !Object.hasOwn(checks, key)))
    return Object.freeze<object>({ ...others, ...checked(name, options, checks) }) as Values<C> & Options
  }
}

/** Checks these options of the developer's own object, which is used as it is. Of its other properties none is read. */
export function ownObject<T extends object>(checks: Checks): Check<T | undefined> {
  return (name, value) => {
    checked(name, record(name, value) ?? {}, checks)
    return value as T | undefined
  }
}

function checked<C extends Checks>(name: string, options: Options, checks: C): Values<C> {
  const entries = Object.entries(checks).map(([key, check]) => [key, check(pathOf(name, key), options[key])])
  return Object.freeze<object>(definedOnly(Object.fromEntries(entries))) as Values<C>
}
