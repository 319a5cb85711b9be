/** The token of an email link: stored as a hash, used once, only the newest, for one address and provider. */
import { createHash } from 'node:crypto'
import { UnstorageAdapter } from '@auth/unstorage-adapter'
import { expect } from 'chai'
import { createStorage } from 'unstorage'
import { memoryAdapter } from '../../../lib/adapters/memory/index.js'
import { clearSiteMemories } from '../../../lib/base/memory.js'
import { expressFunctions } from '../../../lib/functions/on-express.js'
import type { Adapter } from '../../../lib/types/adapter.js'
import initAuth from '../../../shim/index.js'
import { type Browser, secret, setCookies, startApp, target } from '../../support/app.js'
import { advanceClock, freezeClock } from '../../support/clock.js'
import { crowd } from '../../support/extent.js'
import { formIn } from '../../support/mail-server.js'
import { present } from '../../support/world.js'
import { changed, expectQuestion, queryOf, useMailStage, without } from './stage.js'

const address = 'ann@example.com'
const other = 'another-secret-of-more-than-32-characters'
const third = 'the-third-secret-of-more-than-32-characters'

describe("an email link's token", () => {
  const stage = useMailStage()
  const stored = () =>
    stage.calls
      .filter(({ method }) => method === 'createVerificationToken')
      .map(({ args }) => args[0] as { identifier: string; token: string; expires: Date })
  /** Posts the form behind a link, whatever the link says. */
  async function say(token: string, { email = address, provider = 'email', browser = stage.app.browser() } = {}) {
    return browser.submit(`/auth/callback/${provider}`, { token, email })
  }

  it('EM-10 is 256 random bits, and hashed where it is stored', async () => {
    const links = [await stage.linkFor(address), await stage.linkFor(address)]
    const tokens = links.map((link) => queryOf(link).token ?? '')
    expect(new Set(tokens).size).to.equal(2)
    for (const [at, { identifier, token }] of stored().entries()) {
      expect(tokens[at]).to.match(/^[0-9a-f]{64}$/)
      expect(identifier).to.equal(address)
      expect(token).to.match(/^[0-9a-f]{64}$/)
      const plain = ['', secret].map((salt) => createHash('sha256').update(`${tokens[at]}${salt}`).digest('hex'))
      expect([tokens[at], ...plain]).to.not.include(token)
    }
    expect(JSON.stringify(stage.calls)).to.not.include(tokens[0]).and.not.include(tokens[1])
  })

  it('SE-12 EM-10 is not what is stored', async () => {
    const link = await stage.linkFor(address)
    const [row] = stored()
    await stage.expectRefused(await say(row?.token ?? ''))
    expectQuestion(await stage.browser.get(changed(link, { token: row?.token ?? '' })))
    await stage.expectSignedIn(await stage.browser.get(link), address)
  })

  it('PC-05 is valid for its address only, and stays valid when it is tried with another one', async () => {
    const link = await stage.linkFor(address)
    const { token = '' } = queryOf(link)
    await stage.linkFor('bob@example.com')
    await stage.expectRefused(await say(token, { email: 'bob@example.com' }))
    await stage.expectRefused(await say(token, { email: 'ann@example.org' }))
    await stage.expectSignedIn(await stage.confirm(stage.browser, link), address)
  })

  it('PC-05 is valid for its provider only, and stays valid when it is tried at another one', async () => {
    await stage.restart({}, { providers: [stage.email(), stage.email({ id: 'mail2' })] })
    const link = await stage.linkFor(address)
    const { token = '' } = queryOf(link)
    await stage.expectRefused(await say(token, { provider: 'mail2' }))
    await stage.expectSignedIn(await stage.browser.get(link), address)
  })

  it('EM-09 ends after `maxAge` seconds, a day by default', async () => {
    for (const [options, life] of [
      [{}, 24 * 60 * 60],
      [{ maxAge: 600 }, 600],
    ] as const) {
      await stage.restart(options)
      freezeClock()
      const now = Date.now()
      const [early, late] = [await stage.linkFor('early@example.com'), await stage.linkFor('late@example.com')]
      expect(stored().map(({ expires }) => expires.getTime())).to.deep.equal(Array(2).fill(now + life * 1000))
      advanceClock(life - 1)
      const browser = stage.app.browser()
      await stage.expectSignedIn(await stage.confirm(browser, early), 'early@example.com', { browser })
      advanceClock(1)
      const latecomer = stage.app.browser()
      await stage.expectRefused(await stage.confirm(latecomer, late), 'Verification', { browser: latecomer })
    }
  })

  it('ends by our own clock, whatever the adapter says', async () => {
    await stage.restart({ maxAge: 60 })
    const link = await stage.linkFor(address)
    freezeClock()
    advanceClock(61)
    expect(target(await stage.browser.get(link))).to.match(/error=Verification$/)
  })

  for (const [what, adapter] of [
    ['', () => memoryAdapter()],
    [', also where the adapter cannot delete older ones', () => without(memoryAdapter(), 'deleteVerificationTokens')],
    [', also with the published adapter for unstorage', () => UnstorageAdapter(createStorage()) as Adapter],
  ] as const) {
    it(`EM-11 is valid until a newer one is sent${what}`, async () => {
      await stage.restart({}, { adapter: adapter() })
      const links = [await stage.linkFor(address), await stage.linkFor(address), await stage.linkFor(address)]
      const [first = '', second = '', newest = ''] = links
      for (const link of [first, second]) {
        const browser = stage.app.browser()
        await stage.expectRefused(await stage.confirm(browser, link), 'Verification', { browser })
      }
      const browser = stage.app.browser()
      await stage.expectSignedIn(await stage.confirm(browser, newest), address, { browser })
      for (const link of links) expect(target(await stage.confirm(stage.app.browser(), link))).to.match(/Verification$/)
    })
  }

  it("is not ended by another user's newer one", async () => {
    const link = await stage.linkFor(address)
    await stage.linkFor('bob@example.com')
    await stage.expectSignedIn(await stage.confirm(stage.browser, link), address)
  })

  it('is stored before the mail is sent, and no mail is sent where it cannot be', async () => {
    const adapter = memoryAdapter()
    const broken = new Proxy(adapter, {
      get: (from, name) =>
        name === 'createVerificationToken' ? () => Promise.reject(new Error('disk full')) : Reflect.get(from, name),
    })
    await stage.restart({}, { adapter: broken })
    const response = await stage.ask(address)
    expect(response.status).to.equal(503)
    await stage.settled()
    expect(stage.server.connections).to.equal(0)
    expect(stage.logged()).to.deep.equal(['AdapterError'])
  })

  it('that the adapter mixes up is rejected', async () => {
    const adapter = memoryAdapter()
    for (const change of [{ identifier: 'bob@example.com' }, { token: 'x' }]) {
      const careless = new Proxy(adapter, {
        get: (from, name) =>
          name === 'useVerificationToken'
            ? async (params: { identifier: string; token: string }) => ({
                ...params,
                expires: new Date(Date.now() + 60_000),
                ...change,
              })
            : Reflect.get(from, name),
      })
      await stage.restart({}, { adapter: careless })
      const link = await stage.linkFor(address)
      expect(target(await stage.browser.get(link))).to.match(/error=Verification$/)
    }
  })

  it('that has an invalid form never reaches the adapter', async () => {
    await stage.linkFor(address)
    stage.calls.length = 0
    const browser = stage.app.browser()
    for (const fields of [
      { token: '' },
      { token: 'x' },
      { token: 'a'.repeat(513) },
      { 'token[0]': 'a'.repeat(64), 'token[1]': 'b'.repeat(64) },
      { 'token[a]': 1 },
    ]) {
      const response = await browser.submit('/auth/callback/email', { ...fields, email: address })
      expect(target(response)).to.match(/error=Verification$/)
    }
    expect(stage.called()).to.not.include('useVerificationToken')
  })
})

