/** The versions of Node.js that run the measured servers. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The major versions that `bench/package.json` installs. */
export const majors = ['20', '24']

/**
 * Returns the program and the exact version of a major version. The packages of `bench/` must be installed.
 * @throws Error for a major version that is not in `bench/package.json`
 */
export function nodeOf(major) {
  if (!majors.includes(major)) throw new Error(`There is no Node.js ${major}. Choose from ${majors.join(', ')}.`)
  const path = `../node_modules/node${major}-linux-${process.arch}/bin/node`
  const program = fileURLToPath(new URL(path, import.meta.url))
  return { major, program, version: execFileSync(program, ['--version'], { encoding: 'utf8' }).trim() }
}
