/** Other spellings of our paths, as a cache, a proxy or a guard may read them; at both doors, with a user's session. */
import { expect } from 'chai'
import { exchange, op } from '../router/fixtures.js'
import { type Browser, credentials } from '../support/app.js'
import { type DoorApp, doors } from '../support/doors.js'

/** Paths of which none is ours. */
const others = [
  '//auth/session',
  '/auth//session',
  '///auth///session',
  '/auth/session/',
  '/auth/session//',
  '/auth/session/x.css',
  '/auth/session/..%2fx.png',
  '/auth/session%2fx.js',
  '/auth/session%2f..%2fx.png',
  '/auth/session;x=y',
  '/auth/session;.js',
  '/auth;x=y/session',
  '/auth/session.css',
  '/auth/session.json',
  '/auth/session%00',
  '/auth/session%00.css',
  '/auth/session%20',
  '/auth/session%09',
  '/auth/session%3f.css',
  '/auth/session%23.css',
  '/auth/session\\x.css',
  '/auth/./session/.',
  '/auth/%73ession',
  '/auth%2fsession',
  '/%61uth/session%2f',
  '/auth/Session',
  '/auth/SESSION',
  '/auth/sessio%6e',
  '/auth/session,',
  '/auth/session&x',
  '/auth/session$',
  '/auth/session/session',
  '/auth/signin/op/extra',
  '/auth/signin%2fop',
  '/auth/signin//op',
  '/auth/callback',
  '/auth/callback/',
  '/auth/callback/op/extra',
  '/auth/callback//op',
  '/auth/nothing',
  '/auth/',
  '/auth',
  '/auth/__proto__',
  '/auth/constructor',
  '/auth/toString',
  '/auth/signin/__proto__',
  '/auth/signin/constructor',
  '/auth/callback/hasOwnProperty',
  '/auth/signout/nobody',
]

const malformed = [
  '/auth/signin/%',
  '/auth/signin/%zz',
  '/auth/callback/%E0%A4%A',
  '/auth/callback/%c0%af',
  '/auth/signin/op%',
]

for (const [door, start] of doors) {
  describe(`other spellings of our paths (${door})`, () => {
    let app: DoorApp
    let browser: Browser
    before(async () => {
      app = await start({ providers: [op, credentials()], session: { updateAge: 0 } })
      browser = app.browser()
      await browser.signIn()
    })
    after(() => app.close())

    const ask = (path: string, headers: readonly string[] = []) =>
      exchange(app.origin, `GET ${path} HTTP/1.1`, [
        `Host: ${new URL(app.origin).host}`,
        `Cookie: ${browser.cookieHeader()}`,
        ...headers,
      ])

    it('(control) the path itself returns the session, and extends it', async () => {
      const { status, body, headers } = await ask('/auth/session')
      expect(status).to.equal(200)
      expect(JSON.parse(body)).to.have.nested.property('user.name', 'ann')
      expect(headers['set-cookie']).to.include('session-token')
    })

    for (const path of others) {
      it(`PT-01 PT-03 CA-05 ${path} discloses no session, and sets no session cookie`, async () => {
        for (const accept of ['Accept: application/json', 'Accept: text/html', 'Accept: text/css,*/*']) {
          const { status, body, headers } = await ask(path, [accept])
          expect(status, accept).to.be.within(400, 499)
          expect(body, accept).to.not.include('ann').and.not.include('expires')
          expect(headers['set-cookie'] ?? '', accept).to.not.include('session-token')
          expect(headers['cache-control'] ?? '', accept).to.not.match(/public|max-age=[1-9]/)
        }
      })
    }

    for (const path of malformed) {
      it(`PT-05 ${path} is rejected, and not logged as a fault`, async () => {
        app.log.errors.length = 0
        const { status, headers } = await ask(path)
        expect(status).to.be.oneOf([400, 404])
        expect(headers['set-cookie'] ?? '').to.not.include('session-token')
        expect(app.log.errors.filter((error) => (error as { type?: string }).type !== 'InvalidProvider')).to.deep.equal(
          [],
        )
      })
    }

    it('PT-06 a URL of 64 kB causes no crash', async () => {
      for (const path of [
        `/auth/session?${'x'.repeat(64_000)}`,
        `/auth/${'x'.repeat(64_000)}`,
        `/auth/${'x/'.repeat(32_000)}`,
      ]) {
        const { status } = await ask(path)
        expect(status).to.be.oneOf([404, 414, 431])
      }
      expect((await ask('/auth/session')).status).to.equal(200)
    })
  })
}
