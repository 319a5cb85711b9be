/**
 * A made-up OpenID provider whose every answer a test can script: for what the real one never does.
 *
 * It behaves well until told otherwise:
 *
 * ```ts
 * const provider = await startHostileProvider()
 * const config = { providers: [{ type: 'oidc', id: 'test', name: 'Test', ...provider.settings }], … }
 * beforeEach(() => provider.reset())
 *
 * it('refuses an id_token for another client', async () => {
 *   provider.onToken = (body) => provider.tokens(body, { aud: 'somebody-else' })
 *   const callback = provider.authorize(location)          // location = what POST /auth/signin/test answered
 *   …get(callback)…
 * })
 * ```
 *
 * Other mischief:
 * - `provider.authorize(location, { state: 'other', iss: null })` changes or drops parameters of the callback;
 * - `provider.onToken = async (body) => provider.tokens(body, {}, { key: 'stranger' })` signs with an unpublished key;
 * - `provider.onToken = () => ({ status: 500, body: 'oops', delay: 3000 })`, `({ endless: true })`, `({ reset: true })`;
 * - `provider.discovery.issuer = 'https://other.example'`, `provider.jwks.keys.length = 0`;
 * - `provider.onUserinfo`, `onDiscovery`, `onJwks`, and `provider.routes.set('/user', (request) => reply)`.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CryptoKey, exportJWK, type JWK, SignJWT } from 'jose'
import { borrowKeys, type KeyLoan } from './key-loan.js'
import { tellFields, tellSecret } from './log-watch.js'
import { type LoopbackHost, startLoopbackServer } from './loopback-server.js'

/** A request that the provider received. `body` holds the form fields. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, string>>
}

/** An answer of the provider. Everything has a default: 200, and JSON for a body that is neither text nor bytes. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Milliseconds before the first byte. */
  readonly delay?: number
  /** Milliseconds between headers and body. */
  readonly bodyDelay?: number
  /** A body that never ends. */
  readonly endless?: boolean
  /** No answer: the connection is cut. */
  readonly reset?: boolean
}

export type Answer = (request: ReceivedRequest) => Reply | Promise<Reply>
export type TokenAnswer = (body: Readonly<Record<string, string>>, request: ReceivedRequest) => Reply | Promise<Reply>

export interface SignOptions {
  /** Default `RS256`. `none` makes an unsigned token, `HS256` signs with `secret`. */
  readonly alg?: 'RS256' | 'ES256' | 'HS256' | 'none'
  /** `stranger`: a key that is not in `jwks`. Default `own`. */
  readonly key?: 'own' | 'stranger' | CryptoKey
  /** For HS256. Default: the client secret. */
  readonly secret?: string
  /** `null`: no `kid`. Default: the key's own. */
  readonly kid?: string | null
  /** More header parameters. */
  readonly header?: Readonly<Record<string, unknown>>
}

/** Claims to set; `undefined` drops a claim. */
export type Claims = Readonly<Record<string, unknown>>

export interface HostileProvider {
  readonly issuer: string
  readonly origin: string
  /** For a provider object of the library. */
  readonly settings: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }
  /** Everything received, oldest first. */
  readonly requests: ReceivedRequest[]
  /** The discovery document. Change it as you like. */
  discovery: Record<string, unknown>
  jwks: { keys: JWK[] }
  /** The user who signs in: claims of the id_token and of userinfo. */
  person: Record<string, unknown>
  onToken: TokenAnswer
  onUserinfo: Answer
  onDiscovery: Answer
  onJwks: Answer
  /** Answers for other paths. */
  readonly routes: Map<string, Answer>
  /** Back to good behaviour, with an empty log. */
  reset(): void
  /** Returns the number of requests to a path, for example `/token`. */
  count(path: string): number
  /**
   * Returns the URL to which a correct provider sends the browser back: `redirect_uri` with `code`, `state` and `iss`.
   * `changes` sets parameters, or drops those that are `null`.
   */
  authorize(authorizationUrl: string, changes?: Readonly<Record<string, string | null>>): string
  /** A good token answer for a token request, with changed claims or another signature. */
  tokens(body: Readonly<Record<string, string>>, claims?: Claims, options?: SignOptions): Promise<Reply>
  /** An id_token with exactly these claims. {@link tokens} fills in good ones. */
  signIdToken(claims: Claims, options?: SignOptions): Promise<string>
  /** Replaces the published keys, under new names or under the old ones (`kid`). */
  rotateKeys(options?: { sameNames?: boolean }): Promise<void>
  close(): Promise<void>
}

interface KeyRing {
  readonly keys: Readonly<Record<'RS256' | 'ES256', { readonly key: CryptoKey; readonly kid: string }>>
  readonly published: JWK[]
}

const clientId = 'hostile-client'
const clientSecret = 'hostile-client-secret-of-at-least-32-chars'

