/**
 * Sign-in by mail: attacks that no other suite has. The rest is in `test/flows/email/`, `test/providers/email.test.ts`
 * and `test/pages/mail.test.ts`.
 */

import { inspect } from 'node:util'
import { expect } from 'chai'
import { expressFunctions } from '../../lib/functions/on-express.js'

import type { LoggerInstance } from '../../lib/types/logger.js'
import { changed, expectQuestion, queryOf, useMailStage } from '../flows/email/stage.js'
import { useEnvironment } from '../router/fixtures.js'
import { setCookies, startApp, target } from '../support/app.js'
import { freezeClock } from '../support/clock.js'
import { formIn, linkIn, linkInHtml } from '../support/mail-server.js'

const address = 'ann@example.com'

/** The headers with which a stranger can lie about the site. */
const spoofed = {
  host: 'evil.test',
  'x-forwarded-host': 'evil.test',
  'x-forwarded-proto': 'https',
  forwarded: 'host=evil.test;proto=https',
  'x-host': 'evil.test',
  'x-original-url': '/evil',
  'x-rewrite-url': '/evil',
}

describe('a stranger who lies about the host', () => {
  describe('with AUTH_URL', () => {
    useEnvironment({ AUTH_URL: 'https://app.test', NODE_ENV: 'production' })
    const stage = useMailStage()

    it('EM-15 HH-06 causes a mail with our host, in every link and text of it', async () => {
      const asked = await stage.ask(address, { headers: spoofed })
      expect(target(asked)).to.match(/^https:\/\/app\.test\/auth\/verify-request\?/)
      const { parsed, raw } = await stage.server.next()
      for (const link of [linkIn(parsed), linkInHtml(parsed)]) {
        expect(link).to.match(/^https:\/\/app\.test\/auth\/callback\/email\?/)
        expect(queryOf(link).callbackUrl).to.equal('https://app.test/')
      }
      expect(raw + parsed.text + parsed.html).to.not.include('evil')
      expect(parsed.subject).to.include('app.test')
    })
  })

  describe('without AUTH_URL', () => {
    useEnvironment({ AUTH_URL: undefined, NODE_ENV: undefined })
    const stage = useMailStage()

    it('EM-15 HH-03 changes no link by headers that none of our proxies sent', async () => {
      const { host: _kept, ...others } = spoofed
      const link = await stage.linkFor(address, { headers: others })
      expect(link.startsWith(`${stage.app.origin}/auth/callback/email?`)).to.equal(true)
    })

    it('HH-02 causes no mail if the host is not trusted', async () => {
      await stage.restart({}, { trustHost: false })
      const response = await stage.browser.post('/auth/signin/email', { email: address }, { host: 'evil.test' })
      expect(response.status).to.be.within(400, 599)
      await stage.settled()
      expect(stage.server.connections).to.equal(0)
      expect(stage.calls).to.deep.equal([])
    })
  })
})

