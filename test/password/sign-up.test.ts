/** Signing up: the link, the browser that began, the one that did not, and what a known address gets. */
import { expect } from 'chai'
import { target } from '../support/app.js'
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
  describe(`signing up with a password (${name})`, () => {
    let stage: Stage

    beforeEach(async () => {
      stage = await startStage({ start, config: sessionOf(strategy) })
    })
    afterEach(() => stage.close())

    it('creates the user with a verified email address once the button behind the link is pressed', async () => {
      const browser = stage.browser()
      const answer = await stage.signUp(browser, ann)
      expect(answer.status).to.equal(303)
      expect(target(answer)).to.equal(`${stage.app.origin}/auth/verify-request?provider=password&type=sign-up`)
      expect(await stage.adapter.getUserByEmail(ann)).to.equal(null)
      const page = await open(browser, await stage.link(ann, 'sign-up'))
      expect(page.text).to.include(ann).and.not.include('type="password"')
      expect(await stage.adapter.getUserByEmail(ann)).to.equal(null)
      expect(target(await send(browser, page))).to.equal(`${stage.app.origin}/`)
      await expectSignedIn(browser, ann)
      const user = await stage.adapter.getUserByEmail(ann)
      expect(user?.emailVerified).to.be.an.instanceOf(Date)
      expect(stage.events.map(([event]) => event)).to.deep.equal(['createUser', 'passwordChanged', 'signIn'])
      const again = stage.browser()
      expect(target(await stage.signIn(again, ann))).to.equal(`${stage.app.origin}/`)
      await expectSignedIn(again, ann)
    })

    it('stores an account by the id of the user, whichever the strategy', async () => {
      await stage.register(stage.browser(), ann)
      const user = await stage.adapter.getUserByEmail(ann)
      const accounts = await stage.adapter.listAccountsByUserId(user?.id ?? '')
      expect(accounts).to.have.lengthOf(1)
      expect(accounts[0]).to.include({ provider: 'password', providerAccountId: user?.id, type: 'credentials' })
    })

    it('LK-02, CD-03: a stranger’s password never becomes valid: in another browser a new one is chosen', async () => {
      const mallory = stage.browser()
      await stage.signUp(mallory, ann, 'chosen by mallory')
      const link = await stage.link(ann, 'sign-up')
      const owner = stage.browser()
      const page = await open(owner, link)
      expect(page.text).to.include('name="password"').and.include('autocomplete="new-password"')
      const refused = await send(owner, page, { password: 'short' })
      expect(refused.status).to.equal(400)
      expect(refused.text).to.include('too short')
      expect(target(await send(owner, refused, { password: good }))).to.equal(`${stage.app.origin}/`)
      await expectSignedIn(owner, ann)
      expect(target(await stage.signIn(mallory, ann, 'chosen by mallory'))).to.include('error=CredentialsSignin')
      await expectNobody(mallory)
    })

    it('without a password elsewhere nothing is made, and the link stays good', async () => {
      await stage.signUp(stage.browser(), ann)
      const link = await stage.link(ann, 'sign-up')
      const elsewhere = stage.browser()
      const page = await open(elsewhere, link)
      expect((await send(elsewhere, page)).status).to.equal(400)
      expect(await stage.adapter.getUserByEmail(ann)).to.equal(null)
      await send(elsewhere, await open(elsewhere, link), { password: better })
      await expectSignedIn(elsewhere, ann)
    })

    it('EM-08: GET and HEAD of scanners change nothing, and the user can continue after them', async () => {
      const browser = stage.browser()
      await stage.signUp(browser, ann)
      const link = await stage.link(ann, 'sign-up')
      for (let count = 0; count < 3; count += 1) {
        const scanner = stage.browser()
        await scanner.send('head', link)
        await scanner.get(target(await scanner.get(link)))
        await expectNobody(scanner)
      }
      await send(browser, await open(browser, link))
      await expectSignedIn(browser, ann)
    })

    it('attempts for one address do not touch each other, and the first that is confirmed wins', async () => {
      const [one, other] = [stage.browser(), stage.browser()]
      await stage.signUp(one, ann, good)
      const first = await stage.link(ann, 'sign-up')
      await stage.signUp(other, ann, better)
      const second = await stage.link(ann, 'sign-up')
      await send(one, await open(one, first))
      await expectSignedIn(one, ann)
      const late = await send(other, await open(other, second))
      expect(target(late)).to.include('error=AccountNotLinked')
      await expectNobody(other)
      expect(target(await stage.signIn(stage.browser(), ann, good))).to.equal(`${stage.app.origin}/`)
    })

    it('EM-09: a link works once', async () => {
      const browser = stage.browser()
      await stage.signUp(browser, ann)
      const link = await stage.link(ann, 'sign-up')
      await send(browser, await open(browser, link))
      const again = stage.browser()
      const shown = await again.get(target(await again.get(link)))
      expect(shown.status).to.equal(403)
      expect(shown.text).to.include('This link does not work any more')
    })

    it('RC-03: of fifty presses at once one makes a user', async () => {
      const browser = stage.browser()
      await stage.signUp(browser, ann)
      const page = await open(browser, await stage.link(ann, 'sign-up'))
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(browser, page)))
      const home = `${stage.app.origin}/`
      expect(answers.filter((answer) => target(answer) === home)).to.have.lengthOf(1)
      expect(stage.events.filter(([event]) => event === 'createUser')).to.have.lengthOf(1)
    })

    it('tells the owner of a known address by mail, and leaves the password', async () => {
      await stage.register(stage.browser(), ann)
      const answer = await stage.signUp(stage.browser(), ann, better)
      expect(target(answer)).to.equal(`${stage.app.origin}/auth/verify-request?provider=password&type=sign-up`)
      const mail = await stage.mail(ann, 'have-account')
      expect(mail.mail.text).to.include('/auth/signin').and.include('/auth/password/forgot')
      expect(target(await stage.signIn(stage.browser(), ann, better))).to.include('error=')
    })

    it('returns to the requested page', async () => {
      const browser = stage.browser()
      await browser.submit('/auth/signup/password', { email: ann, password: good, callbackUrl: '/wanted' })
      const answer = await send(browser, await open(browser, await stage.link(ann, 'sign-up')))
      expect(target(answer)).to.equal(`${stage.app.origin}/wanted`)
    })
  })
}
