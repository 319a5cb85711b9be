/**
 * Text that a stranger types or sends stays text of their own page, in each language: no placeholder is substituted,
 * and no other visitor reads it.
 */

import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import ar from '../../lib/i18n/ar.js'
import de from '../../lib/i18n/de.js'
import Email from '../../lib/providers/email.js'
import { type Browser, credentials } from '../support/app.js'
import { doors } from '../support/doors.js'
import { opened } from '../support/opened.js'

const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))

for (const [door, start] of doors) {
  describe(`the words of strangers (${door})`, () => {
    const app = opened(() =>
      start({
        adapter: memoryAdapter(),
        session: { strategy: 'jwt' },
        providers: [credentials(), Email({ from: 'a@app.test', sendVerificationRequest: () => undefined })],
        theme: { identifierFirst: true },
        i18n: {
          locales: ['en', 'de', 'ar'],
          messages: { de, ar },
          resolve: (request) => new URL(request.url).searchParams.get('language') ?? undefined,
        },
      }),
    )

    async function say(browser: Browser, identifier: string): Promise<void> {
      await browser.post('/auth/signin', { csrfToken: await browser.csrf(), identifier, navigation: 'form' })
    }

    for (const identifier of [
      '{site} {address} {provider} {host}',
      '"><script>alert(1)</script>',
      "'`</style></bdi><!--",
      '$& $1 $` mark0123456789abcdef',
      '\u2069\u202emoc.elpmaxe@nna',
      '&lt;b&gt; &#60;',
    ]) {
      for (const language of ['en', 'ar']) {
        it(`${JSON.stringify(identifier)} is text in ${language}`, async () => {
          const browser = app.browser()
          await say(browser, identifier)
          const { text } = await browser.get(`/auth/signin?language=${language}`)
          expect(text).to.include(`lang="${language}"`)
          const shown = /<strong><bdi>(.*?)<\/bdi><\/strong>/s.exec(text)?.[1] ?? ''
          const values = [...text.matchAll(/ value="([^"]*)" class="unseen"/g)].map(([, value = '']) => value)
          // The form for an email link needs an email address.
          const forms = identifier.includes('@') ? 2 : 1
          expect([shown, ...values].map(unescaped)).to.deep.equal(Array(1 + forms).fill(identifier))
          expect([shown, ...values].join()).to.not.match(/[<>"'`]/)
          expect(text.match(/<script/g)).to.have.length(1)
        })
      }
    }

    it('prepared pages mix neither visitors nor languages', async () => {
      const answers = await Promise.all(
        Array.from({ length: 30 }, async (_each, at) => {
          const browser = app.browser()
          const language = ['en', 'de', 'ar'][at % 3] ?? ''
          const [csrfToken, callbackUrl] = [await browser.csrf(), `/to-${at}-$&-{site}`]
          const query = new URLSearchParams({ language, callbackUrl })
          const { text, headers } = await browser.get(`/auth/signin?${query}`)
          return { at, language, csrfToken, text, headers }
        }),
      )
      const nonces = new Set<string>()
      for (const { at, language, csrfToken, text, headers } of answers) {
        const valuesOf = (name: string) =>
          [...text.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(([, value = '']) => value)
        expect(new Set(valuesOf('csrfToken'))).to.deep.equal(new Set([csrfToken]))
        expect(new Set(valuesOf('callbackUrl')).size).to.equal(1)
        expect(valuesOf('callbackUrl')[0]).to.include(`/to-${at}-$`)
        expect(text).to.include(`lang="${language}"`)
        expect(headers['content-language']).to.equal(language)
        expect(headers['cache-control']).to.include('no-store')
        nonces.add(/nonce="([^"]+)"/.exec(text)?.[1] ?? '')
      }
      expect(nonces.size).to.equal(answers.length)
    })

    it('the identifier typed in one browser is shown in no other, and once', async () => {
      const [ann, eve] = [app.browser(), app.browser()]
      await eve.csrf()
      await say(ann, 'ann@example.com')
      for (const [name, value] of ann.cookies) if (!eve.cookies.has(name)) eve.cookies.set(name, value)
      expect((await eve.get('/auth/signin')).text).to.not.include('ann@')
      expect((await ann.get('/auth/signin')).text).to.include('ann@')
      expect((await ann.get('/auth/signin')).text).to.not.include('ann@')
    })

    it('another site cannot submit the identifier', async () => {
      const browser = app.browser()
      await browser.csrf()
      const fields = { identifier: 'eve@example.com', navigation: 'form' }
      const answer = await browser.post('/auth/signin', fields, { 'sec-fetch-site': 'cross-site' })
      expect(answer.status).to.not.equal(200)
      expect((await browser.get('/auth/signin')).text).to.not.include('eve@')
    })

    it('a language of thousands of parts, by the developer’s own function, is processed fast', async () => {
      const begun = performance.now()
      for (let each = 0; each < 5; each += 1) {
        const { text } = await app.browser().get(`/auth/signin?language=xx-x${'-a'.repeat(6000)}`)
        expect(text).to.include('lang="en"')
      }
      expect(performance.now() - begun).to.be.lessThan(1500)
    })
  })
}
