/** `auth.csrf` on Express: the hidden input, and the guard that requires its token. */
import { connect } from 'node:net'
import { expect } from 'chai'
import express, { type Express, type RequestHandler } from 'express'
import { csrfField, requireCsrf, requireSession, type ServerAuthConfig, skipCSRFCheck } from '../lib/index.js'
import { type AppOptions, type Browser, startApp, type TestApp } from './support/app.js'
import { thrownBy } from './support/rejection.js'

const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const parsers: Readonly<Record<string, RequestHandler[]>> = {
  'no parser': [],
  'express.urlencoded': [express.urlencoded({ extended: false }), express.json()],
  'express.urlencoded, extended': [express.urlencoded({ extended: true }), express.json()],
}

describe('requireCsrf and csrfField', () => {
  const apps: TestApp[] = []
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())))

  async function start(before: readonly RequestHandler[] = [], config: Partial<ServerAuthConfig> = {}) {
    const ran: unknown[] = []
    const options: AppOptions = {
      after(app: Express, full) {
        app.get('/form', (req, res) => void res.send(csrfField(req, full)))
        app.get('/late', (req, res) => {
          res.write('x')
          res.end(String(thrownBy(() => csrfField(req, full))))
        })
        app.all('/save', ...before, requireCsrf(full), (req, res) => {
          ran.push(req.body)
          res.json({ saved: true })
        })
        app.post('/account', requireCsrf(full), requireSession(full), (_req, res) => void res.json({ account: true }))
      },
    }
    const app = await startApp(config, options)
    apps.push(app)
    return { app, ran, browser: app.browser() }
  }

  async function tokenOf(browser: Browser): Promise<string> {
    const { text } = await browser.get('/form')
    return /^<input type="hidden" name="csrfToken" value="([0-9a-f]{64})">$/.exec(text)?.[1] ?? ''
  }

  for (const [name, before] of Object.entries(parsers)) {
    it(`allows forms and JSON with the token, and their fields reach the route (${name})`, async () => {
      const { browser, ran } = await start(before)
      const csrfToken = await tokenOf(browser)
      const fields = { csrfToken, name: 'Ann & Ada' }
      expect((await browser.post('/save', fields)).body).to.deep.equal({ saved: true })
      const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) }
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expect((await browser.ask('/save', { ...json, method })).status, method).to.equal(200)
      expect(ran).to.have.length(5)
      for (const body of ran) expect({ ...Object(body) }).to.deep.equal(fields)
    })

    it(`CS-01 rejects requests without the token, and runs no handler (${name})`, async () => {
      const { app, browser, ran } = await start(before)
      const csrfToken = await tokenOf(browser)
      const stranger = app.browser()
      const other = await tokenOf(stranger)
      const answers = await Promise.all([
        browser.post('/save', { name: 'Ann' }),
        browser.post('/save', { csrfToken: '' }),
        browser.post('/save', { csrfToken: other }),
        app.browser().post('/save', { csrfToken }),
        browser.post('/save', { csrfToken }, { 'sec-fetch-site': 'cross-site' }),
        browser.post('/save', { csrfToken }, { origin: 'https://evil.example' }),
        browser.ask('/save', { headers: { 'content-type': 'multipart/form-data; boundary=a' }, body: '--a--' }),
        browser.ask('/save', { headers: { 'content-type': 'text/plain' }, body: `csrfToken=${csrfToken}` }),
        browser.send('post', '/save'),
        browser.send('put', '/save'),
        browser.send('delete', '/save'),
      ])
      for (const answer of answers) {
        expect(answer.status).to.equal(403)
        expect(answer.body).to.include({ error: 'MissingCSRF' })
        expect(answer.headers['cache-control']).to.equal('private, no-store')
      }
      expect(ran).to.deep.equal([])
    })
  }

  it('accepts the fields of a parser for uploads before it', async () => {
    let csrfToken = ''
    const upload: RequestHandler = (req, _res, next) => {
      req.body = { csrfToken, title: 'Photo' }
      next()
    }
    const { browser, ran } = await start([upload])
    csrfToken = await tokenOf(browser)
    const headers = { 'content-type': 'multipart/form-data; boundary=a' }
    expect((await browser.ask('/save', { headers, body: '--a--' })).status).to.equal(200)
    expect(ran).to.deep.equal([{ csrfToken, title: 'Photo' }])
  })

  it('allows methods that change nothing', async () => {
    const { browser } = await start()
    for (const method of ['get', 'head', 'options'] as const)
      expect((await browser.send(method, '/save')).status, method).to.equal(200)
  })

  it('shows a browser a page, with the way back to its form', async () => {
    const { app, browser } = await start()
    const headers = { accept: html, 'sec-fetch-mode': 'navigate', referer: `${app.origin}/form?a=1` }
    const answer = await browser.post('/save', { name: 'Ann' }, headers)
    expect(answer.status).to.equal(403)
    expect(answer.headers['content-type']).to.equal('text/html; charset=utf-8')
    expect(answer.headers['x-frame-options']).to.equal('DENY')
    expect(answer.text).to.include('This page was out of date').and.include('href="/form?a=1"')
  })

  it('answers malformed bodies with 400, 413 and 415', async () => {
    const { browser, ran } = await start()
    const send = (type: string, body: string) => browser.ask('/save', { headers: { 'content-type': type }, body })
    expect((await send('application/json', '{')).status).to.equal(400)
    expect((await send('application/x-www-form-urlencoded; charset=utf-7', 'a=1')).status).to.equal(415)
    const large = await send('application/x-www-form-urlencoded', `a=${'x'.repeat(101 * 1024)}`)
    expect(large.status).to.equal(413)
    expect(large.body).to.have.all.keys('error', 'message')
    expect(ran).to.deep.equal([])
  })

  it('answers an upload without an end before it ends', async () => {
    const { app } = await start()
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(app.origin).port), '127.0.0.1', () => {
        const head = 'POST /save HTTP/1.1\r\nhost: app.test\r\ncontent-type: application/x-www-form-urlencoded\r\n'
        socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
        const chunk = `${(16384).toString(16)}\r\n${'x'.repeat(16384)}\r\n`
        const timer = setInterval(() => socket.write(chunk), 2)
        socket.on('close', () => clearInterval(timer))
      })
      socket.once('data', (data) => {
        resolve(String(data))
        socket.destroy()
      })
      socket.on('error', reject)
    })
    expect(answer).to.match(/^HTTP\/1\.1 413 /)
  })

  it('does not accept the token from before a sign-in', async () => {
    const { browser } = await start()
    const before = await tokenOf(browser)
    expect((await browser.post('/account', { csrfToken: before })).status).to.equal(401)
    await browser.signIn()
    expect((await browser.post('/account', { csrfToken: before })).status).to.equal(403)
    expect((await browser.post('/account', { csrfToken: await tokenOf(browser) })).status).to.equal(200)
  })

  it('checks nothing with skipCSRFCheck', async () => {
    const { browser } = await start([], { skipCSRFCheck })
    expect((await browser.get('/form')).text).to.equal('<input type="hidden" name="csrfToken" value="">')
    expect((await browser.post('/save', {})).status).to.equal(200)
  })

  it('says that the field has to be made before the response begins', async () => {
    const { browser } = await start()
    expect((await browser.get('/late')).text).to.include('call it before the response begins')
  })
})