describe('secrets of email links', () => {
  const stage = useMailStage()

  /** Opens the link in an application with other secrets, on the same database. */
  async function openElsewhere(link: string, config: { secret?: string | string[]; own?: string | string[] }) {
    const { secret: shared = secret, own } = config
    const app = await startApp({
      secret: shared,
      providers: [stage.email({ ...(own !== undefined && { secret: own as string }) })],
      adapter: stage.adapter,
    })
    const browser = app.browser()
    const { pathname, search } = new URL(link)
    const page = await browser.get(pathname + search)
    const { fields } = formIn(page.text, '/callback/')
    await browser.post('/auth/callback/email', fields)
    const session = await browser.session()
    await app.close()
    return session !== null
  }

  it('that were replaced still open earlier links; dropped ones do not', async () => {
    const link = await stage.linkFor(address)
    expect(await openElsewhere(link, { secret: [other] })).to.equal(false)
    expect(await openElsewhere(link, { secret: [other, third] })).to.equal(false)
    expect(await openElsewhere(link, { secret: [other, secret] })).to.equal(true)
    expect(await openElsewhere(link, { secret: [other, secret] })).to.equal(false)
  })

  it('may be the provider’s own, and then replace the others', async () => {
    await stage.restart({ secret: other })
    const link = await stage.linkFor(address)
    expect(await openElsewhere(link, {})).to.equal(false)
    expect(await openElsewhere(link, { own: third })).to.equal(false)
    expect(await openElsewhere(link, { own: other, secret: third })).to.equal(true)
  })

  it('of the provider can be replaced too', async () => {
    await stage.restart({ secret: other })
    const link = await stage.linkFor(address)
    expect(await openElsewhere(link, { own: [third, other] })).to.equal(true)
  })

  it('let a browser that requested a link before the change complete it immediately afterwards', async () => {
    const link = await stage.linkFor(address)
    const app = await startApp({ secret: [other, secret], providers: [stage.email()], adapter: stage.adapter })
    const browser = app.browser()
    for (const [name, value] of stage.browser.cookies) browser.cookies.set(name, value)
    const { pathname, search } = new URL(link)
    await browser.get(pathname + search)
    expect(await browser.session()).to.have.nested.property('user.email', address)
    await app.close()
  })
})

