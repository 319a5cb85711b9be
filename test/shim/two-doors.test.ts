/** One table of requests, through both doors to the Router: Express, and Fetch. What comes out is the same. */
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import { credentials } from '../support/app.js'
import { type Door, openExpress, openShim } from '../support/doors.js'
import type { Answer, Browser, Question } from '../support/http-browser.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import { comparable } from './doors.js'

const acme = {
  id: 'acme',
  name: 'Acme',
  type: 'oauth' as const,
  clientId: 'client',
  clientSecret: 'client-secret',
  authorization: 'https://op.example/authorize',
  token: 'https://op.example/token',
  userinfo: 'https://op.example/userinfo',
}

const mail = { id: 'email', name: 'E-mail', type: 'email' as const, sendVerificationRequest: () => {} }

const big = 'x'.repeat(5000)

const encrypted = (): Partial<FullStackAuthConfig> => ({
  providers: [credentials(), acme],
  callbacks: {
    jwt: ({ token, trigger, session, user }) => {
      if (trigger === 'update') return { ...token, name: String((session as { name?: unknown }).name) }
      return user?.name === 'big' ? { ...token, big } : token
    },
  },
})

type Script = (visitor: Browser) => Promise<Answer | Answer[]>

/** A single request. */
const one =
  (target: string, question: Question = {}): Script =>
  (visitor) =>
    visitor.ask(target, question)

/** Several, after a sign-in. */
const signedIn =
  (...questions: Array<[target: string, question?: Question]>): Script =>
  async (visitor) => {
    const answers = [await visitor.signIn()]
    for (const [target, question] of questions) answers.push(await visitor.ask(target, question))
    return answers
  }

const callback = '/api/auth/callback/credentials'
const right = { csrfToken: true, username: 'ann', password: 'right' } as const
const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' }

