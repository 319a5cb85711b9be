/**
 * Tests of `theme.identifierFirst`: the page asks for the user name or address first, and then offers the sign-in
 * methods that need it. It is the same for every address.
 */

import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import Email from '../../lib/providers/email.js'
import GitHub from '../../lib/providers/github.js'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import { type Browser, credentials, target } from '../support/app.js'
import { doors } from '../support/doors.js'
import { opened } from '../support/opened.js'
import { withoutOwnScript } from '../support/own-scripts.js'
import { formPaths } from './page.js'

const mails = () => Email({ from: 'a@app.test', sendVerificationRequest: () => undefined })
const github = GitHub({ clientId: 'id', clientSecret: 'secret' })

function config(): Partial<ServerAuthConfig> {
  return {
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' },
    providers: [github, credentials(), mails()],
    theme: { identifierFirst: true },
  }
}

/** Types into the form of the first step. */
async function say(browser: Browser, identifier: string, more: object = {}) {
  const csrfToken = await browser.csrf()
  return browser.post('/auth/signin', { csrfToken, identifier, navigation: 'form', ...more })
}

for (const [door, start] of doors) {
  describe(`identifier first (${door})`, () => {
    const app = opened(() => start(config()), 'each')

    it('asks for the identifier, beside the methods that do not need it', async () => {
      const { text } = await app.browser().get('/auth/signin')
      expect(formPaths(text)).to.deep.equal(['/auth/signin/github', '/auth/signin'])
      expect(text).to.match(
        /<input id="input-identifier-for-address-provider" name="identifier" type="text"[^>]* autocomplete="username"/,
      )
      expect(text)
        .to.include('>Email address or username</label>')
        .and.include('>Continue</button>')
        .and.not.include('type="password"')
    })

    it('shows the methods that need the identifier, with the address in each', async () => {
      const browser = app.browser()
      const answer = await say(browser, 'ann@example.com')
      expect(answer.status).to.equal(303)
      expect(target(answer)).to.equal(`${app.origin}/auth/signin`)
      const { text } = await browser.get('/auth/signin')
      expect(formPaths(text)).to.deep.equal(['/auth/callback/credentials', '/auth/signin/email'])
      expect(text).to.match(
        /name="username" autocomplete="username" type="text" value="ann@example.com" class="unseen" readonly/,
      )
      expect(text).to.match(
        /name="email" autocomplete="email" type="text" value="ann@example.com" class="unseen" readonly/,
      )
      expect(text).to.include(
        `<strong><bdi>ann@example.com</bdi></strong> <a href="${app.origin}/auth/signin">Use another address</a>`,
      )
      expect(text).to.match(/type="password" [^>]*autofocus/)
      // The way back.
      expect(formPaths((await browser.get('/auth/signin')).text)).to.include('/auth/signin')
    })

    it('answers the same, byte for byte, whether the address is known or not', async () => {
      const pageOf = async (address: string) => {
        const browser = app.browser()
        const answer = await say(browser, address)
        const cookies = Object.keys(answer.headers)
        const page = (await browser.get('/auth/signin')).text.replaceAll(address, 'ADDRESS')
        return { status: answer.status, cookies, page: page.replace(/name="csrfToken" value="\w+"|nonce="[^"]+"/g, '') }
      }
      await app.config.adapter?.createUser?.({ id: 'u1', email: 'known@example.com', emailVerified: new Date() })
      expect(await pageOf('known@example.com')).to.deep.equal(await pageOf('other@example.com'))
    })

    it('puts the address in no URL, and shows the same page after a wrong password', async () => {
      const browser = app.browser()
      const answer = await say(browser, 'ann')
      expect(String(answer.headers.location)).to.not.include('ann')
      await browser.get('/auth/signin')
      const csrfToken = await browser.csrf()
      const fields = { csrfToken, username: 'ann', password: 'wrong', navigation: 'form' }
      const refused = await browser.post('/auth/callback/credentials', fields)
      expect(target(refused)).to.include('error=CredentialsSignin').and.not.include('ann')
      const { text } = await browser.get(new URL(target(refused)).pathname + new URL(target(refused)).search)
      expect(formPaths(text)).to.deep.equal(['/auth/callback/credentials'])
      expect(text).to.include('<bdi>ann</bdi>').and.include('details are not correct')
      const again = await browser.post('/auth/callback/credentials', {
        ...fields,
        csrfToken: await browser.csrf(),
        password: 'right',
      })
      expect(target(again)).to.equal(`${app.origin}/`)
      expect((await browser.session()) as object).to.have.nested.property('user.name', 'ann')
    })

    it('leaves out the methods that need an email address for a name that is none', async () => {
      const browser = app.browser()
      await say(browser, 'ann')
      expect(formPaths((await browser.get('/auth/signin')).text)).to.deep.equal(['/auth/callback/credentials'])
    })

    it('leads to the page that the user asked for', async () => {
      const browser = app.browser()
      await browser.get('/auth/signin?callbackUrl=/wanted')
      await say(browser, 'ann', { callbackUrl: `${app.origin}/wanted` })
      const { text } = await browser.get('/auth/signin')
      expect(text).to.include(`name="callbackUrl" value="${app.origin}/wanted"`)
    })

    for (const [what, identifier] of [
      ['nothing', ''],
      ['blanks', '   '],
      ['more than an address can have', 'a'.repeat(255)],
    ] as const) {
      it(`asks again for ${what}`, async () => {
        const browser = app.browser()
        expect((await say(browser, identifier)).status).to.equal(303)
        expect(formPaths((await browser.get('/auth/signin')).text)).to.include('/auth/signin')
      })
    }

    it('XS-02 escapes what was typed', async () => {
      const browser = app.browser()
      await say(browser, '"><script>alert(1)</script>')
      const { text } = await browser.get('/auth/signin')
      expect(withoutOwnScript(text)).to.include('&#62;&#60;script').and.not.include('<script')
    })

    it('CS-01 accepts the identifier from its own page only', async () => {
      const browser = app.browser()
      const answer = await browser.post('/auth/signin', {
        identifier: 'ann',
        navigation: 'form',
        csrfToken: 'x'.repeat(64),
      })
      expect(target(answer)).to.include('error=MissingCSRF')
      expect(formPaths((await browser.get('/auth/signin')).text)).to.include('/auth/signin')
    })

    it('CS-01 ignores an identifier that was typed in another browser', async () => {
      const [attacker, victim] = [app.browser(), app.browser()]
      await say(attacker, 'mallory')
      const [name = '', value = ''] = [...attacker.cookies].find(([each]) => each.endsWith('auth.typed')) ?? []
      expect(value).to.not.equal('')
      await victim.csrf()
      victim.cookies.set(name, value)
      const { text } = await victim.get('/auth/signin')
      expect(text).to.not.include('mallory')
      expect(formPaths(text)).to.include('/auth/signin')
    })

    it('has no first step on the page of one method', async () => {
      expect(formPaths((await app.browser().get('/auth/signin/email')).text)).to.deep.equal(['/auth/signin/email'])
    })
  })
}

describe('identifier first, where one method needs an address', () => {
  const [[, start] = []] = doors
  it('is left out', async () => {
    const app = await start?.({ ...config(), providers: [github, credentials()] })
    expect(formPaths((await app?.browser().get('/auth/signin'))?.text ?? '')).to.deep.equal([
      '/auth/signin/github',
      '/auth/callback/credentials',
    ])
    await app?.close()
  })

  it('asks for an email address if all methods need one', async () => {
    const inputs = { credentials: { email: { type: 'email' }, password: { type: 'password' } } }
    const app = await start?.({ ...config(), providers: [credentials(inputs), mails()] })
    const page = await app?.browser().get('/auth/signin')
    expect(page?.text).to.include('name="identifier" type="email"').and.include('>Email address</label>')
    await app?.close()
  })
})

describe('the text typed into the form of an email link', () => {
  for (const [door, start] of doors) {
    it(`is shown again after a rejection (${door})`, async () => {
      const app = await start({ ...config(), theme: {} })
      const browser = app.browser()
      const answer = await browser.post('/auth/signin/email', {
        csrfToken: await browser.csrf(),
        email: 'ann@localhost@x',
        navigation: 'form',
      })
      expect(target(answer)).to.include('error=EmailSignInError').and.not.include('ann')
      const { text } = await browser.get(new URL(target(answer)).pathname + new URL(target(answer)).search)
      expect(text).to.match(/name="email" type="email"[^>]* value="ann@localhost@x"/)
      await app.close()
    })
  }
})
