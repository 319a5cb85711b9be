/** The guide to single sign-on for companies: its program, with a real identity provider and a name server. Needs `npm run build`. */
import { expect } from 'chai'
import request from 'supertest'
import { type DnsServer, startDnsServer } from '../support/dns-server.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { compile, type RunningProgram, remove, start, unpack } from './guide-code.js'

/** Returns a browser in which the user is signed in. */
async function signedInAt({ origin }: RunningProgram, username: string) {
  const browser = request.agent(origin)
  const { csrfToken } = (await browser.get('/auth/csrf')).body
  await browser.post('/auth/callback/credentials').type('form').send({ csrfToken, username, password: 'right' })
  return browser
}

describe('the guide to single sign-on', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const folder = unpack('guides/single-sign-on.md')
  let app: RunningProgram
  let dns: DnsServer
  let idp: OpenIdProvider
  before(async () => {
    dns = await startDnsServer()
    const account = { login: 'bea', sub: 'bea-sub', name: 'Bea', email: 'bea@acme.example' }
    idp = await startOpenIdProvider({ accounts: [account], host: '127.0.0.1' })
    app = await start(folder, 'server.ts', { PRIVATE_ORIGINS: idp.issuer, NAME_SERVERS: dns.address })
  })
  after(async () => {
    await Promise.all([app?.close(), dns?.close(), idp?.close()])
    remove(folder)
  })

  it('compiles, strictly', () => compile(folder))

  it('connects the identity provider of a company, and signs a new user in by it', async () => {
    const ann = await signedInAt(app, 'ann')
    const { csrfToken } = (await ann.get('/auth/csrf')).body
    const post = (path: string, fields: object) =>
      ann
        .post(path)
        .type('form')
        .send({ csrfToken, ...fields })
    const made = await post('/o/acme/connections', idp.settings()).expect(201)
    const { id } = made.body
    expect(made.body.redirectUri).to.equal(`${app.origin}/auth/callback/${id}`)
    const claimed = await post('/o/acme/domains', { domain: 'acme.example' }).expect(200)
    dns.names.set(claimed.body.record.name, { txt: [[claimed.body.record.value]] })
    expect((await post('/o/acme/domains', { domain: 'acme.example' })).body).to.deep.equal({ ok: true })
    expect((await post(`/o/acme/connections/${id}`, { state: 'on' })).body).to.deep.equal({ ok: true })
    expect((await post(`/o/acme/connections/${id}`, { policy: 'required' })).body.reason).to.equal('untested')
    const bea = request.agent(app.origin)
    const token = (await bea.get('/auth/csrf')).body.csrfToken
    const typed = { csrfToken: token, identifier: 'bea@acme.example', navigation: 'form', callbackUrl: '/o/acme' }
    const begun = await bea.post('/auth/signin').type('form').send(typed)
    const to = begun.headers.location ?? begun.headers.refresh?.replace('0;url=', '')
    const returned = new URL(await idp.signInAs(to ?? '', 'bea'))
    await bea.get(returned.pathname + returned.search).expect(302)
    await bea.get('/o/acme').expect(200, 'Notes of acme')
    await bea.post('/o/acme/connections').expect(403)
  })
})
