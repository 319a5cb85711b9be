/** `signIn()` in a route: only a call that came from a page of the own site links to who is signed in. */

import { expect } from 'chai'
import { type MemoryAdapter, memoryAdapter } from '../../lib/adapters/memory/index.js'
import { skipCSRFCheck } from '../../lib/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth from '../../shim/index.js'
import { createLog, secret } from '../support/app.js'
import { type Door, openExpress, openFetch } from '../support/doors.js'
import type { Answer, Browser, Question } from '../support/http-browser.js'
import { opened } from '../support/opened.js'
import { startOpenIdProvider } from '../support/openid-provider.js'

/** The headers of requests, and whether the sign-in that they begin may link. */
const table: ReadonlyArray<
  [title: string, headers: Readonly<Record<string, string>>, method: 'GET' | 'POST', links: boolean]
> = [
  ['a typed address', { 'sec-fetch-site': 'none' }, 'GET', false],
  ['a browser that says nothing', {}, 'GET', false],
  ['a link of the site', { 'sec-fetch-site': 'same-origin' }, 'GET', true],
  ['a form of the site', { 'sec-fetch-site': 'same-origin', origin: '<origin>' }, 'POST', true],
  ['a form of the site, in an older browser', { origin: '<origin>' }, 'POST', true],
  ['a POST that says nothing', {}, 'POST', false],
]

/** The headers of requests that begin no sign-in. */
const refused: ReadonlyArray<[title: string, site: string]> = [
  ['a link of another site', 'cross-site'],
  ['a link of a neighbour', 'same-site'],
  ['two words', 'same-origin, cross-site'],
]

/** A form of server-auth's own. */
const form = { form: { csrfToken: true } } as const

describe('signIn() and linking', () => {
  let adapter: MemoryAdapter
  let door: Door
  let mails: string[]

  const configOf = (more: Partial<FullStackAuthConfig> = {}): FullStackAuthConfig => ({
    secret,
    adapter,
    providers: [
      { id: 'one', name: 'One', type: 'oidc', ...provider.settings() },
      { id: 'two', name: 'Two', type: 'oidc', ...provider.settings() },
      { id: 'email', name: 'E-mail', type: 'email', sendVerificationRequest: ({ url }) => void mails.push(url) },
    ],
    ...more,
  })

  /** The handlers, and a route of the application's that signs in. */
  async function openShop(): Promise<Door> {
    const log = createLog()
    const { handlers, signIn } = initAuth(configOf({ logger: log.logger }))
    return openFetch(log, async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname.startsWith('/api/auth/')) return handlers.GET(request)
      await signIn(pathname.slice(1), Object.fromEntries(searchParams))
      return new Response()
    })
  }

  const provider = opened(() => startOpenIdProvider())
  beforeEach(async () => {
    adapter = memoryAdapter()
    mails = []
    door = await openShop()
  })
  afterEach(() => door.close())

  const goTo = (visitor: Browser, url: string) => {
    const { pathname, search } = new URL(url)
    return visitor.ask(pathname + search)
  }

  /** Returns a visitor who signed in as alice with the first provider. */
  async function alice(at: Door, question: Question = form): Promise<Browser> {
    const visitor = at.browser()
    const begun = await visitor.ask('/api/auth/signin/one', question)
    await goTo(visitor, await provider.signInAs(begun.headers.location ?? '', 'alice'))
    return visitor
  }

  async function accountsOfAlice(): Promise<string[]> {
    const user = await adapter.getUserByEmail('alice@example.com')
    return (await adapter.listAccountsByUserId(user?.id ?? '')).map((account) => account.provider)
  }

  const filled = (headers: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('<origin>', door.origin)]))

  for (const [title, headers, method, links] of table) {
    it(`${title} ${links ? 'links' : 'begins a plain sign-in'}`, async () => {
      const visitor = await alice(door)
      const begun = await visitor.ask('/two', { method, headers: filled(headers) })
      const ended = await goTo(visitor, await provider.signInAs(begun.headers.location ?? '', 'bob'))
      expect([ended.status, ended.headers.location]).to.deep.equal([302, `${door.origin}/`])
      expect(await accountsOfAlice()).to.deep.equal(links ? ['one', 'two'] : ['one'])
      const { text: body } = await visitor.ask('/api/auth/session')
      expect(JSON.parse(body).user.email).to.equal(links ? 'alice@example.com' : 'bob@example.com')
    })

    it(`${title}: an email link ${links ? 'continues in the session' : 'asks for a confirmation'}`, async () => {
      const visitor = await alice(door)
      await visitor.ask('/email?email=alice@example.com', { method, headers: filled(headers) })
      const opened: Answer = await goTo(visitor, mails.at(-1) ?? '')
      expect(opened.status).to.equal(links ? 302 : 200)
    })
  }

  for (const [title, site] of refused) {
    it(`CS-17 ${title} begins no sign-in`, async () => {
      const visitor = await alice(door)
      for (const path of ['/two', '/email?email=alice@example.com']) {
        const answer = await visitor.ask(path, { headers: { 'sec-fetch-site': site } })
        expect(answer.body.error).to.match(/^MissingCSRF: /)
      }
      expect(mails).to.deep.equal([])
    })
  }

  /** Signs in as alice, then as bob. */
  async function signInTwice(at: Door, question: Question): Promise<string[]> {
    const visitor = await alice(at, question)
    const begun = await visitor.ask('/api/auth/signin/two', question)
    await goTo(visitor, await provider.signInAs(begun.headers.location ?? '', 'bob'))
    await at.close()
    return accountsOfAlice()
  }

  it('a form with its token links through the handlers', async () => {
    expect(await signInTwice(await openShop(), form)).to.deep.equal(['one', 'two'])
  })

  it('a form with its token links through the Router', async () => {
    expect(await signInTwice(await openExpress(configOf()), form)).to.deep.equal(['one', 'two'])
  })

  for (const [site, accounts] of [
    ['cross-site', ['one']],
    ['same-origin', ['one', 'two']],
  ] as const) {
    it(`without a check of tokens, the headers of the browser decide about a form: ${site}`, async () => {
      const express = await openExpress(configOf({ skipCSRFCheck }))
      const headers = { 'sec-fetch-site': site }
      expect(await signInTwice(express, { method: 'POST', headers })).to.deep.equal(accounts)
    })
  }
})
