/** The package as it is published, and programs of npm's registry, for applications that a generator creates. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs a program, and rejects with its output if it fails. */
export const call = promisify(execFile)

/** The variables of the machine's environment by which programs and packages are found, without secrets and URLs. */
export const bare = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(AUTH_|NODE_ENV$|NODE_OPTIONS$|TEST_)/.test(name)),
)

/** Runs a program of the registry in a folder. */
export async function runFromRegistry(folder: string, words: readonly string[]): Promise<void> {
  await call('npm', ['exec', '--yes', '--', ...words], { cwd: folder, env: bare })
}

let archive: Promise<string> | undefined

/** Returns the package's file, which is packed once. */
export function packedPackage(): Promise<string> {
  archive ??= pack()
  return archive
}

async function pack(): Promise<string> {
  if (!existsSync(join(root, 'dist/lib/index.js'))) throw new Error('run "npm run build" first')
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-packed-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await call('npm', args, { cwd: root })
  const [{ filename }]: [{ filename: string }] = JSON.parse(stdout)
  return join(folder, filename)
}
