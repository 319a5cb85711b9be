/**
 * The package as its users get it: packed, installed in a folder of their own, loaded and compiled there. No network.
 */
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { build } from 'esbuild'
import { compileErrors } from './support/compile.js'
import { inTurn } from './support/extent.js'

const root = fileURLToPath(new URL('../', import.meta.url))

interface Target {
  /** The declaration, or the declarations of `require()` and of `import`. */
  readonly types: string | { readonly require: string; readonly default: string }
  readonly default: string
}

interface Manifest {
  readonly main: string
  readonly types: string
  readonly typesVersions: { readonly '*': Readonly<Record<string, readonly [string]>> }
  readonly exports: Readonly<Record<string, Target | string | null>>
  readonly bin: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, string>>
  readonly publishConfig: Readonly<Record<string, unknown>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, unknown>>
}

const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const subpaths = Object.entries(manifest.exports)
  .filter((entry): entry is [string, Target] => typeof entry[1] === 'object' && entry[1] !== null)
  .map(([subpath, { types, ...target }]) =>
    typeof types === 'string'
      ? { ...target, subpath, types, requireTypes: undefined }
      : { ...target, subpath, types: types.default, requireTypes: types.require },
  )

describe('package', function () {
  this.timeout(60_000)
  this.slow(5_000)
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-package-'))
  const installed = join(folder, 'node_modules', 'server-auth')

  before(() => install(folder))
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs Node in the folder; what it prints, as JSON. A failure has the program's own words. */
  async function run(...args: string[]): Promise<unknown> {
    const { stdout } = await call(process.execPath, args, folder)
    return JSON.parse(stdout)
  }

  it('has each file that package.json names', () => {
    const { main, types, bin } = manifest
    const files = subpaths.flatMap((entry) => [entry.types, entry.requireTypes ?? entry.types, entry.default])
    const targets = [main, types, ...Object.values(bin), ...files]
    const missing = targets.filter((target) => expand(installed, target).length === 0)
    expect(missing).to.deep.equal([])
  })

  it('cites nothing in its types that a reader does not have', () => {
    const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
    const types = files.filter((file) => file.endsWith('.d.ts'))
    expect(types.length).to.be.greaterThan(100)
    const cited = types.flatMap((file) =>
      Array.from(readFileSync(join(installed, 'dist', file), 'utf8').matchAll(/[\w./-]+\.md\b|\bdecision \d+/g))
        .map(([text]) => text)
        .filter((text) => !existsSync(join(root, text)))
        .map((text) => `${file}: ${text}`),
    )
    expect(cited).to.deep.equal([])
  })

  it('has types for each module of a pattern, and a module for each types file', () => {
    const patterns = subpaths.filter(({ subpath }) => subpath.includes('*'))
    expect(patterns).not.to.have.length(0)
    for (const { types, requireTypes = types, default: module } of patterns) {
      expect(expand(installed, types)).to.deep.equal(expand(installed, module))
      expect(expand(installed, requireTypes)).to.deep.equal(expand(installed, module))
    }
  })

  it('tells older compilers the same types by typesVersions', () => {
    const told = Object.entries(manifest.typesVersions['*']).map(([subpath, [types]]) => ({ subpath, types }))
    const exported = subpaths.map(({ subpath, types }) => ({ subpath: subpath.slice(2), types }))
    expect([{ subpath: '', types: manifest.types }, ...told]).to.deep.equal(exported)
  })

  it('has no source maps: what they name is not in it', () => {
    const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => file.endsWith('.map'))).to.deep.equal([])
  })

  it('brings at most twelve packages beside those of Express', () => {
    const ofExpress = closureOf(['express'])
    const brought = [...closureOf(Object.keys(manifest.dependencies))].filter((each) => !ofExpress.has(each))
    expect(brought.map((each) => each.replace(/@[^@]+$/, ''))).to.include.members(['cookie', 'jose', 'oauth4webapi'])
    expect(brought.length, brought.join(', ')).to.be.at.most(12)
  })

  // .npmrc keeps the scripts of packages from running, and would keep `npm publish` of a fresh clone from building.
  it('is built by npm publish, and runs nothing where it is installed', () => {
    const { publishConfig, scripts } = manifest
    expect(scripts.prepack).to.contain('build')
    expect(publishConfig['ignore-scripts']).to.equal(false)
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^(pre|post)?prepare$/.test(name))).to.deep.equal(
      [],
    )
  })

  it('contains only the files that users need', () => {
    const files = readdirSync(installed).sort()
    expect(files.filter((name) => !/^(README|SECURITY)\.md$/.test(name))).to.deep.equal([
      'LICENSE',
      'dist',
      'package.json',
    ])
    expect(readdirSync(join(installed, 'dist')).filter((name) => !['lib', 'shim'].includes(name))).to.deep.equal([])
  })

  // Each module that is named by itself, and two of a pattern.
  const modules = [...subpaths.map(({ subpath }) => subpath.slice(1)), '/providers/google', '/providers/email']
    .filter((subpath) => !subpath.includes('*'))
    .map((subpath) => `server-auth${subpath}`)
  const names = {
    'server-auth': [
      'AuthError',
      'CredentialsSignin',
      'ServerAuth',
      'customFetch',
      'defineAuth',
      'getSession',
      'signIn',
      'skipCSRFCheck',
      'startSession',
    ],
    'server-auth/jwt': ['decode', 'encode', 'getToken'],
    'server-auth/adapters': ['combine', 'recordTables', 'removeRecordsOf'],
    'server-auth/adapters/d1': ['connectD1', 'd1Adapter', 'migrate'],
    'server-auth/adapters/memory': ['memoryAdapter', 'memoryStore'],
    'server-auth/adapters/redis': ['redisSessions', 'redisStore'],
    'server-auth/adapters/sql': ['connect', 'migrate', 'sqlAdapter', 'sqlStore'],
    'server-auth/rate-limit': ['fromRateLimiterFlexible'],
    'server-auth/passwords': ['argon2id', 'bcrypt', 'bloomFile', 'defaultHasher', 'hibp', 'scrypt'],
    'server-auth/telemetry': ['openTelemetry'],
    'server-auth/tenants': ['TenantUnavailable', 'UnknownTenant', 'tenants'],
    'server-auth/audit': ['auditLog', 'readAudit'],
    'server-auth/testing': ['adapterContract', 'storeContract'],
    'server-auth/factors': ['EmailCode', 'PasskeyFactor', 'RecoveryCodes', 'Totp'],
    'server-auth/tokens': ['ConsentRequired', 'NotConnected', 'RefreshError'],
    'server-auth/providers/google': ['default'],
    'server-auth/providers/email': ['default'],
    'server-auth/shim': ['default', 'withRequest', 'AuthError', 'CredentialsSignin'],
    'server-auth/next': ['default', 'AuthError', 'CredentialsSignin'],
    'server-auth/client': [
      'configureClient',
      'getCsrfToken',
      'getProviders',
      'getSession',
      'signIn',
      'signOut',
      'update',
    ],
    'server-auth/client/webauthn': ['isPasskeySupported', 'registerPasskey', 'signInWithPasskey'],
    'server-auth/react': ['SessionProvider', 'getSession', 'signIn', 'signOut', 'useSession'],
  }
  const print = 'console.log(JSON.stringify(Object.fromEntries(loaded)))'

  it('loads with require', async () => {
    const load = `const loaded = ${JSON.stringify(modules)}.map((name) => [name, Object.keys(require(name))])`
    writeFileSync(join(folder, 'load.cjs'), `${load}\n${print}`)
    expectNames(await run('load.cjs'))
  })

  it('loads with import', async () => {
    const load = `const loaded = ${JSON.stringify(modules)}.map(async (name) => [name, Object.keys(await import(name))])`
    writeFileSync(join(folder, 'load.mjs'), `${load}\n${print.replace('loaded', 'await Promise.all(loaded)')}`)
    expectNames(await run('load.mjs'))
  })

  it('gives each provider function to require, with itself as `default`', async () => {
    const load = `const loaded = ${JSON.stringify(providerModules(installed))}.map((name) => {
      const provider = require(name)
      return [name, typeof provider === 'function' && provider === provider.default]
    })`
    writeFileSync(join(folder, 'providers.cjs'), `${load}\n${print}`)
    const loaded = Object.entries((await run('providers.cjs')) as Record<string, boolean>)
    expect(loaded.length).to.be.greaterThan(100)
    expect(loaded.filter(([, isFunction]) => !isFunction)).to.deep.equal([])
  })

  it('gives require and import the same provider function', async () => {
    const load = `const required = require('server-auth/providers/google')
      import('server-auth/providers/google').then((module) => console.log(module.default === required))`
    writeFileSync(join(folder, 'same.cjs'), load)
    expect(await run('same.cjs')).to.equal(true)
  })

  it('has the same errors at all doors, under their own names', async () => {
    const load = `import * as errors from 'server-auth/errors'
      const doors = await Promise.all(['server-auth', 'server-auth/shim', 'server-auth/next'].map((door) => import(door)))
      const own = Object.entries(errors).filter(([, each]) => each.prototype instanceof errors.AuthError)
      const misnamed = own.filter(([name, each]) => each.name !== name).map(([name]) => name)
      const shared = doors.map((door) => door.AuthError === errors.AuthError && door.CredentialsSignin === errors.CredentialsSignin)
      console.log(JSON.stringify({ count: own.length, misnamed, shared }))`
    writeFileSync(join(folder, 'errors.mjs'), load)
    const { count, ...found } = (await run('errors.mjs')) as { count: number }
    expect(count).to.be.greaterThan(20)
    expect(found).to.deep.equal({ misnamed: [], shared: [true, true, true] })
  })

  describe('where nothing optional is installed', () => {
    const without = mkdtempSync(join(tmpdir(), 'server-auth-without-'))

    before(async () => {
      await install(without, [...Object.keys(manifest.peerDependenciesMeta), '@types'])
      mkdirSync(join(without, 'node_modules', '@types'))
      symlinkSync(join(root, 'node_modules/@types/node'), join(without, 'node_modules/@types/node'), 'junction')
    })
    after(() => rmSync(without, { recursive: true, force: true }))

    it('loads, but for the modules that are made for a package', async () => {
      const load = `const loaded = await Promise.all(${JSON.stringify(modules)}.map((name) =>
        import(name).then(() => [name, 'loaded'], (error) => [name, error.message])))`
      writeFileSync(join(without, 'load.mjs'), `${load}\n${print}`)
      const { stdout } = await call(process.execPath, ['load.mjs'], without)
      const loaded: Record<string, string> = JSON.parse(stdout)
      const failed = Object.entries(loaded).filter(([, result]) => result !== 'loaded')
      const named = failed.map(([name, message]) => [
        name,
        /Cannot find package '([^']+)'/.exec(message)?.[1] ?? message,
      ])
      expect(Object.fromEntries(named)).to.deep.equal({
        'server-auth': 'express',
        'server-auth/adapters/d1': 'kysely',
        'server-auth/adapters/sql': 'kysely',
        'server-auth/audit': 'kysely',
        'server-auth/client/webauthn': '@simplewebauthn/browser',
        'server-auth/next': 'next',
        'server-auth/react': 'react',
      })
    })

    it('compiles for a Fetch server: its types ask for nothing of Express', async () => {
      const options = {
        ...{ strict: true, noEmit: true, skipLibCheck: false },
        ...{ target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], module: 'nodenext', types: ['node'] },
      }
      writeFileSync(
        join(without, 'server.mts'),
        `import initAuth, { withRequest } from 'server-auth/shim'
        import GitHub from 'server-auth/providers/github'
        const { handlers, auth } = initAuth({ providers: [GitHub] })
        export const answer = (request: Request) => withRequest(request, () => handlers.GET(request))
        export const name = async (): Promise<string | null | undefined> => (await auth())?.user?.name
        // @ts-expect-error What auth() gives is no text.
        export const wrong: Promise<string> = auth()`,
      )
      const project = { folder: without, compiler: 'typescript', files: ['server.mts'], options }
      expect(await compileErrors(project)).to.equal('')
    })
  })

  it('says in a browser that the full-stack integration is for servers', async () => {
    for (const name of ['server-auth/next', 'server-auth/shim']) {
      const contents = `import initAuth, { AuthError, CredentialsSignin, customFetch, withCookies, withRequest } from '${name}'
        import GitHub from 'server-auth/providers/github'
        globalThis.names = [AuthError, CredentialsSignin, customFetch, withCookies, withRequest]
        initAuth({ providers: [GitHub] })`
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: folder },
        bundle: true,
        platform: 'browser',
        format: 'iife',
        write: false,
      })
      const context: { names?: unknown[] } = {}
      expect(() => runInNewContext(outputFiles.map(({ text }) => text).join(''), context), name).to.throw(
        /this is a browser.*`server-auth\/react`/,
      )
      expect(context.names).to.have.length(5).and.not.include(undefined)
    }
  })

  function expectNames(loaded: unknown): void {
    expect(loaded).to.have.all.keys(modules)
    for (const [module, expected] of Object.entries(names)) {
      expect(loaded).to.have.property(module).that.includes.members(expected)
    }
  }

  it('opens no other file', async () => {
    // The folder of providers holds providers only: any other name is that of a provider that there is not.
    const closed = {
      '/lib/engine': 'ERR_PACKAGE_PATH_NOT_EXPORTED',
      '/dist/lib/index.js': 'ERR_PACKAGE_PATH_NOT_EXPORTED',
      '/engine': 'ERR_PACKAGE_PATH_NOT_EXPORTED',
      '/mail/smtp': 'ERR_PACKAGE_PATH_NOT_EXPORTED',
      '/providers/index': 'MODULE_NOT_FOUND',
      '/providers/types': 'MODULE_NOT_FOUND',
      '/providers/ids': 'MODULE_NOT_FOUND',
    }
    const load = `const loaded = ${JSON.stringify(Object.keys(closed))}.map((subpath) => {
      try { return [subpath, typeof require('server-auth' + subpath)] } catch (error) { return [subpath, error.code] }
    })`
    writeFileSync(join(folder, 'closed.cjs'), `${load}\n${print}`)
    expect(await run('closed.cjs')).to.deep.equal(closed)
  })

  describe('types', () => {
    const base = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      types: ['node'],
      esModuleInterop: true,
      skipLibCheck: true,
    }
    type Compilation = [title: string, compiler: string, files: string[], options: object]
    const compilers: readonly Compilation[] = [
      [
        'TypeScript 7, nodenext',
        'typescript',
        ['consumer.mts', 'consumer.cts'],
        { module: 'nodenext', skipLibCheck: false },
      ],
      ['TypeScript 7, preserve', 'typescript', ['consumer.ts'], { module: 'preserve', moduleResolution: 'bundler' }],
      ['TypeScript 5.4, nodenext', 'typescript54', ['consumer.mts'], { module: 'nodenext' }],
      // The oldest and the newest compiler have shown `nodenext`.
      ...inTurn<Compilation>(
        [
          ['TypeScript 5, commonjs', 'typescript5', ['consumer.ts'], { module: 'commonjs' }],
          ['TypeScript 5, nodenext', 'typescript5', ['consumer.mts', 'consumer.cts'], { module: 'nodenext' }],
        ],
        0,
      ),
    ]

    before(() => {
      for (const name of ['consumer.ts', 'consumer.mts', 'consumer.cts']) writeFileSync(join(folder, name), consumer)
      const [imports = ''] = consumer.split('declare module')
      writeFileSync(join(folder, 'plain.mts'), `${imports}\n${consumer.slice(consumer.indexOf('/* ---'))}`)
    })

    for (const [title, compiler, files, options] of compilers) {
      it(`compile and can be augmented with ${title}`, async () => {
        expect(await compileErrors({ folder, compiler, files, options: { ...base, ...options } })).to.equal('')
      })
    }

    // TypeScript checks the declarations for `require()` in CommonJS files only.
    for (const [compiler, modules] of [
      ['typescript', ['nodenext']],
      // TypeScript treats `node16` and `nodenext` alike before 5.8.
      ['typescript54', inTurn(['node16', 'nodenext'], 0)],
    ] as const) {
      for (const module of modules) {
        it(`describe what require() of a provider returns, with ${compiler} and ${module}`, async () => {
          writeFileSync(join(folder, 'providers.cts'), requireProviders(providerModules(installed)))
          writeFileSync(join(folder, 'google.mts'), importGoogle)
          const options = { ...base, module, lib: ['es2023', 'dom'], skipLibCheck: false }
          expect(await compileErrors({ folder, compiler, files: ['providers.cts', 'google.mts'], options })).to.equal(
            '',
          )
        })
      }
    }

    it('fail where the augmentation is missing: the check above can fail', async () => {
      const errors = await compileErrors({
        ...{ folder, compiler: 'typescript', files: ['plain.mts'] },
        options: { ...base, module: 'nodenext' },
      })
      expect([...errors.matchAll(/error (TS\d+)/g)].map(([, code]) => code)).to.deep.equal([
        'TS2344',
        'TS2344',
        'TS2344',
        'TS2344',
        'TS2339',
      ])
    })
  })
})

