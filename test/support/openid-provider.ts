/**
 * The real OpenID provider of the tests: `oidc-provider` from npm on a loopback port, with PKCE required.
 *
 * ```ts
 * const provider = await startOpenIdProvider()
 * const config = { providers: [{ type: 'oidc', id: 'test', name: 'Test', ...provider.settings() }], … }
 * // location = what POST /auth/signin/test answered
 * const callback = await provider.signInAs(location, 'alice')  // …/auth/callback/test?code=…&state=…&iss=…
 * await request(app).get(pathOf(callback)).set('Cookie', cookies)
 * await provider.close()
 * ```
 *
 * Any loopback URL whose path has `/callback/` is a valid redirect URI, so the app's port need not be known before.
 * The issuer says `localhost` by default and supertest says `127.0.0.1`: two sites for a browser.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, type JWK } from 'jose'
import type { AccountClaims, Adapter, AdapterPayload, ClientMetadata, Configuration } from 'oidc-provider'
import { Agent, fetch as fetchOverTls } from 'undici'
import { authority } from './certificates.js'
import { borrowKeys, type KeyLoan } from './key-loan.js'
import { type LoopbackHost, type LoopbackServer, startLoopbackServer } from './loopback-server.js'

const { Provider } = await importQuietly()
type Provider = InstanceType<typeof Provider>

export type SigningAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'HS256'

/** A person at the provider. `login` is what is typed there; the rest are claims. */
export interface TestAccount {
  readonly login: string
  readonly sub: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly picture?: string
  readonly [claim: string]: unknown
}

/** A registered client. */
export interface TestClient {
  readonly clientId: string
  readonly clientSecret?: string
  readonly authMethod?: 'client_secret_basic' | 'client_secret_post' | 'client_secret_jwt' | 'private_key_jwt' | 'none'
  readonly idTokenAlg?: SigningAlgorithm
  /** Public keys, for `private_key_jwt`. */
  readonly jwks?: { readonly keys: readonly JWK[] }
  /** Anything else of RFC 7591 §2. */
  readonly metadata?: Partial<ClientMetadata>
}

export interface OpenIdProviderOptions {
  /** Default: {@link defaultClient}. */
  readonly clients?: readonly TestClient[]
  /** Default: {@link defaultAccounts}. */
  readonly accounts?: readonly TestAccount[]
  /** The place of `name`, `email` … `userinfo`: the id_token holds `sub` only. Default `id_token`: both places. */
  readonly claimsIn?: 'id_token' | 'userinfo'
  /** Sends the browser over a third origin before the login page, as federated providers do. */
  readonly thirdOrigin?: boolean
  readonly host?: LoopbackHost
  /** Over TLS, with the certificates of `certificates.ts`. */
  readonly tls?: boolean
  /** Overrides of the provider's own configuration, for what the options above do not reach. */
  readonly configuration?: Configuration | ((issuer: string) => Configuration)
}

/** The answer of the provider to the application. `body` is for `response_mode=form_post`. */
export interface ProviderAnswer {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body: Readonly<Record<string, string>>
}

export interface LoggedRequest {
  readonly method: string
  /** The name and port that were asked for. */
  readonly host: string
  readonly path: string
  readonly query: URLSearchParams
}

/** The cookies of a user's browser at the provider. Pass the same object twice to stay signed in there. */
export type ProviderCookies = Map<string, string>

export interface OpenIdProvider {
  readonly issuer: string
  readonly clients: readonly TestClient[]
  readonly accounts: readonly TestAccount[]
  /** Everything the provider received, oldest first. Empty it with `requests.length = 0`. */
  readonly requests: LoggedRequest[]
  /** The origin in between, with the option `thirdOrigin`. */
  readonly thirdOrigin?: string
  /** `issuer`, `clientId` and `clientSecret` of a client, for a provider object of the library. */
  settings(clientId?: string): { issuer: string; clientId: string; clientSecret?: string }
  /** Returns the number of requests to a path of the provider, for example `/jwks`. */
  count(path: string): number
  /** Walks login and consent over HTTP and returns the URL to which the browser is sent back. */
  signInAs(authorizationUrl: string, login: string, cookies?: ProviderCookies): Promise<string>
  /** Like `signInAs`, for every response mode: with method and form fields. Without a login the user cancels. */
  answerTo(authorizationUrl: string, login: string | undefined, cookies?: ProviderCookies): Promise<ProviderAnswer>
  /** Presses "Cancel" as the user, and returns the URL with `error=access_denied`. */
  refuse(authorizationUrl: string): Promise<string>
  /** Signs with new keys (new `kid`) from now on. The old ones are gone unless `keepOld`. */
  rotateKeys(options?: { keepOld?: boolean }): Promise<void>
  close(): Promise<void>
}

