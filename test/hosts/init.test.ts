/**
 * `npx server-auth init` in fresh applications, as today's generators make them: init, start, sign in over HTTP; and in production
 * they do not start. Generators and what they install come from the registry of npm; without a network those are skipped. Needs
 * `npm run build`.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { Browser } from '../support/app.js'
import { extent } from '../support/extent.js'
import { closureOf, link, readPackage } from '../support/linked-packages.js'
import { skip } from '../support/skip.js'
import { bare, call, packedPackage, runFromRegistry } from './published.js'
import { type Site, startSite } from './site.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** An application before it knows of us. */
interface Fresh {
  readonly title: string
  /** Makes it, in an empty folder. */
  make(folder: string): Promise<void>
  /** True if a program from the registry creates the application. */
  readonly isGenerated?: boolean
  /** Packages of this repository that it uses. Absent: what its package.json says is installed from the registry. */
  readonly packages?: readonly string[]
  readonly start: readonly string[]
  /** The command of a production start, if it differs: it must fail. `false`: not tried, since it takes a minute. */
  readonly production?: readonly string[] | false
  /** The file that loads fonts from another server, which a build without a network cannot do. */
  readonly layout?: string
  readonly mount: '/auth' | '/api/auth'
  readonly authFile: string
  readonly envFile: string
}

const generate = (...words: string[]) => ({
  isGenerated: true,
  make: (folder: string) => runFromRegistry(folder, words),
})

const files = (texts: Readonly<Record<string, string>>) => ({
  async make(folder: string) {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  },
})

const listen = 'app.listen(Number(process.env.PORT), () => console.log("up"))\n'
const tsconfig = JSON.stringify({
  compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, types: ['node'] },
})
const manifest = (type: string, more: object = {}) =>
  JSON.stringify({ type, dependencies: { express: '^5.0.0' }, scripts: { start: 'x' }, ...more })
const honoManifest = JSON.stringify({
  ...{ type: 'module', scripts: { dev: 'tsx watch src/index.ts' } },
  dependencies: { hono: '^4.0.0', '@hono/node-server': '^2.0.0' },
})
const tsx = 'node_modules/tsx/dist/cli.mjs'
const own = { mount: '/auth', envFile: '.env' } as const
const next = {
  ...{ packages: ['next', 'react', 'react-dom', 'typescript', '@types/node', '@types/react', '@types/react-dom'] },
  ...({ mount: '/api/auth', envFile: '.env.local' } as const),
  start: ['node_modules/next/dist/bin/next', 'dev'],
  production: ['node_modules/next/dist/bin/next', 'build'],
}

const plainLayout = 'export default (props) => <html lang="en"><body>{props.children}</body></html>\n'

const applications: readonly Fresh[] = [
  {
    title: 'express-generator (JavaScript, CommonJS)',
    ...generate('express-generator@latest', '--no-view', '--force', '.'),
    ...{ start: ['bin/www'], authFile: 'auth.js', ...own },
  },
  {
    title: 'create-next-app (TypeScript)',
    ...generate(
      'create-next-app@latest',
      'app',
      '--yes',
      '--no-tailwind',
      '--skip-install',
      '--disable-git',
      '--use-npm',
    ),
    ...{ authFile: 'auth.ts', ...next, production: false },
  },
  {
    title: 'create-next-app (JavaScript, in src)',
    ...generate(
      ...['create-next-app@latest', 'app', '--yes', '--js', '--src-dir', '--no-tailwind', '--skip-install'],
      ...['--disable-git', '--use-npm'],
    ),
    ...{ authFile: 'src/auth.js', layout: 'src/app/layout.js', ...next },
  },
  // As create-hono makes it. That one fetches its template from GitHub, and not from npm.
  {
    title: 'Hono (TypeScript)',
    ...files({
      'package.json': honoManifest,
      'tsconfig.json': tsconfig,
      'src/index.ts': `import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()

app.get('/', (context) => context.text('Hello'))

serve({ fetch: app.fetch, port: Number(process.env.PORT) })
`,
    }),
    ...{ packages: ['hono', '@hono/node-server', 'tsx'], start: [tsx, 'src/index.ts'] },
    ...{ authFile: 'src/auth.ts', mount: '/api/auth', envFile: '.env' },
  },
  {
    title: 'Express (JavaScript, ESM)',
    ...files({
      'package.json': manifest('module'),
      'app.js': `import express from "express";\n\nconst app = express();\n${listen}`,
    }),
    ...{ packages: ['express'], start: ['app.js'], authFile: 'auth.js', ...own },
  },
  {
    title: 'Express (TypeScript, ESM)',
    ...files({
      'package.json': manifest('module'),
      'tsconfig.json': tsconfig,
      'src/server.ts': `import express, { type Express } from 'express'\n\nconst app: Express = express()\n${listen}`,
    }),
    ...{ packages: ['express', 'tsx', 'typescript', '@types/express', '@types/node'] },
    ...{ start: [tsx, 'src/server.ts'], authFile: 'src/auth.ts', ...own },
  },
  {
    title: 'Express (TypeScript, CommonJS)',
    ...files({
      'package.json': manifest('commonjs'),
      'tsconfig.json': tsconfig,
      'index.ts': `import express from 'express'\n\nexport const app = express()\n${listen}`,
    }),
    ...{ packages: ['express', 'tsx', 'typescript', '@types/express', '@types/node'] },
    ...{ start: [tsx, 'index.ts'], authFile: 'auth.ts', ...own },
  },
]

