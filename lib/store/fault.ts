/** What a driver threw, without the values that its message repeats: addresses and tokens must not get into logs. */

import { isRecord } from '../base/guards.js'
import { redact } from '../base/logger.js'
import { toError } from '../errors.js'

/** Characters. Shorter values are parts of common words: replaced, they would make the message unreadable. */
const leastLength = 8

/** An error to log: name, message, stack and code of what was thrown, without the values of the call. */
export function toFault(thrown: unknown, args: readonly unknown[]): Error {
  const error = toError(thrown)
  const { name, message, stack } = error as { [key in keyof Error]?: unknown }
  // The longest first: one may be part of another.
  const values = textsOf(args).sort((one, other) => other.length - one.length)
  const clean = (text: unknown) =>
    typeof text === 'string' ? redact(values.reduce((rest, value) => rest.replaceAll(value, '[value]'), text)) : ''
  const fault = new Error(clean(message))
  fault.name = clean(name)
  fault.stack = clean(stack)
  const code = codeOf(error)
  if (typeof code === 'number') return Object.assign(fault, { code })
  return typeof code === 'string' ? Object.assign(fault, { code: clean(code) }) : fault
}

/**
 * Whether the database said that a value does not fit its column (SQLSTATE class 22), such as a text where ids are numbers
 * or UUIDs.
 */
export function isUnfitValue(fault: Error | undefined): boolean {
  return /^22[0-9A-Z]{3}$/.test(String(codeOf(fault)))
}

/** Libraries over a driver wrap its error, which has the code. */
function codeOf(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > 3) return undefined
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return code ?? codeOf(cause, depth + 1)
}

/** Fields whose values are the engine's or the configuration's: no secrets, and they say what went wrong. */
const harmless: ReadonlySet<string> = new Set(['provider', 'type', 'token_type'])

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.length < leastLength ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => (harmless.has(key) ? [] : textsOf(inner)))
}
