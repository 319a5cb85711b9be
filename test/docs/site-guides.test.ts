/** Guides about APIs, single-page applications and several sites: started as they say. Needs `npm run build`. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import express from 'express'
import request from 'supertest'
import { openIdProvider, type TestOpenIdProvider } from '../../lib/testing/index.js'
import { describeInBrowser } from '../support/browser.js'
import { Browser } from '../support/http-browser.js'
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.js'
import { skip } from '../support/skip.js'
import { compile, type RunningProgram, remove, start, unpack } from './guide-code.js'

const run = promisify(execFile)
const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const esbuild = fileURLToPath(new URL('../../node_modules/esbuild/bin/esbuild', import.meta.url))

describe('the guide to an API beside the site', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('guides/api.md')
  after(() => remove(folder))

  it('compiles, strictly', () => compile(folder))

  describe('with API keys', () => {
    let app: RunningProgram
    before(async () => {
      app = await start(folder, 'app.ts', { DATABASE_URL: `sqlite:${join(folder, 'keys.db')}` })
    })
    after(() => app?.close())

    it('answers pages by the cookie, and scripts by a key that the user creates and revokes', async () => {
      const browser = request.agent(app.origin)
      const { csrfToken } = (await browser.get('/auth/csrf')).body
      await browser.post('/keys').type('form').send({ name: 'deploy' }).expect(403)
      const form = { csrfToken, email: 'ann@example.com', password: 'demo' }
      await browser.post('/auth/callback/credentials').type('form').send(form).expect(303)
      const page = await browser.get('/api/notes').expect(200)
      const token = (await browser.get('/auth/csrf')).body.csrfToken
      await browser.post('/keys').type('form').send({ name: 'deploy' }).expect(403)
      const created = await browser.post('/keys').type('form').send({ csrfToken: token, name: 'deploy' }).expect(200)
      const [, key = ''] = /<code>(notes_[0-9A-Za-z]{61})<\/code>/.exec(created.text) ?? []
      expect(created.headers['cache-control']).to.equal('no-store')

      const script = () => request(app.origin).get('/api/notes').set('Authorization', `Bearer ${key}`)
      expect((await script().expect(200)).body).to.deep.equal(page.body)
      await request(app.origin).post('/api/notes').set('Authorization', `Bearer ${key}`).expect(403)
      await request(app.origin).get('/api/notes').set('Accept', 'application/json').expect(401)
      await request(app.origin)
        .get('/keys')
        .set('Accept', 'application/json')
        .set('Authorization', `Bearer ${key}`)
        .expect(401)

      const list = (await browser.get('/keys').expect(200)).text
      expect(list).to.match(/deploy \(notes:read\), used \d{4}-/)
      expect(list).to.not.include(key)
      const [, id = ''] = /name="id" value="([^"]+)"/.exec(list) ?? []
      await browser.post('/keys/revoke').type('form').send({ id, csrfToken: token }).expect(303)
      await script().expect(401)
    })

    it('the rule for secret scanners finds the keys', () => {
      const text = readFileSync(join(docs, 'guides/api.md'), 'utf8')
      const [, pattern = ''] = /regex = '''(.*)'''/.exec(text) ?? []
      expect(pattern).to.equal('\\bnotes_[0-9A-Za-z]{61}\\b')
    })
  })

  describe('with database sessions', () => {
    let app: RunningProgram
    before(async () => {
      app = await start(folder, 'database.ts', { DATABASE_URL: `sqlite:${join(folder, 'sessions.db')}` })
    })
    after(() => app?.close())

    it('answers the script that the guide prints', async function () {
      const [, script = ''] = /```sh\n(site=.*?)```/s.exec(readFileSync(join(docs, 'guides/api.md'), 'utf8')) ?? []
      const here = script.replace(/site=.*/, `site=${app.origin}`)
      const ran = await run('sh', ['-ec', here], { cwd: folder }).catch((error) => {
        if (/curl: (?:command )?not found/.test(error.stderr)) return skip(this, 'curl is not installed')
        throw error
      })
      expect(ran?.stdout).to.equal('{"owner":"ann@example.com","notes":["Buy milk."]}')
    })
  })

  describe('with the API of a provider', () => {
    let provider: TestOpenIdProvider
    let api: LoopbackServer
    let app: RunningProgram
    const seen = new Set<string | undefined>()
    before(async () => {
      // Tokens that are due at once: each call renews them.
      const ttl = { AccessToken: 1, Grant: 600, IdToken: 600, Interaction: 600, RefreshToken: 600, Session: 600 }
      provider = await openIdProvider({ configuration: { ttl } })
      api = await startLoopbackServer((req, res) => {
        seen.add(req.headers.authorization)
        res.setHeader('Content-Type', 'application/json').end('["Bob"]')
      })
      app = await start(folder, 'provider.ts', {
        AUTH_COMPANY_ISSUER: provider.settings.issuer,
        AUTH_COMPANY_ID: provider.settings.clientId,
        AUTH_COMPANY_SECRET: provider.settings.clientSecret,
        COMPANY_API: api.origin,
        DATABASE_URL: `sqlite:${join(folder, 'provider.db')}`,
      })
    })
    after(async () => {
      await Promise.all([app?.close(), api?.close(), provider?.close()])
    })

    it('calls it for who is signed in, with tokens that are renewed', async () => {
      const browser = request.agent(app.origin)
      const { csrfToken } = (await browser.get('/auth/csrf')).body
      const begun = await browser.post('/auth/signin/company').type('form').send({ csrfToken })
      const back = new URL(await provider.signIn(begun.headers.location ?? '', 'alice'))
      await browser.get(back.pathname + back.search).expect(302)
      await browser.get('/colleagues').expect(200, ['Bob'])
      await new Promise((resolve) => setTimeout(resolve, 1100))
      await browser.get('/colleagues').expect(200, ['Bob'])
      expect([...seen].every((header) => header?.startsWith('Bearer '))).to.equal(true)
      expect(seen.size).to.equal(2)
    })
  })
})