/** `status` is that of the last answer, for the first configuration. */
const table: ReadonlyArray<[title: string, script: Script, status: number]> = [
  ['GET session, signed out', one('/api/auth/session'), 200],
  ['GET session, signed in', signedIn(['/api/auth/session']), 200],
  ['HEAD session', signedIn(['/api/auth/session', { method: 'HEAD' }]), 200],
  ['GET csrf', one('/api/auth/csrf'), 200],
  ['HEAD csrf', one('/api/auth/csrf', { method: 'HEAD' }), 200],
  ['GET providers', one('/api/auth/providers'), 200],
  ['GET signin', one('/api/auth/signin?callbackUrl=/there&error=CredentialsSignin'), 200],
  ['HEAD signin', one('/api/auth/signin', { method: 'HEAD' }), 200],
  ['GET signin of one provider', one('/api/auth/signin/acme'), 200],
  ['GET signin of an unknown provider', one('/api/auth/signin/nobody'), 404],
  ['the same, as JSON', one('/api/auth/signin/nobody', { headers: { accept: 'application/json' } }), 404],
  ['GET signout', signedIn(['/api/auth/signout?callbackUrl=/bye']), 200],
  ['GET error', one('/api/auth/error?error=AccessDenied'), 403],
  ['GET error with a prototype name', one('/api/auth/error?error=constructor'), 200],
  ['GET verify-request', one('/api/auth/verify-request?provider=email&type=email'), 200],
  ['GET callback of credentials', one(callback), 405],
  ['POST callback, right', one(callback, { form: { ...right, callbackUrl: '/there?a=1' } }), 303],
  ['POST callback, wrong', one(callback, { form: { ...right, password: 'wrong' } }), 303],
  [
    'POST callback, wrong, as JSON',
    one(callback, { form: { ...right, password: 'wrong' }, headers: { accept: 'application/json' } }),
    401,
  ],
  [
    'POST callback for the published client',
    one(callback, { form: right, headers: { 'x-auth-return-redirect': '1' } }),
    200,
  ],
  [
    'POST callback as JSON',
    async (visitor) => visitor.ask(callback, { json: { ...right, csrfToken: await visitor.csrf() } }),
    303,
  ],
  ['POST callback without a token', one(callback, { form: { username: 'ann', password: 'right' } }), 303],
  ['POST callback with a wrong token', one(callback, { form: { ...right, csrfToken: 'f'.repeat(64) } }), 303],
  ['POST callback from another site', one(callback, { form: right, headers: { origin: 'https://evil.test' } }), 303],
  ['POST callback, told cross-site', one(callback, { form: right, headers: { 'sec-fetch-site': 'cross-site' } }), 303],
  ['POST callback with a field twice', one(callback, { form: { ...right, username: ['ann', 'eve'] } }), 303],
  ['POST callback to a foreign place', one(callback, { form: { ...right, callbackUrl: 'https://evil.test/' } }), 303],
  ['POST callback with a big session', one(callback, { form: { ...right, username: 'big' } }), 303],
  ['POST signin', one('/api/auth/signin', { form: { csrfToken: true } }), 303],
  [
    'POST signin of a provider',
    one('/api/auth/signin/acme', { form: { csrfToken: true, callbackUrl: '/there' } }),
    303,
  ],
  ['POST signin by a form', one('/api/auth/signin/acme', { form: { csrfToken: true }, headers: navigation }), 200],
  ['POST signin by mail', one('/api/auth/signin/email', { form: { csrfToken: true, email: 'ann@example.com' } }), 404],
  ['GET callback of a provider', one('/api/auth/callback/acme?code=1&state=2'), 302],
  [
    'POST credentials for a client that asks for JSON',
    one(callback, { form: right, headers: { accept: 'application/json' } }),
    200,
  ],
  [
    'POST credentials with a wrong password, for such a client',
    one(callback, { form: { ...right, password: 'wrong' }, headers: { accept: 'application/json' } }),
    401,
  ],
  ['GET callback with a refusal', one('/api/auth/callback/acme?error=access_denied'), 302],
  ['GET callback of constructor', one('/api/auth/callback/constructor'), 404],
  ['POST signout', signedIn(['/api/auth/signout', { form: { csrfToken: true } }], ['/api/auth/session']), 200],
  ['POST signout, signed out', one('/api/auth/signout', { form: { csrfToken: true } }), 303],
  [
    'POST session',
    async (visitor) => {
      await visitor.signIn()
      const csrfToken = await visitor.csrf()
      return visitor.ask('/api/auth/session', { json: { csrfToken, data: { name: 'Ann II' } } })
    },
    200,
  ],
  ['POST session without a token', signedIn(['/api/auth/session', { json: { data: {} } }]), 403],
  [
    'GET session with a forged cookie',
    one('/api/auth/session', { headers: { cookie: 'auth.session-token=forged' } }),
    200,
  ],
  [
    'GET session with odd cookies',
    one('/api/auth/session', { headers: { cookie: '__proto__=1; constructor=2; a; =b' } }),
    200,
  ],
  ['GET webauthn-options', one('/api/auth/webauthn-options/acme'), 404],
  ['PUT', one('/api/auth/session', { method: 'PUT', json: { a: 1 } }), 405],
  ['PATCH', one('/api/auth/csrf', { method: 'PATCH' }), 405],
  ['DELETE', one('/api/auth/signin/acme', { method: 'DELETE' }), 405],
  ['OPTIONS', one('/api/auth/session', { method: 'OPTIONS', headers: { origin: 'https://evil.test' } }), 405],
  ['POST csrf', one('/api/auth/csrf', { form: { a: '1' } }), 405],
  ['a malformed path', one('/api/auth/signin/%zz'), 400],
  ['a provider with an encoded slash', one('/api/auth/signin/a%2fb'), 404],
  ['a method in a header', one(callback, { headers: { 'x-http-method-override': 'POST' } }), 405],
  [
    'a host in a header',
    one('/api/auth/providers', { headers: { 'x-forwarded-host': 'evil.test', 'x-original-url': '/admin' } }),
    200,
  ],
  [
    'headers that skip middleware elsewhere',
    one('/api/auth/session', {
      headers: { 'x-middleware-subrequest': 'middleware:middleware', 'x-auth-session': '{}' },
    }),
    200,
  ],
  [
    'a body that is too long',
    one(callback, { body: 'a'.repeat(200_000), headers: { 'content-type': 'application/json' } }),
    413,
  ],
  [
    'the same without a length',
    one(callback, { body: 'a'.repeat(200_000), chunked: true, headers: { 'content-type': 'application/json' } }),
    413,
  ],
  [
    'a short body without a length',
    async (visitor) =>
      visitor.ask(callback, {
        body: JSON.stringify({ ...right, csrfToken: await visitor.csrf() }),
        chunked: true,
        headers: { 'content-type': 'application/json' },
      }),
    303,
  ],
  [
    'a body that grows',
    one(callback, {
      body: gzipSync(Buffer.alloc(500_000, 'a')),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    }),
    413,
  ],
  [
    'an encoding that nobody knows',
    one(callback, { body: '{}', headers: { 'content-type': 'application/json', 'content-encoding': 'zip' } }),
    415,
  ],
  ['JSON that is none', one(callback, { body: '{"a":', headers: { 'content-type': 'application/json' } }), 400],
  [
    'the same, for a program',
    one('/api/auth/session', { body: '{"a":', headers: { 'content-type': 'application/json' } }),
    400,
  ],
  ['JSON in UTF-7', one(callback, { body: '{}', headers: { 'content-type': 'application/json; charset=utf-7' } }), 415],
  [
    'JSON with a prototype',
    one(callback, { body: '{"__proto__":{"csrfToken":"x"}}', headers: { 'content-type': 'application/json' } }),
    303,
  ],
  ['a list instead of fields', one(callback, { json: [1, 2] }), 303],
  [
    'too many fields',
    one(callback, { body: 'a=1&'.repeat(2000), headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    413,
  ],
  [
    'a file upload',
    one(callback, { body: '--x\r\n\r\n--x--', headers: { 'content-type': 'multipart/form-data; boundary=x' } }),
    303,
  ],
  ['a body without a type', one(callback, { body: 'a=1' }), 303],
  ['an empty body', one(callback, { method: 'POST' }), 303],
]

/** The surroundings of both doors. */
interface Setting {
  readonly config: () => Partial<FullStackAuthConfig>
  readonly site?: string
  /** A proxy in front, and an application that trusts it. */
  readonly proxy?: boolean
}

const settings: Readonly<Record<string, Setting>> = {
  'encrypted cookies': { config: encrypted },
  'a database': { config: () => ({ adapter: memoryAdapter(), providers: [credentials(), acme, mail] }) },
  'pages of its own': {
    config: () => ({
      providers: [credentials(), acme],
      pages: { signIn: '/login', error: '/oops', signOut: '/bye' },
    }),
  },
  AUTH_URL: { config: encrypted, site: 'https://app.example/api/auth' },
  'a proxy': { config: () => ({ ...encrypted(), trustHost: true }), proxy: true },
}

const fromProxy = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.example' }

for (const [kind, { config, site, proxy = false }] of Object.entries(settings)) {
  describe(`Express and shim, with ${kind}`, () => {
    let express: Door
    let shim: Door

    before(async () => {
      if (site) process.env.AUTH_URL = site
      express = await openExpress(config(), proxy ? { trustProxy: 1 } : {})
      shim = await openShim(config())
      // The shim reads its environment when it is first asked.
      await shim.browser().ask('/api/auth/providers')
      delete process.env.AUTH_URL
    })

    after(() => Promise.all([express.close(), shim.close()]))

    async function through(door: Door, script: Script): Promise<object[]> {
      const visitor = door.browser(proxy ? fromProxy : {})
      return [await script(visitor)].flat().map((answer) => comparable(answer, door))
    }

    for (const [title, script, status] of table) {
      it(title, async () => {
        const [one, other] = [await through(express, script), await through(shim, script)]
        expect(other).to.deep.equal(one)
        expect(one.length).to.be.greaterThan(0)
        if (kind === 'encrypted cookies') expect(one.at(-1)).to.have.property('status', status)
      })
    }

    it('says the same in the log', () => {
      const types = (door: Door) => door.log.errors.map((error) => error.name)
      expect(types(shim)).to.deep.equal(types(express))
      expect(types(shim)).to.include('MissingCSRF').and.not.include('CredentialsSignin')
    })
  })
}

describe('Express and shim, with a real OpenID provider', () => {
  let provider: OpenIdProvider
  const doors: Door[] = []

  before(async () => {
    provider = await startOpenIdProvider()
    const providers = [{ id: 'test', name: 'Test', type: 'oidc' as const, ...provider.settings() }]
    doors.push(await openExpress({ providers }), await openShim({ providers }))
  })

  after(async () => {
    for (const door of doors) await door.close()
    await provider.close()
  })

  /** Signs in, reads the session, and sends the provider's answer again. */
  async function goRound(door: Door): Promise<Answer[]> {
    const visitor = door.browser()
    const begun = await visitor.ask('/api/auth/signin/test', { form: { csrfToken: true, callbackUrl: '/there' } })
    const { pathname, search } = new URL(await provider.signInAs(begun.headers.location ?? '', 'alice'))
    const ended = await visitor.ask(pathname + search)
    return [begun, ended, await visitor.ask('/api/auth/session'), await visitor.ask(pathname + search)]
  }

  it('a whole sign-in', async () => {
    const [express = [], shim = []] = await Promise.all(
      doors.map(async (door) => (await goRound(door)).map((answer) => comparable(answer, door))),
    )
    expect(shim).to.deep.equal(express)
    expect(shim[1]).to.deep.include({ status: 302 }).and.have.nested.property('headers.location', '<origin>/there')
    expect(shim[2]).to.have.property('body').that.includes('"name":"Alice Example"')
  })
})
