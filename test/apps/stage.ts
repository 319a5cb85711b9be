/** An application with apps, at both doors and with both kinds of sessions, and a client that behaves like an app. */
import { createHash, randomBytes } from 'node:crypto'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { defineAuth, type ServerAuthConfig } from '../../lib/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth from '../../shim/index.js'
import { complete, createLog } from '../support/app.js'
import { type Door, openExpress, openFetch } from '../support/doors.js'
import { type Answer, Browser } from '../support/http-browser.js'
import type { Strategy } from '../support/world.js'

export const base = '/api/auth'
export const link = 'https://app.example.com/signed-in'
export const loopback = 'http://127.0.0.1:49152/done'

export const clients = {
  ios: { name: 'Notes for iOS', links: [link] },
  cli: { name: 'Notes <terminal>', loopback: true },
} as const

/** The names of the doors. */
export const doorNames = ['Express', 'Fetch'] as const
export type DoorName = (typeof doorNames)[number]

export interface Stage extends Door {
  /** Signs a user in. Returns the browser. */
  signIn(name?: string): Promise<Browser>
}

export const configOf = (strategy: Strategy, config: Partial<ServerAuthConfig> = {}): Partial<ServerAuthConfig> => ({
  adapter: memoryAdapter(),
  apps: { clients },
  ...config,
  session: { strategy, bearer: true, revocation: strategy === 'jwt' ? { list: true } : true, ...config.session },
})

/** The functions of the application, at either door. */
interface Calls {
  start(email: string, maxAge: number | undefined): Promise<unknown>
  account(): Promise<unknown>
  endAll(userId: string): Promise<unknown>
  disable(userId: string): Promise<unknown>
  endSession(id: string): Promise<unknown>
  setActive(id: string): Promise<unknown>
}

function perform(calls: Calls, path: string, query: URLSearchParams): Promise<unknown> | undefined {
  const text = (name: string) => query.get(name) ?? ''
  if (path === '/start') return calls.start(text('email'), query.has('max') ? Number(text('max')) : undefined)
  if (path === '/account') return calls.account()
  if (path === '/end-all') return calls.endAll(text('user'))
  if (path === '/disable') return calls.disable(text('user'))
  if (path === '/end') return calls.endSession(text('id'))
  if (path === '/set') return calls.setActive(text('id'))
  return undefined
}

const proofOf = (email: string, maxAge: number | undefined) => ({
  user: { email, emailVerified: true as const },
  amr: ['otp'],
  ...(maxAge !== undefined && { maxAge }),
})

const openers: Readonly<Record<DoorName, (config: Partial<FullStackAuthConfig>) => Promise<Door>>> = {
  Express: (config) =>
    openExpress(config, {
      after(app, full) {
        const auth = defineAuth(full)
        app.get('/public', auth.requireSession(), (_req, res) => {
          res.set('cache-control', 'public, max-age=60').json({})
        })
        app.use((req, res, next) => {
          const url = new URL(req.originalUrl, 'http://localhost')
          const calls: Calls = {
            start: (email, maxAge) => auth.startSession(req, res, proofOf(email, maxAge)),
            account: () => auth.account.get(req),
            endAll: (userId) => auth.sessions.endAll(userId),
            disable: (userId) => auth.users.disable(userId),
            endSession: (id) => auth.sessions.end(req, id),
            setActive: (id) => auth.organizations.setActive(req, res, id),
          }
          const work = perform(calls, url.pathname, url.searchParams)
          if (!work) return next()
          work.then((result) => void res.json(result ?? null), next)
        })
      },
    }),
  async Fetch(config) {
    const log = createLog()
    const full = complete({ basePath: base, ...config }, log)
    const { handlers, auth, ...own } = initAuth(full)
    const calls: Calls = {
      start: (email, maxAge) => own.startSession(proofOf(email, maxAge)),
      account: () => own.account.get(),
      endAll: (userId) => own.sessions.endAll(userId),
      disable: (userId) => own.users.disable(userId),
      endSession: (id) => own.sessions.end(id),
      setActive: (id) => own.organizations.setActive(id),
    }
    const me = auth((request) => Response.json(request.auth))
    const shared = auth(() => Response.json({}, { headers: { 'cache-control': 'public, max-age=60' } }))
    return openFetch(
      log,
      async (request) => {
        const { pathname, searchParams } = new URL(request.url)
        if (pathname === '/me') return me(request)
        if (pathname === '/public') return shared(request)
        const work = perform(calls, pathname, searchParams)
        return work ? Response.json((await work) ?? null) : handlers.GET(request)
      },
      { ip: '127.0.0.1' },
      full,
    )
  },
}

