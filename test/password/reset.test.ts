/** A forgotten password: what is mailed to whom, and what the link does. */
import { expect } from 'chai'
import { clearSiteMemories } from '../../lib/base/memory.js'
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
  describe(`a forgotten password (${name})`, () => {
    let stage: Stage
    const forget = (email = ann) => stage.browser().submit('/auth/password/forgot', { email })

    beforeEach(async () => {
      stage = await startStage({ start, config: sessionOf(strategy) })
      await stage.register(stage.browser(), ann)
      stage.events.length = 0
    })
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    it('CD-14: sets a new one, ends all sessions, mails a notice, and signs in', async () => {
      const phone = stage.browser()
      await stage.signIn(phone, ann)
      await forget()
      const browser = stage.browser()
      const page = await open(browser, await stage.link(ann, 'reset-password'))
      expect(page.text).to.include('autocomplete="new-password"').and.include('minlength="15"')
      stage.events.length = 0
      expect(target(await send(browser, page, { password: better }))).to.equal(`${stage.app.origin}/`)
      await expectSignedIn(browser, ann)
      await expectNobody(phone)
      const told = stage.events.map(([event, { reason }]) => [event, reason])
      expect(told.slice(-2)).to.deep.equal([
        ['passwordChanged', 'reset'],
        ['signIn', undefined],
      ])
      expect(
        told.slice(0, -2).every(([event, reason]) => event === 'sessionEnded' && reason === 'passwordChanged'),
      ).to.equal(true)
      expect(told).to.have.lengthOf.at.least(3)
      expect((await stage.mail(ann, 'notice')).mail.subject).to.match(/password .* changed/)
      expect(target(await stage.signIn(stage.browser(), ann, good))).to.include('error=CredentialsSignin')
      expect(target(await stage.signIn(stage.browser(), ann, better))).to.equal(`${stage.app.origin}/`)
    })

    it('CD-03: the same answer for an unknown address, and no mail', async () => {
      const [known, unknown] = [await forget(), await forget('nobody@example.com')]
      expect([known.status, known.text, target(known)]).to.deep.equal([unknown.status, unknown.text, target(unknown)])
      await stage.link(ann, 'reset-password')
      await stage.settle()
      expect(stage.mails.filter(({ identifier }) => identifier !== ann)).to.deep.equal([])
    })

    it('CD-14: the link works once, only the newest does, and for half an hour', async () => {
      await forget()
      const first = await stage.link(ann, 'reset-password')
      await forget()
      const second = await stage.link(ann, 'reset-password')
      const browser = stage.browser()
      const refused = await browser.get(target(await browser.get(first)))
      expect(refused.status).to.equal(403)
      expect(refused.text).to.not.include('name="password"')
      expect(refused.text)
        .to.include('This link does not work any more')
        .and.match(/href="[^"]*\/auth\/password\/forgot"/)
      const token = new URL(first).searchParams.get('token') ?? ''
      const sent = await browser.submit('/auth/password/reset', { token, password: better })
      expect(target(sent)).to.include('error=Verification')
      expect((await browser.get(target(sent))).text).to.match(/href="[^"]*\/auth\/password\/forgot"/)
      const page = await open(browser, second)
      await send(browser, page, { password: better })
      await expectSignedIn(browser, ann)
      const again = stage.browser()
      const shown = await again.get(target(await again.get(second)))
      expect(shown.status).to.equal(403)
      freezeClock()
      await forget()
      const third = await stage.link(ann, 'reset-password')
      advanceClock(31 * 60)
      const late = stage.browser()
      expect((await late.get(target(await late.get(third)))).status).to.equal(403)
    })

    it('CD-14: a link that another process replaced shows no form', async () => {
      await forget()
      const first = await stage.link(ann, 'reset-password')
      clearSiteMemories()
      const other = await startStage({ start, config: { ...sessionOf(strategy), adapter: stage.adapter } })
      await other.browser().submit('/auth/password/forgot', { email: ann })
      await other.link(ann, 'reset-password')
      clearSiteMemories()
      const third = await startStage({ start, config: { ...sessionOf(strategy), adapter: stage.adapter } })
      for (const { app, browser: visit } of [stage, third]) {
        const browser = visit()
        const link = first.replace(stage.app.origin, app.origin)
        expect((await browser.get(target(await browser.get(link)))).status).to.equal(403)
      }
      await Promise.all([other.close(), third.close()])
    })

    it('RC-03: of three links that are mailed at once one works', async () => {
      await Promise.all(Array.from({ length: 3 }, () => forget()))
      const links: string[] = []
      for (let at = 0; at < 3; at += 1) links.push(await stage.link(ann, 'reset-password'))
      const pages = await Promise.all(
        links.map(async (link) => {
          const browser = stage.browser()
          return browser.get(target(await browser.get(link)))
        }),
      )
      expect(pages.filter(({ status }) => status === 200)).to.have.lengthOf(1)
    })

    it('RC-03: of fifty presses at once one sets a password', async () => {
      await forget()
      const browser = stage.browser()
      const page = await open(browser, await stage.link(ann, 'reset-password'))
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, at) => send(browser, page, { password: `password number ${at} of fifty` })),
      )
      expect(answers.filter((answer) => target(answer) === `${stage.app.origin}/`)).to.have.lengthOf(1)
      expect(stage.events.filter(([event]) => event === 'passwordChanged')).to.have.lengthOf(1)
    })

    it('a password that is not taken leaves the link good', async () => {
      await forget()
      const browser = stage.browser()
      const page = await open(browser, await stage.link(ann, 'reset-password'))
      const refused = await send(browser, page, { password: 'short' })
      expect(refused.status).to.equal(400)
      await send(browser, refused, { password: better })
      await expectSignedIn(browser, ann)
    })

    it('CD-14: what is stored of a token opens nothing, nor does one of another user or purpose', async () => {
      await forget()
      const link = new URL(await stage.link(ann, 'reset-password'))
      const token = link.searchParams.get('token') ?? ''
      for (const wrong of [`${token.slice(0, -2)}xx`, 'x'.repeat(64), '']) {
        const browser = stage.browser()
        const answer = await browser.submit('/auth/password/reset', { token: wrong, password: better })
        expect(target(answer)).to.include('error=Verification')
      }
      const browser = stage.browser()
      expect(target(await browser.submit('/auth/password/verify', { token, password: better }))).to.include(
        'error=Verification',
      )
    })

    it('the link goes to the address that is stored, and only the owner’s', async () => {
      await forget('ANN@EXAMPLE.COM')
      expect((await stage.mail(ann, 'reset-password')).identifier).to.equal(ann)
      await forget('ann@example\u212aom'.replace('\u212a', '.c')).catch(() => undefined)
      await forget('\u0430nn@example.com')
      await stage.settle()
      expect(new Set(stage.mails.map(({ identifier }) => identifier))).to.deep.equal(new Set([ann]))
    })

    it('HH-06: the link leads to the site, whatever the Host says', async () => {
      const browser = stage.browser()
      await browser.submit('/auth/password/forgot', { email: ann }, { 'x-forwarded-host': 'evil.test' })
      expect(new URL(await stage.link(ann, 'reset-password')).origin).to.equal(stage.app.origin)
    })

    it('EM-16: the page has no token in its URL, and tells other sites nothing', async () => {
      await forget()
      const browser = stage.browser()
      const moved = await browser.get(await stage.link(ann, 'reset-password'))
      expect(moved.headers['referrer-policy']).to.match(/^(no-referrer|same-origin)$/)
      const page = await browser.get(target(moved))
      expect(page.text).to.not.match(/token=|src="http/)
    })

    it('shows a user without a password that there is an account', async () => {
      await stage.adapter.createUser({ id: 'bob-1', email: 'bob@example.com', emailVerified: new Date() })
      await stage.adapter.createUser({ id: 'eve-1', email: 'eve@example.com', emailVerified: null })
      await forget('bob@example.com')
      await forget('eve@example.com')
      await stage.mail('bob@example.com', 'have-account')
      await stage.settle()
      expect(stage.mails.some(({ identifier }) => identifier === 'eve@example.com')).to.equal(false)
    })
  })
}