const call = (file: string, args: string[], cwd: string) => promisify(execFile)(file, args, { cwd })

/** Packs the package and unpacks it into the folder, next to what it depends on, the optional packages too. */
async function install(folder: string, missing: readonly string[] = []): Promise<void> {
  if (!existsSync(join(root, manifest.main))) throw new Error('run "npm run build" first')
  const { stdout } = await call(
    'npm',
    ['pack', '--json', '--offline', '--ignore-scripts', '--pack-destination', folder],
    root,
  )
  const [{ filename }]: [{ filename: string }] = JSON.parse(stdout)
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'server-auth'), { recursive: true })
  await call('tar', ['-xzf', filename, '-C', join(modules, 'server-auth'), '--strip-components=1'], folder)
  for (const name of ['@types', ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })]) {
    if (name.startsWith('@types/') || missing.includes(name)) continue
    if (!existsSync(join(root, 'node_modules', name))) continue
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction')
  }
}

/** Packages with all that they need in production, as `name@version`. */
function closureOf(names: readonly string[]): Set<string> {
  const closure = new Set<string>()
  const add = (name: string, from: string): void => {
    const place = placesOf(name, from).find((folder) => existsSync(folder))
    if (place === undefined) throw new Error(`${name} is not installed for ${from}`)
    const { version, dependencies = {} } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
    if (closure.has(`${name}@${version}`)) return
    closure.add(`${name}@${version}`)
    for (const needed of Object.keys(dependencies)) add(needed, place)
  }
  for (const name of names) add(name, root)
  return closure
}

