/** Configurations in TypeScript, which the command loads without a loader of the application. Needs `npm run build`. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { skip } from '../../support/skip.js'
import { goodSecret } from './stage.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const hasTypeStripping = 'stripTypeScriptTypes' in (await import('node:module'))

describe('npx server-auth doctor, in an application in TypeScript', function () {
  this.timeout(30_000)
  this.slow(5000)
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'server-auth-doctor-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function put(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }

  /** Installs packages of this repository. @param packages Names; as pairs, with the name in this repository. */
  function install(...packages: ReadonlyArray<string | readonly [name: string, here: string]>): void {
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    symlinkSync(root, join(folder, 'node_modules/server-auth'), 'junction')
    for (const each of packages) {
      const [name, here] = typeof each === 'string' ? [each, each] : each
      symlinkSync(join(root, 'node_modules', here), join(folder, 'node_modules', name), 'junction')
    }
  }

  function run(...args: string[]): Promise<{ exitCode: unknown; output: string }> {
    const { NODE_OPTIONS, DATABASE_URL, ...inherited } = process.env
    const given = { AUTH_SECRET: goodSecret, AUTH_URL: 'https://app.example.com', NODE_ENV: 'production' }
    const program = join(root, 'dist/lib/cli/index.js')
    return new Promise((resolve) => {
      const options = { cwd: folder, env: { ...inherited, ...given } }
      execFile(process.execPath, [program, 'doctor', '--offline', ...args], options, (error, stdout, stderr) =>
        resolve({ exitCode: error ? error.code : 0, output: stdout + stderr }),
      )
    })
  }

  const acme = `Keycloak({ issuer: 'https://sso.example.com/realms/x', clientId: 'app', clientSecret: 'hunter2-hunter2' })`
  /** A Next.js application as its generator writes it: no `"type"`, aliases, files without extensions. */
  const nextFiles = {
    'package.json': JSON.stringify({ name: 'app' }),
    'tsconfig.json': `{
  // Comments and a comma at the end are allowed.
  "extends": "./tsconfig.base.json",
  "compilerOptions": { "jsx": "preserve", },
}`,
    'tsconfig.base.json': JSON.stringify({ compilerOptions: { paths: { '@/*': ['./src/*'] } } }),
    'src/auth.ts': `import initAuth from 'server-auth/next'
import 'server-only'
import Keycloak from 'server-auth/providers/keycloak'
import { headers } from 'next/headers'
import { Role, roleOf } from '@/lib/roles'
import { User } from './types'
import names from './names.json'
export const config = { providers: [${acme}], pages: { signIn: names.signIn }, callbacks: {
  session: ({ session }: { session: object }) => ({ ...session, role: roleOf({ id: '1' } satisfies User), admin: Role.Admin, headers }),
} }
export const { handlers, auth } = initAuth(config)
`,
    'src/lib/roles.ts': `import { User } from '../types.js'
export enum Role { Reader, Admin }
export function roleOf(user: User): Role { return user.id === '1' ? Role.Admin : Role.Reader }
`,
    'src/types.ts': 'export interface User { id: string }\n',
    'src/names.json': '{ "signIn": "/hello" }',
  }

  const compilers = {
    esbuild: ['esbuild'],
    'the esbuild of tsx': ['tsx'],
    'TypeScript 5': [['typescript', 'typescript5']],
  } as const
  for (const [title, packages] of Object.entries(compilers)) {
    it(`loads a Next.js application with ${title}`, async () => {
      put(nextFiles)
      install('next', 'react', 'react-dom', ...packages)
      const { exitCode, output } = await run()
      expect(output).to.contain('https://app.example.com/api/auth/callback/keycloak').and.contain('0 failures')
      expect(exitCode).to.equal(0)
    })
  }

  it('loads a program of Express that names compiled files, without a compiler where Node.js has one', async () => {
    put({
      'package.json': '{ "type": "module" }',
      'auth.ts': `import { defineAuth } from 'server-auth'
import { providers } from './providers.js'
export const auth = defineAuth({ providers })
const port: number = 3000
`,
      'providers.ts': `import Keycloak from 'server-auth/providers/keycloak'\nexport const providers = [${acme}] as const\n`,
    })
    install(...(hasTypeStripping ? [] : ['esbuild']))
    const { exitCode, output } = await run()
    expect({ exitCode }, output).to.deep.equal({ exitCode: 0 })
    expect(output).to.contain('https://app.example.com/auth/callback/keycloak')
  })

  it('loads a file of CommonJS', async () => {
    put({
      'package.json': '{}',
      'auth.ts': `const { defineAuth } = require('server-auth')
const { join } = require('node:path')
const Keycloak = require('server-auth/providers/keycloak')
const folder: string = join(__dirname, 'x')
module.exports = { auth: defineAuth({ providers: [(Keycloak.default ?? Keycloak)(${acme.slice('Keycloak('.length, -1)})] }), folder }
`,
    })
    install('esbuild')
    const { exitCode, output } = await run()
    expect({ exitCode }, output).to.deep.equal({ exitCode: 0 })
  })

  it('names the missing compiler', async function () {
    if (hasTypeStripping) skip(this, 'this Node.js strips types itself')
    put({ 'package.json': '{}', 'auth.ts': 'export const auth: number = 1\n' })
    install('typescript')
    const { exitCode, output } = await run()
    expect(exitCode).to.equal(2)
    expect(output).to.contain('No compiler for TypeScript was found. Run npm install --save-dev tsx')
  })

  it('names the file and the place of a syntax error', async () => {
    put({
      'package.json': '{}',
      'auth.ts': "import { x } from './broken'\nexport const auth = x\n",
      'broken.ts': 'export const x: = 1\n',
    })
    install('esbuild')
    const { exitCode, output } = await run()
    expect(exitCode).to.equal(2)
    expect(output).to.contain('broken.ts:1').and.not.contain('    at ')
  })
})
