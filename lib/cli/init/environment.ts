/** The environment file, with fresh secrets, and that no commit takes it along. */
import { randomText } from '../../crypto/random.js'
import type { Change } from './change.js'
import type { Project } from './project.js'

/** What the file lacks. @param withPassword Whether `auth.ts` asks for the password of development. */
export function environmentChange({ read }: Project, path: string, withPassword: boolean): Change | undefined {
  const before = read(path)
  // Next.js reads both, and a second secret would take the place of the first.
  const all = [read('.env'), before].join('\n')
  const added = [
    ...(isSet(all, 'AUTH_SECRET') ? [] : [`AUTH_SECRET=${randomText()}`]),
    ...(withPassword && !isSet(all, 'AUTH_DEVELOPMENT_PASSWORD') ? [`AUTH_DEVELOPMENT_PASSWORD=${randomText(9)}`] : []),
  ]
  if (added.length === 0) return undefined
  return { path, before, after: `${withEnd(before ?? '')}${added.join('\n')}\n`, isSecret: true }
}

/** An empty value is a place left for one. A line that comes later counts, so it is only added. */
function isSet(text: string, name: string): boolean {
  const assignment = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=(.*)$`, 'gm')
  return [...text.matchAll(assignment)].some(([, value = '']) => !/^\s*(?:""|'')?\s*(?:#.*)?$/.test(value))
}

/** A commit with the secret in it would be everybody's way in. */
export function ignoreChange({ read }: Project, envFile: string): Change | undefined {
  const path = '.gitignore'
  const before = read(path)
  if (before === undefined) return { path, after: `node_modules\n${envFile}\n` }
  if (isIgnored(before, envFile)) return undefined
  const otherwise = `Until ${envFile} is ignored, a commit takes its secrets along.`
  return { path, before, after: `${withEnd(before)}${envFile}\n`, otherwise }
}

/** The last line about it decides (gitignore(5)); one that begins with `!` takes it back. Blanks count where they begin a line. */
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

function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
