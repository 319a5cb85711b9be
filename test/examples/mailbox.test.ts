/** The mailbox of the example: what it keeps, and that it shows mails without giving them any power. */
import { expect } from 'chai'
import { createTransport } from 'nodemailer'
import request from 'supertest'
import { type RunningExample, startExample } from './start-example.js'

describe('examples/express-app: the mailbox', () => {
  let example: RunningExample
  beforeEach(async () => {
    example = await startExample()
  })
  afterEach(() => example?.close())

  async function send(...mails: object[]): Promise<void> {
    const { hostname: host, port } = new URL(example.mailbox.settings.server)
    const transport = createTransport({ host, port: Number(port), pool: true, maxConnections: 1, maxMessages: 1000 })
    for (const mail of mails) await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', ...mail })
    transport.close()
  }
  const get = (path: string) => request(example.origin).get(path)

  it('is empty at first', async () => {
    expect((await get('/dev/mailbox').expect(200)).text).to.contain('No mail yet')
  })

  it('lists the newest first, and shows it; another one when asked', async () => {
    await send({ subject: 'First', text: 'Hello one' })
    await send({ subject: 'Second', text: 'Hello two', html: '<p>two</p>' })
    const { text } = await get('/dev/mailbox').expect(200)
    expect(text.indexOf('Second')).to.be.lessThan(text.indexOf('First'))
    expect(text).to.contain('Hello two').and.contain('<iframe').and.not.contain('Hello one')
    const other = (await get('/dev/mailbox?mail=1').expect(200)).text
    expect(other).to.contain('Hello one').and.not.contain('Hello two').and.not.contain('<iframe')
  })

  it('keeps the last 50', async () => {
    await send(...Array.from({ length: 52 }, (_, index) => ({ subject: `Number ${index + 1}.`, text: 'x' })))
    const { text } = await get('/dev/mailbox').expect(200)
    expect(text.match(/<li>/g)).to.have.length(50)
    expect(text).to.contain('Number 52.').and.contain('Number 3.').and.not.contain('Number 2.')
  })

  it('takes nothing that is too long', async () => {
    const outcome = await send({ text: 'x'.repeat(1100 * 1024) }).then(
      () => 'sent',
      () => 'refused',
    )
    expect(outcome).to.equal('refused')
    expect(example.mailbox.mails()).to.deep.equal([])
  })

  it('shows markup of subject, addresses and text as text', async () => {
    const evil = '<img src=x onerror=alert(1)>'
    await send({ subject: evil, text: evil, to: `"${evil}" <b@example.com>` })
    expect((await get('/dev/mailbox').expect(200)).text).not.to.contain('<img')
  })

  it('gives the HTML of a mail no scripts, no forms and no origin, in the frame and out of it', async () => {
    await send({ subject: 'x', html: '<html><head><title>t</title></head><body><a href="/x">go</a><script>1</script>' })
    const { text } = await get('/dev/mailbox').expect(200)
    expect(text).to.contain('sandbox="allow-top-navigation-by-user-activation"')
    const mail = await get('/dev/mailbox/1/html').expect(200)
    const policy = mail.headers['content-security-policy']
    expect(policy).to.match(/^sandbox allow-top-navigation-by-user-activation; default-src 'none';/)
    expect(policy).not.to.contain('allow-scripts').and.not.contain('allow-same-origin').and.not.contain('script-src')
    expect(mail.text).to.contain('<head><base target="_top"><title>')
  })

  it('answers 404 for mails that are not there, and mails without HTML', async () => {
    await send({ subject: 'x', text: 'x' })
    for (const id of ['1', '2', '0', 'x', '__proto__']) await get(`/dev/mailbox/${id}/html`).expect(404)
    expect((await get('/dev/mailbox?mail=7').expect(200)).text).to.contain('<article')
  })
})
