/** `npx server-auth secret`: prints a new `AUTH_SECRET`, or writes it to an environment file. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { randomText } from '../crypto/random.js'
import { toError } from '../errors.js'
import { ignoreChange } from './init/environment.js'
import { type Command, readArguments, UsageError } from './terminal.js'

/** The command `secret`. */
export const secret: Command<string> = {
  summary: 'Makes a secret for AUTH_SECRET',
  help: `Usage: npx server-auth secret [--write [file]] [--force]

Prints AUTH_SECRET=<32 random bytes>, ready to paste into an environment file.

  --write [file]   Put it into the file instead (default: .env), do not print it, and add the file to .gitignore.
  --force          Replace an AUTH_SECRET that is already there. All users have to sign in again.`,
  run(args) {
    const { switches, rest } = readArguments(args, ['write', 'force'])
    const [file = '.env', ...others] = rest
    if (others.length > 0) throw new UsageError(`One file is enough: ${rest.join(', ')}`)
    if (switches.has('write')) return writeSecret(file, switches.has('force'))
    if (rest.length > 0 || switches.has('force')) throw new UsageError('A file and --force go with --write only.')
    return `AUTH_SECRET=${randomText()}`
  },
}

/** A line that sets the variable, in the syntax of dotenv and `node --env-file`. */
const assignment = /^[ \t]*(?:export[ \t]+)?AUTH_SECRET[ \t]*=[ \t]*(.*)$/gm

function writeSecret(file: string, force: boolean): string {
  const before = existsSync(file) ? readEnvironmentFile(file) : undefined
  if (before !== undefined && !force && hasSecret(before)) throw new Error(existingSecretMessage(file))
  writeEnvironmentFile(file, withSecret(before ?? '', `AUTH_SECRET=${randomText()}`), before === undefined)
  return `Wrote a new AUTH_SECRET into ${file}. ${keepOutOfCommits(file)}`
}

/** Adds the file to `.gitignore`, which is created if it is absent. @returns A sentence about the result. */
function keepOutOfCommits(file: string): string {
  const path = relative(process.cwd(), resolve(file)).replaceAll(sep, '/')
  const isOutside = path.startsWith('../') || isAbsolute(path)
  if (isOutside) return 'Keep that file out of version control.'
  if (isIgnoredByGit(file)) return 'Git ignores that file.'
  try {
    const change = ignoreChange({ read: readIfPresent }, path)
    if (!change) return 'Git ignores that file.'
    writeFileSync(change.path, change.after)
    return `Added ${path} to ${change.path}.`
  } catch (error) {
    return `Cannot write .gitignore: ${toError(error).message}. Add ${path} to it.`
  }
}

/** Asks git, which also knows the rules of parent folders. Returns `false` without git or a repository. */
function isIgnoredByGit(file: string): boolean {
  return spawnSync('git', ['check-ignore', '--quiet', '--', file], { stdio: 'ignore' }).status === 0
}

function readIfPresent(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Checks whether the secret has a value. An empty value is a placeholder. */
function hasSecret(text: string): boolean {
  return [...text.matchAll(assignment)].some(([, value = '']) => !/^(?:""|''|)[ \t]*(?:#.*)?$/.test(value))
}

function existingSecretMessage(file: string): string {
  return `${file} already has an AUTH_SECRET; it was not changed.
With another one all users have to sign in again. To change it all the same, use --force.
To change it and keep all users signed in, add the new one as AUTH_SECRET_1 (npx server-auth secret prints one).`
}

/**
 * Replaces the first assignment and removes further ones, because the last one would win. Without one, adds a line at
 * the end.
 */
function withSecret(text: string, line: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const [first, ...more] = text.matchAll(assignment)
  if (!first) return `${text}${text === '' || text.endsWith('\n') ? '' : newline}${line}${newline}`
  const rest = text.slice(first.index + first[0].length)
  return text.slice(0, first.index) + line + (more.length > 0 ? rest.replace(assignment, '# (replaced)') : rest)
}

function readEnvironmentFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`Cannot read ${file}: ${toError(error).message}`, { cause: error })
  }
}

/** Writes a file. A new file is readable by its owner only; an existing one keeps its permissions. */
function writeEnvironmentFile(file: string, text: string, isNew: boolean): void {
  try {
    writeFileSync(file, text, isNew ? { flag: 'wx', mode: 0o600 } : {})
  } catch (error) {
    throw new Error(`Cannot write ${file}: ${toError(error).message}`, { cause: error })
  }
}
