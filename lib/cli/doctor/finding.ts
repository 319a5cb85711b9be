/** The findings of the doctor, each with an id that stays the same from release to release. */
import { listSecretValues } from '../../base/env.js'
import { escapeControlCharacters, redact } from '../../base/logger.js'
import { toError } from '../../errors.js'

/**
 * The severity. `failure`: users cannot sign in, or attackers could do harm. `warning`: should be checked. `note`:
 * worth knowing. `ok`: checked, without a problem. `skipped`: could not be checked.
 */
export type Level = 'failure' | 'warning' | 'note' | 'skipped' | 'ok'

/** The result of one check. */
export interface Finding {
  /** An id of the list in `docs/guides/doctor.md`. Scripts may rely on it. */
  readonly id: string
  readonly level: Level
  /** The problem, and the remedy. */
  readonly message: string
}

const findingOf =
  (level: Level) =>
  (id: string, message: string): Finding => ({ id, level, message: toOneLine(message) })

/**
 * Returns one line. Messages contain texts of providers and sites, which must not add lines or control the terminal.
 */
function toOneLine(message: string): string {
  const line = escapeControlCharacters(message.replace(/\s*\n\s*/g, ' '))
  return line.length <= maxMessageLength ? line : `${line.slice(0, maxMessageLength)}…`
}

const maxMessageLength = 4000

export const failure = findingOf('failure')
export const warning = findingOf('warning')
export const note = findingOf('note')
export const skipped = findingOf('skipped')
export const ok = findingOf('ok')

/** Returns the messages of a foreign error and its causes, without secrets. */
export function reasonText(thrown: unknown): string {
  const messages: string[] = []
  let error: unknown = thrown
  for (let depth = 0; depth < 4 && error !== undefined; depth += 1) {
    const { message, cause } = toError(error)
    const several: readonly unknown[] = error instanceof AggregateError ? error.errors : []
    messages.push(...(message ? [message] : several.map((each) => toError(each).message)))
    error = causeError(cause)
  }
  // Secrets are removed first, because a part of them would remain in a shortened text.
  const told = messages.filter((message, at) => !messages.slice(0, at).some((before) => before.includes(message)))
  return redact(withoutValues(told.join(': '))).slice(0, 500)
}

/** Removes the secrets of the environment from a text. @param own Additional secrets. */
export function withoutValues(text: string, own: readonly string[] = []): string {
  const secrets = [...new Set([...listSecretValues(), ...own])]
    .filter(({ length }) => length >= 4)
    .toSorted((a, b) => b.length - a.length)
  return secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text)
}

/** Returns the code of an error or its causes, such as `ECONNREFUSED`. */
export function errorCode(thrown: unknown): string | undefined {
  let error: unknown = thrown
  for (let depth = 0; depth < 4 && typeof error === 'object' && error !== null; depth += 1) {
    if ('code' in error && typeof error.code === 'string') return error.code
    if (error instanceof AggregateError) error = error.errors[0]
    else error = 'cause' in error ? causeError(error.cause) : undefined
  }
  return undefined
}

/** Returns the error in a cause. Our errors have it in a record. */
function causeError(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'err' in cause ? cause.err : cause
}
