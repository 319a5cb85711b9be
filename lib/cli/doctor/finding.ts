/** What the doctor says: findings, each with an id that stays the same from release to release. */
import { listSecretValues } from '../../base/env.js'
import { redact, visible } from '../../base/logger.js'
import { toError } from '../../errors.js'

/**
 * How grave it is. `failure`: people cannot sign in, or others could do harm. `warning`: look at it. `note`: good to know. `ok`:
 * looked at, and right. `skipped`: could not be looked at.
 */
export type Level = 'failure' | 'warning' | 'note' | 'skipped' | 'ok'

/** One thing that was looked at. */
export interface Finding {
  /** Of the list in `docs/guides/doctor.md`. Scripts may rely on it. */
  readonly id: string
  readonly level: Level
  /** What is there, and what to do. */
  readonly message: string
}

const of =
  (level: Level) =>
  (id: string, message: string): Finding => ({ id, level, message: lineOf(message) })

/** One line: what a provider or a site says of itself stands in messages, and must not write others, or to the terminal. */
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

/** What a person should be told of an error of others: its messages down to the first cause, without secrets. */
export function reasonOf(thrown: unknown): string {
  const messages: string[] = []
  let error: unknown = thrown
  for (let depth = 0; depth < 4 && error !== undefined; depth += 1) {
    const { message, cause } = toError(error)
    const several: readonly unknown[] = error instanceof AggregateError ? error.errors : []
    messages.push(...(message ? [message] : several.map((each) => toError(each).message)))
    error = original(cause)
  }
  // The values first: of one that was cut, or shortened by its looks, a part would be left.
  const told = messages.filter((message, at) => !messages.slice(0, at).some((before) => before.includes(message)))
  return redact(withoutValues(told.join(': '))).slice(0, 500)
}

/** Takes the secrets of the environment out of a text. @param own Those that are known beside. */
export function withoutValues(text: string, own: readonly string[] = []): string {
  const secrets = [...new Set([...listSecretValues(), ...own])]
    .filter(({ length }) => length >= 4)
    .toSorted((a, b) => b.length - a.length)
  return secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text)
}

/** The code of an error, or of what led to it, such as `ECONNREFUSED`. */
export function codeOf(thrown: unknown): string | undefined {
  let error: unknown = thrown
  for (let depth = 0; depth < 4 && typeof error === 'object' && error !== null; depth += 1) {
    if ('code' in error && typeof error.code === 'string') return error.code
    if (error instanceof AggregateError) error = error.errors[0]
    else error = 'cause' in error ? original(error.cause) : undefined
  }
  return undefined
}

/** Errors of ours keep theirs in a record. */
function original(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'err' in cause ? cause.err : cause
}
