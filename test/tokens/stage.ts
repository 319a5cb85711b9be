/**
 * The stage of the suites about provider tokens: an application at each door with routes that ask for the tokens of who is signed in,
 * and a provider whose tokens live as long as a test says and can be used once.
 *
 * - `GET /token?…options as JSON` → the token, or `{ error, reason, retryable }`
 * - `GET /call?url=` → what the API answered: `{ status, body }`
 * - `GET /disconnect` → `{ result }`
 * - `GET /connect?…options as JSON` → `{ url }`
 * - `GET /exchange?…options as JSON` → the token for another service
 * - `GET /calendar`: behind `requireConnection` for the scope `calendar`
 */

import { randomUUID } from 'node:crypto'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { requireConnection } from '../../lib/features/tokens/require-connection.js'
import type { AccessTokenOptions, ConnectOptions, ExchangeTokenOptions } from '../../lib/features/tokens/types.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import initAuth from '../../shim/index.js'
import { type Browser, createLog, secret, startApp, target } from '../support/app.js'
import { type DoorApp, openFetch } from '../support/doors.js'
import { inTurn } from '../support/extent.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'
import { tellSecret } from '../support/log-watch.js'

function toFault(error: unknown): object {
  const { type, reason, retryable, message } = error as Record<string, unknown>
  return { error: type ?? message, reason, retryable }
}

async function settle(work: Promise<unknown>): Promise<object> {
  return work.then(
    (value) => value as object,
    (error) => toFault(error),
  )
}

const optionsOf = (url: URL): AccessTokenOptions => ({
  provider: 'test',
  ...JSON.parse(url.searchParams.get('options') ?? '{}'),
})

/** The functions that both doors have. */
interface Functions {
  token(options: AccessTokenOptions): Promise<unknown>
  fetch: typeof fetch
  disconnect(): Promise<unknown>
  connect(options: ConnectOptions): Promise<string>
  exchange(options: ExchangeTokenOptions): Promise<unknown>
}

async function answer(url: URL, functions: Functions): Promise<object | undefined> {
  if (url.pathname === '/token') return settle(functions.token(optionsOf(url)))
  if (url.pathname === '/connect') return settle(functions.connect(optionsOf(url)).then((path) => ({ url: path })))
  if (url.pathname === '/exchange') return settle(functions.exchange(optionsOf(url)))
  if (url.pathname === '/disconnect') return settle(functions.disconnect().then((result) => ({ result })))
  if (url.pathname !== '/call') return undefined
  return settle(
    functions
      .fetch(url.searchParams.get('url') ?? '')
      .then(async (response) => ({ status: response.status, body: await response.text() })),
  )
}

export type StartTokens = (config: Partial<ServerAuthConfig>) => Promise<DoorApp>

const startExpress: StartTokens = (config) =>
  startApp(config, {
    after(app, full) {
      app.use('/calendar', requireConnection(full, { provider: 'test', scope: ['calendar'] }))
      app.get('/calendar', (_req, res) => res.json({ calendar: true, user: res.locals.session?.user?.email }))
      app.use((req, res, next) => {
        const functions = {
          token: (options: AccessTokenOptions) => expressFunctions(full).tokens.get(req, options),
          fetch: expressFunctions(full).tokens.fetch(req, { provider: 'test' }),
          disconnect: () => expressFunctions(full).tokens.disconnect(req, { provider: 'test' }),
          connect: (options: ConnectOptions) => expressFunctions(full).tokens.connectUrl(req, options),
          exchange: (options: ExchangeTokenOptions) => expressFunctions(full).tokens.exchange(req, options),
        }
        answer(new URL(req.url, 'http://app'), functions).then((json) => (json ? res.json(json) : next()), next)
      })
    },
  })

const startShim: StartTokens = async (config) => {
  const log = createLog()
  const full = { secret, logger: log.logger, basePath: '/auth', ...config } as ServerAuthConfig
  const auth = initAuth(full)
  const functions = {
    token: (options: AccessTokenOptions) => auth.tokens.get(options),
    fetch: auth.tokens.fetch({ provider: 'test' }),
    disconnect: () => auth.tokens.disconnect({ provider: 'test' }),
    connect: (options: ConnectOptions) => auth.tokens.connectUrl(options),
    exchange: (options: ExchangeTokenOptions) => auth.tokens.exchange(options),
  }
  const respond = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    if (url.pathname.startsWith('/auth/')) return auth.handlers.GET(request)
    if (url.pathname === '/calendar') {
      const session = await auth.auth.requireConnection(request, { provider: 'test', scope: ['calendar'] })
      return Response.json({ calendar: true, user: session.user?.email })
    }
    return Response.json((await answer(url, functions)) ?? { app: true })
  }
  return openFetch(log, respond, {}, full)
}

