/** The example, as its reader meets it: over HTTP, started by its `main.ts`, and in a browser. Needs `npm run build`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import request from 'supertest'
import { describeInBrowser } from '../support/browser.js'
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'

const source = new URL('../../examples/express-app/src/', import.meta.url)

/** The example imports `server-auth` by its name: from `dist`. Loaded here, so that a missing build fails here only. */
async function loadExample() {
  if (!existsSync(new URL('../../dist/lib/index.js', import.meta.url))) throw new Error('run "npm run build" first')
  const { createApp } = await import('../../examples/express-app/src/app.js')
  const { createAuthConfig } = await import('../../examples/express-app/src/auth.js')
  const { demoPasswords } = await import('../../examples/express-app/src/users.js')
  return { createApp, createAuthConfig, demoPasswords }
}

interface Running extends LoopbackServer {
  readonly provider: OpenIdProvider
}

/** The example with the provider of the tests: the application on 127.0.0.1, the provider on localhost. */
async function startExample(options: { thirdOrigin?: boolean } = {}): Promise<Running> {
  const { createApp, createAuthConfig, demoPasswords } = await loadExample()
  const provider = await startOpenIdProvider(options)
  const config = createAuthConfig({ name: 'Demo provider', ...provider.settings() })
  // What these tests do wrong on purpose need not be read in their output.
  const logger = { error: () => undefined }
  const app = createApp({ ...config, logger, secret: 'a-secret-for-tests-of-at-least-32-chars' }, demoPasswords)
  const server = await startLoopbackServer(app)
  return {
    ...server,
    provider,
    close: async () => {
      await Promise.all([server.close(), provider.close()])
    },
  }
}

describe('examples/express-app', () => {
  let example: Running
  before(async () => {
    example = await startExample()
  })
  after(() => example?.close())

  const stranger = () => request(example.origin)

  /** A browser without scripts: keeps cookies. */
  function openBrowser() {
    const agent = request.agent(example.origin)
    /** Fetches the token first: a request takes its cookies from the agent when it is made, not when it is sent. */
    async function post(path: string, fields: Record<string, unknown>, type: 'form' | 'json' = 'form') {
      const { csrfToken } = (await agent.get('/auth/csrf').expect(200)).body
      return agent
        .post(path)
        .type(type)
        .send({ csrfToken, ...fields })
    }
    return {
      agent,
      post,
      async signIn(login: string, callbackUrl: string) {
        const start = await post('/auth/signin/oidc', { callbackUrl })
        expect(start.status, start.text).to.be.oneOf([302, 303])
        return agent.get(toPath(await example.provider.signInAs(start.headers.location ?? '', login)))
      },
      signInWithPassword: (username: string, password: string) =>
        post('/auth/callback/credentials', { callbackUrl: '/', username, password }),
    }
  }

  const toPath = (url: string) => {
    const { origin, pathname, search } = new URL(url, example.origin)
    expect(origin).to.equal(example.origin)
    return pathname + search
  }

  describe('for strangers', () => {
    it('shows the public page', async () => {
      const { text } = await stranger().get('/').expect(200)
      expect(text).to.contain('Nobody is signed in').and.contain('href="/auth/signin?callbackUrl=%2F"')
    })

    it('asks for a sign-in on the guarded page and remembers where the person wanted to go', async () => {
      const { headers } = await stranger().get('/profile?tab=name&next=a%26b').expect(302)
      const to = new URL(headers.location ?? '', example.origin)
      expect(to.pathname).to.equal('/auth/signin')
      expect(to.searchParams.get('callbackUrl')).to.equal('/profile?tab=name&next=a%26b')
    })

    it('answers 401 as JSON on the guarded API', async () => {
      await stranger().get('/api/me').expect(401, { error: 'unauthorized' })
    })

    it('answers 404 elsewhere, without believing the path', async () => {
      const { text } = await stranger().get('/<script>').expect(404)
      expect(text).not.to.contain('<script>')
    })
  })

  describe('with the OpenID provider', () => {
    it('signs in, comes back to where the person wanted to go, and signs out', async () => {
      const { agent, signIn, post } = openBrowser()
      const callback = await signIn('alice', '/profile?tab=name&next=a%26b')
      expect(callback.status, callback.text).to.be.oneOf([302, 303])
      expect(toPath(callback.headers.location ?? '')).to.equal('/profile?tab=name&next=a%26b')

      const profile = await agent.get('/profile?tab=name').expect(200)
      expect(profile.text).to.contain('Alice Example').and.contain('Demo provider').and.contain('/profile?tab=name')
      expect(profile.headers['cache-control']).to.contain('no-store')
      const me = await agent.get('/api/me').expect(200)
      expect(me.body.user.id).to.match(/^[0-9a-f-]{36}$/)
      expect(me.body.user).to.include({ name: 'Alice Example', email: 'alice@example.com' })
      expect(me.body.signedInWith).to.equal('Demo provider')

      await post('/auth/signout', {})
      await agent.get('/api/me').expect(401)
    })
  })

  describe('with a password', () => {
    it('signs in with the right one', async () => {
      const { agent, signInWithPassword } = openBrowser()
      await signInWithPassword('Demo', 'demo')
      const me = await agent.get('/api/me').expect(200)
      expect(me.body.user).to.include({ id: 'user-1', name: 'Demo User', email: 'demo@example.com' })
      expect(me.body.signedInWith).to.equal('User name and password')
    })

    for (const [username, password] of [
      ['demo', 'wrong'],
      ['nobody', 'demo'],
      ['', ''],
      ['demo', 'x'.repeat(1000)],
    ] as const) {
      it(`refuses ${username.slice(0, 10)} / ${password.slice(0, 10)}`, async () => {
        const { agent, signInWithPassword } = openBrowser()
        const { headers } = await signInWithPassword(username, password)
        expect(headers.location).to.contain('error=CredentialsSignin')
        await agent.get('/api/me').expect(401)
      })
    }
  })

  describe('a change of the name', () => {
    const changes: ReadonlyArray<readonly [what: string, data: unknown, name: string]> = [
      ['takes a name', { name: ' Lady Lovelace ' }, 'Lady Lovelace'],
      ['takes nothing but the name', { name: 'Ada', sub: 'admin', user: { id: 'admin' }, signedInWith: 'x' }, 'Ada'],
      ['takes 80 characters', { name: 'x'.repeat(80) }, 'x'.repeat(80)],
      ['refuses 81 characters', { name: 'x'.repeat(81) }, 'Demo User'],
      ['refuses an empty name', { name: '  ' }, 'Demo User'],
      ['refuses what is not text', { name: { toString: 'x' } }, 'Demo User'],
      ['refuses what is not an object', 'x', 'Demo User'],
    ]
    for (const [what, data, name] of changes) {
      it(what, async () => {
        const { agent, post, signInWithPassword } = openBrowser()
        await signInWithPassword('demo', 'demo')
        const { status, body } = await post('/auth/session', { data }, 'json')
        expect(status).to.equal(200)
        const { body: me } = await agent.get('/api/me').expect(200)
        expect(body.user.name).to.equal(name)
        expect(me.user).to.include({ id: 'user-1', name, email: 'demo@example.com' })
        expect(me.signedInWith).to.equal('User name and password')
      })
    }

    it('shows markup as text', async () => {
      const { agent, post, signInWithPassword } = openBrowser()
      await signInWithPassword('demo', 'demo')
      await post('/auth/session', { data: { name: '<img src=x onerror=alert(1)>' } }, 'json')
      expect((await agent.get('/profile').expect(200)).text).not.to.contain('<img')
    })
  })
})

