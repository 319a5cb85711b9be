/** Removes the values of a call from a driver's error: addresses and tokens must not get into logs. */

import { isRecord } from '../base/guards.js'
import { redact } from '../base/logger.js'
import { toError } from '../errors.js'

/**
 * The shortest value that is removed, in characters. Shorter values are parts of common words, and the message would
 * become unreadable.
 */
const minRedactedLength = 8

/**
 * Creates an error for the log: the name, message, stack and code of what was thrown, without the values of the call.
 */
export function toRedactedError(thrown: unknown, args: readonly unknown[]): Error {
  const error = toError(thrown)
  const { name, message, stack } = error as { [key in keyof Error]?: unknown }
  // The longest first, because one may be part of another.
  const values = collectTexts(args).sort((one, other) => other.length - one.length)
  const clean = (text: unknown) =>
    typeof text === 'string' ? redact(values.reduce((rest, value) => rest.replaceAll(value, '[value]'), text)) : ''
  const fault = new Error(clean(message))
  fault.name = clean(name)
  fault.stack = clean(stack)
  const code = errorCodeOf(error)
  if (typeof code === 'number') return Object.assign(fault, { code })
  return typeof code === 'string' ? Object.assign(fault, { code: clean(code) }) : fault
}

/**
 * Checks whether the database reported that a value does not fit its column (SQLSTATE class 22), such as a text where
 * ids are numbers or UUIDs.
 */
export function isInvalidColumnValue(fault: Error | undefined): boolean {
  return /^22[0-9A-Z]{3}$/.test(String(errorCodeOf(fault)))
}

/** Returns the code of an error or of its cause: libraries over a driver wrap its error. */
function errorCodeOf(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > 3) return undefined
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return code ?? errorCodeOf(cause, depth + 1)
}

/** Fields with values of the engine or the configuration. They are not secret and help to find the cause. */
const harmlessFields: ReadonlySet<string> = new Set(['provider', 'type', 'token_type'])

function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.length < minRedactedLength ? [] : [value]
  if (Array.isArray(value)) return value.flatMap(collectTexts)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => (harmlessFields.has(key) ? [] : collectTexts(inner)))
}
