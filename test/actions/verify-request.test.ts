/** The page after a request for an email: the address for this browser only, another email, and another method. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import Email from '../../lib/providers/email.js'
import GitHub from '../../lib/providers/github.js'
import type { VerificationRequest } from '../../lib/types/provider.js'
import { type Browser, setCookies, target } from '../support/app.js'
import { doors } from '../support/doors.js'
import { opened } from '../support/opened.js'

const address = 'ann@example.com'

for (const [door, start] of doors) {
  describe(`the page after a request for an email (${door})`, () => {
    const mails: VerificationRequest[] = []
    const app = opened(() => {
      mails.length = 0
      return start({
        adapter: memoryAdapter(),
        providers: [
          Email({ from: 'a@app.test', sendVerificationRequest: (mail) => void mails.push(mail) }),
          GitHub({ clientId: 'id', clientSecret: 'secret' }),
        ],
        rateLimit: { rules: { mail: { perAccount: 2, window: 600 } } },
      })
    }, 'each')

    async function ask(browser: Browser, more: object = {}, headers?: Record<string, string>) {
      const fields = { csrfToken: await browser.csrf(), email: address, callbackUrl: '/wanted', ...more }
      return browser.post('/auth/signin/email', { navigation: 'form', ...fields }, headers)
    }

    /** The hidden fields of the form for another email. */
    function againForm(page: string): Record<string, string> {
      const [form = ''] = /<form method="post" action="[^"]*\/auth\/signin\/email">[\s\S]*?<\/form>/.exec(page) ?? []
      return Object.fromEntries(
        [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
      )
    }

    async function mailsSent(count: number): Promise<void> {
      for (let tries = 0; mails.length < count && tries < 100; tries += 1)
        await new Promise((done) => setTimeout(done, 10))
      expect(mails).to.have.length(count)
    }

    it('shows the address to the browser that has asked, and to no other', async () => {
      const browser = app.browser()
      const asked = await ask(browser)
      expect(target(asked)).to.equal(`${app.origin}/auth/verify-request?provider=email&type=email`)
      expect((await browser.get(target(asked))).text).to.include(`<bdi>${address}</bdi>`)
      // Also after a reload.
      expect((await browser.get(target(asked))).text).to.include(`<bdi>${address}</bdi>`)
      const stranger = await app.browser().get(target(asked))
      expect(stranger.text).to.include('Check your email').and.not.include(address).and.not.include('name="again"')
    })

    it('does not show the address of another kind of email, or of a URL', async () => {
      const browser = app.browser()
      await ask(browser)
      for (const query of [
        'provider=github&type=email',
        'provider=email&type=sign-up',
        'provider=__proto__&type=email',
      ]) {
        expect((await browser.get(`/auth/verify-request?${query}`)).text, query).to.not.include(address)
      }
      const other = await app.browser().get(`/auth/verify-request?provider=email&type=email&email=${address}&again=1`)
      expect(other.text).to.not.include(address).and.not.include('on its way')
    })

    it('sends another email by its form, whose link signs in to the requested page', async () => {
      const browser = app.browser()
      const page = await browser.get(target(await ask(browser)))
      const again = await browser.post('/auth/signin/email', againForm(page.text))
      expect(target(again)).to.equal(`${app.origin}/auth/verify-request?provider=email&type=email&again=1`)
      expect((await browser.get(target(again))).text).to.include('Another email is on its way.')
      await mailsSent(2)
      const [first, second] = mails
      // Only the newest link is valid.
      expect((await browser.get(first?.url ?? '')).status).to.not.equal(302)
      const signedIn = await browser.get(second?.url ?? '')
      expect(target(signedIn)).to.equal(`${app.origin}/wanted`)
    })

    it('says how long to wait after too many, with 429, and sends nothing', async () => {
      const browser = app.browser()
      const page = await browser.get(target(await ask(browser)))
      await browser.post('/auth/signin/email', againForm(page.text))
      const limited = await browser.post('/auth/signin/email', againForm(page.text))
      expect(limited.status).to.equal(429)
      expect(Number(limited.headers['retry-after'])).to.be.within(1, 600)
      expect(limited.text).to.include('No other email can be sent yet.').and.include(`<bdi>${address}</bdi>`)
      expect(limited.text).to.match(/Please wait (\d+ minutes|\d+ seconds), then try again\./)
      await mailsSent(2)
    })

    it('answers other clients as before', async () => {
      const browser = app.browser()
      for (const count of [1, 2]) {
        const { body } = await ask(browser, { again: '1' }, { accept: 'application/json' })
        expect(body, String(count))
          .to.have.property('url')
          .that.includes('/auth/verify-request?provider=email&type=email')
      }
      const limited = await ask(browser, { again: '1' }, { accept: 'application/json' })
      expect([limited.status, (limited.body as { error: string }).error]).to.deep.equal([429, 'TooManyRequests'])
      // Without the attempt of this browser, there is no address to show.
      const stranger = await ask(app.browser(), { again: '1' })
      expect(stranger.status).to.equal(429)
      expect(stranger.text).to.include('Too many tries').and.not.include(address)
    })

    it('CS-01 sends nothing for a form of another site', async () => {
      const browser = app.browser()
      const page = await browser.get(target(await ask(browser)))
      await mailsSent(1)
      const { csrfToken: _token, ...fields } = againForm(page.text)
      const refused = await browser.post('/auth/signin/email', fields)
      expect(target(refused)).to.include('error=MissingCSRF')
      await mailsSent(1)
    })

    it('offers the other sign-in methods, with the requested page', async () => {
      const browser = app.browser()
      const { text } = await browser.get(target(await ask(browser)))
      const url = `${app.origin}/auth/signin?callbackUrl=${encodeURIComponent(`${app.origin}/wanted`)}`
      expect(text).to.include(`<a href="${url}">Use another sign-in method</a>`)
    })

    it('keeps the address in no URL and in no readable cookie', async () => {
      const browser = app.browser()
      const asked = await ask(browser)
      expect(decodeURIComponent(String(asked.headers.location))).to.not.include('ann')
      expect(decodeURIComponent(setCookies(asked).join('\n'))).to.not.include('ann')
    })
  })
}