describe('`generateVerificationToken`', () => {
  const stage = useMailStage()
  const code = '493027'
  const wrong = Array.from({ length: 8 }, (_, at) => `00000${at}`)
  /** Types a code in the browser that requested it, or in another one. */
  const guess = (token: string, browser: Browser = stage.browser) =>
    browser.submit('/auth/callback/email', { token, email: address })
  async function isSignedInBy(token: string, browser: Browser = stage.browser): Promise<boolean> {
    await guess(token, browser)
    return (await browser.session()) !== null
  }
  /** Another code for each mail: `digits(code, 1)` is the second. */
  const digits = (first: string, more: number) => String(Number(first) + more)
  const withCodes = (adapter: Adapter) => {
    let made = 0
    return stage.restart({ generateVerificationToken: () => digits(code, made++) }, { adapter })
  }
  const withCode = (adapter: Adapter = memoryAdapter(), options: object = {}) =>
    stage.restart({ generateVerificationToken: () => code, ...options }, { adapter })

  it('makes the token, at once or later', async () => {
    for (const generateVerificationToken of [() => code, async () => code]) {
      await stage.restart({ generateVerificationToken })
      expect(queryOf(await stage.linkFor(address)).token).to.equal(code)
      expect(await isSignedInBy(code)).to.equal(true)
    }
  })

  it('may create the same code for two users: each is valid for one', async () => {
    await withCode()
    const people = ['bob@example.com', address].map((who) => ({ who, browser: stage.app.browser() }))
    for (const { who, browser } of people) await stage.linkFor(who, { browser })
    for (const { who, browser } of people) {
      const response = await browser.submit('/auth/callback/email', { token: code, email: who })
      await stage.expectSignedIn(response, who, { browser })
    }
  })

  it('may create letters that have a meaning in a URL', async () => {
    const token = 'a&b=c #%41/é✓"<'
    await stage.restart({ generateVerificationToken: () => token })
    const link = await stage.linkFor(address)
    expect(queryOf(link).token).to.equal(token)
    await stage.expectSignedIn(await stage.browser.get(link), address)
  })

  for (const made of ['', '12345', 'a'.repeat(513), 7, {}, ['493027'], true, Symbol('x')] as unknown[]) {
    it(`must not return ${String(typeof made === 'string' ? JSON.stringify(made.slice(0, 9)) : typeof made)}`, async () => {
      await stage.restart({ generateVerificationToken: () => made as string })
      expect(target(await stage.ask(address))).to.match(/\/auth\/error\?error=Configuration$/)
      await stage.settled()
      expect(stage.server.connections).to.equal(0)
      expect(stage.called()).to.deep.equal(['getUserByEmail'])
      expect(stage.app.log.errors[0]?.message).to.match(/`generateVerificationToken` of the provider "email"/)
    })
  }

  it('that throws sends no mail, and older links stay valid', async () => {
    let isBroken = false
    await stage.restart({
      generateVerificationToken: () => {
        if (isBroken) throw new Error('no more codes')
        return code
      },
    })
    await stage.linkFor(address)
    isBroken = true
    expect(target(await stage.ask(address))).to.match(/error=Configuration$/)
    expect(await isSignedInBy(code)).to.equal(true)
  })

  for (const [what, adapter] of [
    ['', () => memoryAdapter()],
    [', where the adapter cannot delete it', () => without(memoryAdapter(), 'deleteVerificationTokens')],
  ] as const) {
    it(`EM-11 creates a code that is invalid after five wrong guesses${what}`, async () => {
      await withCode(adapter())
      await stage.linkFor(address)
      for (const token of wrong.slice(0, 5)) expect(await isSignedInBy(token)).to.equal(false)
      expect(await isSignedInBy(code)).to.equal(false)
    })

    it(`creates a code that is valid after four wrong guesses${what}`, async () => {
      await withCode(adapter())
      await stage.linkFor(address)
      for (const token of wrong.slice(0, 4)) expect(await isSignedInBy(token)).to.equal(false)
      expect(await isSignedInBy(code)).to.equal(true)
    })

    it(`RC-03 creates a code that signs in once, of fifty times at once${what}`, async () => {
      await withCode(adapter())
      await stage.linkFor(address)
      const csrfToken = await stage.browser.csrf()
      const fields = { csrfToken, token: code, email: address }
      // Tabs of the one browser that asked: all have its cookies.
      const asked = new Map(stage.browser.cookies)
      const tabs = Array.from({ length: 50 }, () => {
        const tab = stage.app.browser()
        for (const [name, value] of asked) tab.cookies.set(name, value)
        return tab
      })
      const responses = await Promise.all(tabs.map((tab) => tab.post('/auth/callback/email', fields)))
      const begun = responses.filter((response) => setCookies(response).join().includes('auth.session-token='))
      expect(begun).to.have.length(1)
    })

    it(`EM-11 creates a code that many simultaneous guesses do not find${what}`, async () => {
      await withCode(adapter())
      await stage.linkFor(address)
      const csrfToken = await stage.browser.csrf()
      stage.calls.length = 0
      const tokens = [...Array.from({ length: 29 }, (_, at) => `1000${10 + at}`), code]
      await Promise.all(
        tokens.map((token) => stage.browser.post('/auth/callback/email', { csrfToken, token, email: address })),
      )
      expect(await stage.browser.session()).to.equal(null)
      // The fifth wrong one uses the code up.
      expect(stage.called().filter((method) => method === 'useVerificationToken')).to.have.length(1)
      expect(await isSignedInBy(code)).to.equal(false)
    })

    it(`EM-11 creates a code that is deleted from the database after five wrong guesses${what}, of a user whose sessions were ended`, async () => {
      const plain = adapter()
      const used: unknown[] = []
      const useVerificationToken: Adapter['useVerificationToken'] = async (params) => {
        const token = (await plain.useVerificationToken?.(params)) ?? null
        used.push(token)
        return token
      }
      await withCode({ ...plain, useVerificationToken })
      const user = await plain.createUser?.({ id: '', email: address, emailVerified: new Date() })
      await expressFunctions(stage.app.config).sessions.endAll(present(user).id)
      await stage.linkFor(address)
      for (const token of wrong.slice(0, 5)) await guess(token)
      expect(used).to.have.length(1).and.not.include(null)
    })

    it(`creates a code whose wrong guesses still count after a restart of the process${what}`, async () => {
      await withCode(adapter())
      await stage.linkFor(address)
      for (const token of wrong.slice(0, 5)) await guess(token)
      clearSiteMemories()
      const anew = await startApp({
        providers: [stage.email({ generateVerificationToken: () => code })],
        adapter: stage.adapter,
      })
      const browser = anew.browser()
      for (const [name, value] of stage.browser.cookies) browser.cookies.set(name, value)
      expect(await isSignedInBy(code, browser)).to.equal(false)
      await anew.close()
    })

    it(`creates a new code after that, which is valid${what}`, async () => {
      await withCodes(adapter())
      await stage.linkFor(address)
      for (const token of wrong) await guess(token)
      await stage.linkFor(address)
      expect(await isSignedInBy(code)).to.equal(false)
      expect(await isSignedInBy(digits(code, 1))).to.equal(true)
    })
  }

  it('creates codes that are valid in the browser that requested them, and that no other client can invalidate', async () => {
    await withCode()
    const link = await stage.linkFor(address)
    const stranger = stage.app.browser()
    for (const token of [...wrong, code]) expect(await isSignedInBy(token, stranger)).to.equal(false)
    expect(target(await stage.confirm(stranger, link))).to.match(/error=Verification$/)
    await stage.linkFor('stranger@example.com', { browser: stranger })
    for (const token of [...wrong, code]) expect(await isSignedInBy(token, stranger)).to.equal(false)
    expect(await isSignedInBy(code)).to.equal(true)
  })

  it('creates a code that ends with guesses at configurations that are made for each request', async () => {
    await withCode()
    await stage.linkFor(address)
    const { config } = stage.app
    const csrfToken = await stage.browser.csrf()
    const handle = async (token: string) => {
      const { handlers } = initAuth(() => ({
        ...config,
        basePath: '/auth',
        providers: [stage.email({ generateVerificationToken: () => code })],
      }))
      const answer = await handlers.POST(
        new Request(`${stage.app.origin}/auth/callback/email`, {
          method: 'POST',
          headers: { cookie: stage.browser.cookieHeader('/auth/callback/email') },
          body: new URLSearchParams({ csrfToken, token, email: address }),
        }),
      )
      return answer.headers.get('location')
    }
    for (let at = 0; at < crowd(300); at += 1)
      expect(await handle(String(100_000 + at))).to.match(/error=Verification$/)
    expect(await handle(code)).to.match(/error=Verification$/)
    expect(await isSignedInBy(code)).to.equal(false)
  })

  it('creates codes that one client may not guess for one address after another', async () => {
    await withCode(memoryAdapter(), { limit: { perClient: 6 } })
    freezeClock()
    for (const who of ['a@example.com', 'b@example.com']) {
      await stage.linkFor(who)
      for (const token of wrong.slice(0, 3)) {
        expect(target(await stage.browser.submit('/auth/callback/email', { token, email: who }))).to.match(
          /error=Verification$/,
        )
      }
    }
    await stage.linkFor(address)
    const response = await guess(code)
    expect(response.status).to.equal(429)
    expect(Number(response.headers['retry-after'])).to.be.within(1, 900)
    advanceClock(901)
    await stage.linkFor(address)
    expect(await isSignedInBy(code)).to.equal(true)
  })

  it('EM-11 creates codes that cannot be guessed for many addresses: then mails have long tokens', async () => {
    await withCode(memoryAdapter(), { limit: { perClient: 1000 } })
    freezeClock()
    const person = stage.app.browser()
    await stage.linkFor(address, { browser: person })
    for (let at = 0; at < 20; at += 1) {
      const browser = stage.app.browser()
      await stage.linkFor(`p${at}@example.com`, { browser })
      for (const token of wrong.slice(0, 5)) {
        await browser.submit('/auth/callback/email', { token, email: `p${at}@example.com` })
      }
    }
    expect(stage.app.log.warnings.map((warning) => warning.code)).to.include('codes-guessed')
    expect(await isSignedInBy(code, person)).to.equal(false)
    const link = await stage.linkFor(address, { browser: person })
    expect(queryOf(link).token).to.match(/^[0-9a-f]{64}$/)
    await stage.expectSignedIn(await person.get(link), address, { browser: person })
    advanceClock(60 * 60)
    expect(queryOf(await stage.linkFor(address)).token).to.equal(code)
    expect(await isSignedInBy(code)).to.equal(true)
  })

  it('creates codes that are valid for ten minutes, whatever `maxAge` says, and the mail says so', async () => {
    for (const [options, life] of [
      [{}, 600],
      [{ maxAge: 120 }, 120],
    ] as const) {
      await withCode(memoryAdapter(), options)
      freezeClock()
      await stage.ask(address)
      const { parsed } = await stage.server.next()
      expect(parsed.text).to.include(`within ${life / 60} minutes`)
      advanceClock(life)
      expect(await isSignedInBy(code), String(life)).to.equal(false)
      await stage.linkFor(address)
      advanceClock(life - 1)
      expect(await isSignedInBy(code), String(life)).to.equal(true)
    }
  })

  it('may not create short codes if the clients are not limited', async () => {
    await withCode(memoryAdapter(), { limit: false })
    expect(target(await stage.ask(address))).to.match(/\/auth\/error\?error=Configuration$/)
    await stage.settled()
    expect(stage.server.connections).to.equal(0)
    expect(stage.app.log.errors[0]?.message).to.include('`limit: false`')
    await stage.restart({ limit: false, generateVerificationToken: () => 'long'.repeat(5) })
    await stage.expectSignedIn(await stage.browser.get(await stage.linkFor(address)), address)
  })

  it('does not count users of one office who sign in', async () => {
    await withCode(memoryAdapter(), { limit: { perAddress: 20, perClient: 10 } })
    for (let at = 0; at < 10; at += 1) {
      const who = `p${at}@example.com`
      const browser = stage.app.browser()
      await stage.expectSignedIn(await browser.get(await stage.linkFor(who, { browser })), who, { browser })
    }
    const last = await stage.app.browser().submit('/auth/callback/email', { token: code, email: address })
    expect(target(last)).to.match(/error=Verification$/)
  })

  it('does not let guesses end our links: without it, wrong tokens invalidate nothing', async () => {
    const link = await stage.linkFor(address)
    for (const token of wrong) await guess(token)
    await stage.expectSignedIn(await stage.browser.get(link), address)
  })
})
