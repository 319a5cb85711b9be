/** The clients that open a link: the browser that requested it, another one, or a program that scans mail. */
import { expect } from 'chai'
import { type Browser, setCookies, startApp, target } from '../../support/app.js'
import { advanceClock, freezeClock } from '../../support/clock.js'
import type { Answer } from '../../support/http-browser.js'
import { formIn } from '../../support/mail-server.js'
import { changed, expectQuestion, queryOf, useMailStage } from './stage.js'

const address = 'ann@example.com'

describe('an email link', () => {
  const stage = useMailStage()

  /** Checks that the link shows the question, uses nothing up, and signs no user in. */
  async function expectAsked(response: Answer, browser: Browser, session: unknown = null): Promise<void> {
    expectQuestion(response)
    expect(response.text).to.include(address)
    expect(setCookies(response).filter((line) => line.includes('session-token'))).to.deep.equal([])
    expect(await browser.session()).to.deep.equal(session)
    expect(stage.calls.map(({ method }) => method)).to.not.include('useVerificationToken')
  }

  it('completes immediately in the browser that requested it', async () => {
    await stage.expectSignedIn(await stage.browser.get(await stage.linkFor(address)), address)
  })

  it('EM-18 asks first in another browser, whose confirmation completes there and in no other', async () => {
    const link = await stage.linkFor(address)
    const other = stage.app.browser()
    await expectAsked(await other.get(link), other)
    await stage.expectSignedIn(await stage.confirm(other, link), address, { browser: other })
    expect(await stage.browser.session()).to.equal(null)
  })

  it('asks first after fifteen minutes, and then completes', async () => {
    freezeClock()
    const link = await stage.linkFor(address)
    advanceClock(15 * 60 + 1)
    await expectAsked(await stage.browser.get(link), stage.browser)
    await stage.expectSignedIn(await stage.confirm(stage.browser, link), address)
  })

  it('completes immediately within fifteen minutes', async () => {
    freezeClock()
    const link = await stage.linkFor(address)
    advanceClock(15 * 60 - 5)
    await stage.expectSignedIn(await stage.browser.get(link), address)
  })

  it('asks first if the browser has another session than when the link was requested', async () => {
    const link = await stage.linkFor(address)
    const bob = stage.app.browser()
    await bob.get(await stage.linkFor('bob@example.com', { browser: bob }))
    for (const [name, value] of bob.cookies) if (name.includes('session')) stage.browser.cookies.set(name, value)
    stage.calls.length = 0
    await expectAsked(await stage.browser.get(link), stage.browser, await bob.session())
  })

  it('asks first if the session in which it was requested is gone', async () => {
    await stage.browser.get(await stage.linkFor('bob@example.com'))
    const link = await stage.linkFor(address)
    await stage.browser.submit('/auth/signout')
    stage.calls.length = 0
    await expectAsked(await stage.browser.get(link), stage.browser)
  })

  for (const [name, value] of [
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'prefetch'],
    ['x-purpose', 'preview'],
    ['x-moz', 'prefetch'],
  ] as const) {
    it(`uses nothing up for a browser that prefetches (${name}: ${value})`, async () => {
      const link = await stage.linkFor(address)
      await expectAsked(await stage.browser.get(link, { [name]: value }), stage.browser)
      await stage.expectSignedIn(await stage.browser.get(link), address)
    })
  }

  it('EM-08 uses nothing up for HEAD, and sets no cookie', async () => {
    const link = await stage.linkFor(address)
    for (const browser of [stage.browser, stage.app.browser()]) {
      const response = await browser.send('head', link)
      expect(response.status).to.equal(200)
      expect(setCookies(response)).to.deep.equal([])
    }
    await stage.expectSignedIn(await stage.browser.get(link), address)
  })

  it('EM-08 survives a scanner that opens it three times', async () => {
    const link = await stage.linkFor(address)
    const scanner = stage.app.browser()
    for (let visit = 0; visit < 3; visit += 1) {
      await scanner.send('head', link)
      await expectAsked(await scanner.get(link, { 'user-agent': 'Scanner/1.0' }), scanner)
    }
    await stage.expectSignedIn(await stage.browser.get(link), address)
    expect(await scanner.session()).to.equal(null)
  })

  it('survives a scanner that submits the form without cookies, and one that makes up a token', async () => {
    const link = await stage.linkFor(address)
    const scanner = stage.app.browser()
    const { action, fields } = formIn((await scanner.get(link)).text, '/callback/')
    const { csrfToken: _left, ...bare } = fields
    const attempts = [
      await stage.app.browser().post(action, fields),
      await stage.app.browser().post(action, bare),
      await scanner.post(action, { ...bare, csrfToken: '0'.repeat(64) }),
      await scanner.post(action, fields, { 'sec-fetch-site': 'cross-site' }),
      await scanner.post(action, fields, { origin: 'https://evil.test' }),
      await stage.app.browser().post(link, fields),
    ]
    for (const response of attempts) {
      expect(target(response)).to.match(/error=MissingCSRF$/)
      expect(setCookies(response).filter((line) => line.includes('session-token'))).to.deep.equal([])
    }
    await stage.expectSignedIn(await stage.browser.get(link), address)
  })

  it('asks first if the cookie of the requesting browser is damaged, or is of another attempt', async () => {
    const link = await stage.linkFor(address)
    const { browser } = stage
    const genuine = browser.cookies.get('auth.transaction.email') ?? ''
    for (const value of [`${genuine.slice(0, -2)}xx`, 'x', '', genuine.slice(0, 40)]) {
      browser.cookies.set('auth.transaction.email', value)
      await expectAsked(await browser.get(link), browser)
    }
    browser.cookies.set('auth.transaction.email', genuine)
    for (const [name, value] of [
      ['attempt', null],
      ['attempt', 'x'],
      ['token', '0'.repeat(64)],
    ] as const) {
      await expectAsked(await browser.get(changed(link, { [name]: value })), browser)
    }
    await stage.expectSignedIn(await browser.get(link), address)
  })

  it('has nothing in it by which a browser could be marked: the attempt is sealed with the token', async () => {
    // A stranger who asks for a link to Ann's address has a cookie for it, but neither attempt nor token.
    const stranger = stage.app.browser()
    const first = await stage.linkFor(address, { browser: stranger })
    const second = await stage.linkFor(address)
    const { token = '' } = queryOf(second)
    expectQuestion(await stranger.get(changed(first, { token })))
    expectQuestion(await stranger.get(second))
    expect(await stranger.session()).to.equal(null)
  })

  it('asks first if it was requested at another provider', async () => {
    await stage.restart({}, { providers: [stage.email(), stage.email({ id: 'mail2' })] })
    const link = await stage.linkFor(address)
    const moved = link.replace('/callback/email?', '/callback/mail2?')
    expectQuestion(await stage.browser.get(moved))
    await stage.expectRefused(await stage.confirm(stage.app.browser(), moved))
    await stage.expectSignedIn(await stage.browser.get(link), address)
  })
})

