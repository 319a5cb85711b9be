/** `GET csrf`, `GET providers`, `GET webauthn-options`. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import Passkey from '../../lib/providers/passkey.js'
import { credentials, setCookies, startApp, type TestApp } from '../support/app.js'

describe('GET /auth/csrf', () => {
  it('gives a token and its cookie, in JSON whatever is accepted', async () => {
    const app = await startApp()
    for (const accept of ['*/*', 'text/html', 'application/json']) {
      const response = await app.browser().get('/auth/csrf', { accept })
      expect(response.status).to.equal(200)
      expect(response.headers['content-type']).to.equal('application/json; charset=utf-8')
      expect(response.headers['cache-control']).to.equal('private, no-cache, no-store')
      expect(response.body).to.have.all.keys('csrfToken')
      expect(response.body.csrfToken).to.match(/^[0-9a-f]{64}$/)
      const [cookie = '', ...others] = setCookies(response)
      expect(others).to.deep.equal([])
      expect(cookie.startsWith(`auth.csrf-token=${response.body.csrfToken}%7C`)).to.equal(true)
      expect(cookie).to.match(/; Path=\/; HttpOnly; SameSite=Lax$/)
    }
    await app.close()
  })
})

describe('GET /auth/providers', () => {
  let app: TestApp

  before(async () => {
    const op = { name: 'Op', type: 'oidc' as const, issuer: 'https://op.test', clientId: 'c', clientSecret: 's3cret' }
    app = await startApp({ providers: [{ id: 'zeta', ...op }, credentials(), { id: 'alpha', ...op }] })
  })
  after(() => app.close())

  it('lists them by id in the order of the configuration, with absolute URLs and nothing secret', async () => {
    const response = await app.browser().get('/auth/providers')
    expect(response.status).to.equal(200)
    expect(response.type).to.equal('application/json')
    expect(Object.keys(response.body)).to.deep.equal(['zeta', 'credentials', 'alpha'])
    expect(response.body.zeta).to.deep.equal({
      id: 'zeta',
      name: 'Op',
      type: 'oidc',
      signinUrl: `${app.origin}/auth/signin/zeta`,
      callbackUrl: `${app.origin}/auth/callback/zeta`,
    })
    expect(response.body.credentials.type).to.equal('credentials')
    expect(response.text).to.not.include('s3cret')
    expect(setCookies(response)).to.deep.equal([])
  })
})

describe('GET /auth/webauthn-options/:provider', () => {
  it('says that there is no such provider where there are none of passkeys', async () => {
    const app = await startApp()
    for (const [id, accept] of [
      ['passkey', 'text/html'],
      ['credentials', 'application/json'],
    ] as const) {
      const response = await app.browser().get(`/auth/webauthn-options/${id}`, { accept })
      expect(response.status).to.equal(404)
      expect(response.type).to.equal('application/json')
      expect(response.body.error).to.equal('InvalidProvider')
      expect(setCookies(response)).to.deep.equal([])
    }
    await app.close()
  })

  it('answers in JSON, with nothing for caches, where there is one', async () => {
    const app = await startApp({
      adapter: memoryAdapter(),
      experimental: { enableWebAuthn: true },
      providers: [Passkey],
    })
    const response = await app.browser().get('/auth/webauthn-options/passkey', { accept: 'text/html' })
    expect(response.status).to.equal(200)
    expect(response.headers['content-type']).to.equal('application/json; charset=utf-8')
    expect(response.headers['cache-control']).to.equal('private, no-cache, no-store')
    expect(response.body).to.have.all.keys('action', 'options')
    const { body } = await app.browser().get('/auth/providers')
    expect(body.passkey).to.deep.equal({
      id: 'passkey',
      name: 'Passkey',
      type: 'webauthn',
      signinUrl: `${app.origin}/auth/signin/passkey`,
      callbackUrl: `${app.origin}/auth/callback/passkey`,
    })
    await app.close()
  })
})