export const defaultClient: TestClient = {
  clientId: 'test-client',
  clientSecret: 'test-client-secret-of-at-least-32-chars',
}

export const defaultAccounts: readonly TestAccount[] = [
  {
    login: 'alice',
    sub: 'alice-sub',
    name: 'Alice Example',
    email: 'alice@example.com',
    email_verified: true,
    picture: 'https://example.com/alice.png',
  },
  { login: 'bob', sub: 'bob-sub', name: 'Bob Example', email: 'bob@example.com', email_verified: false },
]

/** Starts a provider. Close it in `after`. */
export async function startOpenIdProvider(options: OpenIdProviderOptions = {}): Promise<OpenIdProvider> {
  const { clients = [defaultClient], accounts = defaultAccounts, host = 'localhost', tls = false } = options
  const requests: LoggedRequest[] = []
  const third = options.thirdOrigin ? await startThirdOrigin() : undefined
  let listener = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(503).end()

  const server = await startLoopbackServer(
    (request, response) => {
      const url = new URL(request.url ?? '/', issuer)
      const { host: asked = '' } = request.headers
      requests.push({ method: request.method ?? '', host: asked, path: url.pathname, query: url.searchParams })
      if (third && url.pathname === '/auth' && !url.searchParams.has('hopped')) {
        url.searchParams.set('hopped', 'yes')
        response.writeHead(302, { location: `${third.origin}/hop?${new URLSearchParams({ to: url.href })}` }).end()
        return
      }
      listener(request, response)
    },
    { host, tls },
  )
  const issuer = server.origin

  const algorithms = new Set(clients.map((client) => client.idTokenAlg ?? 'RS256'))
  const adapter = createMemoryAdapter()
  const loan = borrowKeys()
  let keys: JWK[] = []
  async function useNewKeys(kept: JWK[]): Promise<void> {
    keys = [...(await createKeys(algorithms, loan)), ...kept]
    const provider = new Provider(issuer, createConfiguration({ ...options, issuer, clients, accounts }, keys, adapter))
    allowLoopbackCallbacks(provider)
    const callback = provider.callback()
    listener = (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
      interact(provider, accounts, request, response).catch((error) => response.writeHead(500).end(String(error)))
    }
  }
  await useNewKeys([])

  async function answerTo(url: string, login: string | undefined, cookies: ProviderCookies): Promise<ProviderAnswer> {
    return walk({ url, login, cookies, origins: [issuer, ...(third ? [third.origin] : [])] })
  }

  return {
    issuer,
    clients,
    accounts,
    requests,
    ...(third && { thirdOrigin: third.origin }),
    settings(clientId) {
      const client = clientId === undefined ? clients[0] : clients.find((each) => each.clientId === clientId)
      if (!client) throw new Error(`no client ${clientId}`)
      const { clientId: id, clientSecret } = client
      return { issuer, clientId: id, ...(clientSecret !== undefined && { clientSecret }) }
    },
    count: (path) => requests.filter((request) => request.path === path).length,
    signInAs: async (url, login, cookies = new Map()) => (await answerTo(url, login, cookies)).url,
    answerTo: (url, login, cookies = new Map()) => answerTo(url, login, cookies),
    refuse: async (url) => (await answerTo(url, undefined, new Map())).url,
    rotateKeys: ({ keepOld = false } = {}) => useNewKeys(keepOld ? keys : []),
    close: async () => {
      await Promise.all([server.close(), third?.close()])
      loan.giveBack()
    },
  }
}

/** Starts a server that redirects every request straight back: only its other origin matters. */
function startThirdOrigin(): Promise<LoopbackServer> {
  return startLoopbackServer(
    (request, response) => {
      const to = new URL(request.url ?? '/', 'http://localhost').searchParams.get('to') ?? '/'
      response.writeHead(302, { location: to }).end()
    },
    { host: 'localhost' },
  )
}

