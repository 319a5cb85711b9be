/** Another email about a password, from the page after it was sent: a sign-up, and a forgotten password. */
import { expect } from 'chai'
import { type Browser, target } from '../support/app.js'
import { doors } from '../support/doors.js'
import { better, good, type Stage, startStage } from './stage.js'

const address = 'ann@example.com'

for (const [door, start] of doors) {
  describe(`another email about a password (${door})`, () => {
    let stage: Stage
    beforeEach(async () => {
      stage = await startStage({ start, config: { rateLimit: { rules: { mail: { perAccount: 3, window: 600 } } } } })
    })
    afterEach(() => stage.close())

    async function submit(browser: Browser, path: string, fields: object) {
      return browser.post(path, { csrfToken: await browser.csrf(), navigation: 'form', ...fields })
    }

    const signUpForm = (browser: Browser, password = good) =>
      submit(browser, '/auth/signup/password', { email: address, password, callbackUrl: '/wanted' })

    const mailsTo = () => stage.mails.filter((mail) => mail.identifier === address)

    it('sends another link for a sign-up, without the password, and the earlier link ends', async () => {
      const browser = stage.browser()
      const asked = await signUpForm(browser)
      expect((await browser.get(target(asked))).text).to.include(`We sent an email to <strong><bdi>${address}</bdi>`)
      const first = await stage.link(address, 'sign-up')
      const again = await submit(browser, '/auth/signup/password', { again: '1' })
      expect(target(again)).to.include('/auth/verify-request?provider=password&type=sign-up&again=1')
      expect((await browser.get(target(again))).text)
        .to.include('on its way')
        .and.include(address)
      const second = await stage.link(address, 'sign-up')
      expect(second).to.not.equal(first)
      expect((await stage.browser().get(first)).status).to.be.within(302, 403)
      const page = await browser.get(target(await browser.get(second)))
      expect(page.text).to.include('Create the account').and.not.include('type="password"')
      const created = await submit(browser, '/auth/password/verify', {})
      expect(target(created)).to.equal(`${stage.app.origin}/wanted`)
      await submit(browser, '/auth/signout', {})
      expect(target(await stage.signIn(browser, address, good))).to.not.include('error')
    })

    it('sends nothing for another browser, which has to sign up itself', async () => {
      await signUpForm(stage.browser())
      await stage.settle()
      const count = mailsTo().length
      const stranger = stage.browser()
      const refused = await submit(stranger, '/auth/signup/password', { email: address, again: '1' })
      expect(target(refused)).to.equal(`${stage.app.origin}/auth/signup/password`)
      await stage.settle()
      expect(mailsTo()).to.have.length(count)
    })

    it('says how long to wait after too many', async () => {
      const browser = stage.browser()
      await signUpForm(browser)
      for (const _count of [2, 3]) await submit(browser, '/auth/signup/password', { again: '1' })
      const limited = await submit(browser, '/auth/signup/password', { again: '1' })
      expect(limited.status).to.equal(429)
      expect(limited.text).to.include('No other email can be sent yet.').and.include(address)
    })

    it('answers alike for an address that has an account', async () => {
      const owner = stage.browser()
      await stage.register(owner, address)
      await stage.settle()
      const strangers = ['nobody@example.com', address].map(async (email) => {
        const browser = stage.browser()
        const asked = await submit(browser, '/auth/signup/password', { email, password: better })
        const again = await submit(browser, '/auth/signup/password', { again: '1' })
        const page = (await browser.get(target(again))).text.replaceAll(email, 'ADDRESS')
        return [target(asked), target(again), page.replaceAll(/value="\w{64}"|nonce="[^"]+"/g, '')]
      })
      const [unknown, known] = await Promise.all(strangers)
      expect(known).to.deep.equal(unknown)
    })

    it('sends another link for a forgotten password, with or without an account', async () => {
      await stage.register(stage.browser(), address)
      await stage.settle()
      const pages = ['nobody@example.com', address].map(async (email) => {
        const browser = stage.browser()
        const asked = await submit(browser, '/auth/password/forgot', { email })
        const { text } = await browser.get(target(asked))
        expect(text).to.include(`If there is an account with the address <strong><bdi>${email}</bdi>`)
        return text.replaceAll(email, 'ADDRESS').replaceAll(/value="\w{64}"|nonce="[^"]+"/g, '')
      })
      const [unknown, known] = await Promise.all(pages)
      expect(known).to.equal(unknown)
      const elsewhere = await stage.browser().get('/auth/verify-request?provider=password&type=reset-password')
      expect(elsewhere.text).to.include('the address that you entered').and.not.include(address)
    })
  })
}