describe('EM-16 pages that are reached with a token in their URL', () => {
  const stage = useMailStage()
  const headersOf = (headers: Record<string, string>) => [headers['referrer-policy'], headers['cache-control']]

  it('disclose it to no other site: the question', async () => {
    const link = await stage.linkFor(address)
    const page = await stage.app.browser().get(link)
    expect(headersOf(page.headers)).to.deep.equal(['same-origin', 'private, no-cache, no-store'])
    expect(page.headers['content-security-policy'])
      .to.include("default-src 'none'")
      .and.include("frame-ancestors 'none'")
    const urls = [...page.text.matchAll(/\b(?:src|href|action|data|poster|srcset)\s*=\s*"([^"]*)"/g)].map(
      ([, url]) => url,
    )
    expect(urls).to.not.deep.equal([])
    for (const url of urls) {
      const { origin, protocol } = new URL(url ?? '', stage.app.origin)
      if (protocol !== 'data:') expect(origin).to.equal(stage.app.origin)
      // The token is in the form that needs it, and in no URL that is followed.
      expect(url).to.not.include(queryOf(link).token)
    }
    expect(page.text).to.not.match(/@import|url\(\s*["']?http/)
  })

  it('redirect to a URL without it: the sign-in, the confirmation, and the error', async () => {
    const link = await stage.linkFor(address)
    const { token = '' } = queryOf(link)
    const other = stage.app.browser()
    const yes = await stage.confirm(other, link)
    expect(yes.status).to.equal(303)
    const again = await stage.browser.get(link)
    const direct = await stage.browser.get(await stage.linkFor(address))
    for (const response of [yes, again, direct]) {
      expect(response.status).to.be.oneOf([302, 303])
      expect(headersOf(response.headers)).to.deep.equal(['same-origin', 'private, no-cache, no-store'])
      expect(target(response)).to.not.include(token).and.not.include('token=').and.not.include('example.com')
    }
  })
})

describe('a link with more parameters than a link should have', () => {
  const stage = useMailStage()

  it('is escaped on the page', async () => {
    const attack = `"><script>alert(1)</script>`
    const link = await stage.linkFor(address)
    for (const name of ['attempt', 'callbackUrl', 'token']) {
      const value = `${attack}${'x'.repeat(20)}`
      const page = await stage.app.browser().get(changed(link, { [name]: value }))
      expectQuestion(page)
      expect(page.text).to.not.include('<script>alert')
      expect(formIn(page.text, '/callback/').fields[name]).to.equal(value)
    }
    const named = await stage.app.browser().get(changed(link, { email: `a"><script>@x.test` }))
    expect(target(named)).to.match(/error=Verification$/)
  })

  it('cannot set the fields of our own forms', async () => {
    const link = await stage.linkFor(address)
    const page = await stage.app.browser().get(changed(link, { csrfToken: 'x', navigation: 'y', action: 'z' }))
    const { fields } = formIn(page.text, '/callback/')
    expect(fields.csrfToken).to.match(/^[0-9a-f]{64}$/)
    expect(Object.values(fields)).to.not.include('y').and.not.include('z')
  })

  it('CR-04 adds no header', async () => {
    const link = await stage.linkFor(address)
    for (const callbackUrl of ['/a\r\nSet-Cookie: x=1', '/a%0d%0aSet-Cookie:x=1']) {
      const browser = stage.app.browser()
      const page = await browser.get(changed(link, { callbackUrl }))
      const { action, fields } = formIn(page.text, '/callback/')
      const response = await browser.post(action, { ...fields, token: '0'.repeat(64) })
      for (const each of [page, response]) {
        expect(setCookies(each).some((line) => line.startsWith('x='))).to.equal(false)
      }
    }
    const asked = await stage.ask(address, { fields: { callbackUrl: '/a\r\nBcc: bob@example.com' } })
    expect(asked.status).to.equal(303)
    const { to, raw } = await stage.server.next()
    expect(to).to.deep.equal([address])
    expect(raw).to.not.match(/^Bcc:/im)
  })

  it('pollutes nothing', async () => {
    const link = await stage.linkFor(address)
    await stage.app.browser().get(`${link}&__proto__[x]=1&constructor[prototype][x]=1`)
    const json = JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"email":"ann@example.com"}')
    await stage.browser.send('post', '/auth/signin/email', { json: { ...json, csrfToken: await stage.browser.csrf() } })
    expect(({} as { x?: unknown }).x).to.equal(undefined)
  })
})

describe('the log of sign-ins by mail', () => {
  const stage = useMailStage()

  it('has no token, link, address or cookie, at any level', async () => {
    const lines: string[] = []
    const print = (...message: unknown[]) => void lines.push(inspect(message, { depth: 20, showHidden: true }))
    const logger: LoggerInstance = { error: print, warn: print, debug: print }
    await stage.restart({}, { debug: true, logger })
    const known = 'known.person@example.com'
    await stage.adapter.createUser?.({ id: 'u1', email: known, emailVerified: new Date() })
    const secrets: Array<string | undefined> = []
    for (const who of [address, known]) {
      const browser = stage.app.browser()
      const link = await stage.linkFor(who, { browser })
      secrets.push(queryOf(link).token, queryOf(link).attempt, ...browser.cookies.values(), who)
      await browser.get(link)
      secrets.push(...browser.cookies.values())
      await stage.confirm(stage.app.browser(), link)
      await stage.ask(`${who},x@y.test`, { browser })
      stage.server.mood = 'refuses'
      await stage.ask(who, { browser })
      await stage.settled()
      stage.server.mood = 'takes'
    }
    const text = lines.join('\n')
    expect(text)
      .to.match(/Verification/)
      .and.match(/EmailSignInError/)
      .and.match(/adapter: useVerificationToken/)
    for (const each of secrets) {
      if (each !== undefined && each.length > 8 && !each.startsWith('http')) expect(text).to.not.include(each)
    }
    expect(text).to.not.include('/auth/callback/email?')
  })
})

describe('the configuration of mails in production', () => {
  useEnvironment({ AUTH_URL: undefined, NODE_ENV: 'production', AUTH_TRUST_HOST: 'true' })

  it('is rejected at the start without AUTH_URL', async () => {
    const provider = { id: 'email', name: 'Email', type: 'email' as const, sendVerificationRequest: () => {} }
    const { memoryAdapter } = await import('../../lib/adapters/memory/index.js')
    const outcome = await startApp({ providers: [provider], adapter: memoryAdapter() }).then(
      () => 'started',
      (error: Error) => error.message,
    )
    expect(outcome).to.match(/AUTH_URL must be set in production/)
  })
})

describe('a link, and the sessions of the user who is stored with its address', () => {
  const stage = useMailStage()
  const day = 24 * 60 * 60 * 1000

  const userWith = async (email: string, emailVerified: Date | null) => {
    const user = await stage.adapter.createUser?.({ id: '', email, emailVerified })
    return { id: user?.id ?? '' }
  }

  it('EM-22 opens for its owner, whatever session a stranger ends who only typed the address', async () => {
    const stranger = await userWith(address, null)
    const link = await stage.linkFor(address)
    await expressFunctions(stage.app.config).sessions.endAll(stranger.id)
    await stage.expectSignedIn(await stage.browser.get(link), address)
  })

  it('EM-23 does not open after all sessions ended, however long it is valid and however short sessions are', async () => {
    await stage.restart({ maxAge: (9 * day) / 1000 }, { session: { maxAge: 600 } })
    const [user, other] = [await userWith(address, new Date()), await userWith('bob@example.com', null)]
    const link = await stage.linkFor(address)
    await expressFunctions(stage.app.config).sessions.endAll(user.id)
    freezeClock(Date.now() + 8 * day)
    // Stores remove what is over when they write.
    for (const { id } of [other, other]) await expressFunctions(stage.app.config).sessions.endAll(id)
    const elsewhere = stage.app.browser()
    await stage.expectRefused(await stage.confirm(elsewhere, link), 'Verification', { browser: elsewhere })
  })
})