/** Starts a provider that behaves well. Close it in `after`. */
export async function startHostileProvider({
  host = 'localhost',
}: {
  host?: LoopbackHost
} = {}): Promise<HostileProvider> {
  const loan = borrowKeys()
  let ring = await createKeyRing(loan)
  const strangers = await createKeyRing(loan)
  /** Authorization requests by the code they got. */
  const authorized = new Map<string, URLSearchParams>()

  const server = await startLoopbackServer(
    (request, response) => {
      respond(request, response).catch((error) => response.destroy(error))
    },
    { host },
  )
  const issuer = server.origin

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await receive(request, issuer)
    provider.requests.push(received)
    tellFields(received.body)
    const reply = await answer(received)
    tellFields(reply.body)
    await send(response, reply)
  }

  function answer(request: ReceivedRequest): Reply | Promise<Reply> {
    const scripted = provider.routes.get(request.path)
    if (scripted) return scripted(request)
    switch (request.path) {
      case '/.well-known/openid-configuration':
        return provider.onDiscovery(request)
      case '/jwks':
        return provider.onJwks(request)
      case '/token':
        return provider.onToken(request.body, request)
      case '/userinfo':
        return provider.onUserinfo(request)
      default:
        return { status: 404, body: { error: 'not_found' } }
    }
  }

  const wellBehaved = () => ({
    discovery: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    },
    jwks: { keys: ring.published.map((key) => ({ ...key })) },
    person: { sub: 'person-1', name: 'Hostile Person', email: 'person@example.com', email_verified: true },
    onToken: (body: Readonly<Record<string, string>>) => provider.tokens(body),
    onUserinfo: () => ({ body: provider.person }),
    onDiscovery: () => ({ body: provider.discovery }),
    onJwks: () => ({ body: provider.jwks }),
  })

  const provider: HostileProvider = {
    issuer,
    origin: server.origin,
    settings: { issuer, clientId, clientSecret },
    requests: [],
    routes: new Map(),
    ...wellBehaved(),
    reset() {
      Object.assign(provider, wellBehaved())
      provider.requests.length = 0
      provider.routes.clear()
    },
    count: (path) => provider.requests.filter((request) => request.path === path).length,
    authorize(authorizationUrl, changes = {}) {
      const asked = new URL(authorizationUrl).searchParams
      const code = randomUUID()
      tellSecret(code, clientSecret)
      tellFields(Object.fromEntries(asked))
      authorized.set(code, asked)
      const callback = new URL(asked.get('redirect_uri') ?? '')
      const good = { code, state: asked.get('state'), iss: issuer }
      for (const [name, value] of Object.entries({ ...good, ...changes })) {
        if (value !== null) callback.searchParams.set(name, value)
      }
      return callback.href
    },
    async tokens(body, claims = {}, options = {}) {
      const asked = authorized.get(body.code ?? '')
      if (!asked) return { status: 400, body: { error: 'invalid_grant' } }
      const now = Math.floor(Date.now() / 1000)
      const good = {
        iss: issuer,
        aud: asked.get('client_id'),
        iat: now,
        exp: now + 300,
        nonce: asked.get('nonce') ?? undefined,
        ...provider.person,
      }
      return {
        body: {
          access_token: `access-${randomUUID()}`,
          token_type: 'Bearer',
          expires_in: 3600,
          scope: asked.get('scope') ?? '',
          id_token: await provider.signIdToken({ ...good, ...claims }, options),
        },
      }
    },
    signIdToken: (claims, options = {}) => signIdToken(claims, options, options.key === 'stranger' ? strangers : ring),
    async rotateKeys({ sameNames = false } = {}) {
      ring = await createKeyRing(loan, sameNames ? { RS256: ring.keys.RS256.kid, ES256: ring.keys.ES256.kid } : {})
      provider.jwks = { keys: ring.published.map((key) => ({ ...key })) }
    },
    async close() {
      await server.close()
      loan.giveBack()
    },
  }
  return provider
}

async function createKeyRing(loan: KeyLoan, names: { RS256?: string; ES256?: string } = {}): Promise<KeyRing> {
  const make = async (alg: 'RS256' | 'ES256') => {
    const { privateKey, publicKey } = await loan.take(alg)
    const kid = names[alg] ?? `${alg}-${randomUUID()}`
    return { key: privateKey, kid, published: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
  }
  const [RS256, ES256] = await Promise.all([make('RS256'), make('ES256')])
  return { keys: { RS256, ES256 }, published: [RS256.published, ES256.published] }
}

async function signIdToken(claims: Claims, options: SignOptions, ring: KeyRing): Promise<string> {
  const { alg = 'RS256', key, header = {} } = options
  const payload = JSON.parse(JSON.stringify(claims))
  if (alg === 'none') {
    const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
    return `${encode({ alg, ...header })}.${encode(payload)}.`
  }
  const own = alg === 'HS256' ? undefined : ring.keys[alg]
  const kid = options.kid === undefined ? own?.kid : options.kid
  const jwt = new SignJWT(payload).setProtectedHeader({ alg, ...(typeof kid === 'string' && { kid }), ...header })
  if (key !== undefined && typeof key !== 'string') return jwt.sign(key)
  return jwt.sign(own ? own.key : new TextEncoder().encode(options.secret ?? clientSecret))
}

async function receive(request: IncomingMessage, issuer: string): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const { pathname, searchParams } = new URL(request.url ?? '/', issuer)
  return {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8'))),
  }
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  const { status = 200, headers = {}, body = '', delay, bodyDelay, endless, reset } = reply
  if (delay !== undefined) await pause(delay)
  if (reset) return void response.destroy()
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  if (bodyDelay !== undefined) {
    response.flushHeaders()
    await pause(bodyDelay)
  }
  if (!endless) return void response.end(text)
  response.write(text)
  await pipeline(Readable.from(spaces()), response).catch(() => undefined)
}

function* spaces(): Generator<string> {
  for (;;) yield ' '.repeat(65536)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds).unref())
}
