/** The guide to support: started as it says, and used over HTTP. Needs `npm run build`. */
import { join } from 'node:path'
import { expect } from 'chai'
import { connect, migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { readAudit } from '../../lib/audit/index.js'
import { totpCodeAt, totpStepAt } from '../../lib/features/factors/totp-factor.js'
import { fieldIn, keyIn } from '../factors/stage.js'
import { type Answer, Browser } from '../support/http-browser.js'
import { compile, type RunningProgram, remove, start, unpack } from './guide-code.js'

const json = { accept: 'application/json' }

describe('the guide to support', function () {
  this.timeout(90_000)
  this.slow(20_000)
  const folder = unpack('guides/support.md')
  const url = `sqlite:${join(folder, 'app.db')}`
  const db = connect(url)
  const adapter = sqlAdapter(db)
  let app: RunningProgram
  let desk: Browser
  const ids = { ann: '', desk: '' }

  before(async () => {
    await migrate(db)
    for (const name of ['ann', 'desk'] as const) {
      const user = { id: '', email: `${name}@example.com`, emailVerified: new Date(), name }
      ids[name] = (await adapter.createUser(user)).id
    }
    app = await start(folder, 'app.ts', { DATABASE_URL: url, STAFF_IDS: ids.desk })
    desk = await signIn('desk@example.com')
  })
  after(async () => {
    await app?.close()
    await db.destroy()
    remove(folder)
  })

  /** Signs in by the email link that the program prints. */
  async function signIn(email: string): Promise<Browser> {
    const browser = new Browser(app.origin)
    const before = app.log().length
    await browser.ask('/auth/signin/email', { form: { csrfToken: true, email } })
    const link = await printedLink(before)
    await browser.get(link)
    expect(await browser.session()).to.have.nested.property('user.email', email)
    return browser
  }

  async function printedLink(from: number): Promise<string> {
    for (let tries = 0; tries < 200; tries += 1) {
      const [link] =
        app
          .log()
          .slice(from)
          .match(/https?:\/\/\S+\/callback\/email\S+/) ?? []
      if (link !== undefined) return link
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`no link was printed: ${app.log()}`)
  }

  /** Sends a form of the page. */
  async function submit(page: string, path: string, fields: object = {}): Promise<Answer> {
    const csrfToken = fieldIn((await desk.get(page)).text, 'csrfToken')
    return desk.post(path, { csrfToken, ...fields })
  }

  it('compiles, strictly', () => compile(folder))

  it('asks the staff for two factors, and rejects others', async () => {
    const ann = await signIn('ann@example.com')
    expect((await ann.get('/support', json)).status).to.equal(403)
    expect((await desk.get('/support', { accept: 'text/html' })).headers.location).to.match(/\/auth\/two-factor\?/)
    const page = await desk.get('/auth/two-factor/totp?setup')
    const code = totpCodeAt(keyIn(page.text), totpStepAt(Date.now()))
    const fields = { csrfToken: true, intent: 'setup', setup: fieldIn(page.text, 'setup'), code, name: 'Phone' }
    await desk.ask('/auth/two-factor/totp', { form: fields })
    expect((await desk.get('/support')).text).to.contain('<h1>Support</h1>')
  })

  it('opens the account of a user with a banner, and comes back', async () => {
    const refused = await submit('/support', '/support', { userId: ids.desk, reason: 'ticket 7' })
    expect([refused.status, refused.text]).to.deep.equal([422, 'Not opened: refused'])
    const opened = await submit('/support', '/support', { userId: ids.ann, reason: '<b>ticket</b> 7' })
    expect([opened.status, opened.headers.location]).to.deep.equal([303, '/'])
    const page = (await desk.get('/')).text
    expect(page).to.contain('Orders of ann@example.com').and.contain('&#60;b&#62;ticket').and.not.contain('<b>')
    const csrfToken = fieldIn(page, 'csrfToken')
    const order = await desk.ask('/orders', { form: { csrfToken }, headers: json })
    expect([order.status, order.body.error]).to.deep.equal([403, 'ImpersonatedSession'])
    const form = await desk.ask('/orders', { form: { csrfToken }, headers: { accept: 'text/html' } })
    expect([form.status, form.text.includes('Not allowed in this session')]).to.deep.equal([403, true])
    const back = await desk.post('/support/end', { csrfToken })
    expect([back.status, back.headers.location]).to.deep.equal([303, '/support'])
    expect((await desk.get('/')).text)
      .to.contain('Orders of desk@example.com')
      .and.not.contain('Reason:')
  })

  it('records who did it, and why', async () => {
    for (const type of ['impersonationBegan', 'impersonationEnded'] as const) {
      const [row] = await readAudit(db, { type })
      expect(row).to.include({ userId: ids.ann, actor: ids.desk })
      expect(JSON.stringify(row?.detail)).to.contain('ticket')
    }
    const [signedOut] = await readAudit(db, { type: 'signOut' })
    expect(signedOut).to.include({ userId: ids.ann, actor: ids.desk })
  })
})
