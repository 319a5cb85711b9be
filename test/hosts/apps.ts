/**
 * Tiny applications that are built as their framework builds by default, with `server-auth` from the packed package and
 * only its dependencies: `express` is not there. Needs `npm run build`.
 */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { secret } from '../support/app.js'
import { extent } from '../support/extent.js'
import { closureOf, link, readPackage } from '../support/linked-packages.js'
import { type Site, startSite } from './site.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** An application, its build, and the machine that runs it. */
export interface App {
  readonly title: string
  /** Packages of the repository, by the name that the application knows them by. */
  readonly packages: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
  /** `true` if it has `/account` behind `auth.require`, and `/leave` with `auth.csrf.verify`. */
  readonly hasForms?: boolean
  /** A program of the repository's `node_modules`, or of the application's, with its arguments. */
  readonly build: readonly [program: string, ...words: string[]]
  /** The output folder, for a machine without `node_modules`. */
  readonly output: string
  /** The server, in the output. */
  readonly server: string
  /** Copies what the output lacks. */
  finish?(folder: string): void
}

/** Nothing of the machine's environment, and nothing of the other tests'. */
const bare = { PATH: process.env.PATH, HOME: process.env.HOME, NEXT_TELEMETRY_DISABLED: '1' }

/** Builds an application, moves its output elsewhere, and starts it there. */
export async function startApp(app: App): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-host-'))
  const deployed = mkdtempSync(join(tmpdir(), 'server-auth-deployed-'))
  const clean = () => [folder, deployed].forEach((each) => void rmSync(each, { recursive: true, force: true }))
  process.once('exit', clean)
  await install(folder, app)
  const [program, ...words] = app.build
  const options = { cwd: folder, env: bare as NodeJS.ProcessEnv, maxBuffer: 2 ** 26 }
  await promisify(execFile)(process.execPath, [join(folder, program), ...words], options).catch((error) =>
    expect.fail(`${error.stdout}\n${error.stderr}`),
  )
  cpSync(join(folder, app.output), deployed, { recursive: true, verbatimSymlinks: true })
  rmSync(folder, { recursive: true, force: true })
  expect(existsSync(join(deployed, 'node_modules/express'))).to.equal(false)
  const site = await startSite(deployed, [process.execPath, app.server], (port) => {
    const origin = `http://127.0.0.1:${port}`
    const env = { AUTH_SECRET: secret, AUTH_URL: origin, HOSTNAME: '127.0.0.1', HOST: '127.0.0.1' }
    return { origin, probe: origin, env: { ...bare, ...env, PORT: String(port), NODE_ENV: 'production' } }
  })
  return { ...site, stop: () => site.stop().finally(clean) }
}

async function install(folder: string, { packages, files }: App): Promise<void> {
  if (!existsSync(join(root, 'dist/lib/index.js'))) throw new Error('run "npm run build" first')
  for (const [path, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const modules = join(folder, 'node_modules')
  const { dependencies = {} } = readPackage(root)
  const names = Object.values(packages)
  for (const name of closureOf([...names, ...Object.keys(dependencies)])) {
    const known = Object.entries(packages).find(([, own]) => own === name)?.[0] ?? name
    link(join(root, 'node_modules', name), join(modules, known))
  }
  const args = ['pack', '--json', '--offline', '--pack-destination', folder]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root })
  const [{ filename }]: [{ filename: string }] = JSON.parse(stdout)
  mkdirSync(join(modules, 'server-auth'))
  const archive = join(folder, filename)
  await promisify(execFile)('tar', ['-xzf', archive, '-C', join(modules, 'server-auth'), '--strip-components=1'])
  expect(existsSync(join(modules, 'express'))).to.equal(false)
}

/* ---- the applications ------------------------------------------------------------------------------------------- */

const config = `{
  providers: [
    Credentials({
      credentials: { username: {} },
      authorize: ({ username }) => ({ id: '1', name: String(username) }),
    }),
  ],
  callbacks: { authorized: ({ auth }) => auth !== null },
}`

