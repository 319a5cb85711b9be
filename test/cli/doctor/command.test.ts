/** The command as a process: how it finds a configuration, prints, exits, and that it prints no secrets. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { compileScript } from '../../support/child-script.js'
import { goodSecret } from './stage.js'

const program = await compileScript('lib/cli/index.ts')
const cache = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url))

interface Outcome {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

const head = `import { defineAuth, skipCSRFCheck } from 'server-auth'
import { customFetch } from 'server-auth/providers'
import Keycloak from 'server-auth/providers/keycloak'
const acme = Keycloak({ issuer: 'https://sso.example.com/realms/x', clientId: 'app', clientSecret: 'hunter2-hunter2' })
`.replace("import { customFetch } from 'server-auth/providers'\n", '')

describe('npx server-auth doctor', () => {
  let folder = ''
  // Within the repository: a configuration imports this package, as that of an application does.
  beforeEach(() => {
    mkdirSync(cache, { recursive: true })
    folder = mkdtempSync(join(cache, 'doctor-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function put(name: string, text: string): void {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }

  function run(args: readonly string[], env: Record<string, string | undefined> = {}): Promise<Outcome> {
    const { DATABASE_URL, NODE_OPTIONS, ...inherited } = process.env
    const given = { AUTH_SECRET: goodSecret, AUTH_URL: 'https://app.example.com', NODE_ENV: 'production', ...env }
    return new Promise((resolve, reject) => {
      const options = { cwd: folder, env: { ...inherited, ...given } }
      execFile(process.execPath, [program, 'doctor', ...args], options, (error, stdout, stderr) => {
        const exitCode = error ? error.code : 0
        if (typeof exitCode === 'number') resolve({ exitCode, stdout, stderr })
        else reject(error)
      })
    })
  }

  const ways: Readonly<Record<string, [file: string, text: string]>> = {
    'what defineAuth returned': ['auth.js', `${head}export const auth = defineAuth({ providers: [acme] })`],
    'a default export': ['src/auth.mjs', `${head}export default defineAuth({ providers: [acme] })`],
    'the configuration itself': ['auth.config.js', `${head}export const config = { providers: [acme] }`],
    'a promise of it': ['auth.js', `${head}export default Promise.resolve({ providers: [acme] })`],
    'one among other exports': [
      'auth.js',
      `${head}export const a = 1, b = null, mine = defineAuth({ providers: [acme] })`,
    ],
    'an object of exports': ['auth.js', `${head}export default { auth: defineAuth({ providers: [acme] }) }`],
  }
  for (const [title, [file, text]] of Object.entries(ways)) {
    it(`finds the configuration in ${title}`, async () => {
      put(file, text)
      const { exitCode, stdout, stderr } = await run(['--offline'])
      expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
      expect(stdout).to.contain('https://app.example.com/auth/callback/keycloak').and.contain('0 failures, 0 warnings')
    })
  }

  it('finds it beside initAuth, whose routes are below /api/auth', async () => {
    put(
      'auth.js',
      `${head}import initAuth from 'server-auth/shim'
      export const config = { providers: [acme], callbacks: { authorized: () => true } }
      export const { handlers, auth } = initAuth(config)`,
    )
    const { exitCode, stdout } = await run(['--offline'])
    expect(exitCode).to.equal(0)
    expect(stdout).to.contain('https://app.example.com/api/auth/callback/keycloak')
  })

  it('exits, whatever the application has started, and prints only JSON', async () => {
    put(
      'auth.js',
      `${head}setInterval(() => {}, 1000); console.log('hello')
      export const auth = defineAuth({ providers: [acme], debug: true, skipCSRFCheck })`,
    )
    const { exitCode, stdout } = await run(['--offline', '--json'])
    const { version, ok, findings, register } = JSON.parse(stdout)
    expect({ exitCode, version, ok }).to.deep.equal({ exitCode: 0, version: 1, ok: true })
    expect(findings.map((each: { id: string }) => each.id)).to.include.members(['node.version', 'csrf.off', 'debug.on'])
    expect(register).to.deep.equal([
      {
        provider: 'keycloak',
        callback: 'https://app.example.com/auth/callback/keycloak',
        postLogout: 'https://app.example.com/auth/signout/keycloak',
      },
    ])
  })

  it('lists the URLs of sign-outs that a provider calls', async () => {
    put(
      'auth.js',
      `import { memoryAdapter } from 'server-auth/adapters/memory'
      ${head}export const auth = defineAuth({ adapter: memoryAdapter(), providers: [{ ...acme, logout: { backchannel: true, frontchannel: true } }] })`,
    )
    const { stdout } = await run(['--offline'])
    for (const path of ['signout', 'backchannel-logout', 'frontchannel-logout']) {
      expect(stdout).to.contain(`https://app.example.com/auth/${path}/keycloak`)
    }
  })

  it('reads variables from a file', async () => {
    put('auth.js', `${head}export const auth = defineAuth({ providers: [acme] })`)
    put('.env', `AUTH_SECRET=${goodSecret}\nAUTH_URL=https://other.example.com\n`)
    const { exitCode, stdout } = await run(['--offline', '--env', '.env'], {
      AUTH_URL: undefined,
      AUTH_SECRET: undefined,
    })
    expect(exitCode).to.equal(0)
    expect(stdout).to.contain('https://other.example.com/auth/callback/keycloak')
  })

  it('reports the error of the engine, with exit code 1', async () => {
    put('auth.js', `${head}export const auth = defineAuth({ providers: [acme, acme] })`)
    const { exitCode, stdout } = await run(['--offline'])
    expect(exitCode).to.equal(1)
    expect(stdout).to.match(/FAIL {2}provider\.twice/)
  })

  const stuck: Readonly<Record<string, [text: string | undefined, args: string[], says: RegExp]>> = {
    'there is no configuration': [undefined, [], /Pass --config <file>/],
    'the file is not there': [undefined, ['--config', 'other.js'], /no file other\.js/],
    'the file is broken': ['export const = 1', [], /could not be loaded/],
    'the file throws': ['throw new Error("no database")', [], /could not be loaded: no database\n$/],
    'a package of it is missing': ["import 'not-there'", [], /not-there/],
    'nothing is exported': ['export const x = 1', [], /exports no configuration. Export what defineAuth returns/],
    'the URL is none': ['', ['--url', 'app.example.com'], /is no URL/],
    'an option is unknown': ['', ['--uri', 'x'], /uri/],
    'a word is left over': ['', ['auth.js'], /--config/],
    'the variables cannot be read': ['', ['--env', 'x.env'], /x\.env cannot be read/],
  }
  for (const [title, [text, args, says]] of Object.entries(stuck)) {
    it(`ends with exit code 2 when ${title}`, async () => {
      if (text !== undefined) put('auth.js', text)
      const { exitCode, stdout, stderr } = await run(['--offline', ...args])
      expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' })
      expect(stderr).to.match(says).and.not.contain('    at ')
    })
  }

  it('also reports in JSON that it could not check', async () => {
    put('auth.js', 'setInterval(() => {}, 1000); throw new Error("no database")')
    const { exitCode, stdout } = await run(['--offline', '--json'])
    expect(exitCode).to.equal(2)
    expect(JSON.parse(stdout)).to.include({ version: 1, ok: false }).and.have.property('error')
  })

  it('prints no secrets, whatever is wrong', async () => {
    const secrets = {
      AUTH_SECRET: 'short-secret-9x',
      AUTH_SECRET_1: 'older-secret-that-is-long-enough-0x7',
      AUTH_KEYCLOAK_SECRET: 'kc-secret-53a7',
      SMTP_PASSWORD: 'mail-pass-77',
      DATABASE_URL: 'postgres://app:db-pass-31@db.example.com/app',
    }
    const texts = [
      `${head}export const auth = defineAuth({ providers: [acme] })`,
      `${head}export const config = { providers: [acme], secret: ['own-secret-1234', 'mail-pass-77'] }`,
      `throw new Error('connect to ' + process.env.DATABASE_URL + ' failed, password=mail-pass-77')`,
      `throw new Error('no key ' + process.env.AUTH_KEYCLOAK_SECRET + ' there')`,
      // At the place where a long reason ends.
      `throw new Error('.'.repeat(470 - import.meta.filename.length) + process.env.SMTP_PASSWORD.repeat(20))`,
      `throw new Error('no key', { cause: new Error(process.env.AUTH_SECRET + ' is no key') })`,
      `${head}import Email from 'server-auth/providers/email'
       export const config = { providers: [Email({ server: 'smtp://me:mail-pass-77@mail.example.com', from: 'a@app.example' })] }`,
    ]
    for (const text of texts) {
      put('auth.js', text)
      for (const args of [['--offline'], ['--offline', '--json']]) {
        const { stdout, stderr } = await run(args, secrets)
        for (const hidden of [
          'short-secret-9x',
          'older-secret',
          'kc-secret',
          'mail-pass',
          'db-pass',
          'own-secret',
          'hunter2',
        ]) {
          expect(stdout + stderr).not.to.contain(hidden)
        }
      }
    }
  })

  it('reports a password of a mail server that is not percent-encoded', async () => {
    put(
      'auth.js',
      `${head}import Email from 'server-auth/providers/email'
       export const config = { providers: [acme, Email({ server: 'smtp://me:hundred%zz@mail.example.com', from: 'a@app.example' })] }`,
    )
    const { exitCode, stdout } = await run(['--offline', '--json'])
    expect(exitCode, stdout).to.be.lessThan(2)
    expect(stdout).not.to.contain('hundred')
  })
})