/** Returns the folders in which Node looks for a package: beside the folder that needs it, then further up. */
function placesOf(name: string, from: string): string[] {
  const places = [join(from, 'node_modules', name)]
  for (let folder = from; folder.startsWith(root) && folder !== dirname(folder); folder = dirname(folder)) {
    places.push(join(dirname(folder), 'node_modules', name))
  }
  return places
}

/** Returns the value of the star in each file that fits the target; `['']` for an existing target without a star. */
function expand(installed: string, target: string): string[] {
  const [before = '', after] = target.split('*')
  if (after === undefined) return existsSync(join(installed, before)) ? [''] : []
  return readdirSync(join(installed, before))
    .filter((name) => name.endsWith(after))
    .map((name) => name.slice(0, -after.length))
    .sort()
}

/** Returns the modules of all providers. */
function providerModules(installed: string): string[] {
  return expand(installed, './dist/lib/providers/*.js').map(
    (id) => `server-auth/providers/${id === 'hydra' ? 'ory-hydra' : id}`,
  )
}

/** Returns a CommonJS file that imports each provider, and uses some in the forms that applications write. */
const requireProviders = (modules: readonly string[]) => `
${modules.map((module, at) => `import P${at} = require('${module}')`).join('\n')}
import Google = require('server-auth/providers/google')
import Credentials from 'server-auth/providers/credentials'
import Apple, { type AppleOptions } from 'server-auth/providers/apple'
import type { Provider } from 'server-auth/providers' with { 'resolution-mode': 'import' }

type Create = (...input: never[]) => Provider
export const all: readonly (Create & { readonly default: Create })[] = [${modules.map((_, at) => `P${at}`).join(', ')}]

const { default: same } = Google
const options: AppleOptions = { clientId: 'site' }
const authorize = ({ name }: { name?: unknown }) => ({ id: String(name) })
const credentials = { name: { label: 'Name' } }
export const used: Provider[] = [Google(), same({ clientId: 'site' }), Apple(options), Credentials({ credentials, authorize })]
export const domain = (profile: Google.GoogleProfile): string | undefined => profile.hd
export const read = (options: Credentials.CredentialsOptions<typeof credentials>) => options.authorize
// @ts-expect-error The field is text: the type of a profile is not \`any\`.
export const wrong = (profile: Google.GoogleProfile): number | undefined => profile.hd
// @ts-expect-error A provider takes one argument.
Google({}, {})
`