describe('examples/express-app/src/secret', () => {
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
    const { loadEnvironment, provideSecret } = await import('../../examples/express-app/src/secret.js')
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
    const { provideSecret } = await import('../../examples/express-app/src/secret.js')
    provideSecret(join(folder, '.env'))
    expect(statSync(join(folder, '.env')).mode & 0o777).to.equal(0o600)
  })
})

describe('examples/express-app/src/main', function () {
  this.timeout(20_000)
  this.slow(5_000)
  const started: ChildProcess[] = []
  afterEach(() => {
    for (const child of started.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
  })

  /** Nothing of the machine's environment, nor of an `.env` that lies in the example's folder. */
  const unset = { AUTH_URL: '', AUTH_OIDC_ISSUER: '', AUTH_OIDC_ID: '', AUTH_OIDC_SECRET: '', AUTH_OIDC_NAME: '' }
  const secret = 'a-secret-for-tests-of-at-least-32-chars'

  function start(environment: Record<string, string>, ...args: string[]) {
    const main = fileURLToPath(new URL('main.ts', source))
    const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), main, ...args], {
      env: { PATH: process.env.PATH, AUTH_SECRET: secret, HOST: '', NODE_ENV: '', ...unset, ...environment },
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
    expect(output()).not.to.match(/warn|notice/i)

    const app = request(`http://localhost:${PORT}`)
    expect((await app.get('/').expect(200)).text).to.contain('Nobody is signed in')
    expect((await app.get('/auth/signin').expect(200)).text).to.contain('Demo provider')
    child.kill('SIGTERM')
    expect(await ended).to.equal(0)
    expect(output()).to.contain('Stopped.')
  })

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

  for (const [PORT, args, words] of [
    ['http', [], 'PORT must be a number'],
    ['', ['--no-demo-provder'], 'Usage: npm start'],
  ] as const) {
    it(`explains a mistake: ${PORT}${args.join()}`, async () => {
      const { ended, output } = start({ PORT }, ...args)
      expect(await ended).to.equal(1)
      expect(output()).to.contain(words).and.not.contain('    at ')
    })
  }

  describe('--no-demo-provider', () => {
    it('names every variable that is missing', async () => {
      const { ended, output } = start({ AUTH_SECRET: '', AUTH_OIDC_ID: 'x' }, '--no-demo-provider')
      expect(await ended).to.equal(1)
      for (const name of ['AUTH_SECRET', 'AUTH_OIDC_ISSUER', 'AUTH_OIDC_SECRET']) expect(output()).to.contain(name)
      expect(output()).not.to.contain('AUTH_OIDC_ID').and.not.contain('    at ')
    })

    it('wants AUTH_URL too in production', async () => {
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

/** Walks over the login page of the embedded provider. */
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

/** Ports that were free a moment ago. */
async function freePorts(count: number): Promise<string[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => startLoopbackServer(() => {})))
  await Promise.all(servers.map((server) => server.close()))
  return servers.map(({ port }) => String(port))
}

describeInBrowser('examples/express-app', (open) => {
  let example: Running
  before(async () => {
    example = await startExample({ thirdOrigin: true })
  })
  after(() => example?.close())

  const text = (page: Page) => page.locator('main').textContent()
  /** Screenshots, for people: SCREENSHOTS=<folder> */
  const picture = async (page: Page, name: string) => {
    const { SCREENSHOTS } = process.env
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
  }

  it('signs in through a provider that redirects over a third origin, changes the name, signs out', async () => {
    const { page, problems } = await open()
    const visited: string[] = []
    page.on('request', (each) => void (each.isNavigationRequest() && visited.push(new URL(each.url()).origin)))

    await page.goto(example.origin)
    expect(await text(page)).to.contain('Nobody is signed in')
    await picture(page, '1-home')

    await page.getByRole('link', { name: /^Profile/ }).click()
    await page.waitForURL(/\/auth\/signin/)
    await picture(page, '2-sign-in')
    await page.getByRole('button', { name: /Demo provider/ }).click()

    await page.waitForURL(`${example.provider.issuer}/interaction/**`)
    expect(visited).to.include(example.provider.thirdOrigin)
    await picture(page, '3-provider')
    await page.getByLabel('Login').fill('alice')
    await page.getByRole('button', { name: 'Continue' }).click()

    await page.waitForURL(`${example.origin}/profile?tab=name`)
    expect(await text(page))
      .to.contain('Alice Example')
      .and.contain('alice@example.com')
      .and.contain('/profile?tab=name')
    await picture(page, '4-profile')

    await page.getByLabel('New name').fill('Alice in Chromium')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.reload()
    expect(await page.locator('#shown-name').textContent()).to.equal('Alice in Chromium')
    await picture(page, '5-saved')

    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.waitForURL(/\/auth\/signout/)
    await picture(page, '6-sign-out')
    await page.getByRole('button', { name: /sign out/i }).click()
    await page.waitForURL(`${example.origin}/`)
    expect(await text(page)).to.contain('Nobody is signed in')

    await page.goto(`${example.origin}/profile`)
    expect(new URL(page.url()).pathname).to.equal('/auth/signin')
    expect(problems).to.deep.equal([])
  })

  it('refuses a wrong password, takes the right one', async () => {
    const { page, problems } = await open({ colorScheme: 'dark' })
    await page.goto(`${example.origin}/profile?from=password`)
    await page.getByLabel('User name').fill('demo')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(/error=CredentialsSignin/)
    await picture(page, '7-refused')
    await page.getByRole('alert').waitFor()

    await page.getByLabel('User name').fill('demo')
    await page.getByLabel('Password', { exact: true }).fill('demo')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${example.origin}/profile?from=password`)
    expect(await text(page)).to.contain('Demo User')
    await picture(page, '8-profile-dark')
    await page.goto(example.origin)
    expect(await text(page)).to.contain('Hello, Demo User')
    await picture(page, '9-home-dark')
    expect(problems).to.deep.equal([])
  })

  it('comes back from a cancelled login with a message, and still knows where the person wanted to go', async () => {
    const { page, problems } = await open()
    await page.goto(`${example.origin}/profile?second=try`)
    await page.getByRole('button', { name: /Demo provider/ }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(/\/auth\/signin\?.*error=OAuthCallbackError/)
    await page.getByRole('alert').waitFor()
    await picture(page, '10-cancelled')

    await page.getByRole('button', { name: /Demo provider/ }).click()
    await page.getByLabel('Login').fill('bob')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${example.origin}/profile?second=try`)
    expect(problems).to.deep.equal([])
  })

  it('works without JavaScript', async () => {
    const { page } = await open({ javaScriptEnabled: false })
    await page.goto(`${example.origin}/profile?no=script`)
    await page.getByRole('button', { name: /Demo provider/ }).click()
    await page.getByLabel('Login').fill('bob')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${example.origin}/profile?no=script`)
    expect(await text(page)).to.contain('Bob Example')
  })
})
