/** The sign-in of an app: approval, code, token, the session, and its end. */
import { expect } from 'chai'
import { strategies } from '../support/world.js'
import { AppClient, base, doorNames, formOf, link, openStage, type Stage } from './stage.js'

for (const door of doorNames) {
  for (const strategy of strategies) {
    describe(`the sign-in of an app (${door}, ${strategy} sessions)`, () => {
      let stage: Stage
      before(async () => {
        stage = await openStage(door, strategy)
      })
      after(() => stage.close())

      it('begins a session after the button, is listed as the app, and signs out', async () => {
        const browser = await stage.signIn()
        const app = new AppClient(stage.origin)
        const page = await browser.get(app.path)
        expect(page.status).to.equal(200)
        expect(page.text).to.include('Notes &#60;terminal&#62;').and.include('ann@example.com')
        const url = await app.approve(browser)
        expect(url.origin + url.pathname).to.equal(app.redirectUri)
        expect(url.searchParams.get('state')).to.equal(app.state)
        expect(url.searchParams.get('iss')).to.equal(stage.origin + base)
        const answer = await app.redeem(url.searchParams.get('code') ?? '')
        expect([answer.status, answer.body], answer.text).to.have.nested.property('[0]', 200)
        expect(Object.keys(answer.body)).to.have.members(['token', 'tokenType', 'expires', 'sid'])
        expect(answer.body.tokenType).to.equal('Bearer')
        expect(answer.headers['cache-control']).to.include('no-store')
        expect(answer.cookies).to.deep.equal([])
        const { token, sid } = answer.body
        expect((await app.get(token)).body.user.email).to.equal('ann@example.com')
        const { sessions } = (await browser.get('/account')).body
        const [listed] = sessions.filter((each: { id: string }) => each.id === sid)
        expect(listed).to.include({ current: false })
        expect(listed.app).to.deep.equal({ id: 'cli', name: 'Notes <terminal>' })
        expect(listed.amr).to.deep.equal(['otp'])
        expect((await app.signOut(token)).status).to.equal(204)
        expect((await app.get(token)).body ?? null).to.equal(null)
        expect((await app.signOut(token)).status).to.equal(204)
        expect((await browser.get('/me')).body.user.email).to.equal('ann@example.com')
      })

      it('leads through the sign-in page for a visitor', async () => {
        const app = new AppClient(stage.origin, 'ios')
        const browser = stage.browser()
        const { status, headers } = await browser.get(app.path)
        expect(status).to.equal(302)
        const to = new URL(headers.location ?? '')
        expect(to.pathname).to.equal(`${base}/signin`)
        const back = new URL(to.searchParams.get('callbackUrl') ?? '')
        expect(back.pathname + back.search).to.equal(app.path)
        await browser.get(to.pathname + to.search)
        const signedIn = await browser.submit(`${base}/callback/credentials`, {
          username: 'ann',
          password: 'right',
          callbackUrl: back.href,
        })
        // Users of the credentials provider are not stored, so database sessions have none.
        if (strategy === 'jwt') expect(signedIn.headers.location).to.equal(back.href)
        const url = await app.approve(await stage.signIn('bob'))
        expect(url.origin + url.pathname).to.equal(link)
      })

      it('AP-04 asks again if another user has signed in since the page was shown', async () => {
        const browser = await stage.signIn('ann')
        const app = new AppClient(stage.origin)
        const page = await browser.get(app.path)
        await browser.get('/start?email=bob@example.com')
        const { action, fields } = formOf(page)
        const again = await browser.post(action, { ...fields, csrfToken: await browser.csrf(base) })
        expect(again.status).to.equal(200)
        expect(again.text).to.include('bob@example.com')
        expect(again.headers.refresh).to.equal(undefined)
      })
    })
  }
}
