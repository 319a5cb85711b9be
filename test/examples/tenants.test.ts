/** The example of tenants, behind the nginx of its README. Needs `npm run build`. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { freePorts } from '../support/free-ports.js'
import { Browser } from '../support/http-browser.js'
import { missingNginx } from '../support/nginx.js'
import { type OwnProcess, startProcess } from '../support/own-process.js'
import { skip } from '../support/skip.js'

const example = fileURLToPath(new URL('../../examples/tenants/', import.meta.url))

describe('examples/tenants', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const started: OwnProcess[] = []
  let proxy = 0
  let customersFile = ''

  before(async function () {
    const missing = missingNginx()
    if (missing !== undefined) return skip(this, missing)
    const [port = 0, own = 0] = await freePorts(2)
    proxy = own
    const folder = mkdtempSync(join(tmpdir(), 'server-auth-tenants-'))
    const place = (text: string) =>
      text.replaceAll('8080', String(proxy)).replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    const copy = (name: string, change = place) => {
      const path = join(folder, name)
      writeFileSync(path, change(readFileSync(join(example, name), 'utf8')))
      return path
    }
    customersFile = copy('customers.json')
    copy('nginx.conf')
    copy('main.conf', (text) => (process.getuid?.() === 0 ? 'user root;\n' : '') + text)
    const { AUTH_URL: _site, ...others } = process.env
    const env = {
      ...(others as Record<string, string>),
      ...{ PORT: String(port), CUSTOMERS: customersFile, TTL: '1', NODE_OPTIONS: '', NODE_ENV: 'production' },
      AUTH_SECRET: 'a-secret-for-tests-of-32-characters',
    }
    const home = mkdtempSync(join(tmpdir(), 'server-auth-tenants-app-'))
    cpSync(customersFile, join(home, 'customers.json'))
    started.push(await startProcess({ command: [process.execPath, join(example, 'app.js')], port, folder: home, env }))
    const command = ['/usr/sbin/nginx', '-p', folder, '-c', 'main.conf', '-e', 'stderr'] as const
    started.push(await startProcess({ command, port: proxy, folder }))
  })
  after(() => Promise.all(started.map((each) => each.close())))

  const visit = (host: string, headers: Readonly<Record<string, string>> = {}) =>
    new Browser(`http://127.0.0.1:${proxy}`, { headers: { host: `${host}:${proxy}`, ...headers } })
  const signIn = async (host: string, password: string) => {
    const browser = visit(host)
    await browser.submit('/auth/callback/credentials', { email: 'ann@example.com', password })
    return browser
  }

  it('serves subdomains and a domain of a customer, and keeps them apart', async () => {
    for (const [host, tenant, password] of [
      ['acme.localhost', 'acme', 'red'],
      ['beta.localhost', 'beta', 'blue'],
      ['shop-of-ann.localhost', 'shop', 'green'],
    ] as const) {
      const browser = await signIn(host, password)
      expect((await browser.get('/')).body).to.deep.equal({ tenant, user: 'ann@example.com' })
      for (const other of ['acme.localhost', 'beta.localhost', 'shop-of-ann.localhost']) {
        if (other === host) continue
        browser.headers.host = `${other}:${proxy}`
        expect((await browser.get('/', { accept: 'application/json' })).status, `${host} at ${other}`).to.equal(401)
      }
      expect((await (await signIn(host, 'wrong')).get('/', { accept: 'application/json' })).status).to.equal(401)
    }
  })

  it('leads from the other origin to the first one, and answers other hosts with 404', async () => {
    const moved = await visit('login.acme.localhost').get('/auth/signin')
    expect([moved.status, moved.headers.location]).to.deep.equal([307, `http://acme.localhost:${proxy}/auth/signin`])
    for (const host of ['gamma.localhost', 'acme.localhost.evil.test', '127.0.0.1']) {
      expect((await visit(host).get('/auth/signin')).status, host).to.equal(404)
    }
  })

  it('takes the host from nginx, and not from headers of the client', async () => {
    const browser = visit('acme.localhost', {
      'x-forwarded-host': `beta.localhost:${proxy}`,
      forwarded: 'host=beta.localhost',
    })
    expect((await browser.get('/auth/signin')).text)
      .to.include('Acme')
      .and.not.include('Beta')
  })

  it('sees a new customer, a changed one, and a removed one', async () => {
    const before = readFileSync(customersFile, 'utf8')
    const customers = JSON.parse(before)
    const gamma = { id: 'gamma', name: 'Gamma', origins: [`http://gamma.localhost:${proxy}`], password: 'x' }
    writeFileSync(
      customersFile,
      JSON.stringify([{ ...customers[0], name: 'Acme & Sons' }, ...customers.slice(2), gamma]),
    )
    const until = async (host: string, isThere: (text: string, status: number) => boolean) => {
      for (let tries = 0; tries < 100; tries += 1) {
        const { text, status } = await visit(host).get('/auth/signin')
        if (isThere(text, status)) return true
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      return false
    }
    expect(await until('gamma.localhost', (text) => text.includes('Gamma'))).to.equal(true)
    expect(await until('acme.localhost', (text) => text.includes('Acme &#38; Sons'))).to.equal(true)
    expect(await until('beta.localhost', (_text, status) => status === 404)).to.equal(true)
    writeFileSync(customersFile, before)
  })
})