describe('the guide to tenants', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('guides/tenants.md')
  let app: RunningProgram
  before(async () => {
    app = await start(folder, 'app.ts')
  })
  after(async () => {
    await app?.close()
    remove(folder)
  })

  const browser = (host: string) => new Browser(app.origin, { headers: { host: `${host}:${app.port}` } })

  it('compiles, strictly', () => compile(folder))

  it('keeps tenants apart, and names them to the handlers', async () => {
    const ann = browser('acme.localhost')
    await ann.submit('/auth/callback/credentials', { email: 'ann@example.com', password: 'red' })
    expect((await ann.get('/')).text).to.equal('ann@example.com at acme')
    expect((await ann.get('/projects')).body).to.deep.equal({ tenant: 'acme', projects: [] })
    ann.headers.host = `beta.localhost:${app.port}`
    expect((await ann.get('/')).text).to.contain('Sign in')
    expect((await ann.get('/auth/signin')).text).to.contain('Sign in to Beta')
    await ann.submit('/auth/callback/credentials', { email: 'ann@example.com', password: 'red' })
    expect((await ann.get('/')).text).to.contain('Sign in')
  })

  it('leads from another origin to the first one, and has nothing for other hosts', async () => {
    const moved = await browser('login-acme.localhost').get('/auth/signin')
    expect(moved.headers.location).to.equal(`http://acme.localhost:${app.port}/auth/signin`)
    expect((await browser('gamma.localhost').get('/')).status).to.equal(404)
  })
})

