/**
 * Tests of the scripts that an application loads before its first request, and of those that it loads when they are
 * needed. Another process runs the built package and asks V8 after each step which scripts it has compiled, so that
 * every loaded script is found. Needs `npm run build`.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { CompactEncrypt } from 'jose'
import { legacySessionKey } from '../lib/crypto/keys.js'
import { secret } from './support/app.js'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The scripts that the process has loaded after each step, as URLs or paths, and the result of the step. */
interface Step {
  readonly name: string
  readonly scripts: readonly string[]
  readonly result?: unknown
}

const program = `
  import { once } from 'node:events'
  import { Session } from 'node:inspector'

  const steps = []
  async function step(name, work) {
    const made = await work()
    const scripts = []
    const session = new Session()
    session.connect()
    session.on('Debugger.scriptParsed', ({ params }) => scripts.push(params.url))
    session.post('Debugger.enable')
    session.disconnect()
    steps.push({ name, scripts, result: typeof made === 'object' && made ? undefined : made })
    return made
  }

  const { default: express } = await step('Express', () => import('express'))
  const { getSession, ServerAuth } = await step('import', () => import('server-auth'))
  const { default: Credentials } = await import('server-auth/providers/credentials')
  const base = { secret: ${JSON.stringify(secret)}, trustHost: true, logger: { error() {}, warn() {}, debug() {} } }
  const authorize = ({ username }) => ({ id: '1', name: username })
  const credentials = Credentials({ credentials: { username: {} }, authorize })
  const config = { ...base, providers: [credentials] }
  const router = await step('construction with credentials', async () => ServerAuth(config))

  const app = express().use('/auth', router)
  app.get('/', async (req, res) => res.json((await getSession(req, config))?.user?.name ?? null))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = 'http://127.0.0.1:' + server.address().port
  const cookiesOf = (answer) => answer.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ')
  async function post(path, fields) {
    const csrf = await fetch(origin + path.split('/', 2).join('/') + '/csrf')
    const body = new URLSearchParams({ ...fields, csrfToken: (await csrf.json()).csrfToken })
    return fetch(origin + path, { method: 'POST', redirect: 'manual', headers: { cookie: cookiesOf(csrf) }, body })
  }
  await step('a stranger on a guarded route', async () => (await fetch(origin + '/')).json())
  await step('sign-in page', async () => (await fetch(origin + '/auth/signin')).status)
  const signedIn = await post('/auth/callback/credentials', { username: 'ann' })
  await step('sign-in with credentials', async () => signedIn.status)
  const headers = { cookie: cookiesOf(signedIn) }
  await step('a guarded read', async () => (await fetch(origin + '/', { headers })).json())

  const { default: Email } = await import('server-auth/providers/email')
  const { default: Passkey } = await import('server-auth/providers/passkey')
  const { memoryAdapter } = await import('server-auth/adapters/memory')
  const own = {
    ...{ id: 'own', name: 'Own', type: 'oauth', clientId: 'id', clientSecret: 'secret', profile: ({ id }) => ({ id }) },
    ...{ authorization: 'https://p.example/authorize', token: 'https://p.example/token', userinfo: 'https://p.example/me' },
  }
  const more = {
    ...base,
    adapter: memoryAdapter(),
    providers: [own, Email({ server: 'smtp://127.0.0.1:9', from: 'a@app.example' }), Passkey()],
    experimental: { enableWebAuthn: true },
    cookies: { sessionToken: { name: 'more' } },
  }
  const others = await step('construction with all kinds', async () => ServerAuth(more))
  app.use('/more', others)
  await step('sign-in with OAuth', async () => (await post('/more/signin/own', {})).headers.get('location').split('?')[0])
  await step('passkey options', async () => (await fetch(origin + '/more/webauthn-options/passkey')).status)
  await step('mail', async () => {
    await post('/more/signin/email', { email: 'b@app.example' })
    // It goes out after the answer.
    await others.close()
  })
  const { scrypt, defaultHasher } = await step('passwords', () => import('server-auth/passwords'))
  await step('construction of hashers', async () => [scrypt(), defaultHasher()].length)
  await step('a password', async () => (await defaultHasher().hash('a password')).split('$')[1])
  // It is longer than a pipe holds.
  process.stdout.write(JSON.stringify(steps), () => process.exit())
`

