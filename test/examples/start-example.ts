/**
 * The example, as a reader uses it, on a fresh SQLite file and with the OpenID provider of the tests. Needs `npm run
 * build`: the example imports `server-auth` by its name.
 *
 * ```ts
 * const example = await startExample()
 * const { agent, signIn, post } = openBrowser(example)   // no scripts; keeps cookies
 * await signIn('alice', '/account')
 * await example.close()
 * ```
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import request from 'supertest'
import type { Mailbox } from '../../examples/express-app/demo/mailbox.js'
import type { OpenDatabase } from '../../examples/express-app/src/database.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'

/** The running example. */
export interface RunningExample extends LoopbackServer {
  readonly config: ServerAuthConfig
  readonly provider: OpenIdProvider
  readonly database: OpenDatabase
  readonly mailbox: Mailbox
}

export interface ExampleOptions {
  readonly thirdOrigin?: boolean
  /** Default: an SQLite file in a temporary folder. */
  readonly databaseUrl?: string
  /** The session strategy. Default `database`. */
  readonly strategy?: 'database' | 'jwt'
}

/** Loads the example when it is used, so that a missing build fails there only. */
export async function loadExample() {
  if (!existsSync(new URL('../../dist/lib/index.js', import.meta.url))) throw new Error('run "npm run build" first')
  const { createApp } = await import('../../examples/express-app/src/app.js')
  const { createAuthConfig } = await import('../../examples/express-app/src/auth.js')
  const { openDatabase } = await import('../../examples/express-app/src/database.js')
  const { demoPages } = await import('../../examples/express-app/demo/demo.js')
  const { startMailbox } = await import('../../examples/express-app/demo/mailbox.js')
  const { addDemoUsers, passwords } = await import('../../examples/express-app/demo/users.js')
  return { createApp, createAuthConfig, openDatabase, demoPages, startMailbox, addDemoUsers, passwords }
}

/** Starts the application on 127.0.0.1 and the provider on localhost: two sites for a browser. */
export async function startExample({
  databaseUrl,
  strategy,
  ...options
}: ExampleOptions = {}): Promise<RunningExample> {
  const { createApp, createAuthConfig, openDatabase, demoPages, startMailbox, addDemoUsers, passwords } =
    await loadExample()
  const folder = mkdtempSync(join(tmpdir(), 'server-auth-example-'))
  const database = await openDatabase(databaseUrl ?? `sqlite:${join(folder, 'app.db')}`)
  const [provider, mailbox] = await Promise.all([startOpenIdProvider(options), startMailbox()])
  const { adapter } = database
  await addDemoUsers(adapter)
  const ways = {
    openId: { name: 'Demo provider', ...provider.settings() },
    mail: mailbox.settings,
    withPasskeys: true,
    passwords: strategy === 'jwt' ? undefined : passwords,
  }
  // Intentional errors of these tests are not printed, nor the warning that passkeys are new.
  const logger = {
    error: () => undefined,
    warn: (code: string, ...details: unknown[]) => {
      if (code !== 'experimental-webauthn') console.warn(code, ...details)
    },
  }
  // One of its own: what a process remembers for a site, such as how many mails were asked for, goes with the secret.
  const secret = `a-secret-for-tests-of-at-least-32-chars ${folder}`
  const config = { ...createAuthConfig(adapter, ways, strategy), logger, secret }
  const site = createApp({ config, adapter, ways, more: demoPages(mailbox) })
  const server = await startLoopbackServer(site.app)
  return {
    ...server,
    config,
    provider,
    database,
    mailbox,
    async close() {
      await server.close()
      await site.close()
      await Promise.all([mailbox.close(), provider.close(), database.close()])
      rmSync(folder, { recursive: true })
    },
  }
}

/** Opens a browser without scripts, which keeps cookies. */
export function openBrowser(example: RunningExample) {
  const agent = request.agent(example.origin)
  /** Fetches the token first: a request takes its cookies from the agent when it is made, not when it is sent. */
  async function post(path: string, fields: Record<string, unknown> = {}) {
    const { csrfToken } = (await agent.get('/auth/csrf').expect(200)).body
    return agent
      .post(path)
      .type('form')
      .send({ csrfToken, ...fields })
  }
  return {
    agent,
    post,
    async signIn(login: string, callbackUrl: string) {
      const start = await post('/auth/signin/oidc', { callbackUrl })
      expect(start.status, start.text).to.be.oneOf([302, 303])
      return agent.get(toPath(example, await example.provider.signInAs(start.headers.location ?? '', login)))
    },
    signInWithPassword: (username: string, password: string) =>
      post('/auth/callback/credentials', { callbackUrl: '/', username, password }),
    async signInByMail(email: string) {
      const before = example.mailbox.mails().length
      await post('/auth/signin/email', { email, callbackUrl: '/' })
      return agent.get(toPath(example, linkIn((await nextMail(example, before)).text)))
    },
    /** Returns the text of the account page in one line. */
    async account() {
      const { text } = await agent.get('/account').expect(200)
      return text.slice(text.indexOf('<main>')).replace(/\s+/g, ' ')
    },
  }
}

/** Returns the path and query of a URL of the example. */
export function toPath(example: RunningExample, url: string): string {
  const { origin, pathname, search } = new URL(url, example.origin)
  expect(origin).to.equal(example.origin)
  return pathname + search
}

/** Returns the newest mail, as soon as there are more than `before`. */
export async function nextMail({ mailbox }: RunningExample, before: number) {
  for (let tries = 0; tries < 400; tries += 1) {
    const [mail] = mailbox.mails()
    if (mail && mailbox.mails().length > before) return mail
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('no mail came')
}

/** Returns the link in a mail's text. */
export function linkIn(text: string): string {
  const [link] = /https?:\S+callback\S+/.exec(text) ?? []
  if (!link) throw new Error(`no link in the mail: ${text}`)
  return link
}
