/** The guide to user management: started as it says, and used over HTTP. Needs `npm run build`. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { ParsedMail } from 'mailparser'
import { connect, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { readAudit } from '../../lib/audit/index.js'
import { totpCodeAt, totpStepAt } from '../../lib/features/factors/totp-factor.js'
import { fieldIn, keyIn, plain } from '../factors/stage.js'
import { type Answer, Browser } from '../support/http-browser.js'
import { formIn, type MailServer, startMailServer } from '../support/mail-server.js'
import { compile, type RunningProgram, remove, start, unpack } from './guide-code.js'

const run = promisify(execFile)
const password = 'four words in a row'

/** The path of the link to choose a password; `undefined` in a mail without one. */
function passwordLink({ text }: Pick<ParsedMail, 'text'>): string | undefined {
  const [link] = text?.match(/https?:\/\/\S+\/password\/reset\S+/) ?? []
  if (link === undefined) return undefined
  const { pathname, search } = new URL(link)
  return pathname + search
}

describe('the guide to user management', function () {
  this.timeout(90_000)
  this.slow(20_000)
  const folder = unpack('guides/admin.md')
  const url = `sqlite:${join(folder, 'app.db')}`
  const db = connect(url)
  const adapter = sqlAdapter(db)
  let app: RunningProgram
  let mails: MailServer
  let admin: Browser
  let adminId: string

  before(async () => {
    mails = await startMailServer()
    const env = { ...process.env, NODE_OPTIONS: '', SMTP_URL: mails.url, DATABASE_URL: url }
    const secret = 'a-secret-for-tests-of-32-characters'
    const script = ['--import', 'tsx', 'create-administrator.ts', 'boss@example.com']
    const { stdout } = await run(process.execPath, script, {
      cwd: folder,
      env: { ...env, AUTH_SECRET: secret, AUTH_URL: 'http://localhost:3000/auth' },
      timeout: 30_000,
    })
    adminId = /^ADMIN_IDS=(\S+)$/m.exec(stdout)?.[1] ?? ''
    app = await start(folder, 'app.ts', { SMTP_URL: mails.url, DATABASE_URL: url, ADMIN_IDS: adminId })
    admin = await choosePassword('boss@example.com')
  })
  after(async () => {
    await app?.close()
    await mails?.stop()
    await db.destroy()
    remove(folder)
  })

  /** Returns the link of the next mail to the address that has one. Others get notices. */
  async function nextLink(address: string): Promise<string> {
    for (;;) {
      const { parsed } = await mails.next()
      const link = passwordLink(parsed)
      if (link !== undefined && JSON.stringify(parsed.to).includes(address)) return link
    }
  }

  /** Opens the emailed link in a new browser, and chooses a password. */
  async function choosePassword(address: string): Promise<Browser> {
    const browser = new Browser(app.origin)
    const link = await nextLink(address)
    const page = await browser.follow(await browser.get(link))
    const { action, fields } = formIn(page.text, '/auth/')
    await browser.post(action, { ...fields, password })
    return browser
  }

  /** Adds an authenticator app on the page of the library. */
  async function addApp(browser: Browser): Promise<void> {
    const page = await browser.get('/auth/two-factor/totp?setup')
    const code = totpCodeAt(keyIn(page.text), totpStepAt(Date.now()))
    const fields = { csrfToken: true, intent: 'setup', setup: fieldIn(page.text, 'setup'), code, name: 'Phone' }
    const added = await browser.ask('/auth/two-factor/totp', { form: fields })
    expect(added.status, added.text).to.be.oneOf([200, 303])
  }

  /** Sends a form of an admin page. */
  async function submit(path: string, fields: object): Promise<Answer> {
    const csrfToken = fieldIn((await admin.get(path)).text, 'csrfToken')
    return admin.post(path, { csrfToken, ...fields })
  }

  const pathOf = async (email: string) => `/admin/${(await adapter.getUserByEmail(email))?.id}`

  it('compiles, strictly', () => compile(folder))

  it('asks the administrator for a second factor, and rejects others', async () => {
    expect(adminId).to.not.equal('')
    const first = await admin.get('/admin', { accept: 'text/html' })
    expect(first.headers.location).to.match(/\/auth\/two-factor\?/)
    await addApp(admin)
    expect((await admin.get('/admin')).text).to.contain('boss@example.com')
    const visitor = new Browser(app.origin)
    expect((await visitor.get('/admin', { accept: 'application/json' })).status).to.equal(401)
  })

  it('invites a user, who is no administrator', async () => {
    const invited = await submit('/admin', { email: 'Bob@Example.com' })
    expect(invited.status, invited.text).to.equal(303)
    const bob = await choosePassword('bob@example.com')
    expect(await bob.session()).to.have.nested.property('user.email', 'bob@example.com')
    for (const path of ['/admin', await pathOf('bob@example.com')])
      expect((await bob.get(path, { accept: 'application/json' })).status).to.equal(403)
    expect((await submit('/admin', { email: 'bob@example.com' })).text).to.equal('This email is taken.')
    expect((await submit('/admin', { email: 'bob' })).text).to.equal('This is no email address.')
    const path = await pathOf('bob@example.com')
    expect((await admin.get(path)).text)
      .to.contain('Verified email, enabled')
      .and.contain('<li>Unknown device</li>')

    expect((await admin.post(path, { action: 'disable' })).status, 'without a CSRF token').to.equal(403)
    expect((await submit(path, { action: 'constructor' })).status).to.equal(400)
    expect((await submit(path, { action: 'disable' })).status).to.equal(303)
    expect(await bob.session()).to.equal(null)
    expect((await admin.get('/admin')).text).to.contain('bob@example.com</a> (disabled)')
    for (const action of ['enable', 'endSessions', 'resetFactors'])
      expect((await submit(path, { action })).status, action).to.equal(303)
    expect((await submit(path, { action: 'sendPasswordLink' })).status).to.equal(303)
    expect(await nextLink('bob@example.com')).to.contain('token=')
    const { actor } = (await readAudit(db, { type: 'userDisabled' }))[0] ?? {}
    expect(actor).to.equal(adminId)
  })

  it('changes a user, escapes what users write, and tells the old address', async () => {
    mails.reset()
    const path = await pathOf('bob@example.com')
    const name = `<script>alert("1")</script>`
    expect((await submit(path, { action: 'update', name, email: 'robert@example.com' })).status).to.equal(303)
    const page = (await admin.get(path)).text
    expect(page).to.contain('Unverified email').and.not.contain('<script')
    expect(plain(fieldIn(page, 'name'))).to.equal(name)
    expect((await mails.next()).parsed.to).to.have.nested.property('value[0].address', 'bob@example.com')
    const taken = await submit(path, { action: 'update', name, email: 'boss@example.com' })
    expect([taken.status, taken.text]).to.deep.equal([422, 'Nothing was changed: taken'])
  })

  it('searches, and shows the next page', async () => {
    for (let count = 100; count < 160; count += 1) {
      const email = `page${count}@example.com`
      await adapter.createUser({ id: '', email, emailVerified: null, name: null })
    }
    const first = (await admin.get('/admin?search=PAGE')).text
    expect(first.match(/page\d+@/g)).to.have.length(50)
    const next = plain(/<a href="([^"]+)">Next page/.exec(first)?.[1] ?? '')
    expect(next).to.contain('search=PAGE').and.not.contain('example')
    const second = (await admin.get(next)).text
    expect(second.match(/page\d+@/g)).to.have.length(10)
    expect(second).to.not.contain('Next page')
    expect((await admin.get('/admin?cursor=nonsense')).status).to.equal(400)
    expect((await admin.get(next.replace('PAGE', 'other'))).status).to.equal(400)
    expect((await admin.get('/admin/nobody')).status).to.equal(404)
  })
})
