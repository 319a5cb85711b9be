/**
 * The site to which strangers send inputs: every kind of provider, behind one of both doors, with the recorded calls.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Express } from 'express'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { clearSiteMemories } from '../../lib/base/memory.js'
import type { CaptchaOptions } from '../../lib/features/limits/captcha-types.js'
import type { RateLimitOptions } from '../../lib/features/limits/types.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import Email from '../../lib/providers/email.js'
import Passkey from '../../lib/providers/passkey.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { OAuthConfig, OIDCConfig } from '../../lib/types/provider.js'
import { customFetch } from '../../lib/types/symbols.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { createApp, createLog, credentials, type Log, secret } from '../support/app.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'

export const doors = ['express', 'shim'] as const
export type DoorName = (typeof doors)[number]
export const strategies = ['jwt', 'database'] as const
export type StrategyName = (typeof strategies)[number]

/** A mail that would have been sent. */
export interface SinkMail {
  readonly identifier: string
  readonly url: string
}

/** The site, and its recorded calls since {@link Site.renew}. */
export interface Site {
  readonly door: DoorName
  readonly strategy: StrategyName
  readonly port: number
  readonly provider: HostileProvider
  readonly config: FullStackAuthConfig
  readonly log: Log
  readonly mails: SinkMail[]
  /** Messages of the events by name. */
  readonly events: Array<{ readonly name: string; readonly message: unknown }>
  /** The number of sign-ins that `authorize` accepted. */
  accepted: number
  /** The number of applications so far. */
  round: number
  /** The number of calls of `authorize` for the existing user. */
  guesses: number
  /** The captchas that were to be checked. */
  readonly captchas: unknown[]
  /** Called with each request before the application is. */
  readonly taps: Set<Listener>
  /** Starts a new application on an empty database, whose process remembers nothing; and resets the provider. */
  renew(changes?: Partial<FullStackAuthConfig>): void
  close(): Promise<void>
}

/** The name of another user, which is counted together with the name `ann`. The password is the same. */
export const namesake = 'Ánn'