export const tokenDoors = { express: startExpress, shim: startShim } as const

/** The places of tokens, with the session strategies. */
export const places = {
  'a store, database sessions': () => ({ adapter: memoryAdapter(), tokens: { store: memoryStore() } }),
  'a store, JWT sessions': () => ({
    adapter: memoryAdapter(),
    session: { strategy: 'jwt' as const },
    tokens: { store: memoryStore() },
  }),
  'a store, no adapter': () => ({ tokens: { store: memoryStore() } }),
  cookies: () => ({ tokens: { store: 'cookie' as const } }),
}

/** The doors to try a place at: a store does not know who asks, so each has one in turn; cookies go another way at each. */
export function doorsFor(place: string) {
  const turn = Object.keys(places).indexOf(place)
  return place === 'cookies' ? Object.entries(tokenDoors) : inTurn(Object.entries(tokenDoors), turn)
}

/** A provider whose refresh tokens work once: a second use ends the grant, as RFC 9700 §4.14.2 wants. */
export interface RotatingProvider {
  readonly hostile: HostileProvider
  /** Seconds that the next access tokens live; `undefined`: it does not say. */
  life: number | undefined
  /** True if sign-ins return a refresh token. */
  gives: boolean
  /** The scope that the next sign-in is granted. */
  scope: string
  readonly refreshes: number
  /** Every token that was given. */
  readonly given: string[]
  /** True if a refresh token was used twice. */
  readonly isRevoked: boolean
}

export async function startRotatingProvider(): Promise<RotatingProvider> {
  const hostile = await startHostileProvider()
  const live = new Map<string, string>()
  const state = {
    hostile,
    life: 3600 as number | undefined,
    gives: true,
    scope: 'openid profile email',
    refreshes: 0,
    given: [] as string[],
    isRevoked: false,
  }
  const give = (scope: string, withRefresh = true) => {
    const access = `at-${randomUUID()}`
    const refresh = `rt-${randomUUID()}`
    tellSecret(access, refresh)
    if (withRefresh) live.set(refresh, scope)
    state.given.push(access, refresh)
    return {
      access_token: access,
      token_type: 'Bearer',
      scope,
      ...(state.life !== undefined && { expires_in: state.life }),
      ...(withRefresh && { refresh_token: refresh }),
    }
  }
  hostile.onToken = async (body) => {
    if (body.grant_type !== 'refresh_token') {
      const reply = await hostile.tokens(body)
      const signedIn = give(state.scope, state.gives)
      return { ...reply, body: { ...(reply.body as object), expires_in: undefined, ...signedIn } }
    }
    state.refreshes += 1
    const scope = live.get(body.refresh_token ?? '')
    if (scope === undefined || state.isRevoked) {
      state.isRevoked = true
      return { status: 400, body: { error: 'invalid_grant' } }
    }
    const wanted = (body.scope ?? scope).split(' ')
    if (!wanted.every((name) => scope.split(' ').includes(name)))
      return { status: 400, body: { error: 'invalid_scope' } }
    live.delete(body.refresh_token ?? '')
    const next = give(scope)
    return { delay: 30, body: { ...next, scope: wanted.join(' ') } }
  }
  return state
}

/** Signs a browser in at the scripted provider. */
export async function signInAt(browser: Browser, { hostile }: Pick<RotatingProvider, 'hostile'>): Promise<void> {
  const start = await browser.submit('/auth/signin/test', { callbackUrl: '/' })
  const end = await browser.get(hostile.authorize(target(start)))
  if (end.status !== 302 || target(end).includes('error')) throw new Error(`no sign-in: ${target(end)} ${end.text}`)
}

/** The answer of `GET /token`. */
export interface TokenAnswer {
  readonly accessToken?: string
  readonly expiresAt?: string | null
  readonly scope?: string[]
  readonly tokenType?: string
  readonly account?: object
  readonly error?: string
  readonly reason?: string
  readonly retryable?: boolean
}

export async function askToken(browser: Browser, options: Partial<AccessTokenOptions> = {}): Promise<TokenAnswer> {
  const query = new URLSearchParams({ options: JSON.stringify(options) })
  return (await browser.get(`/token?${query}`)).body
}
