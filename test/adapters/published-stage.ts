/** Accounts, providers and a mailbox for sign-ins with published adapters. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { ServerAuthConfig } from '../../lib/index.js'
import type { EmailConfig, OIDCConfig, VerificationRequest } from '../../lib/types/provider.js'
import { type Browser, credentials, startApp, type TestApp, target } from '../support/app.js'
import { type OpenIdProvider, startOpenIdProvider, type TestAccount } from '../support/openid-provider.js'
import type { PublishedDatabase, Row } from '../support/published-adapters.js'
import { heldToken, sessionName } from '../support/session.js'

/** `alice` with a verified email address, `bob` with an unverified one, and at the second provider `other`. */
const people: readonly TestAccount[] = [
  { login: 'alice', sub: 'alice-sub', name: 'Alice', email: 'alice@example.com', email_verified: true },
  { login: 'bob', sub: 'bob-sub', name: 'Bob', email: 'bob@example.com', email_verified: false },
  { login: 'other', sub: 'other-sub', name: 'Alice elsewhere', email: 'a@elsewhere.example', email_verified: true },
]

/** The two OpenID providers, `one` and `two`. */
export interface Providers {
  readonly one: OpenIdProvider
  readonly two: OpenIdProvider
  close(): Promise<void>
}

/** Starts the providers. */
export async function startProviders(accounts: readonly TestAccount[] = people): Promise<Providers> {
  const [one, two] = await Promise.all([startOpenIdProvider({ accounts }), startOpenIdProvider({ accounts })])
  return { one, two, close: async () => void (await Promise.all([one.close(), two.close()])) }
}

/** An application on a published adapter. */
export interface Stage {
  readonly app: TestApp
  readonly database: PublishedDatabase
  /** Signs in at an OpenID provider. */
  signInAt(provider: 'one' | 'two', login: string, browser?: Browser): Promise<Visit>
  /** Requests an email link, and returns it. */
  askLink(address: string, browser: Browser): Promise<string>
  /** Returns the next email link. */
  nextLink(): Promise<string>
  close(): Promise<void>
}

/** The result of a sign-in. */
export interface Visit {
  readonly browser: Browser
  /** The URL at which the sign-in ended. */
  readonly end: string
  readonly status: number
}

/** Starts an application with both providers, email links and credentials. */
export async function startStage(
  database: PublishedDatabase,
  providers: Providers,
  { config = {}, oidc = {} }: { config?: Partial<ServerAuthConfig>; oidc?: Partial<OIDCConfig> } = {},
): Promise<Stage> {
  const mailbox = createMailbox()
  const at = (id: 'one' | 'two'): OIDCConfig => ({
    id,
    name: id,
    type: 'oidc',
    ...providers[id].settings(),
    ...oidc,
  })
  const app = await startApp({
    adapter: database.adapter,
    providers: [at('one'), at('two'), mailbox.provider, credentials()],
    ...config,
  })
  return {
    app,
    database,
    async signInAt(id, login, browser = app.browser()) {
      const start = await browser.submit(`/auth/signin/${id}`)
      const response = await browser.get(await providers[id].signInAs(target(start), login))
      return { browser, end: target(response), status: response.status }
    },
    async askLink(email, browser) {
      const answer = await browser.submit('/auth/signin/email', { email })
      expect(target(answer)).to.include('/auth/verify-request')
      return mailbox.next()
    },
    nextLink: () => mailbox.next(),
    close: () => app.close(),
  }
}

function createMailbox() {
  const links: string[] = []
  const waiting: Array<(url: string) => void> = []
  const provider: EmailConfig = {
    id: 'email',
    name: 'Email',
    type: 'email',
    sendVerificationRequest({ url }: VerificationRequest) {
      const next = waiting.shift()
      if (next) next(url)
      else links.push(url)
    },
  }
  const next = () =>
    new Promise<string>((resolve) => {
      const url = links.shift()
      if (url === undefined) waiting.push(resolve)
      else resolve(url)
    })
  return { provider, next }
}

/** Returns the only row of a kind. Throws if there is none or more than one. */
export async function onlyRow(
  database: PublishedDatabase,
  kind: Parameters<PublishedDatabase['rows']>[0],
): Promise<Row> {
  const [row = {}, ...others] = await database.rows(kind)
  expect(row, `no row in ${kind}`).not.to.deep.equal({})
  expect(others, `more than one row in ${kind}`).to.deep.equal([])
  return row
}

/** Returns the number of users, accounts, sessions and tokens. */
export async function counts({ rows }: PublishedDatabase): Promise<number[]> {
  const all = await Promise.all([rows('users'), rows('accounts'), rows('sessions'), rows('tokens')])
  return all.map(({ length }) => length)
}

/** Returns the stored form of the token in the browser's cookie. */
export function storedToken(browser: Browser): string {
  const held = heldToken(browser)
  expect(held, `no cookie ${sessionName}`).to.match(/^[\w-]{40,}\.f[\w-]+$/)
  return `h1_${createHash('sha256').update(held).digest('hex')}.${held.split('.').at(-1)}`
}

/** Returns a stored time in milliseconds: databases have it as a date, a text or a number. */
export function timeOf(value: unknown): number {
  const time = value instanceof Date ? value.getTime() : new Date(value as string | number).getTime()
  expect(time, String(value)).to.be.above(0)
  return time
}
