/** Starting the example: by `npm start`, and its `main.ts` as one file, which starts in half the time. Needs `npm run build`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { SMTPServer } from 'smtp-server'
import request from 'supertest'
import { compileScript } from '../support/child-script.js'
import { databaseKinds, requireDatabase } from '../support/databases.js'
import { extent } from '../support/extent.js'
import { freePorts as findFreePorts } from '../support/free-ports.js'
import { startLoopbackServer } from '../support/loopback-server.js'
import { startOpenIdProvider } from '../support/openid-provider.js'

describe('examples/express-app/demo/secret', () => {
  const { AUTH_SECRET } = process.env
  const { log } = console
  let folder = ''
  let said: string[] = []
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'server-auth-example-'))
    delete process.env.AUTH_SECRET
    said = []
    console.log = (line: string) => void said.push(line)
  })
  afterEach(() => {
    console.log = log
    rmSync(folder, { recursive: true })
    if (AUTH_SECRET === undefined) delete process.env.AUTH_SECRET
    else process.env.AUTH_SECRET = AUTH_SECRET
  })

  it('makes a secret on the first start, says so, and uses it again on the next', async () => {
    const { loadEnvironment, provideSecret } = await import('../../examples/express-app/demo/secret.js')
    const file = join(folder, '.env')
    writeFileSync(file, 'SOMETHING=else')
    loadEnvironment(file)
    provideSecret(file)
    const text = readFileSync(file, 'utf8')
    expect(text).to.match(/^SOMETHING=else\nAUTH_SECRET=[\w-]{43}\n$/)
    expect(said.join()).to.contain('.env').and.not.contain(String(process.env.AUTH_SECRET))

    const { AUTH_SECRET: first } = process.env
    delete process.env.AUTH_SECRET
    loadEnvironment(file)
    provideSecret(file)
    expect(process.env.AUTH_SECRET).to.equal(first)
    expect(readFileSync(file, 'utf8')).to.equal(text)
    expect(said).to.have.lengthOf(1)
  })

  it('makes a new file readable by its owner only', async function () {
    if (process.platform === 'win32') this.skip()
    const { provideSecret } = await import('../../examples/express-app/demo/secret.js')
    provideSecret(join(folder, '.env'))
    expect(statSync(join(folder, '.env')).mode & 0o777).to.equal(0o600)
  })
})

describe('examples/express-app/demo/main', function () {
  this.slow(5_000)
  const started: ChildProcess[] = []
  let folder = ''
  let main = ''
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'server-auth-example-'))
    main = await compileScript('examples/express-app/demo/main.ts')
  })
  afterEach(() => {
    for (const child of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
  })
  after(() => rmSync(folder, { recursive: true }))

  /** An environment without the variables of the machine, and without an `.env` in the example's folder. */
  const unset = {
    AUTH_URL: '',
    AUTH_OIDC_ISSUER: '',
    AUTH_OIDC_ID: '',
    AUTH_OIDC_SECRET: '',
    AUTH_OIDC_NAME: '',
    SMTP_URL: '',
    MAIL_FROM: '',
  }
  const secret = 'a-secret-for-tests-of-at-least-32-chars'

  function start(environment: Record<string, string>, ...args: string[]) {
    return run(process.execPath, [main, ...args], environment)
  }

  function run(command: string, args: readonly string[], environment: Record<string, string>) {
    const child = spawn(command, args, {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      detached: command === 'npm',
      env: {
        PATH: process.env.PATH,
        AUTH_SECRET: secret,
        DATABASE_URL: `sqlite:${join(folder, 'app.db')}`,
        HOST: '',
        NODE_ENV: '',
        ...unset,
        ...environment,
      },
    })
    started.push(child)
    let output = ''
    const listeners = new Set<() => void>()
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        for (const listener of listeners) listener()
      })
    }
    const ended = new Promise<number | null>((resolve) => void child.once('close', resolve))
    const says = (words: string) =>
      Promise.race([
        new Promise<void>((resolve) => {
          const look = () => output.includes(words) && resolve()
          listeners.add(look)
          look()
        }),
        ended.then((code) => {
          if (!output.includes(words)) throw new Error(`ended with ${code}, without "${words}": ${output}`)
        }),
      ])
    return { child, ended, says, output: () => output }
  }

  it('starts, prints its URL and who can sign in, serves, and stops on SIGTERM', async () => {
    const [PORT = '', DEMO_PROVIDER_PORT = ''] = await freePorts(2)
    const { child, says, ended, output } = start({ PORT, DEMO_PROVIDER_PORT })
    await says('Ctrl+C')
    expect(output()).to.contain(`http://localhost:${PORT}`).and.contain(`http://127.0.0.1:${DEMO_PROVIDER_PORT}`)
    expect(output()).to.contain('Alice Liddell').and.contain('demo / demo').and.not.contain(secret)
    expect(output()).to.contain(`http://localhost:${PORT}/dev/mailbox`).and.contain(`sqlite:${folder}`)
    const warnings = output()
      .split('\n')
      .filter((line) => /warn|notice/i.test(line))
    expect(warnings.filter((line) => !line.includes('experimental-webauthn'))).to.deep.equal([])
    expect(output()).to.contain('with a passkey')

    const app = request(`http://localhost:${PORT}`)
    expect((await app.get('/').expect(200)).text).to.contain('Nobody is signed in')
    expect((await app.get('/auth/signin').expect(200)).text).to.contain('Demo provider')
    child.kill('SIGTERM')
    expect(await ended).to.equal(0)
    expect(output()).to.contain('Stopped.')
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends with npm start, whose process gets ${signal}: the ports are free again`, async function () {
      if (process.platform === 'win32') this.skip()
      const ports = await freePorts(2)
      const [PORT = '', DEMO_PROVIDER_PORT = ''] = ports
      const environment = { PORT, DEMO_PROVIDER_PORT, DATABASE_URL: `sqlite:${join(folder, `npm-${signal}.db`)}` }
      const npm = run('npm', ['start'], environment)
      await npm.says('Ctrl+C')
      // A terminal sends Ctrl-C to all of a group; a process manager ends the one that it started.
      process.kill((signal === 'SIGINT' ? -1 : 1) * Number(npm.child.pid), signal)
      await npm.ended
      for (const port of ports) await refusal(Number(port))
      expect(npm.output()).to.contain('Stopped.')
    })
  }

  it('signs in with the embedded provider', async () => {
    const [PORT = '', DEMO_PROVIDER_PORT = ''] = await freePorts(2)
    await start({ PORT, DEMO_PROVIDER_PORT }).says('Ctrl+C')
    const agent = request.agent(`http://localhost:${PORT}`)
    const { csrfToken } = (await agent.get('/auth/csrf').expect(200)).body
    const form = { csrfToken, callbackUrl: '/api/me' }
    const begin = await agent.post('/auth/signin/oidc').type('form').send(form)
    const callback = await choosePerson(begin.headers.location ?? '', 'bob')
    expect(callback.origin).to.equal(`http://localhost:${PORT}`)
    await agent.get(callback.pathname + callback.search).expect((response) => {
      expect(response.headers.location, response.text).to.match(/\/api\/me$/)
    })
    const { body } = await agent.get('/api/me').expect(200)
    expect(body.user).to.include({ name: 'Bob Builder', email: 'bob@example.com' })
  })

  for (const taken of ['PORT', 'DEMO_PROVIDER_PORT'] as const) {
    it(`says that ${taken} is in use, and ends`, async () => {
      const [free = ''] = await freePorts(1)
      const other = await startLoopbackServer((_request, response) => response.end())
      try {
        const ports = { PORT: free, DEMO_PROVIDER_PORT: free, [taken]: String(other.port) }
        const { ended, output } = start(ports)
        expect(await ended).to.equal(1)
        expect(output()).to.contain(`Port ${other.port} is in use`).and.contain(`${taken}=`).and.not.contain('    at ')
      } finally {
        await other.close()
      }
    })
  }

  it('keeps users and their sessions over a restart', async () => {
    const [PORT = '', DEMO_PROVIDER_PORT = ''] = await freePorts(2)
    const DATABASE_URL = `sqlite:${join(folder, 'restart.db')}`
    const first = start({ PORT, DEMO_PROVIDER_PORT, DATABASE_URL })
    await first.says('Ctrl+C')
    const agent = request.agent(`http://localhost:${PORT}`)
    const { csrfToken } = (await agent.get('/auth/csrf').expect(200)).body
    await agent.post('/auth/callback/credentials').type('form').send({ csrfToken, username: 'demo', password: 'demo' })
    const { body } = await agent.get('/api/me').expect(200)
    first.child.kill('SIGINT')
    expect(await first.ended).to.equal(0)
    await start({ PORT, DEMO_PROVIDER_PORT, DATABASE_URL }).says('Ctrl+C')
    await agent.get('/api/me').expect(200, body)
  })

  it('sends a requested mail before it stops', async () => {
    const [PORT = '', DEMO_PROVIDER_PORT = ''] = await freePorts(2)
    const mails: string[] = []
    const slow = await startSlowMailServer((mail) => void mails.push(mail))
    try {
      const environment = { SMTP_URL: slow.url, MAIL_FROM: 'hello@example.com' }
      const { child, ended, says, output } = start({ PORT, DEMO_PROVIDER_PORT, ...environment })
      await says('Ctrl+C')
      expect(output()).to.contain('an email link').and.not.contain('mailbox')
      const agent = request.agent(`http://localhost:${PORT}`)
      await agent.get('/dev/mailbox').expect(404)
      const { csrfToken } = (await agent.get('/auth/csrf').expect(200)).body
      const { headers } = await agent
        .post('/auth/signin/email')
        .type('form')
        .send({ csrfToken, email: 'a@example.com' })
      expect(headers.location).to.contain('/auth/verify-request')
      await slow.asked
      child.kill('SIGTERM')
      await refusal(Number(PORT))
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(output()).not.to.contain('Stopped.')
      slow.goOn()
      expect(await ended).to.equal(0)
      expect(mails).to.have.length(1)
    } finally {
      await slow.close()
    }
  })

  // The others run on SQLite.
  for (const kind of databaseKinds.filter((each) => each !== 'sqlite' || extent === 'all')) {
    it(`runs on ${kind} by DATABASE_URL`, async function () {
      const database = await requireDatabase(this, kind)
      try {
        const [PORT = '', DEMO_PROVIDER_PORT = ''] = await freePorts(2)
        const { child, ended, says } = start({ PORT, DEMO_PROVIDER_PORT, DATABASE_URL: database.url })
        await says('Ctrl+C')
        const agent = request.agent(`http://localhost:${PORT}`)
        const { csrfToken } = (await agent.get('/auth/csrf').expect(200)).body
        const form = { csrfToken, username: 'grace', password: 'grace' }
        await agent.post('/auth/callback/credentials').type('form').send(form)
        expect((await agent.get('/api/me').expect(200)).body.user.name).to.equal('Grace Hopper')
        child.kill('SIGTERM')
        expect(await ended).to.equal(0)
      } finally {
        await database.close()
      }
    })
  }

  const mistakes: ReadonlyArray<
    readonly [what: string, environment: Record<string, string>, words: string, ...args: string[]]
  > = [
    ['a port that is none', { PORT: 'http' }, 'PORT must be a number'],
    ['an unknown argument', {}, 'Usage: npm start', '--no-demo-provder'],
    [
      'a database that is away',
      { DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/x' },
      'postgres://127.0.0.1:1/x cannot',
    ],
    ['a database that is away', { DATABASE_URL: 'mysql://me:hidden@localhost:1/x' }, 'mysql://localhost:1/x cannot'],
    [
      'a file that cannot be',
      { DATABASE_URL: 'sqlite:/nowhere/at/all.db' },
      'sqlite:/nowhere/at/all.db cannot be used',
    ],
    ['an URL of no database', { DATABASE_URL: 'redis://me:hidden@localhost' }, 'DATABASE_URL: '],
    ['an URL of no mail server', { SMTP_URL: 'https://me:hidden@x.example' }, 'SMTP_URL must look like'],
    ['a mail server without a sender', { SMTP_URL: 'smtp://me:hidden@x.example' }, 'SMTP_URL needs MAIL_FROM'],
    ['production', { NODE_ENV: 'production', AUTH_URL: 'https://x.example' }, '--no-demo-provider'],
  ]
  for (const [what, environment, words, ...args] of mistakes) {
    it(`explains a mistake: ${what} ${Object.values(environment).join()}`, async () => {
      const [PORT = '', DEMO_PROVIDER_PORT = ''] = await freePorts(2)
      const { ended, output } = start({ PORT, DEMO_PROVIDER_PORT, ...environment }, ...args)
      expect(await ended).to.equal(1)
      expect(output()).to.contain(words).and.not.contain('    at ').and.not.contain('hidden')
    })
  }

  describe('--no-demo-provider', () => {
    it('names every variable that is missing', async () => {
      const { ended, output } = start({ AUTH_SECRET: '', AUTH_OIDC_ID: 'x' }, '--no-demo-provider')
      expect(await ended).to.equal(1)
      for (const name of ['AUTH_SECRET', 'AUTH_OIDC_ISSUER', 'AUTH_OIDC_SECRET']) expect(output()).to.contain(name)
      expect(output()).not.to.contain('AUTH_OIDC_ID').and.not.contain('    at ')
    })

    it('requires AUTH_URL too in production', async () => {
      const environment = { AUTH_OIDC_ISSUER: 'https://x.example', AUTH_OIDC_ID: 'x', AUTH_OIDC_SECRET: 'x' }
      const { ended, output } = start({ ...environment, NODE_ENV: 'production' }, '--no-demo-provider')
      expect(await ended).to.equal(1)
      expect(output()).to.contain('AUTH_URL').and.not.contain('AUTH_OIDC_')
    })

    it('signs in with the provider of the environment, and knows no demo users', async () => {
      const provider = await startOpenIdProvider()
      try {
        const { issuer, clientId, clientSecret = '' } = provider.settings()
        const [PORT = ''] = await freePorts(1)
        const { says, output } = start(
          {
            PORT,
            AUTH_OIDC_ISSUER: issuer,
            AUTH_OIDC_ID: clientId,
            AUTH_OIDC_SECRET: clientSecret,
            AUTH_OIDC_NAME: 'ACME',
          },
          '--no-demo-provider',
        )
        await says('Ctrl+C')
        expect(output()).to.contain(`http://localhost:${PORT}/auth/callback/oidc`).and.not.contain(clientSecret)
        const agent = request.agent(`http://localhost:${PORT}`)
        expect((await agent.get('/').expect(200)).text).not.to.contain('<code>demo</code>')
        await agent.get('/dev/mailbox').expect(404)
        const page = (await agent.get('/auth/signin').expect(200)).text
        expect(page).to.contain('ACME').and.not.contain('type="password"')
        const { csrfToken } = (await agent.get('/auth/csrf').expect(200)).body
        const begin = await agent.post('/auth/signin/oidc').type('form').send({ csrfToken, callbackUrl: '/' })
        const callback = new URL(await provider.signInAs(begin.headers.location ?? '', 'alice'))
        await agent.get(callback.pathname + callback.search)
        expect((await agent.get('/api/me').expect(200)).body.user.name).to.equal('Alice Example')
      } finally {
        await provider.close()
      }
    })
  })
})

/** Signs in on the login page of the embedded provider. */
async function choosePerson(authorizationUrl: string, person: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = authorizationUrl
  let body: URLSearchParams | undefined
  const { origin } = new URL(url)
  for (let step = 0; step < 10 && new URL(url).origin === origin; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    body = location === null ? new URLSearchParams({ person }) : undefined
    url = location === null ? url : new URL(location, url).href
  }
  return new URL(url)
}

/** Returns free ports as the environment has them. */
async function freePorts(count: number): Promise<string[]> {
  return (await findFreePorts(count)).map(String)
}

/** Waits until no process listens on a port. */
async function refusal(port: number): Promise<void> {
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, 'localhost', () => resolve(true)).on('error', () => resolve(false))
      socket.on('close', () => socket.destroy()).unref()
    })
  while (await isOpen()) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Starts a mail server that does not answer a client's mail before the test allows it. */
async function startSlowMailServer(onMail: (mail: string) => void) {
  let goOn = () => {}
  let ask = () => {}
  const going = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        ask()
        going.then(() => {
          onMail(Buffer.concat(chunks).toString('utf8'))
          callback()
        })
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    asked,
    goOn: () => goOn(),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
