/** Functions in `pages`: custom pages for the questions that are asked before something happens. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { ServerAuth } from '../../lib/index.js'
import Email from '../../lib/providers/email.js'
import type { ConfirmationPage } from '../../lib/types/pages.js'
import { type Browser, target } from '../support/app.js'
import { type DoorApp, doors } from '../support/doors.js'
import { thrownBy } from '../support/rejection.js'

for (const [door, start] of doors) {
  describe(`pages.confirmEmail (${door})`, () => {
    let app: DoorApp
    let asked: ConfirmationPage[]
    let links: string[]
    let answer: (page: ConfirmationPage) => unknown
    beforeEach(async () => {
      asked = []
      links = []
      answer = ({ address, nonce }) =>
        `<!doctype html><title>Ours</title><style nonce="${nonce}"></style><p>${address}</p>`
      app = await start({
        adapter: memoryAdapter(),
        session: { maxAge: 3600, rememberMaxAge: 90_000 },
        providers: [Email({ from: 'a@app.test', sendVerificationRequest: ({ url }) => void links.push(url) })],
        pages: {
          confirmEmail(page) {
            asked.push(page)
            return answer(page) as string
          },
        },
      })
    })
    afterEach(() => app.close())

    /** Opens a link that another browser has requested. */
    async function link(email = 'ann@example.com'): Promise<string> {
      const other = app.browser()
      await other.post('/auth/signin/email', { csrfToken: await other.csrf(), email, navigation: 'form' })
      for (let wait = 0; links.length === 0 && wait < 200; wait += 1)
        await new Promise((resolve) => setTimeout(resolve, 5))
      const url = new URL(links.pop() ?? '')
      return url.pathname + url.search
    }

    async function open(browser: Browser) {
      const page = await browser.get(await link())
      const [question] = asked.splice(0)
      if (!question) throw new Error('nothing was asked')
      return { page, question }
    }

    it('is sent with our headers', async () => {
      const { page, question } = await open(app.browser())
      expect(page.status).to.equal(200)
      expect(page.text).to.match(/^<!doctype html><title>Ours<\/title>.*<p>ann@example.com<\/p>$/)
      expect(page.headers['content-security-policy']).to.include(`'nonce-${question.nonce}'`)
      expect(page.headers['cache-control']).to.include('no-store')
      expect(question).to.deep.include({
        ...{ kind: 'confirm-email', canConfirm: true, address: 'ann@example.com', locale: 'en', remember: false },
        action: `${app.origin}/auth/callback/email`,
        signInUrl: `${app.origin}/auth/signin`,
      })
      expect(question).to.not.have.any.keys('signedInAs', 'effect', 'formerAddress', 'provider')
    })

    it('signs in by its fields, and by nothing less', async () => {
      const browser = app.browser()
      const { question } = await open(browser)
      const { csrfToken, ...rest } = question.fields
      const refused = await browser.post('/auth/callback/email', { ...rest, csrfToken: 'x'.repeat(64) })
      expect(target(refused)).to.include('error=MissingCSRF')
      const done = await browser.post('/auth/callback/email', { ...rest, csrfToken })
      expect(target(done)).to.equal(`${app.origin}/`)
      expect(await browser.session()).to.have.nested.property('user.email', 'ann@example.com')
    })

    it('names the user who is signed in, and says what happens to their session', async () => {
      const browser = app.browser()
      const first = await open(browser)
      await browser.post('/auth/callback/email', first.question.fields)
      const page = await browser.get(await link('bob@example.com'))
      expect(page.status).to.equal(200)
      expect(asked[0]).to.include({ signedInAs: 'ann@example.com', effect: 'new-user', address: 'bob@example.com' })
    })

    for (const [what, wrong] of [
      [
        'throws',
        () => {
          throw new Error('own page failed')
        },
      ],
      ['gives no text', () => ({})],
    ] as const) {
      it(`uses nothing up where it ${what}`, async () => {
        answer = wrong
        const browser = app.browser()
        const path = await link()
        const page = await browser.get(path)
        expect(target(page)).to.include('/auth/error?error=Configuration')
        answer = () => 'ours'
        asked = []
        expect((await browser.get(path)).text).to.equal('ours')
        await browser.post('/auth/callback/email', asked[0]?.fields ?? {})
        expect(await browser.session()).to.have.nested.property('user.email', 'ann@example.com')
      })
    }
  })
}

describe('pages', () => {
  it('takes functions, and no other names', () => {
    const config = (pages: object) => ({ secret: 's'.repeat(40), providers: [], pages })
    expect(thrownBy(() => ServerAuth(config({ confirmEmail: '/confirm' }))).message).to.match(
      /pages\.confirmEmail` must be a function/,
    )
    expect(thrownBy(() => ServerAuth(config({ confirmMail: () => '' }))).message).to.match(
      /Did you mean `confirmEmail`/,
    )
  })
})
