/** The files that `init` writes: new ones at once, existing ones only after the developer has confirmed the changes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toError } from '../../errors.js'

/** A change of a file. */
export interface FileChange {
  /** Relative to the root of the project. */
  readonly path: string
  /** Absent for a new file. */
  readonly before?: string | undefined
  readonly after: string
  /** True if it contains secrets: values are not shown, and only its owner can read it. */
  readonly isSecret?: boolean
  /** The consequence if it is not made. */
  readonly consequence?: string
}

/** Writes the file. @throws {Error} If that fails, or a new file exists by now. */
export function writeChange(root: string, { path, before, after, isSecret }: FileChange): void {
  try {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    const isNew = before === undefined
    writeFileSync(file, after, isNew ? { flag: 'wx', ...(isSecret && { mode: 0o600 }) } : {})
  } catch (error) {
    throw new Error(`Cannot write ${path}: ${toError(error).message}`, { cause: error })
  }
}

/** The number of unchanged lines around a difference. */
const contextLines = 2

/** Returns the difference, with `+` and `-` before added and removed lines. For a file with secrets, only the names. */
export function describeChange({ path, before = '', after, isSecret }: FileChange): string {
  const lines = compareLines(before.split('\n'), after.split('\n'))
  const near = (at: number) =>
    lines.slice(Math.max(0, at - contextLines), at + contextLines + 1).some(([mark]) => mark !== ' ')
  const shown = isSecret
    ? lines.filter(([mark]) => mark !== ' ').map(([mark, line]) => `${mark} ${line.replace(/=.*/, '=…')}`)
    : lines.filter((_, at) => near(at)).map(([mark, line]) => `${mark} ${line}`)
  return [path, ...shown.map((line) => `  ${line}`.trimEnd())].join('\n')
}

type Line = readonly [mark: ' ' | '+' | '-', line: string]

/** Compares lines. It is sufficient for `init`, which adds lines, and seldom removes one. */
function compareLines(before: readonly string[], after: readonly string[]): Line[] {
  const lines: Line[] = []
  let at = 0
  for (const line of after) {
    const found = before.indexOf(line, at)
    if (found < 0) {
      lines.push(['+', line])
      continue
    }
    for (const gone of before.slice(at, found)) lines.push(['-', gone])
    lines.push([' ', line])
    at = found + 1
  }
  return [...lines, ...before.slice(at).map((gone): Line => ['-', gone])]
}
