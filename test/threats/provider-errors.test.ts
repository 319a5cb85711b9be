/** Errors with hostile text that a provider, or an attacker in its name, sends, at both doors. */

import { inspect } from 'node:util'
import { expect } from 'chai'
import { op } from '../router/fixtures.js'
import { type Browser, credentials, target } from '../support/app.js'
import { doors } from '../support/doors.js'
import { opened } from '../support/opened.js'

const marked = 'marked-by-eve'

/** Texts for `error`, `error_description` and `error_uri`. */
const hostile: Readonly<Record<string, string>> = {
  markup: `"><script>${marked}</script>`,
  'an image': `<img src=x onerror=${marked}>`,
  'line ends': `x\r\nSet-Cookie: ${marked}=1\r\n\r\n<html>`,
  'line ends of Unicode': `x\u2028${marked}\u0085`,
  'colours of a terminal': `\u001b[31m${marked}\u001b[0m`,
  'text that turns round': `\u202e${marked}`,
  // Three of them are all that Node reads of a request line.
  '4 kB': marked + 'x'.repeat(4000),
  'a scheme': `javascript:${marked}`,
  'another type of ours': 'Configuration',
  'a name of the prototype': '__proto__',
  nothing: '',
}

for (const [door, start] of doors) {
  describe(`an error that a provider sends back (${door})`, () => {
    const app = opened(() => start({ providers: [op, credentials()] }))
    beforeEach(() => {
      app.log.errors.length = 0
    })

    async function comeBack(browser: Browser, params: Record<string, string>) {
      const begun = await browser.submit('/auth/signin/op')
      const state = new URL(target(begun)).searchParams.get('state') ?? ''
      return browser.get(`/auth/callback/op?${new URLSearchParams({ ...params, state })}`)
    }

    for (const [what, text] of Object.entries(hostile)) {
      it(`OA-07 CR-02 is shown by its type only, with ${what} in it`, async () => {
        const browser = app.browser()
        const response = await comeBack(browser, { error: text, error_description: text, error_uri: text })
        expect(response.status).to.equal(302)
        const to = new URL(target(response))
        expect(to.origin).to.equal(app.origin)
        expect(to.searchParams.get('error')).to.be.oneOf(['OAuthCallbackError', 'InvalidCheck', 'AccessDenied'])
        expect(JSON.stringify(response.headers)).to.not.include(marked)
        const page = await browser.get(target(response))
        expect(page.text).to.not.include(marked)
        expect(await browser.session()).to.equal(null)
      })
    }

    it('OA-07 is in the log, on one line and cut', async () => {
      const lines: string[] = []
      const { error } = console
      console.error = (...words: unknown[]) => void lines.push(words.map(String).join(' '))
      const own = await start({ providers: [op], logger: {} })
      try {
        const text = `${marked}\r\n[auth] forged \u001b[31mred\u001b[0m${'x'.repeat(10_000)}`
        await comeBack(own.browser(), { error: 'server_error', error_description: text })
      } finally {
        console.error = error
        await own.close()
      }
      expect(lines.join('\n'), inspect(lines)).to.include(marked)
      const forged = lines
        .flatMap((line) => line.split(/[\r\n\u2028\u0085]/))
        .filter((line) => /^\[auth\] forged/.test(line))
      expect(forged).to.deep.equal([])
      expect(lines.join('\n')).to.not.include('\u001b')
      expect(lines.join('\n').length).to.be.below(10_000)
    })
  })
}
