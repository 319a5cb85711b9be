/** Base paths with characters that have a meaning in a pattern, a URL or a cookie, at both doors. */
import { expect } from 'chai'
import { op } from '../router/fixtures.js'
import { credentials, setCookies, target } from '../support/app.js'
import { type DoorApp, doors } from '../support/doors.js'

/** The base paths as they are in URLs. */
const basePaths = ['/a.b(c)+', '/a%20b', '/100%25', '/a%2Fb', '/$&', '/(x)%3Fy', '/a|b', '/*', '/:id', '/a+b/*/c']

/** Paths that would match the base path if it were a pattern. */
const lookAlikes: Readonly<Record<string, readonly string[]>> = {
  '/a.b(c)+': ['/axb(c)+', '/a.bc', '/a.bcc', '/a.b(c)', '/a.b(c)++'],
  '/a%20b': ['/a+b', '/a%2520b', '/ab'],
  '/100%25': ['/100', '/100%2525'],
  '/a%2Fb': ['/a/b'],
  '/a|b': ['/a', '/b'],
  '/*': ['/anything', '/auth'],
  '/:id': ['/anything', '/42'],
}

for (const [door, start] of doors) {
  describe(`a base path with signs of a pattern (${door})`, () => {
    let app: DoorApp
    afterEach(() => app.close())

    for (const mount of basePaths) {
      it(`PT-02 ${mount} is just that: a whole sign-in and sign-out, URLs, cookies, and no other path`, async () => {
        app = await start({ providers: [op, credentials()] }, { mount })
        const browser = app.browser()
        const { body } = await browser.get(`${mount}/providers`)
        expect(body.op.callbackUrl).to.equal(`${app.origin}${mount}/callback/op`)
        const begun = await browser.submit(`${mount}/signin/op`)
        expect(new URL(target(begun)).searchParams.get('redirect_uri')).to.equal(`${app.origin}${mount}/callback/op`)
        expect(setCookies(begun).join('\n')).to.include(`; Path=${mount};`)
        expect((await browser.get(`${mount}/callback/op?state=x&code=y`)).status).to.equal(302)

        await browser.signIn({ callbackUrl: '/there' }, mount)
        expect(await browser.session(mount)).to.have.nested.property('user.name', 'ann')
        expect((await browser.get('/me')).body).to.have.nested.property('user.name', 'ann')
        const page = await browser.get(`${mount}/signout`)
        expect(page.text).to.include('ann')
        // Our own endpoints are no place to go to, whatever they look like.
        const round = await browser.submit(`${mount}/signout`, { callbackUrl: `${mount}/signin` })
        expect(target(round)).to.equal(`${app.origin}/`)
        expect(await browser.session(mount)).to.equal(null)
        for (const other of lookAlikes[mount] ?? []) {
          const { status, headers } = await browser.get(`${other}/csrf`)
          expect([status, headers['set-cookie']], other).to.deep.equal([404, undefined])
        }
      })
    }
  })
}
