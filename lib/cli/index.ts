#!/usr/bin/env node
/** `npx server-auth <command>`: finds the command and converts errors to exit codes. */
import { toError } from '../errors.js'
import { doctor } from './doctor.js'
import { init } from './init/index.js'
import { migrate } from './migrate.js'
import { secret } from './secret.js'
import { type Command, type CommandResult, UsageError } from './terminal.js'
import { urls } from './urls.js'

const commands: ReadonlyMap<string, Command> = new Map([
  ['init', init],
  ['doctor', doctor],
  ['migrate', migrate],
  ['secret', secret],
  ['urls', urls],
])

const help = `Usage: npx server-auth <command>

Commands:
${[...commands].map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`).join('\n')}

npx server-auth <command> --help tells more.`

void run(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode
})

/** Runs a command. Returns 0 for success, 1 for an error, 2 for a usage error. */
async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || ['--help', '-h', 'help'].includes(name)) return printLine(help)
  const command = commands.get(name)
  if (!command) return printError(`There is no command "${name}".\n\n${help}`, 2)
  if (args.includes('--help') || args.includes('-h')) return printLine(command.help)
  try {
    const outcome = await command.run(args)
    if (typeof outcome === 'string') return printLine(outcome)
    return await exitWith(outcome)
  } catch (error) {
    if (error instanceof UsageError) return printError(`${error.message}\n\n${command.help}`, 2)
    return printError(toError(error).message, 1)
  }
}

function printLine(text: string): 0 {
  process.stdout.write(`${text}\n`)
  return 0
}

/** Ends the process when the whole text is written, because a pipe accepts it in parts. */
async function exitWith({ text, exitCode, isError = false }: CommandResult): Promise<never> {
  const stream = isError ? process.stderr : process.stdout
  await new Promise<void>((resolve) => stream.write(`${text}\n`, () => resolve()))
  process.exit(exitCode)
}

function printError(text: string, exitCode: 1 | 2): 1 | 2 {
  process.stderr.write(`${text}\n`)
  return exitCode
}