describe('the guide to several sites', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('guides/several-sites.md')
  let app: RunningProgram
  before(async () => {
    app = await start(folder, 'app.ts')
  })
  after(async () => {
    await app?.close()
    remove(folder)
  })

  /** A request to a site. Each browser here has one host. */
  const get = (host: string, path: string, cookie = '') =>
    request(app.origin).get(path).set('Host', `${host}:${app.port}`).set('Cookie', cookie)

  async function signIn(host: string, password: string): Promise<string> {
    const csrf = await get(host, '/auth/csrf')
    const cookie = (csrf.get('Set-Cookie') ?? []).map((each) => each.split(';')[0]).join('; ')
    const response = await request(app.origin)
      .post('/auth/callback/credentials')
      .set('Host', `${host}:${app.port}`)
      .set('Cookie', cookie)
      .type('form')
      .send({ csrfToken: csrf.body.csrfToken, email: 'ann@example.com', password })
    const set = response.get('Set-Cookie')?.find((each) => each.startsWith('auth.session-token='))
    return set?.split(';')[0] ?? ''
  }

  it('compiles, strictly', () => compile(folder))

  it('keeps sites apart: sessions, passwords and names', async () => {
    const cookie = await signIn('red.localhost', 'red')
    expect((await get('red.localhost', '/', cookie).expect(200)).text).to.equal('ann@example.com at Red')
    expect((await get('blue.localhost', '/', cookie).expect(200)).text).to.contain('Sign in at Blue')
    expect(await signIn('blue.localhost', 'red')).to.equal('')
    expect((await get('blue.localhost', '/auth/signin')).text).to.contain('Sign in to Blue')
  })

  it('has nothing for hosts that it does not know', async () => {
    await get('green.localhost', '/').expect(404)
    await get('green.localhost', '/auth/signin').expect(404)
  })
})

describeInBrowser('the guide to single-page applications, on two origins', (open) => {
  const folder = unpack('guides/spa.md')
  let api: RunningProgram
  let pages: LoopbackServer
  before(async () => {
    let listener: RequestListener = () => undefined
    pages = await startLoopbackServer((req, res) => listener(req, res), { host: 'localhost' })
    listener = express().use(express.static(join(folder, 'pages')))
    api = await start(folder, 'api.ts', { PAGE_ORIGIN: pages.origin })
    const file = join(folder, 'web/app.ts')
    writeFileSync(file, readFileSync(file, 'utf8').replace('http://localhost:3000', api.origin))
    await run(esbuild, ['web/app.ts', '--bundle', '--format=esm', '--outdir=pages'], { cwd: folder })
  })
  after(async () => {
    await Promise.all([api?.close(), pages?.close()])
    remove(folder)
  })

  it('signs in at the API, returns, changes something, and signs out', async () => {
    const { page, problems } = await open()
    await page.goto(`${pages.origin}/?list=today`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('User name').fill('ann')
    expect(new URL(page.url()).origin).to.equal(api.origin)
    await page.getByLabel('Password', { exact: true }).fill('demo')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Hello ann. You have 1 notes.').waitFor()
    expect(page.url()).to.equal(`${pages.origin}/?list=today`)
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('You have 2 notes.').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(page.url()).to.equal(`${pages.origin}/?list=today`)
    expect(problems).to.deep.equal([])
  })
})

describeInBrowser('the guide to single-page applications', (open) => {
  const folder = unpack('guides/spa.md')
  let app: RunningProgram
  before(async () => {
    await run(esbuild, ['web/main.ts', '--bundle', '--format=esm', '--outdir=public'], { cwd: folder })
    app = await start(folder, 'server.ts')
  })
  after(async () => {
    await app?.close()
    remove(folder)
  })

  it('compiles, strictly', () => compile(folder))

  it('signs in, shows what is theirs on any path, and signs out', async () => {
    const { page, problems } = await open()
    await page.goto(`${app.origin}/notes/today`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill('demo')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Hello ann. You have 2 notes.').waitFor()
    expect(new URL(page.url()).pathname).to.equal('/notes/today')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect((await fetch(`${app.origin}/api/notes`)).status).to.equal(401)
    expect(problems).to.deep.equal([])
  })
})
