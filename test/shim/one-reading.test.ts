/** One reading for a request: its `jwt` callback may use a refresh token that works once. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { defineAuth } from '../../lib/index.js'
import type { Provider } from '../../lib/types/provider.js'
import initAuth, { type AuthHost, type FullStackAuthConfig, requestHost, withRequest } from '../../shim/index.js'
import { credentials } from '../support/app.js'
import { rejectionOf } from '../support/rejection.js'
import { configure, get, origin } from './stage.js'

const provider: Provider = {
  id: 'test',
  name: 'Test',
  type: 'oidc',
  issuer: 'https://id.test',
  clientId: 'x',
  clientSecret: 'y',
}

/** An application that counts the calls of its `jwt` callback, and the cookie of a stored user. */
async function setUp(host: AuthHost = requestHost) {
  const counted = { calls: 0 }
  const jwt: NonNullable<FullStackAuthConfig['callbacks']>['jwt'] = ({ token }) => {
    counted.calls += 1
    return token
  }
  const adapter = memoryAdapter()
  const { id } = await adapter.createUser({ id: '', name: 'ann', email: 'ann@example.com', emailVerified: new Date() })
  const config = configure({
    adapter,
    session: { strategy: 'jwt' },
    providers: [credentials(), provider],
    tokens: { store: memoryStore() },
    callbacks: { jwt },
  })
  const own = initAuth(config)
  const signIn = async () => {
    await own.startSession({ user: { id }, amr: ['pwd'] })
    return new Response()
  }
  const signedIn = await withRequest(new Request(origin, { method: 'POST', headers: { origin } }), signIn)
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';', 1).join())
    .join('; ')
  counted.calls = 0
  return { config, cookie, counted, own: initAuth(config, host) }
}

type Own = Awaited<ReturnType<typeof setUp>>['own']

/** Calls each kind of function for the current request. */
async function callAll({ auth, account, sessions, tokens }: Own): Promise<void> {
  const missing = tokens.get({ provider: 'test' })
  expect((await rejectionOf(missing)).message).to.include('test')
  expect((await account.get())?.user.name).to.equal('ann')
  expect((await auth())?.user?.name).to.equal('ann')
  expect((await auth.require()).user?.name).to.equal('ann')
  expect(await auth.csrf.token()).to.match(/^[0-9a-f]{64}$/)
  expect(await account.unlink({ provider: 'test', providerAccountId: '1' })).to.deep.equal({
    ok: false,
    reason: 'unknown',
  })
  expect(await sessions.endOthers()).to.equal(0)
}

/** Returns the status of the response that the guard throws, because the user has no account at the provider. */
const connectionStatus = ({ auth }: Own, request: Request): Promise<unknown> =>
  auth.requireConnection(request, { provider: 'test' }).catch(({ status }: Response) => status)

const post = (cookie: string) => new Request(origin, { method: 'POST', headers: { origin, cookie } })

describe('one request is one reading', () => {
  it('in withRequest, for all functions and guards', async () => {
    const { own, cookie, counted } = await setUp()
    const request = post(cookie)
    await withRequest(request, async () => {
      await callAll(own)
      expect((await own.auth.require(request)).user?.name).to.equal('ann')
      expect(await connectionStatus(own, request)).to.equal(403)
      return new Response()
    })
    expect(counted.calls).to.equal(1)
  })

  it('in a handler inside auth(), inside and outside withRequest', async () => {
    for (const isInside of [true, false]) {
      const { own, cookie, counted } = await setUp()
      const request = post(cookie)
      const handler = own.auth(async () => {
        if (!isInside) return withRequest(request, () => callAll(own).then(() => new Response()))
        await callAll(own)
        return new Response()
      })
      const respond = () => handler(request)
      expect((await (isInside ? withRequest(request, respond) : respond())).status).to.equal(200)
      expect(counted.calls, `inside: ${isInside}`).to.equal(1)
    }
  })

  it('for a Request without a current request', async () => {
    const { own, cookie, counted } = await setUp()
    const request = get('/', { cookie })
    expect(await own.auth(request)).to.equal(undefined)
    await own.auth.require(request)
    expect(await connectionStatus(own, request)).to.equal(403)
    expect(counted.calls).to.equal(1)
  })

  for (const [what, response] of Object.entries({
    'a Node response': new ServerResponse(new IncomingMessage(new Socket())),
    'no response': undefined,
  })) {
    it(`at a host with ${what}`, async () => {
      let cookie = ''
      let ambient: Awaited<ReturnType<AuthHost['current']>> = null
      const { own, counted, ...made } = await setUp({
        current: () => {
          ambient ??= {
            headers: new Headers({ cookie, origin }),
            url: origin,
            writable: true,
            ...(response && { response }),
          }
          return ambient
        },
        setCookies: () => {},
        redirect: () => expect.fail('nobody goes anywhere'),
      })
      cookie = made.cookie
      await callAll(own)
      expect(counted.calls).to.equal(1)
    })
  }

  it('where a session can be extended first, and not later', async () => {
    let cookie = ''
    let writable = true
    const request = get('/')
    const { own, counted, ...made } = await setUp({
      current: () => ({ request, headers: new Headers({ cookie }), url: origin, writable }),
      setCookies: () => {},
      redirect: () => expect.fail('nobody goes anywhere'),
    })
    cookie = made.cookie
    await own.auth()
    writable = false
    await own.auth()
    await own.account.get()
    expect(counted.calls).to.equal(1)
  })

  it('on Express', async () => {
    const { config, cookie, counted } = await setUp()
    const { account, sessions, tokens, getSession } = defineAuth({ ...config, basePath: '/api/auth' })
    const req = { headers: { cookie, origin, host: new URL(origin).host }, protocol: 'http' }
    await rejectionOf(tokens.get(req, { provider: 'test' }))
    expect((await account.get(req))?.user.name).to.equal('ann')
    expect((await getSession(req))?.user?.name).to.equal('ann')
    expect(await sessions.endOthers(req)).to.equal(0)
    expect(counted.calls).to.equal(1)
  })
})