/** Opens an application at a door. */
export async function openStage(
  name: DoorName,
  strategy: Strategy,
  config: Partial<ServerAuthConfig> = {},
): Promise<Stage> {
  const door = await openers[name](configOf(strategy, config))
  return {
    ...door,
    async signIn(user = 'ann') {
      const browser = door.browser()
      await browser.get(`/start?email=${user}@example.com`)
      return browser
    },
  }
}

/** An app: it begins a request, reads the redirect, and exchanges the code. */
export class AppClient {
  readonly verifier = randomBytes(32).toString('base64url')
  readonly state = randomBytes(9).toString('base64url')
  readonly #http: Browser

  constructor(
    readonly origin: string,
    readonly app = 'cli',
    readonly redirectUri: string = app === 'ios' ? link : loopback,
    http = new Browser(origin, { base }),
  ) {
    this.#http = http
  }

  /** The parameters of the request. */
  get params(): Record<string, string> {
    const code_challenge = createHash('sha256').update(this.verifier).digest('base64url')
    const { app, redirectUri: redirect_uri, state } = this
    return { app, redirect_uri, code_challenge, code_challenge_method: 'S256', state }
  }

  /** The path of the request. */
  get path(): string {
    return `${this.#http.base}/app?${new URLSearchParams(this.params)}`
  }

  /** Opens the page in a browser and presses its button. Returns the URL to which the app is sent. */
  async approve(browser: Browser): Promise<URL> {
    return destinationOf(await pressContinue(browser, await browser.get(this.path)))
  }

  /** Returns the code of an approval. */
  async codeOf(browser: Browser): Promise<string> {
    return (await this.approve(browser)).searchParams.get('code') ?? ''
  }

  /** The fields with which the code is exchanged. */
  fieldsOf(code: string): Record<string, string> {
    return { app: this.app, code, code_verifier: this.verifier, redirect_uri: this.redirectUri }
  }

  redeem(code: string, more: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    return this.#http.ask(`${this.#http.base}/app-token`, { form: { ...this.fieldsOf(code), ...more } })
  }

  /** Signs in with a browser. Returns the token. */
  async signIn(browser: Browser): Promise<string> {
    const { body } = await this.redeem(await this.codeOf(browser))
    return body.token
  }

  /** Sends a request with the token. */
  get(token: string, path = '/me'): Promise<Answer> {
    return this.#http.get(path, { authorization: `Bearer ${token}` })
  }

  signOut(token: string): Promise<Answer> {
    return this.#http.ask(`${this.#http.base}/app-signout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
  }
}

/** The form of a page: its target, and its hidden fields. */
export function formOf({ text }: Answer): { action: string; fields: Record<string, string> } {
  const decode = (value = '') => value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  const action = decode(/<form method="post" action="([^"]+)"/.exec(text)?.[1])
  const inputs = text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  return { action, fields: Object.fromEntries([...inputs].map(([, name, value]) => [name, decode(value)])) }
}

/** Submits the form of a page as browsers do. */
export function pressContinue(browser: Browser, page: Answer): Promise<Answer> {
  const { action, fields } = formOf(page)
  return browser.post(action || '/no-form', fields)
}

/** Returns the URL to which an answer leads: a redirect, or a page that continues. */
export function destinationOf({ headers, text }: Answer): URL {
  const target = headers.location ?? headers.refresh?.replace(/^0;url=/, '')
  if (target === undefined) throw new Error(`The answer leads nowhere: ${text.slice(0, 2000)}`)
  return new URL(target)
}
