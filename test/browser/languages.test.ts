/** Tests of the texts of the passkey script in the language of its page. */
import de from '../../lib/i18n/de.js'
import en from '../../lib/i18n/en.js'
import { describeInBrowser } from '../support/browser.js'
import type { LoopbackServer } from '../support/loopback-server.js'
import { showStates } from './states.js'

describeInBrowser('the script of passkeys speaks the language of its page', (open) => {
  let server: LoopbackServer
  before(async () => {
    server = await showStates()
  })
  after(() => server?.close())

  for (const [language, words, outage] of [
    ['de', de, de['signIn.unavailable']],
    ['en', en, 'The site has a problem, so this does not work right now. Please try again later.'],
  ] as const) {
    it(`why there are none, and what went wrong (${language})`, async () => {
      const { page } = await open()
      await page.goto(`${server.origin}/sign-in-passkey-unsupported?language=${language}`)
      await page.getByText(words['passkey.unsupportedBrowser'], { exact: true }).waitFor()
      await page.goto(`${server.origin}/sign-in-passkey-insecure?language=${language}`)
      await page.getByText(words['passkey.insecurePage'], { exact: true }).waitFor()
      // The server of this test has no options: it refuses without a sentence.
      await page.goto(`${server.origin}/sign-in-passkey-button?language=${language}`)
      await page.getByRole('button', { name: words['passkey.signIn'] }).click()
      await page.getByRole('alert').getByText(words['passkey.refused'], { exact: true }).waitFor()
      await page.route('**/webauthn-options/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
      await page.getByRole('button', { name: words['passkey.signIn'] }).click()
      await page.getByRole('alert').getByText(outage, { exact: true }).waitFor()
      await page.route('**/webauthn-options/**', (route) => route.abort())
      await page.getByRole('button', { name: words['passkey.signIn'] }).click()
      await page.getByRole('alert').getByText(words['passkey.network'], { exact: true }).waitFor()
    })
  }
})
