/** What the commands and the terminal agree on. */
import { parseArgs } from 'node:util'
import { toError } from '../errors.js'

/** A command: `run` returns what is printed, and throws what is complained about. */
export interface Command<Result extends string | Outcome = string | Outcome> {
  readonly summary: string
  readonly help: string
  run(args: readonly string[]): Result | Promise<Result>
}

/** What is printed, where that may be bad news. The process ends with it: an application that was loaded would keep it alive. */
export interface Outcome {
  readonly text: string
  readonly exitCode: 0 | 1 | 2
  /** It goes where errors go. */
  readonly isComplaint?: boolean
}

/** The words after the command are not understood. The help follows the message. */
export class UsageError extends Error {}

/** Splits words into switches, options that have a value, and the rest. An unknown one is a {@link UsageError}. */
export function readArguments(args: readonly string[], switches: readonly string[], options: readonly string[] = []) {
  try {
    const types = Object.fromEntries([
      ...switches.map((name) => [name, { type: 'boolean' as const }]),
      ...options.map((name) => [name, { type: 'string' as const }]),
    ])
    const { values, positionals } = parseArgs({ args: [...args], options: types, allowPositionals: true })
    const given = Object.entries(values)
    return {
      /** Switches that are on. */
      switches: new Set(given.filter(([, value]) => value === true).map(([name]) => name)),
      /** Options with a value. */
      values: new Map(given.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
      rest: positionals,
    }
  } catch (error) {
    throw new UsageError(toError(error).message)
  }
}
