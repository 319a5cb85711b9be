/** The code of the guides: each guide is a folder of the files that its blocks name, and a program that is started as the guide says. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { answers, freePort } from '../support/free-ports.js'
import { timeLimit } from '../support/time-limits.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** Milliseconds until a program answers at its port. */
const patience = timeLimit(20_000)

/**
 * Returns the blocks that begin with the name of their file. A later block of the same name replaces the earlier one.
 */
export function filesIn(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const blocks = text.matchAll(/```(?:tsx?|js|html)\n(?:\/\/|<!--) (\S+\.(?:tsx?|js|html))(?: -->)?\n(.*?)```/gs)
  return new Map([...blocks].map(([, path = '', code = '']) => [path, code]))
}

/** Creates a folder with the files of the pages, where the packages of this repository are installed. */
export function unpack(...pages: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-guide-'))
  for (const [path, code] of pages.flatMap((page) => [...filesIn(page)])) write(folder, path, code)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  write(folder, 'package.json', JSON.stringify({ type: 'module' }))
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
    allowImportingTsExtensions: true,
  }
  write(folder, 'tsconfig.json', JSON.stringify({ compilerOptions }))
  return folder
}

/** Adds a file of the test's own, such as one that a reader has already. */
export function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Removes a folder. */
export const remove = (folder: string) => rmSync(folder, { recursive: true, force: true })

/** Compiles the files of the folder, strictly. */
export async function compile(folder: string): Promise<void> {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await run(process.execPath, [tsc, '-p', folder], { cwd: folder }).catch(({ stdout }) => {
    throw new Error(stdout)
  })
}

/** A program that listens. */
export interface RunningProgram {
  readonly origin: string
  readonly port: number
  /** Returns the output. */
  log(): string
  close(): Promise<void>
}

/**
 * Starts `node --import tsx <entry>`, with a secret and `PORT`, which is a free one unless `env` has it. Waits until the program has
 * printed its URL and answers.
 */
export async function start(
  folder: string,
  entry: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningProgram> {
  const port = Number(env.PORT ?? (await freePort()))
  const { AUTH_URL: _site, NODE_ENV: _mode, ...own } = process.env
  const child = spawn(process.execPath, ['--import', 'tsx', entry], {
    cwd: folder,
    env: { ...own, NODE_OPTIONS: '', AUTH_SECRET: 'a-secret-for-tests-of-32-characters', PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (written += chunk.toString()))
  // It says so itself: something else may have taken the port meanwhile, and answer.
  const isReady = async () => written.includes(`localhost:${port}`) && (await answers(port))
  await untilReady(child, isReady).catch((error) => {
    child.kill()
    throw new Error(`${error.message}\n${written}`)
  })
  return { origin: `http://localhost:${port}`, port, log: () => written, close: () => end(child) }
}

async function untilReady(child: ChildProcess, isReady: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + patience
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode}.`)
    if (Date.now() > end) throw new Error('The program does not say where it listens, or does not answer.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}
