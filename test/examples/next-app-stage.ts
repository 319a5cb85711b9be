/**
 * The Next.js example as a developer who copied it has it: in a folder of its own, with `server-auth` installed from
 * the package and without anything that is optional. Built once, by the first suite that needs it: for all workers of a
 * run in the folder `TEST_SHARED` of `scripts/test.mjs`, otherwise in a temporary one. Needs `npm run build`.
 *
 * ```ts
 * const site = useNextApp({ AUTH_SECRET: secret })   // hooks of the suite
 * await fetch(site.url('/api/me'))
 * ```
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { freePorts } from '../support/free-ports.js'
import { closureOf, link, readPackage } from '../support/linked-packages.js'
import { extraPages } from './next-app-pages.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The packages in the package.json of such an application; `next-auth` for its browser client. */
const installed = ['next', 'react', 'react-dom', 'next-auth']
const forTypes = ['typescript', '@types/node', '@types/react', '@types/react-dom']

/** The application, built. */
export interface BuiltApp {
  readonly folder: string
  /** The output of the build. */
  readonly output: string
}

const builds = new Map<string, Promise<BuiltApp>>()

/** Builds the application at the first call. */
export function buildNextApp(): Promise<BuiltApp> {
  const build = builds.get('') ?? makeApp()
  builds.set('', build)
  return build
}

async function makeApp(): Promise<BuiltApp> {
  const { TEST_SHARED: shared } = process.env
  const folder = shared ? join(shared, 'next-app') : mkdtempSync(join(tmpdir(), 'server-auth-next-'))
  if (!shared) process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const log = join(folder, 'build.log')
  if (shared && !isFirst(folder)) return builtBy(log)
  installNextApp(folder)
  const { child, output, ended } = run(folder, ['build'], {})
  await ended
  // A worker that waits reads it either way.
  writeFileSync(`${log}.part`, output())
  renameSync(`${log}.part`, log)
  expect(child.exitCode, output()).to.equal(0)
  return { folder, output: output() }
}

/** Checks whether this worker is the first, because only one worker can create the folder. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

/** Waits for the worker that builds. */
async function builtBy(log: string): Promise<BuiltApp> {
  while (!existsSync(log)) await new Promise((resolve) => setTimeout(resolve, 100))
  return { folder: dirname(log), output: readFileSync(log, 'utf8') }
}

/** Installs the application in a temporary folder of the suite's own, without building it. */
export function installFreshNextApp(): string {
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-next-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  installNextApp(folder)
  return folder
}

/** Copies the example and installs its dependencies. */
function installNextApp(folder: string): void {
  if (!existsSync(join(root, 'dist/lib/index.js'))) throw new Error('run "npm run build" first')
  const example = join(root, 'examples/next-app')
  const skipped = /^(\.next|node_modules|next-env\.d\.ts|README\.md|\.env.*|.*\.tsbuildinfo)$/
  cpSync(example, folder, { recursive: true, filter: (path) => !skipped.test(relative(example, path)) })
  for (const [path, text] of Object.entries(extraPages)) write(join(folder, path), text)
  allowProviderOfTests(join(folder, 'auth.ts'))
  const { dependencies } = readPackage(root)
  const names = closureOf([...installed, ...forTypes, ...Object.keys(dependencies ?? {})])
  for (const name of names) link(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  for (const part of ['package.json', 'dist']) {
    cpSync(join(root, part), join(folder, 'node_modules/server-auth', part), { recursive: true })
  }
}

/** Allows the issuer of the tests, which is not https, in production. */
function allowProviderOfTests(path: string): void {
  const before = readFileSync(path, 'utf8')
  const after = before.replace("type: 'oidc' as const,", '$& allowInsecureIssuer: true,')
  expect(after).not.to.equal(before)
  writeFileSync(path, after)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** An environment without the variables of the machine and of the other tests. */
const bare = { PATH: process.env.PATH, HOME: process.env.HOME, NEXT_TELEMETRY_DISABLED: '1' }

function run(folder: string, words: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [join(folder, 'node_modules/next/dist/bin/next'), ...words], {
    cwd: folder,
    env: { ...bare, ...env } as NodeJS.ProcessEnv,
  })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => void chunks.push(String(chunk)))
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  return { child, ended, output: () => chunks.join('') }
}

/** A running application. */
export class NextSite {
  readonly origin: string
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  readonly #output: () => string

  constructor(origin: string, { child, ended, output }: ReturnType<typeof run>) {
    this.origin = origin
    this.#child = child
    this.#ended = ended
    this.#output = output
  }

  url(path: string): string {
    return this.origin + path
  }

  /** Returns the output. */
  log(): string {
    return this.#output()
  }

  /** Waits until the output has these words. */
  async says(words: string): Promise<void> {
    while (!this.log().includes(words)) {
      if (this.#child.exitCode !== null) throw new Error(`it ended: ${this.log()}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async stop(): Promise<void> {
    this.#child.kill()
    await this.#ended
  }
}

/** Starts it on 127.0.0.1. `{origin}` in a variable is its origin. */
export async function startNextApp(
  folder: string,
  variables: Readonly<Record<string, string>>,
  command: 'start' | 'dev' = 'start',
): Promise<NextSite> {
  const [port] = await freePorts(1)
  const origin = `http://127.0.0.1:${port}`
  const env = Object.entries(variables).map(([name, value]) => [name, value.replace('{origin}', origin)])
  const site = new NextSite(
    origin,
    run(folder, [command, '-H', '127.0.0.1', '-p', String(port)], Object.fromEntries(env)),
  )
  await site.says('Ready')
  return site
}

/** Starts it for the surrounding suite. */
export function useNextApp(variables: () => Readonly<Record<string, string>>): NextSite {
  const started: NextSite[] = []
  before(async function () {
    this.timeout(600_000)
    const { folder } = await buildNextApp()
    started.push(await startNextApp(folder, variables()))
  })
  after(async () => {
    for (const site of started.splice(0)) await site.stop()
  })
  return new Proxy({} as NextSite, {
    get(_target, name) {
      const [site] = started
      if (!site) throw new Error('the site is started in hooks: use it in tests only')
      const value: unknown = Reflect.get(site, name)
      return typeof value === 'function' ? value.bind(site) : value
    },
  })
}