describe('a link for one user in the browser of another', () => {
  const stage = useMailStage()
  const signIn = async (who: string, browser = stage.app.browser()) => {
    await browser.get(await stage.linkFor(who, { browser }))
    expect(await browser.session()).to.have.nested.property('user.email', who)
    return browser
  }
  const elsewise = /signed in as <strong><bdi>bob@example\.com<\/bdi><\/strong> here/
  const rows = async (who: string) => {
    const user = await stage.adapter.getUserByEmail?.(who)
    return (await stage.adapter.listSessionsByUserId?.(user?.id ?? ''))?.length
  }

  it('EM-09 asks, changes nothing until then, and then one session replaces the other', async () => {
    const bob = await signIn('bob@example.com')
    const link = await stage.linkFor(address)
    const alone = await stage.app.browser().get(link)
    const page = await bob.get(link)
    expectQuestion(page)
    expect(page.text).to.match(elsewise)
    expect(alone.text).to.not.match(elsewise)
    expect(await bob.session()).to.have.nested.property('user.email', 'bob@example.com')
    expect(await rows('bob@example.com')).to.equal(1)

    await stage.expectSignedIn(await stage.confirm(bob, link), address, { browser: bob })
    expect(await rows('bob@example.com')).to.equal(0)
    expect(await rows(address)).to.equal(1)
  })

  it('does not say so if the same user is signed in', async () => {
    const ann = await signIn(address)
    const link = await stage.linkFor(address, { browser: stage.app.browser() })
    const page = await ann.get(link)
    expectQuestion(page)
    expect(page.text).to.not.match(/signed in as <strong>/)
  })

  it('keeps the session if the link was used before', async () => {
    const link = await stage.linkFor(address)
    await stage.browser.get(link)
    const bob = await signIn('bob@example.com')
    const cookie = bob.cookies.get('auth.session-token')
    expect(target(await stage.confirm(bob, link))).to.match(/\/auth\/error\?error=Verification$/)
    expect(bob.cookies.get('auth.session-token')).to.equal(cookie)
    expect(await bob.session()).to.have.nested.property('user.email', 'bob@example.com')
    expect(await rows('bob@example.com')).to.equal(1)
  })
})

