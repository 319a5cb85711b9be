/** The environment file with new secrets, and its entry in `.gitignore`. */
import { randomText } from '../../crypto/random.js'
import type { FileChange } from './change.js'
import type { Project } from './project.js'

/** Returns the missing variables. @param withPassword True if `auth.ts` uses the development password. */
export function environmentChange({ read }: Project, path: string, withPassword: boolean): FileChange | undefined {
  const before = read(path)
  // Next.js reads both, and a second secret would replace the first.
  const all = [read('.env'), before].join('\n')
  const added = [
    ...(hasValue(all, 'AUTH_SECRET') ? [] : [`AUTH_SECRET=${randomText()}`]),
    ...(withPassword && !hasValue(all, 'AUTH_DEVELOPMENT_PASSWORD')
      ? [`AUTH_DEVELOPMENT_PASSWORD=${randomText(9)}`]
      : []),
  ]
  if (added.length === 0) return undefined
  return { path, before, after: `${withNewlineAtEnd(before ?? '')}${added.join('\n')}\n`, isSecret: true }
}

/** Checks whether a variable has a value. An empty value may be completed by a later line, which takes precedence. */
function hasValue(text: string, name: string): boolean {
  const assignment = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=(.*)$`, 'gm')
  return [...text.matchAll(assignment)].some(([, value = '']) => !/^\s*(?:""|'')?\s*(?:#.*)?$/.test(value))
}

/** Returns the change that keeps the secrets out of commits. */
export function ignoreChange({ read }: Pick<Project, 'read'>, envFile: string): FileChange | undefined {
  const path = '.gitignore'
  const before = read(path)
  if (before === undefined) return { path, after: `node_modules\n${envFile}\n` }
  if (isIgnored(before, envFile)) return undefined
  const consequence = `Until ${envFile} is ignored, a commit takes its secrets along.`
  return { path, before, after: `${withNewlineAtEnd(before)}${envFile}\n`, consequence }
}

/**
 * Checks whether git ignores the file. The last matching line decides (gitignore(5)); one that starts with `!` negates
 * it. Leading blanks are part of the pattern.
 */
function isIgnored(text: string, envFile: string): boolean {
  const patterns = patternsOf(envFile)
  const last = text
    .split(/\r?\n/)
    .map((line) => /^(!?)\/?(.*?)[ \t]*$/.exec(line) ?? [])
    .findLast(([, , pattern = '']) => patterns.includes(pattern))
  return last?.[1] === ''
}

const patternsOf = (envFile: string) =>
  [envFile, '.env*', '.env.*', '*.local', '.env*.local'].filter((pattern) => {
    const [begin = '', end = ''] = pattern.split('*')
    return pattern === envFile || (envFile.startsWith(begin) && envFile.slice(begin.length).endsWith(end))
  })

function withNewlineAtEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
