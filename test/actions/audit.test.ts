/** The `failure` event: every failed attempt, with its reason and where it came from, and nothing that was typed. */
import { inspect } from 'node:util'
import { expect } from 'chai'
import type { FailureMessage, ServerAuthConfig } from '../../lib/index.js'
import { credentials, startApp, type TestApp } from '../support/app.js'

describe('events.failure', () => {
  let app: TestApp
  let told: FailureMessage[]
  beforeEach(() => {
    told = []
  })
  afterEach(() => app.close())

  const start = async (config: Partial<ServerAuthConfig> = {}, trustProxy?: number) => {
    const events = { failure: (message: FailureMessage) => void told.push(message) }
    app = await startApp({ events, ...config }, trustProxy === undefined ? {} : { trustProxy })
    const browser = app.browser()
    browser.headers['user-agent'] = 'Test/1.0'
    return browser
  }

  it('LG-07 tells a wrong password: type, route, provider, address and user agent', async () => {
    const browser = await start()
    await browser.signIn({ password: 'wr0ng-secret' })
    expect(told).to.have.length(1)
    const [{ error, ...message } = {} as FailureMessage] = told
    expect(message).to.deep.equal({
      type: 'CredentialsSignin',
      action: 'callback',
      provider: 'credentials',
      request: { ip: '127.0.0.1', userAgent: 'Test/1.0' },
    })
    expect(error).to.have.property('type', 'CredentialsSignin')
    expect(inspect(told, { depth: 10, showHidden: true }))
      .to.not.contain('wr0ng-secret')
      .and.not.contain("'ann'")
  })

  it('HH-07 tells the address that a trusted proxy names, and no other', async () => {
    const trusting = await start({}, 1)
    trusting.headers['x-forwarded-for'] = '203.0.113.7'
    await trusting.signIn({ password: 'wrong' })
    await app.close()
    const plain = await start()
    plain.headers['x-forwarded-for'] = '203.0.113.7'
    await plain.signIn({ password: 'wrong' })
    expect(told.map(({ request }) => request.ip)).to.deep.equal(['203.0.113.7', '127.0.0.1'])
  })

  it('LG-07 tells a missing CSRF token at each route', async () => {
    const browser = await start()
    for (const path of ['signin/credentials', 'callback/credentials', 'signout', 'session']) {
      await browser.post(`/auth/${path}`)
    }
    expect(told.map(({ type, action }) => [type, action])).to.deep.equal([
      ['MissingCSRF', 'signin'],
      ['MissingCSRF', 'callback'],
      ['MissingCSRF', 'signout'],
      ['MissingCSRF', 'session'],
    ])
  })

  it('tells a refusal of the `signIn` callback', async () => {
    await (await start({ callbacks: { signIn: () => false } })).signIn()
    expect(told.map(({ type }) => type)).to.deep.equal(['AccessDenied'])
  })

  it('tells no success, and no wrong address', async () => {
    const browser = await start()
    await browser.signIn()
    await browser.get('/auth/signin/nobody')
    await browser.get('/auth/callback/credentials')
    await browser.submit('/auth/signout')
    expect(told).to.deep.equal([])
  })

  it('caps what a client made up', async () => {
    const browser = await start()
    browser.headers['user-agent'] = 'x'.repeat(4000)
    await browser.signIn({ password: 'wrong' })
    expect(told[0]?.request.userAgent).to.have.length(512)
  })

  it('changes nothing when it throws', async () => {
    const browser = await start({
      providers: [credentials()],
      events: {
        failure: () => {
          throw new Error('the audit log is full')
        },
      },
    })
    const response = await browser.signIn({ password: 'wrong' })
    expect(response.headers.location).to.contain('/auth/signin?error=CredentialsSignin')
    expect(app.log.errors.map((error) => (error as { type?: string }).type)).to.deep.equal(['EventError'])
  })
})