function createConfiguration(
  options: OpenIdProviderOptions & {
    issuer: string
    clients: readonly TestClient[]
    accounts: readonly TestAccount[]
  },
  keys: readonly JWK[],
  adapter: (model: string) => Adapter,
): Configuration {
  return {
    adapter,
    clients: options.clients.map(toClientMetadata),
    jwks: { keys: keys.map((key) => ({ ...key })) },
    cookies: { keys: ['cookie-key-of-the-test-provider'] },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'none'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA', 'HS256'] },
    claims: {
      openid: ['sub'],
      profile: ['name', 'picture', 'preferred_username', 'locale'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: options.claimsIn === 'userinfo',
    pkce: { required: () => true },
    responseTypes: ['code'],
    features: { devInteractions: { enabled: false }, revocation: { enabled: true, allowedPolicy: () => true } },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    clientBasedCORS: () => false,
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      Grant: 3600,
      IdToken: 3600,
      Interaction: 600,
      RefreshToken: 86400,
      Session: 86400,
    },
    findAccount(_ctx, sub) {
      const account = options.accounts.find((each) => each.sub === sub)
      if (!account) return undefined
      const { login, ...claims } = account
      return { accountId: sub, claims: (): AccountClaims => ({ ...claims, preferred_username: login }) }
    },
    renderError(ctx, out) {
      ctx.type = 'text/plain'
      ctx.body = `provider error: ${out.error} ${out.error_description ?? ''}`
    },
    ...(typeof options.configuration === 'function' ? options.configuration(options.issuer) : options.configuration),
  }
}

function toClientMetadata(client: TestClient): ClientMetadata {
  return {
    client_id: client.clientId,
    ...(client.clientSecret !== undefined && { client_secret: client.clientSecret }),
    token_endpoint_auth_method: client.authMethod ?? 'client_secret_basic',
    id_token_signed_response_alg: client.idTokenAlg ?? 'RS256',
    ...(client.jwks && { jwks: { keys: client.jwks.keys.map((key) => ({ kty: '', ...key })) } }),
    redirect_uris: ['http://127.0.0.1/auth/callback/test'],
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    ...client.metadata,
  }
}

function allowLoopbackCallbacks(provider: Provider): void {
  Object.assign(provider.Client.prototype, {
    redirectUriAllowed(value: string) {
      const { hostname, pathname } = new URL(value)
      return ['localhost', '127.0.0.1'].includes(hostname) && pathname.includes('/callback/')
    },
  })
}

async function createKeys(algorithms: ReadonlySet<SigningAlgorithm>, loan: KeyLoan): Promise<JWK[]> {
  const asymmetric = [...algorithms].filter((algorithm) => algorithm !== 'HS256')
  return Promise.all(
    (asymmetric.length > 0 ? asymmetric : ['RS256']).map(async (alg) => {
      const { privateKey } = await loan.take(alg)
      return { ...(await exportJWK(privateKey)), kid: randomUUID(), alg, use: 'sig' }
    }),
  )
}

/** The login page, and consent given without asking. */
async function interact(
  provider: Provider,
  accounts: readonly TestAccount[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response)
  const once = { mergeWithLastSubmission: false }
  if (prompt.name === 'consent') {
    const grant = (grantId && (await provider.Grant.find(grantId))) || new provider.Grant()
    Object.assign(grant, { clientId: String(params.client_id), accountId: session?.accountId })
    grant.addOIDCScope(String(params.scope))
    const asked: Record<string, object> = JSON.parse(String(params.claims ?? '{}'))
    grant.addOIDCClaims(Object.values(asked).flatMap((claims) => Object.keys(claims)))
    const result = { consent: { grantId: await grant.save() } }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
  }
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(loginPage(accounts))
    return
  }
  const form = new URLSearchParams(await readBody(request))
  if (form.has('cancel')) {
    return provider.interactionFinished(
      request,
      response,
      { error: 'access_denied', error_description: 'Cancelled' },
      once,
    )
  }
  const account = accounts.find(({ login }) => login === form.get('login'))
  if (!account) return void response.writeHead(400, { 'content-type': 'text/plain' }).end('no such login')
  return provider.interactionFinished(request, response, { login: { accountId: account.sub } }, once)
}

