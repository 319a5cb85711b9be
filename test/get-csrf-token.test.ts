/** `getCsrfToken(req, config)`: forms that a server renders work without a script. */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import { defineAuth, getCsrfToken, type ServerAuthConfig, skipCSRFCheck } from '../lib/index.js'
import { credentials, secret, setCookies, startApp, type TestApp, target } from './support/app.js'

describe('getCsrfToken(req, config)', () => {
  let app: TestApp
  afterEach(() => app?.close())

  async function start(config: Partial<ServerAuthConfig> = {}, trustProxy?: number) {
    app = await startApp(config, {
      ...(trustProxy !== undefined && { trustProxy }),
      after: (express, full) => {
        express.get('/login', (req, res) => {
          res.setHeader('set-cookie', 'mine=1')
          res.json([getCsrfToken(req, full), getCsrfToken(req, full)])
        })
        express.get('/late', (req, res) => {
          res.write('x')
          try {
            getCsrfToken(req, full)
            res.end('no error')
          } catch (error) {
            res.end(String(error))
          }
        })
      },
    })
    return app.browser()
  }

  it('gives a token that the form may send, with its cookie', async () => {
    const browser = await start()
    const { body } = await browser.get('/login')
    const end = await browser.post('/auth/callback/credentials', {
      csrfToken: body[0],
      username: 'ann',
      password: 'right',
    })
    expect(target(end)).to.equal(`${app.origin}/`)
  })

  it('gives one token to all forms of a page, and keeps cookies that are there', async () => {
    const response = await (await start()).get('/login')
    expect(response.body[0])
      .to.match(/^[0-9a-f]{64}$/)
      .and.to.equal(response.body[1])
    expect(setCookies(response).map((cookie) => cookie.split('=')[0])).to.deep.equal(['mine', 'auth.csrf-token'])
    expect(response.headers['cache-control']).to.equal('private, no-store')
    expect(response.headers.vary).to.contain('Cookie')
  })

  it('gives the token that the visitor has, and sets no cookie then', async () => {
    const browser = await start()
    const known = await browser.csrf()
    const response = await browser.get('/login')
    expect(response.body[0]).to.equal(known)
    expect(setCookies(response)).to.deep.equal(['mine=1'])
    // A token in a shared cache would be sent to every client.
    expect(response.headers['cache-control']).to.equal('private, no-store')
    expect(response.headers.vary).to.contain('Cookie')
  })

  it('replaces a forged token', async () => {
    const browser = await start()
    const forged = 'a'.repeat(64)
    browser.cookies.set('auth.csrf-token', `${forged}%7C${'b'.repeat(64)}`)
    expect((await browser.get('/login')).body[0]).to.not.equal(forged)
  })

  it('uses the prefixed name on https', async () => {
    const browser = await start({}, 1)
    const response = await browser.get('/login', { 'x-forwarded-proto': 'https' })
    expect(setCookies(response)[1]).to.match(/^__Host-auth\.csrf-token=.*; Secure/)
  })

  it('is empty where the check is off', async () => {
    const response = await (await start({ skipCSRFCheck })).get('/login')
    expect(response.body).to.deep.equal(['', ''])
    expect(setCookies(response)).to.deep.equal(['mine=1'])
  })

  it('says so when it is too late for a cookie', async () => {
    expect((await (await start()).get('/late')).text).to.match(/before the response begins/)
  })

  it('says so for a request without a response, and without headers', () => {
    const auth = defineAuth({ secret, providers: [credentials()] })
    expect(() => auth.getCsrfToken(new IncomingMessage(new Socket()))).to.throw(TypeError, /call it before/)
    expect(() => auth.getCsrfToken(undefined as never)).to.throw(TypeError, /first argument/)
  })
})