const nextFiles = {
  'auth.js': `import initAuth from 'server-auth/next'
import Credentials from 'server-auth/providers/credentials'
export const { handlers, auth, signIn, signOut } = initAuth(${config})
`,
  'next.config.mjs': `export default {
  output: 'standalone',
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
}
`,
  'app/layout.jsx': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>\n',
  'app/page.jsx': `import { auth } from '../auth'
export const dynamic = 'force-dynamic'
export default async function Page() {
  return <p>{(await auth())?.user?.name ?? 'nobody'}</p>
}
`,
  'app/guarded/page.jsx': 'export default () => <p>guarded</p>\n',
  'app/account/page.jsx': `import { auth } from '../../auth'
export default async function Page() {
  const session = await auth.require({ redirectTo: '/account?a=1' })
  return <p>{session.user.name}</p>
}
`,
  'app/api/me/route.js': `import { auth } from '../../../auth'
export const GET = async (request) => Response.json(await auth.require(request))
`,
  'app/api/auth/[...auth]/route.js': `import { handlers } from '../../../../auth'
export const { GET, POST } = handlers
`,
}

const guard = `export { auth as NAME } from './auth'
export const config = { matcher: ['/guarded'] }
`

function nextApp(title: string, next: 'next' | 'next15', flags: readonly string[]): App {
  const guardName = next === 'next' ? 'proxy' : 'middleware'
  return {
    title,
    packages: { next, react: 'react', 'react-dom': 'react-dom' },
    files: { ...nextFiles, [`${guardName}.js`]: guard.replace('NAME', guardName) },
    build: ['node_modules/next/dist/bin/next', 'build', ...flags],
    output: '.next/standalone',
    server: 'server.js',
  }
}

const nitroApp: App = {
  title: 'Nitro',
  hasForms: true,
  packages: { nitropack: 'nitropack', h3: 'h3' },
  files: {
    'nitro.config.mjs': `export default { compatibilityDate: '2025-01-01' }\n`,
    'auth.mjs': `import initAuth from 'server-auth/shim'
import Credentials from 'server-auth/providers/credentials'
export const { handlers, auth, signIn, signOut } = initAuth(${config})
`,
    'routes/api/auth/[...auth].mjs': `import { defineEventHandler, toWebRequest } from 'h3'
import { handlers } from '../../../auth.mjs'
export default defineEventHandler((event) => handlers.GET(toWebRequest(event)))
`,
    'routes/index.mjs': `import { defineEventHandler, toWebRequest } from 'h3'
import { withRequest } from 'server-auth/shim'
import { auth } from '../auth.mjs'
export default defineEventHandler((event) =>
  withRequest(toWebRequest(event), async () => new Response((await auth())?.user?.name ?? 'nobody')))
`,
    'middleware/guard.mjs': `import { defineEventHandler, toWebRequest } from 'h3'
import { auth } from '../auth.mjs'
export default defineEventHandler(async (event) => {
  if (event.path === '/guarded') return auth(toWebRequest(event))
  if (!event.path.startsWith('/account')) return
  try {
    event.context.session = await auth.require(toWebRequest(event))
  } catch (thrown) {
    if (thrown instanceof Response) return thrown
    throw thrown
  }
})
`,
    'routes/account.get.mjs': `import { defineEventHandler, toWebRequest } from 'h3'
import { withRequest } from 'server-auth/shim'
import { auth } from '../auth.mjs'
export default defineEventHandler((event) => withRequest(toWebRequest(event), async () =>
  new Response(event.context.session.user.name + (await auth.csrf.field()))))
`,
    'routes/leave.post.mjs': `import { defineEventHandler, toWebRequest } from 'h3'
import { withRequest } from 'server-auth/shim'
import { auth, signOut } from '../auth.mjs'
export default defineEventHandler((event) => {
  const request = toWebRequest(event)
  return withRequest(request, async () => {
    await auth.csrf.verify(request)
    return signOut({ redirectTo: '/' })
  })
})
`,
    'routes/guarded.mjs': `import { defineEventHandler } from 'h3'
export default defineEventHandler(() => 'guarded')
`,
  },
  build: ['node_modules/nitropack/dist/cli/index.mjs', 'build'],
  output: '.output',
  server: 'server/index.mjs',
}

/**
 * The applications that are built each night: the default bundler of each version of Next.js, and webpack of Next.js 16.
 * Each takes a minute of a processor. `npm test` builds Nitro, which takes seconds and fails for the same reason, a bundle
 * that misses a file or pulls Express in; and the example of Next.js, which is not standalone.
 */
const nightly = [
  nextApp('Next.js 15, webpack', 'next15', []),
  nextApp('Next.js 16, webpack', 'next', ['--webpack']),
  nextApp('Next.js 16, Turbopack', 'next', []),
]

export const apps: readonly App[] = [nitroApp, ...(extent === 'all' ? nightly : [])]