// Generated applications of Next.js take a minute each, and are tested at night.
const tried = applications.filter(({ mount }) => extent === 'all' || mount === '/auth')

for (const application of tried) {
  describe(`npx server-auth init in a fresh application: ${application.title}`, function () {
    this.timeout(300_000)
    this.slow(60_000)
    const { authFile, envFile, mount } = application
    const temporary = mkdtempSync(join(tmpdir(), 'server-auth-init-'))
    let folder = temporary
    after(() => rmSync(temporary, { recursive: true, force: true }))

    before(async function () {
      try {
        await application.make(temporary)
        folder = existsSync(join(temporary, 'app', 'package.json')) ? join(temporary, 'app') : temporary
        await install(folder, application.packages)
      } catch (error) {
        if (!application.isGenerated) throw error
        skip(this, `no ${application.title} (${String(error).split('\n')[0]})`)
      }
    })

    const read = (path: string) => readFileSync(join(folder, path), 'utf8')
    const init = async (...words: string[]) => {
      const program = join(folder, 'node_modules/server-auth/dist/lib/cli/index.js')
      return (await call(process.execPath, [program, 'init', ...words], { cwd: folder, env: bare })).stdout
    }
    const password = () => /^AUTH_DEVELOPMENT_PASSWORD=(.+)$/m.exec(read(envFile))?.[1]

    it('writes what is missing, and says what to do then', async () => {
      const said = await init('--yes')
      expect(read(authFile)).to.contain('developmentSignIn()')
      expect(read(envFile)).to.match(/^AUTH_SECRET=[\w-]{43}$/m)
      expect(read('.gitignore')).to.match(/^\/?\.env\*?$/m)
      expect(said).to.contain(`Open ${mount}/signin`).and.not.contain(String(password()))
    })

    it('has nothing to do when it is called again', async () => {
      const before = [read(authFile), read(envFile)]
      expect(await init('--yes')).to.not.match(/^(New|Changed)/m)
      expect([read(authFile), read(envFile)]).to.deep.equal(before)
    })

    it('signs in over HTTP, with the password of this machine only', async () => {
      const site = await start(folder, application.start)
      try {
        const browser = new Browser(site.origin)
        const signIn = (typed: string) =>
          browser.submit(`${mount}/callback/development`, { username: 'ann', password: typed })
        await signIn('wrong')
        expect(await browser.session(mount), site.log()).to.equal(null)
        await signIn('')
        expect(await browser.session(mount)).to.equal(null)
        await signIn(String(password()))
        expect(await browser.session(mount), site.log()).to.have.nested.property('user.name', 'ann')
        expect((await browser.get(`${mount}/signin`)).text).to.contain('AUTH_DEVELOPMENT_PASSWORD')
      } finally {
        await site.stop()
      }
    })

    if (application.production !== false) {
      it('does not start in production', async () => {
        if (application.layout !== undefined) writeFileSync(join(folder, application.layout), plainLayout)
        const [program = '', ...words] = application.production || application.start
        const env = { ...bare, NODE_ENV: 'production', PORT: '0', NEXT_TELEMETRY_DISABLED: '1' }
        const options = { cwd: folder, env, timeout: 120_000 }
        const ended = await call(process.execPath, [join(folder, program), ...words], options).then(
          () => expect.fail('it started'),
          (error: { code?: number; stdout: string; stderr: string }) => error,
        )
        expect(ended.code, ended.stderr).to.equal(1)
        expect(ended.stdout + ended.stderr).to.contain('still has the sign-in for development')
      })
    }

    if (application.packages?.includes('@types/express')) {
      it('compiles, strictly', async () => {
        const tsc = join(folder, 'node_modules/typescript/bin/tsc')
        await call(process.execPath, [tsc, '--noEmit', '-p', folder]).catch(({ stdout }) => expect.fail(stdout))
      })
    }
  })
}

async function install(folder: string, packages: readonly string[] | undefined): Promise<void> {
  const file = await packedPackage()
  const modules = join(folder, 'node_modules')
  if (!packages) {
    await call('npm', ['install', '--no-audit', '--no-fund', file], { cwd: folder, env: bare })
    return
  }
  const { dependencies = {} } = readPackage(root)
  for (const name of closureOf([...packages, ...Object.keys(dependencies)])) {
    link(join(root, 'node_modules', name), join(modules, name))
  }
  mkdirSync(join(modules, 'server-auth'))
  await call('tar', ['-xzf', file, '-C', join(modules, 'server-auth'), '--strip-components=1'])
}

function start(folder: string, command: readonly string[]): Promise<Site> {
  return startSite(folder, [process.execPath, ...command], (port) => {
    const origin = `http://localhost:${port}`
    const env = { ...bare, PORT: String(port), NEXT_TELEMETRY_DISABLED: '1' }
    return { origin, probe: `${origin}/favicon.ico`, env }
  })
}