describe('a link that is used many times', () => {
  const stage = useMailStage()

  it('RC-01 starts one session, out of fifty clicks at the same time', async () => {
    const link = await stage.linkFor(address)
    const browser = stage.app.browser()
    const { action, fields } = formIn((await browser.get(link)).text, '/callback/')
    const cookies = new Map(browser.cookies)
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => {
        const clone = stage.app.browser()
        for (const [name, value] of cookies) clone.cookies.set(name, value)
        return clone.post(action, fields)
      }),
    )
    const begun = responses.filter((each) => setCookies(each).some((line) => line.startsWith('auth.session-token=')))
    expect(begun).to.have.length(1)
    expect(stage.calls.filter(({ method }) => method === 'createSession')).to.have.length(1)
    expect(responses.filter((each) => /error=Verification$/.test(target(each)))).to.have.length(49)
  })

  it('EM-09 is rejected at the second time, on a page with an explanation, and the session stays', async () => {
    const link = await stage.linkFor(address)
    await stage.browser.get(link)
    const cookie = stage.browser.cookies.get('auth.session-token')
    const response = await stage.confirm(stage.browser, link)
    expect(target(response)).to.match(/\/auth\/error\?error=Verification$/)
    expect((await stage.browser.get(target(response))).status).to.equal(403)
    expect(stage.browser.cookies.get('auth.session-token')).to.equal(cookie)
    expect(await stage.browser.session()).to.have.nested.property('user.email', address)
    await stage.expectRefused(await stage.confirm(stage.app.browser(), link), 'Verification', {
      browser: stage.app.browser(),
    })
    expect(stage.logged()).to.deep.equal(['Verification', 'Verification'])
    expect(stage.failures.map(({ type, action, provider }) => [type, action, provider])).to.deep.equal([
      ['Verification', 'callback', 'email'],
      ['Verification', 'callback', 'email'],
    ])
  })
})

describe('a link after a restart of the application', () => {
  const stage = useMailStage()

  it('works, because its state is in the database and in the cookie', async () => {
    const link = await stage.linkFor(address)
    await stage.settled()
    const again = await startApp({ providers: [stage.email()], adapter: stage.adapter })
    const browser = again.browser()
    for (const [name, value] of stage.browser.cookies) browser.cookies.set(name, value)
    const { pathname, search } = new URL(link)
    expect(target(await browser.get(pathname + search))).to.equal(`${stage.app.origin}/`)
    expect(await browser.session()).to.have.nested.property('user.email', address)
    await again.close()
  })
})