function loginPage(accounts: readonly TestAccount[]): string {
  return `<!doctype html><html lang="en"><title>Test provider</title><link rel="icon" href="data:,"><h1>Test provider</h1>
<form method="post"><label>Login <input name="login" autofocus list="logins"></label>
<datalist id="logins">${accounts.map(({ login }) => `<option value="${login}">`).join('')}</datalist>
<button type="submit">Continue</button> <button type="submit" name="cancel" value="yes">Cancel</button></form></html>`
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

const trusting = new Agent({ connect: { ca: authority } })

/** As a browser of the tests does, which trusts their authority. */
async function ask(url: string, init: RequestInit): Promise<Response> {
  if (!url.startsWith('https:')) return fetch(url, init)
  const { method = 'GET', body, headers } = init
  const options = {
    method,
    headers: headers as Record<string, string>,
    redirect: 'manual',
    dispatcher: trusting,
  } as const
  const answer = await fetchOverTls(url, { ...options, ...(body instanceof URLSearchParams && { body }) })
  return new Response(await answer.text(), {
    status: answer.status,
    headers: [...answer.headers] as Array<[string, string]>,
  })
}

/** A browser without scripts: follows redirects between the provider's origins, fills in the login page once. */
async function walk(journey: {
  url: string
  /** undefined: press "Cancel". */
  login: string | undefined
  cookies: ProviderCookies
  origins: readonly string[]
}): Promise<ProviderAnswer> {
  const { login, cookies, origins } = journey
  let url = journey.url
  let body: URLSearchParams | undefined
  for (let step = 0; step < 20; step++) {
    if (!origins.includes(new URL(url).origin)) return { method: 'GET', url, body: {} }
    const response = await ask(url, {
      redirect: 'manual',
      method: body ? 'POST' : 'GET',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body && { body }),
    })
    keepCookies(cookies, response)
    body = undefined
    const location = response.headers.get('location')
    if (location !== null) {
      url = new URL(location, url).href
      continue
    }
    const text = await response.text()
    if (!url.includes('/interaction/')) return readFormPost(text)
    if (response.status !== 200) throw new Error(`the provider answered ${response.status}: ${text}`)
    body = new URLSearchParams(login === undefined ? { cancel: 'yes' } : { login })
  }
  throw new Error('the provider never sent the browser back')
}

function keepCookies(cookies: ProviderCookies, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    const name = pair.slice(0, pair.indexOf('='))
    const value = pair.slice(pair.indexOf('=') + 1)
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
}

/** Reads the self-submitting page of OAuth 2.0 Form Post Response Mode. */
function readFormPost(html: string): ProviderAnswer {
  const url = /<form[^>]*action="([^"]*)"/.exec(html)?.[1]
  if (url === undefined) throw new Error(`the provider answered an unexpected page: ${html}`)
  const inputs = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
  const body = Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, unescapeHtml(value)]))
  return { method: 'POST', url: unescapeHtml(url), body }
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** Outlives `rotateKeys`: the provider object is replaced there, its grants and sessions are not. */
function createMemoryAdapter(): (model: string) => Adapter {
  const rows = new Map<string, AdapterPayload>()
  const withField = (model: string, field: 'uid' | 'userCode', value: string) =>
    [...rows].find(([key, row]) => key.startsWith(`${model}:`) && row[field] === value)?.[1]
  return (model) => ({
    upsert: async (id, payload) => void rows.set(`${model}:${id}`, payload),
    find: async (id) => rows.get(`${model}:${id}`),
    findByUid: async (uid) => withField(model, 'uid', uid),
    findByUserCode: async (userCode) => withField(model, 'userCode', userCode),
    destroy: async (id) => void rows.delete(`${model}:${id}`),
    async consume(id) {
      const row = rows.get(`${model}:${id}`)
      if (row) row.consumed = Math.floor(Date.now() / 1000)
    },
    async revokeByGrantId(grantId) {
      for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key)
    },
  })
}

/** `oidc-provider` warns about Node 20 while it loads; it works there. Only that one line is held back. */
async function importQuietly() {
  const { warn } = console
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('Unsupported runtime')) warn(...words)
  }
  try {
    return await import('oidc-provider')
  } finally {
    console.warn = warn
  }
}