/** The `basePath` at both doors. */
export const base = '/auth'

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** Opens the site. Closes with {@link Site.close}. */
export async function openSite(door: DoorName, strategy: StrategyName): Promise<Site> {
  const provider = await startHostileProvider()
  let listener: Listener = () => {}
  const taps = new Set<Listener>()
  const server = createServer((request, response) => {
    for (const tap of taps) tap(request, response)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const state = { config: configure(), log: createLog() }

  function configure(): FullStackAuthConfig {
    return { secret, providers: [] }
  }

  const site: Site = {
    door,
    strategy,
    port: (server.address() as AddressInfo).port,
    provider,
    get config() {
      return state.config
    },
    get log() {
      return state.log
    },
    mails: [],
    events: [],
    accepted: 0,
    round: 0,
    guesses: 0,
    captchas: [],
    taps,
    renew(changes) {
      clearSiteMemories()
      provider.reset()
      provider.discovery.end_session_endpoint = `${provider.issuer}/logout`
      provider.routes.set('/plain/token', () => ({
        body: { access_token: 'plain-access-token', token_type: 'bearer' },
      }))
      provider.routes.set('/plain/user', () => ({ body: { id: 7, name: 'Plain Person', email: 'plain@example.com' } }))
      site.mails.length = 0
      site.events.length = 0
      site.accepted = 0
      site.round += 1
      site.guesses = 0
      site.captchas.length = 0
      state.log = createLog()
      state.config = { ...configOf(site, state.log), ...changes }
      listener = door === 'express' ? expressListener(state.config) : shimListener(state.config)
    },
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await provider.close()
    },
  }
  site.renew()
  return site
}

const connection = { provider: 'test', scope: ['calendar'], callbackUrl: '/welcome' }

function expressListener(config: FullStackAuthConfig): Listener {
  const after = (app: Express) =>
    app
      .get('/account', (req, res, next) => {
        expressFunctions(config)
          .account.get(req)
          .then((account) => res.json(account), next)
      })
      .get('/connect', (req, res, next) => {
        expressFunctions(config)
          .tokens.connectUrl(req, connection)
          .then((url) => res.json(url), next)
      })
  return createApp(config, { mount: base, trustProxy: true, after })
}

function shimListener(config: FullStackAuthConfig): Listener {
  const { handlers, auth, account, tokens } = initAuth(config)
  const own: Readonly<Record<string, () => Promise<unknown>>> = {
    '/me': auth,
    '/account': account.get,
    '/connect': () => tokens.connectUrl(connection),
  }
  const answer = async (request: Request) => {
    const read = URL.canParse(request.url) ? own[new URL(request.url).pathname] : undefined
    return read ? Response.json(await read()) : handlers.GET(request)
  }
  return getRequestListener(
    (request, { incoming }) => {
      // As Express does it where the application trusts all proxies: the first that is named.
      const named = request.headers.get('x-forwarded-for')?.split(',')[0]?.trim()
      const ip = named || ('socket' in incoming ? incoming.socket.remoteAddress : undefined)
      return withRequest(request, () => answer(request), ip === undefined ? {} : { ip })
    },
    // The server rejects invalid URLs. Any other error here is a fault.
    {
      overrideGlobalObjects: false,
      errorHandler: (error) => new Response(String(error), { status: isRequestError(error) ? 400 : 500 }),
    },
  )
}

function isRequestError(error: unknown): boolean {
  return error instanceof Error && error.name === 'RequestError'
}

const perClient = { perClient: 2000, window: 1 }
const perAccount = { ...perClient, perAccount: 2000, perClientAndAccount: 2000 }

/** Limits that count everything, and reject nothing. */
export const wide = {
  credentials: perAccount,
  mailToken: perAccount,
  passkeyOptions: perClient,
  passkey: perClient,
  signUp: perClient,
  oauthStart: perClient,
  oauthCallback: perClient,
  logoutToken: perClient,
} satisfies RateLimitOptions['rules']

/** The browser from which a captcha is required. */
export const robot = 'Mozilla/5.0 (robot)'
/** The valid captcha. */
export const goodCaptcha = 'a-captcha-that-somebody-has-solved'

function captchaOf(site: Site, round: number): CaptchaOptions {
  return {
    required: ({ request }) => request.userAgent === robot,
    verify(token) {
      if (site.round === round) site.captchas.push(token)
      return token === goodCaptcha
    },
  }
}

function configOf(site: Site, log: Log): FullStackAuthConfig {
  const { provider, strategy, round } = site
  const note = (name: string) => (message: unknown) => void site.events.push({ name, message })
  // There is no network in tests, wherever a document of the provider's leads.
  const fetchThere: typeof fetch = (input, init) =>
    new Request(input).url.startsWith(`${provider.issuer}/`)
      ? fetch(input, init)
      : Promise.reject(new TypeError('fetch failed'))
  const oidc: OIDCConfig = {
    type: 'oidc',
    id: 'test',
    name: 'Test',
    ...provider.settings,
    logout: { backchannel: true, frontchannel: true },
    client: { id_token_signed_response_alg: 'RS256' },
    incrementalScopes: ['calendar'],
    [customFetch]: fetchThere,
  }
  const plain: OAuthConfig = {
    type: 'oauth',
    id: 'plain',
    name: 'Plain',
    clientId: 'plain-client',
    clientSecret: 'plain-secret-of-at-least-32-characters',
    authorization: `${provider.issuer}/authorize`,
    token: `${provider.issuer}/plain/token`,
    userinfo: `${provider.issuer}/plain/user`,
  }
  return {
    secret,
    basePath: base,
    trustHost: true,
    logger: log.logger,
    debug: true,
    timeout: 0.8,
    adapter: memoryAdapter(),
    tokens: { store: memoryStore() },
    session: {
      strategy,
      maxAge: 12 * 60 * 60,
      rememberMaxAge: 30 * 24 * 60 * 60,
      ...(strategy === 'jwt' ? { revocation: true } : { network: true }),
    },
    rateLimit: { rules: wide, captcha: captchaOf(site, round) },
    experimental: { enableWebAuthn: true },
    providers: [
      credentials({
        authorize({ username, password }) {
          // On a busy machine a request of the application before may still be under way.
          const isOurs = site.round === round
          if (username === namesake && password === 'right') return { id: 'namesake', email: 'namesake@example.com' }
          if (username === 'ann' && isOurs) site.guesses += 1
          if (username !== 'ann' || password !== 'right') return null
          if (isOurs) site.accepted += 1
          return { id: 'ann', name: 'ann', email: 'ann@example.com' }
        },
      }),
      oidc,
      plain,
      Email({
        limit: false,
        sendVerificationRequest: ({ identifier, url }: SinkMail) => void site.mails.push({ identifier, url }),
      }),
      Passkey({ relyingParty: { id: 'localhost', origin: 'http://localhost:3000' } }),
    ],
    events: {
      signIn: note('signIn'),
      signOut: note('signOut'),
      createUser: note('createUser'),
      linkAccount: note('linkAccount'),
    },
  } as FullStackAuthConfig
}
