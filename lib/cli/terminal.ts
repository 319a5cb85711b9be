/** What the commands and the terminal agree on. */
import { parseArgs } from 'node:util'
import { toError } from '../errors.js'

/** A command: `run` returns what is printed, and throws what is complained about. */
export interface Command {
  readonly summary: string
  readonly help: string
  run(args: readonly string[]): string
}

/** The words after the command are not understood. The help follows the message. */
export class UsageError extends Error {}

/** Splits words into switches that are on, and the rest. An unknown switch is a {@link UsageError}. */
export function readArguments<Name extends string>(
  args: readonly string[],
  names: readonly Name[],
): { switches: ReadonlySet<string>; rest: readonly string[] } {
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'boolean' as const }]))
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { switches: new Set(Object.keys(values)), rest: positionals }
  } catch (error) {
    throw new UsageError(toError(error).message)
  }
}
