/** Files that `init` writes: new ones at once, those that are there only after somebody has seen the difference and said yes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toError } from '../../errors.js'

/** What a file is to become. */
export interface Change {
  /** From the root of the project. */
  readonly path: string
  /** Absent: there is no such file. */
  readonly before?: string | undefined
  readonly after: string
  /** It holds secrets: values are not shown, and it is its owner's alone. */
  readonly isSecret?: boolean
  /** What follows where it is not made. */
  readonly otherwise?: string
}

/** @throws {Error} When it cannot be written, or a new file is there by now. */
export function write(root: string, { path, before, after, isSecret }: Change): void {
  try {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    const isNew = before === undefined
    writeFileSync(file, after, isNew ? { flag: 'wx', ...(isSecret && { mode: 0o600 }) } : {})
  } catch (error) {
    throw new Error(`Cannot write ${path}: ${toError(error).message}`, { cause: error })
  }
}

/** Lines around a difference that are shown with it. */
const around = 2

/** The difference, for people: `+` and `-` before what comes and goes. Of a file with secrets the names of what comes. */
export function describe({ path, before = '', after, isSecret }: Change): string {
  const lines = compare(before.split('\n'), after.split('\n'))
  const near = (at: number) => lines.slice(Math.max(0, at - around), at + around + 1).some(([mark]) => mark !== ' ')
  const shown = isSecret
    ? lines.filter(([mark]) => mark !== ' ').map(([mark, line]) => `${mark} ${line.replace(/=.*/, '=…')}`)
    : lines.filter((_, at) => near(at)).map(([mark, line]) => `${mark} ${line}`)
  return [path, ...shown.map((line) => `  ${line}`.trimEnd())].join('\n')
}

type Line = readonly [mark: ' ' | '+' | '-', line: string]

/** Enough for what `init` does, which adds lines, and seldom takes one away. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
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
