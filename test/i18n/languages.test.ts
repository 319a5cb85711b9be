/** Pages, mails and errors in the language of the client, at both doors. */

import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import ar from '../../lib/i18n/ar.js'
import de from '../../lib/i18n/de.js'
import en, { type Messages } from '../../lib/i18n/en.js'
import fr from '../../lib/i18n/fr.js'
import { ServerAuth } from '../../lib/index.js'
import Email from '../../lib/providers/email.js'
import type { I18nOptions } from '../../lib/types/i18n.js'
import type { VerificationRequest } from '../../lib/types/provider.js'
import { credentials, startApp } from '../support/app.js'
import { type DoorApp, doors } from '../support/doors.js'
import { opened } from '../support/opened.js'
import { thrownBy } from '../support/rejection.js'

const i18n: I18nOptions = { locales: ['en', 'de', 'fr-CH', 'ar'], messages: { de, fr, ar } }
/** As the password's input has no label of the developer's. */
const plain = credentials({
  credentials: { username: {}, password: {}, team: { label: 'Team', labels: { de: 'Gruppe' } } },
})

for (const [door, start] of doors) {
  describe(`languages (${door})`, () => {
    let app: DoorApp
    const sent: VerificationRequest[] = []
    before(async () => {
      const mails = Email({ from: 'a@app.test', sendVerificationRequest: (mail) => void sent.push(mail) })
      app = await start({ i18n, adapter: memoryAdapter(), session: { strategy: 'jwt' }, providers: [plain, mails] })
    })
    after(() => app.close())

    const get = (path: string, language?: string, more: Record<string, string> = {}) =>
      app.browser().get(path, { ...(language !== undefined && { 'accept-language': language }), ...more })

    for (const [wanted, lang, title] of [
      ['de-AT,de;q=0.9,en;q=0.5', 'de', de['signIn.title']],
      ['fr', 'fr-CH', fr['signIn.title']],
      ['nl, ar;q=0.3', 'ar', ar['signIn.title']],
      ['nl', 'en', en['signIn.title']],
      [undefined, 'en', en['signIn.title']],
    ] as const) {
      it(`shows the sign-in page in ${lang} to who wants ${wanted}`, async () => {
        const page = await get('/auth/signin', wanted)
        expect(page.text).to.include(`<html lang="${lang}"${lang === 'ar' ? ' dir="rtl"' : ''}>`)
        expect(page.text).to.include(`<title>${title} ·`)
        expect(page.headers['content-language']).to.equal(lang)
        expect(page.headers.vary).to.equal('Cookie, Accept-Language')
      })
    }

    it('labels the inputs: as the developer says, else by what they are for', async () => {
      const german = (await get('/auth/signin', 'de')).text
      for (const label of [de['signIn.username'], de['signIn.password'], 'Gruppe', de['signIn.address']]) {
        expect(german).to.include(`>${label}</label>`)
      }
      const french = (await get('/auth/signin', 'fr')).text
      expect(french).to.include(`>${fr['signIn.password']}</label>`).and.include('>Team</label>')
      expect((await get('/auth/signin', 'en')).text).to.include('>Username</label>')
    })

    it('says what went wrong, and leaves the developer’s part in English', async () => {
      const page = await get('/auth/signin?error=CredentialsSignin', 'de')
      expect(page.text).to.include(de['error.CredentialsSignin.text'])
      const refused = await get('/auth/error?error=AccessDenied', 'ar')
      expect(refused.text).to.include(`<h1>${ar['error.AccessDenied.heading']}</h1>`)
      const unknown = await get('/auth/error?error=direction', 'de')
      expect(unknown.text).to.include(de['error.unknown.heading'])
    })

    for (const [path, key] of [
      ['/auth/signout', 'signOut.title'],
      ['/auth/verify-request', 'verifyRequest.title'],
      ['/auth/error', 'error.unknown.heading'],
    ] as const) {
      it(`shows ${path} in German`, async () => {
        expect((await get(path, 'de')).text).to.include(`<h1>${de[key]}</h1>`)
      })
    }

    it('says it in JSON, too', async () => {
      const browser = app.browser()
      const csrfToken = await browser.csrf()
      const headers = { accept: 'application/json', 'accept-language': 'de' }
      const answer = await browser.post(
        '/auth/callback/credentials',
        { csrfToken, username: 'ann', password: 'x' },
        headers,
      )
      expect(answer.status).to.equal(401)
      expect(answer.body).to.include({ error: 'CredentialsSignin', message: de['error.CredentialsSignin.text'] })
    })

    it('writes mails, and says in which language', async () => {
      const browser = app.browser()
      const csrfToken = await browser.csrf()
      const fields = { csrfToken, email: 'ann@example.com', navigation: 'form' }
      await browser.post('/auth/signin/email', fields, { 'accept-language': 'ar' })
      await new Promise((resolve) => setTimeout(resolve, 50))
      const [letter] = sent.splice(0)
      const site = new URL(app.origin).host
      expect(letter?.locale).to.equal('ar')
      expect(letter?.mail.subject).to.equal(ar['mail.signIn'].replace('{site}', `\u2068${site}\u2069`))
      expect(letter?.mail.html).to.include('<html lang="ar" dir="rtl">').and.include('align="right"')
      expect(letter?.mail.text).to.include(ar['mail.signInOpen']).and.include(letter?.url)
    })

    it('has a page for each language, however many ask in turn', async () => {
      for (const language of ['de', 'en', 'fr', 'de', 'en', 'ar']) {
        const page = await get('/auth/signin', language)
        expect(page.text).to.include(`<html lang="${language === 'fr' ? 'fr-CH' : language}"`)
      }
    })
  })
}

