/** The link to sign up on the page for an address: not in a browser that has signed in with it. */
import { expect } from 'chai'
import { type Browser, credentials } from '../support/app.js'
import { doors } from '../support/doors.js'
import { type Stage, startStage } from './stage.js'

for (const [door, start] of doors) {
  describe(`the link to sign up, for an address (${door})`, () => {
    let stage: Stage
    before(async () => {
      stage = await startStage({
        start,
        more: [credentials()],
        config: { theme: { identifierFirst: true }, rateLimit: {} },
      })
    })
    after(() => stage.close())

    async function pageFor(browser: Browser, identifier: string): Promise<string> {
      await browser.post('/auth/signin', { csrfToken: await browser.csrf(), identifier, navigation: 'form' })
      return (await browser.get('/auth/signin')).text
    }

    it('is missing in the browser of the owner only, and for the address only', async () => {
      const owner = stage.browser()
      expect(await pageFor(owner, 'ann@example.com')).to.include('>Create an account</a>')
      await stage.register(owner, 'ann@example.com')
      await owner.post('/auth/signout', { csrfToken: await owner.csrf() })
      for (const spelling of ['ann@example.com', ' Ann@Example.com ']) {
        const page = await pageFor(owner, spelling)
        expect(page, spelling).to.include('Forgot your password?').and.not.include('>Create an account</a>')
      }
      expect(await pageFor(owner, 'ben@example.com')).to.include('>Create an account</a>')
      // A stranger learns nothing about the account.
      const [known, unknown] = [
        await pageFor(stage.browser(), 'ann@example.com'),
        await pageFor(stage.browser(), 'ben@example.com'),
      ]
      const same = (page: string) => page.replaceAll(/ann|ben/g, 'NAME').replaceAll(/value="\w{64}"|nonce="[^"]+"/g, '')
      expect(same(known)).to.equal(same(unknown))
    })

    it('stays for a made-up cookie', async () => {
      const browser = stage.browser()
      browser.cookies.set('auth.device', `${'a'.repeat(22)}.${'b'.repeat(22)}`)
      expect(await pageFor(browser, 'ann@example.com')).to.include('>Create an account</a>')
    })
  })
}
