/** The interface between the commands and the terminal. */
import { parseArgs } from 'node:util'
import { toError } from '../errors.js'

/** A command: `run` returns the output, and throws errors. */
export interface Command<Result extends string | CommandResult = string | CommandResult> {
  readonly summary: string
  readonly help: string
  run(args: readonly string[]): Result | Promise<Result>
}

/**
 * The output of a command that may fail. The process exits with it, because a loaded application would keep it alive.
 */
export interface CommandResult {
  readonly text: string
  readonly exitCode: 0 | 1 | 2
  /** True for output on stderr. */
  readonly isError?: boolean
}

/** An error in the arguments of a command. The help follows the message. */
export class UsageError extends Error {}

/**
 * Splits arguments into switches, options with a value, and the rest. @throws {@link UsageError} for an unknown one.
 */
export function readArguments(args: readonly string[], switches: readonly string[], options: readonly string[] = []) {
  try {
    const types = Object.fromEntries([
      ...switches.map((name) => [name, { type: 'boolean' as const }]),
      ...options.map((name) => [name, { type: 'string' as const }]),
    ])
    const { values, positionals } = parseArgs({ args: [...args], options: types, allowPositionals: true })
    const given = Object.entries(values)
    return {
      /** The switches that are on. */
      switches: new Set(given.filter(([, value]) => value === true).map(([name]) => name)),
      /** The options with a value. */
      values: new Map(given.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
      rest: positionals,
    }
  } catch (error) {
    throw new UsageError(toError(error).message)
  }
}