for (const [door, start] of doors) {
  describe(`i18n.resolve (${door})`, () => {
    const app = opened(() =>
      start({
        i18n: {
          ...i18n,
          resolve(request) {
            const wanted = new URL(request.url).searchParams.get('lang')
            if (wanted === 'throw') throw new Error('resolve failed')
            return wanted ?? request.headers.get('x-lang') ?? undefined
          },
        },
      }),
    )

    for (const [query, headers, lang] of [
      ['?lang=de', { 'accept-language': 'fr' }, 'de'],
      ['?lang=de-AT', {}, 'de'],
      ['', { 'x-lang': 'ar', 'accept-language': 'fr' }, 'ar'],
      ['?lang=nl', { 'accept-language': 'fr' }, 'fr-CH'],
      ['?lang=%00', { 'accept-language': 'fr' }, 'fr-CH'],
      ['', { 'accept-language': 'de' }, 'de'],
      ['?lang=throw', { 'accept-language': 'de' }, 'de'],
    ] as const) {
      it(`${query || 'nothing'} with ${JSON.stringify(headers)} is ${lang}`, async () => {
        const page = await app.browser().get(`/auth/signin${query}`, headers)
        expect(page.text).to.include(`<html lang="${lang}"`)
        const errors = app.log.errors.splice(0).map(({ message }) => message)
        expect(errors).to.deep.equal(query === '?lang=throw' ? ['resolve failed'] : [])
      })
    }
  })
}

describe('without i18n', () => {
  for (const [door, start] of doors) {
    it(`every client gets English, and nothing depends on the header (${door})`, async () => {
      const app = await start()
      try {
        const page = await app.browser().get('/auth/signin', { 'accept-language': 'de' })
        expect(page.text).to.include('<html lang="en">')
        expect(page.headers).to.not.have.property('content-language')
        expect(page.headers.vary).to.equal('Cookie')
      } finally {
        await app.close()
      }
    })
  }
})

describe('i18n, where it cannot work', () => {
  const { 'signIn.lead': _lead, ...incomplete } = de
  const broken = (changes: Partial<Record<keyof Messages, string>>): Messages => Object.assign({}, de, changes)
  for (const [what, option, says] of [
    ['a language without words', { locales: ['en', 'de'] }, /import de from 'server-auth\/i18n\/de'/],
    ['no languages', { locales: [] }, /i18n\.locales` must be a list/],
    ['no list', { locales: 'de' }, /i18n\.locales` must be a list/],
    ['no tag', { locales: ['english please'] }, /which is not a language tag/],
    [
      'a text that is missing',
      { locales: ['de'], messages: { de: incomplete } },
      /"signIn\.lead".* is missing.*\{site\}/,
    ],
    [
      'a placeholder that is missing',
      { locales: ['de'], messages: { de: broken({ 'signIn.lead': 'x' }) } },
      /must contain \{site\}/,
    ],
    [
      'a placeholder too many',
      { locales: ['de'], messages: { de: broken({ 'signIn.or': '{x}' }) } },
      /has the unknown placeholder \{x\}/,
    ],
    ['a direction that is none', { locales: ['de'], messages: { de: broken({ direction: 'up' }) } }, /"ltr" or "rtl"/],
    ['an option that is none', { locale: 'de' }, /no option `i18n\.locale`/],
  ] as const) {
    it(`refuses ${what}`, () => {
      const config = { secret: 's'.repeat(40), providers: [plain], i18n: option as unknown as I18nOptions }
      expect(thrownBy(() => ServerAuth(config)).message).to.match(says)
    })
  }

  it('takes words of one’s own, of another language, and over ours', async () => {
    const own: Messages = { ...en, 'signIn.title': 'Log in' }
    const app = await startApp({ i18n: { locales: ['en', 'de-CH'], messages: { en: own, de } } })
    try {
      expect((await app.browser().get('/auth/signin')).text).to.include('<h1>Log in</h1>')
      const swiss = await app.browser().get('/auth/signin', { 'accept-language': 'de-CH' })
      expect(swiss.headers['content-language']).to.equal('de-CH')
    } finally {
      await app.close()
    }
  })
})