describe('the scripts that are loaded', function () {
  this.timeout(60_000)
  this.slow(5_000)
  const steps: Step[] = []

  before(async () => {
    if (!existsSync(`${root}dist/lib/index.js`)) throw new Error('run "npm run build" first')
    const args = ['--input-type=module', '--eval', program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 })
    steps.push(...JSON.parse(stdout))
  })

  const stepOf = (name: string) => steps.find((step) => step.name === name) ?? expect.fail(`no step ${name}`)
  const packagesOf = ({ scripts }: Step) => new Set(scripts.flatMap((script) => packageOf(script) ?? []))
  /** Returns the packages that a step added. */
  function added(name: string): string[] {
    const step = stepOf(name)
    const previous = steps[steps.indexOf(step) - 1]
    const before = previous ? packagesOf(previous) : new Set()
    return [...packagesOf(step)].filter((each) => !before.has(each)).sort()
  }

  it('contain the packages of Express: the checks below can fail', () => {
    expect(added('Express')).to.include.members(['body-parser', 'express', 'qs'])
    const own = stepOf('import').scripts.filter((script) => /[\\/]dist[\\/]lib[\\/]/.test(script))
    expect(own.length).to.be.greaterThan(1)
  })

  it("by `import 'server-auth'`: cookies and headers, in few files", () => {
    // `cookie`, too, which Express has in a version of its own.
    expect(added('import')).to.deep.equal(['cookie-parser', 'helmet', 'on-headers'])
    const own = stepOf('import').scripts.filter((script) => /[\\/]dist[\\/](lib|shim)[\\/]/.test(script))
    expect(own.length).to.be.at.most(26)
  })

  it('by a Router with credentials, its page, a sign-in and guarded reads: nothing more', () => {
    const results = {
      'construction with credentials': undefined,
      'a stranger on a guarded route': null,
      'sign-in page': 200,
      'sign-in with credentials': 303,
      'a guarded read': 'ann',
    }
    for (const [name, result] of Object.entries(results)) {
      expect(stepOf(name).result, name).to.deep.equal(result)
      expect(added(name), name).to.deep.equal([])
    }
  })

  it('by a Router with providers of all kinds: nothing more, until one is used', () => {
    expect(added('construction with all kinds')).to.deep.equal([])
    expect(stepOf('sign-in with OAuth').result).to.equal('https://p.example/authorize')
    expect(added('sign-in with OAuth')).to.deep.equal(['jose', 'oauth4webapi', 'openid-client'])
    expect(stepOf('passkey options').result).to.equal(200)
    expect(added('passkey options')).to.include('@simplewebauthn/server').and.not.include('nodemailer')
    expect(added('mail')).to.deep.equal(['nodemailer'])
  })

  it('by hashers: nothing more, until a password is hashed', () => {
    expect([...added('passwords'), ...added('construction of hashers')]).to.deep.equal([])
    expect(stepOf('a password').result).to.equal('argon2id')
    expect(added('a password').filter((name) => !name.startsWith('@node-rs/'))).to.deep.equal([])
    expect(added('a password')).to.include('@node-rs/argon2')
  })
})

/** Returns a program that reads one of our sessions and one of Auth.js, and begins a sign-in with OAuth. */
const incomplete = (legacy: string) => `
  import { getSession, ServerAuth } from 'server-auth'
  import { encode } from 'server-auth/jwt'
  import express from 'express'
  import { once } from 'node:events'

  const logged = []
  const messagesOf = (error) => (error instanceof Error ? [error.message, ...messagesOf(error.cause?.err ?? error.cause)] : [])
  const logger = { error: (error) => void logged.push(...messagesOf(error)), warn() {}, debug() {} }
  const own = {
    ...{ id: 'own', name: 'Own', type: 'oauth', clientId: 'id', clientSecret: 'secret', profile: ({ id }) => ({ id }) },
    ...{ authorization: 'https://p.example/authorize', token: 'https://p.example/token', userinfo: 'https://p.example/me' },
  }
  const secret = ${JSON.stringify(secret)}
  const jwt = { legacy: { cookieName: 'authjs.session-token', until: new Date(Date.now() + 864e5) } }
  const config = { secret, trustHost: true, logger, providers: [own], jwt }
  const read = (cookie) =>
    getSession({ headers: { host: 'localhost', cookie }, protocol: 'http' }, config).then(
      (session) => session?.user?.name ?? null,
      (error) => messagesOf(error),
    )
  const salt = 'auth.session-token'
  const token = await encode({ token: { sub: '1', name: 'ann' }, secret, salt })
  const sessions = [await read(salt + '=' + token), await read('authjs.session-token=${legacy}'), await read('')]

  const server = express().use('/auth', ServerAuth(config)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = 'http://127.0.0.1:' + server.address().port
  const csrf = await fetch(origin + '/auth/csrf')
  const body = new URLSearchParams(await csrf.json())
  const headers = { cookie: csrf.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ') }
  const { status, headers: answered } = await fetch(origin + '/auth/signin/own', { method: 'POST', redirect: 'manual', headers, body })
  const location = new URL(answered.get('location'), origin)
  console.log(JSON.stringify({ sessions, signIn: [status, location.pathname, location.searchParams.get('error')], logged }))
  process.exit()
`

describe('where jose cannot be loaded', function () {
  this.timeout(60_000)
  this.slow(5_000)

  it('sessions are read, and code that needs it throws an error instead of reporting a visitor', async () => {
    const key = await legacySessionKey(secret, 'authjs.session-token', 'A256GCM')
    const claims = { sub: '2', name: 'bob', exp: Math.floor(Date.now() / 1000) + 600 }
    const legacy = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(key.bytes)
    const forbid = ['--import', './test/support/forbid-packages.mjs']
    const run = async (forbidden: string) => {
      const args = [...forbid, '--input-type=module', '--eval', incomplete(legacy)]
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        cwd: root,
        env: { ...process.env, FORBIDDEN: forbidden, NODE_ENV: 'test' },
      })
      return JSON.parse(stdout)
    }
    const whole = await run('none')
    expect(whole.sessions).to.deep.equal(['ann', 'bob', null])
    expect(whole.signIn).to.deep.equal([303, '/authorize', null])

    const { sessions, signIn, logged } = await run('jose')
    const [own, taken, none] = sessions
    expect([own, none]).to.deep.equal(['ann', null])
    expect(taken.join('\n')).to.match(/The package jose could not be loaded/)
    expect(signIn).to.deep.equal([303, '/auth/error', 'Configuration'])
    expect(logged.join('\n')).to.match(/Sign-in with OAuth could not be loaded.*\n.*forbidden: jose/)
  })
})

/** Returns the package of a script. Returns `undefined` for our scripts, and for Node's. */
function packageOf(script: string): string | undefined {
  return script.replaceAll('\\', '/').match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]
}