const importGoogle = `
import Google, { type GoogleProfile } from 'server-auth/providers/google'
export const made = Google({ clientId: 'site' })
export const domain = (profile: GoogleProfile): string | undefined => profile.hd
// @ts-expect-error Imports have no property \`default\`.
Google.default
`

const consumer = `
import { AuthError, CredentialsSignin, customFetch, getSession, ServerAuth, skipCSRFCheck } from 'server-auth'
import type { ServerAuthConfig, Session, User } from 'server-auth'
import { type Adapter, type AdapterUser, combine } from 'server-auth/adapters'
import { memoryAdapter } from 'server-auth/adapters/memory'
import { redisSessions } from 'server-auth/adapters/redis'
import { connect, migrate, sqlAdapter } from 'server-auth/adapters/sql'
import { MissingSecretError } from 'server-auth/errors'
import { decode, type JWT } from 'server-auth/jwt'
import type { Provider } from 'server-auth/providers'
import Email from 'server-auth/providers/email'
import Google from 'server-auth/providers/google'
import Passkey from 'server-auth/providers/passkey'
import { getSession as askForSession } from 'server-auth/client'
import { type PasskeyResult, signInWithPasskey } from 'server-auth/client/webauthn'
import { useSession } from 'server-auth/react'
import initAuth from 'server-auth/shim'
import { adapterContract } from 'server-auth/testing'
import express from 'express'

declare module 'server-auth' {
  interface Session { role?: string }
  interface User { tenant?: number }
}
declare module 'server-auth/jwt' {
  interface JWT { role?: string }
}

/* --- */
type Field<T, K extends string> = K extends keyof T ? T[K] : 'missing'
type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const check = <_Same extends true>(): void => {}

check<Equals<Field<Session, 'role'>, string | undefined>>()
check<Equals<Field<AdapterUser, 'tenant'>, number | undefined>>()
check<Equals<Field<JWT, 'role'>, string | undefined>>()
check<Equals<Field<NonNullable<Awaited<ReturnType<typeof decode>>>, 'role'>, string | undefined>>()

const provider: Provider = Google({ [customFetch]: fetch })
const db = connect('sqlite:app.db')
export const tables: Promise<readonly string[]> = migrate(db).then(({ sql }) => sql)
const client = { get: async () => null, getDel: async () => null, eval: async () => null }
const adapter: Adapter = combine(sqlAdapter(db), { sessions: redisSessions(client) })
adapterContract({ describe: () => {}, it: () => {} }, { create: () => ({ adapter: memoryAdapter() }) })
const user: User = { name: 'Ada' }
export const shown: () => Promise<Session | null> = () => askForSession()
export const pressed: () => Promise<PasskeyResult> = () => signInWithPasskey()
export const hook: () => string | undefined = () => useSession().data?.role
const fetchAuth = initAuth({ providers: [Google], callbacks: { authorized: ({ auth }) => auth !== null } })
export const { handlers }: { handlers: { GET: (request: Request) => Promise<Response> } } = fetchAuth
export const here: () => Promise<Session | null> = initAuth({ providers: [Passkey()] }).auth
export const config: ServerAuthConfig = {
  providers: [provider, Google, Email({ server: 'smtp://localhost', from: 'a@example.com' })],
  adapter,
  skipCSRFCheck,
  callbacks: { session: ({ session, token }) => ({ ...session, user, role: token?.role }) },
}

const app = express()
app.use('/auth', ServerAuth(config))
app.get('/', async (req, res) => {
  const session: Session | null = await getSession(req, config)
  res.json(session?.user?.name ?? null)
})

export const errors: AuthError[] = [new CredentialsSignin(), new MissingSecretError('none')]
// @ts-expect-error A session has no such field: its type is not \`any\`.
export const nothing = (session: Session) => session.noSuchField
`
