/** The findings of the doctor, each with an id that stays the same from release to release. */
import { listSecretValues } from '../../base/env.js'
import { redact, visible } from '../../base/logger.js'
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

const of =
  (level: Level) =>
  (id: string, message: string): Finding => ({ id, level, message: lineOf(message) })

/**
 * Returns one line. Messages contain texts of providers and sites, which must not add lines or control the terminal.
 */
function lineOf(message: string): string {
  const line = visible(message.replace(/\s*\n\s*/g, ' '))
  return line.length <= longestMessage ? line : `${line.slice(0, longestMessage)}…`
}

const longestMessage = 4000

export const failure = of('failure')
export const warning = of('warning')
export const note = of('note')
export const skipped = of('skipped')
export const ok = of('ok')

/** Returns the messages of a foreign error and its causes, without secrets. */
export function reasonOf(thrown: unknown): string {
  const messages: string[] = []
  let error: unknown = thrown
  for (let depth = 0; depth < 4 && error !== undefined; depth += 1) {
    const { message, cause } = toError(error)
    const several: readonly unknown[] = error instanceof AggregateError ? error.errors : []
    messages.push(...(message ? [message] : several.map((each) => toError(each).message)))
    error = original(cause)
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
export function codeOf(thrown: unknown): string | undefined {
  let error: unknown = thrown
  for (let depth = 0; depth < 4 && typeof error === 'object' && error !== null; depth += 1) {
    if ('code' in error && typeof error.code === 'string') return error.code
    if (error instanceof AggregateError) error = error.errors[0]
    else error = 'cause' in error ? original(error.cause) : undefined
  }
  return undefined
}

/** Returns the error in a cause. Our errors have it in a record. */
function original(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'err' in cause ? cause.err : cause
}
