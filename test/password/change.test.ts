/** Another password for who is signed in, and a first one for who signed in another way. */
import { expect } from 'chai'
import type { Browser } from '../support/app.js'
import { target } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import {
  better,
  expectNobody,
  expectSignedIn,
  good,
  open,
  places,
  type Stage,
  send,
  sessionOf,
  startStage,
} from './stage.js'

const ann = 'ann@example.com'

for (const { name, start, strategy } of places) {
  describe(`changing a password (${name})`, () => {
    let stage: Stage
    let browser: Browser
    const form = (whose = browser) => whose.get('/auth/password/change')

    beforeEach(async () => {
      stage = await startStage({ start, config: sessionOf(strategy) })
      browser = stage.browser()
      await stage.register(browser, ann)
      freezeClock()
    })
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    it('SE-11: asks for the current one, ends the other sessions, keeps this one, and mails a notice', async () => {
      const phone = stage.browser()
      await stage.signIn(phone, ann)
      advanceClock(10 * 60)
      const page = await form()
      expect(page.text).to.include('name="current"').and.include('autocomplete="current-password"')
      expect(target(await send(browser, page, { current: good, password: better }))).to.equal(`${stage.app.origin}/`)
      await expectSignedIn(browser, ann)
      await expectNobody(phone)
      expect((await stage.mail(ann, 'notice')).mail.text).to.include('new password')
      const [, message] =
        stage.events.find(([event, { reason }]) => event === 'passwordChanged' && reason === 'change') ?? []
      expect(message?.sid).to.be.a('string')
      const [, ended] = stage.events.find(([, { reason }]) => reason === 'passwordChanged') ?? []
      expect(ended?.endedBy).to.equal(message?.sid)
      expect(target(await stage.signIn(stage.browser(), ann, better))).to.equal(`${stage.app.origin}/`)
    })

    it('CD-15: is refused without the current one, or with another, in a session that is not fresh', async () => {
      advanceClock(10 * 60)
      const page = await form()
      for (const current of ['', better]) {
        const refused = await send(browser, page, { current, password: better })
        expect(refused.status).to.equal(401)
        expect(refused.text).to.include('The current password is not correct')
      }
      expect((await send(browser, page, { password: better })).status).to.equal(401)
      expect(target(await stage.signIn(stage.browser(), ann, good))).to.equal(`${stage.app.origin}/`)
    })

    it('needs no current one in the five minutes after a sign-in', async () => {
      const page = await form()
      expect(page.text).to.not.include('name="current"')
      await send(browser, page, { password: better })
      expect(target(await stage.signIn(stage.browser(), ann, better))).to.equal(`${stage.app.origin}/`)
    })

    it('CD-15: checks the current one whenever it is sent, also in the five minutes after a sign-in', async () => {
      const page = await form()
      for (const current of ['', better, good.toUpperCase()]) {
        const refused = await send(browser, page, { current, password: better })
        expect(refused.status).to.equal(401)
        expect(refused.text).to.include('The current password is not correct').and.include('name="current"')
        const fields = { current, password: better }
        const json = await browser.submit('/auth/password/change', fields, { accept: 'application/json' })
        expect([json.status, json.body.error]).to.deep.equal([401, 'CredentialsSignin'])
      }
      const twice = await browser.submit('/auth/password/change', { current: [good, better], password: better })
      expect(twice.status).to.equal(400)
      expect(target(await stage.signIn(stage.browser(), ann, good))).to.equal(`${stage.app.origin}/`)
      expect(target(await send(browser, page, { current: good, password: better }))).to.equal(`${stage.app.origin}/`)
    })

    it('CD-15: neither a visitor nor a page of another site changes anything', async () => {
      const stranger = stage.browser()
      const page = await form(stranger)
      expect(page.status).to.equal(403)
      expect(page.text).to.include('not signed in').and.not.include('<form')
      const answer = await stranger.submit('/auth/password/change', { password: better })
      expect(answer.status).to.equal(403)
      const forged = await browser.post(
        '/auth/password/change',
        { password: better },
        { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
      )
      expect(target(forged)).to.include('error=MissingCSRF')
      expect(target(await stage.signIn(stage.browser(), ann, good))).to.equal(`${stage.app.origin}/`)
    })

    it('a link for a new password that was asked for before does not work afterwards', async () => {
      await stage.browser().submit('/auth/password/forgot', { email: ann })
      const link = await stage.link(ann, 'reset-password')
      await send(browser, await form(), { password: better })
      const other = stage.browser()
      expect((await other.get(target(await other.get(link)))).status).to.equal(403)
    })
  })
}

describe('changing a password, with `changeRevokes: none`', () => {
  it('leaves the other sessions', async () => {
    const stage = await startStage({ password: { changeRevokes: 'none' }, config: sessionOf('database') })
    const [browser, phone] = [stage.browser(), stage.browser()]
    await stage.register(browser, ann)
    await stage.signIn(phone, ann)
    await send(browser, await browser.get('/auth/password/change'), { password: better })
    await expectSignedIn(phone, ann)
    // With an email link all sessions end in any case.
    await stage.browser().submit('/auth/password/forgot', { email: ann })
    const other = stage.browser()
    await send(other, await open(other, await stage.link(ann, 'reset-password')), { password: good })
    await expectNobody(phone)
    await stage.close()
  })
})
