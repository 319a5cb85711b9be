/** JWT sessions that end before their time, in the shim. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import initAuth, { type FullStackAuthConfig, type SessionEndedMessage, withRequest } from '../../shim/index.js'
import { rejectionOf } from '../support/rejection.js'
import { configure, origin } from './stage.js'

function request(cookie = ''): Request {
  return new Request(`${origin}/account`, { method: 'POST', headers: { origin, cookie } })
}

async function within<T>(cookie: string, work: () => Promise<T>): Promise<{ result: T; cookie: string }> {
  const results: T[] = []
  const response = await withRequest(request(cookie), async () => {
    results.push(await work())
    return new Response()
  })
  const pairs = response.headers.getSetCookie().map((line) => line.split(';', 1).join())
  return { result: results[0] as T, cookie: pairs.join('; ') }
}

describe('session.revocation, in the shim', () => {
  async function define(events: FullStackAuthConfig['events'] = {}) {
    const adapter = memoryAdapter()
    const { id } = await adapter.createUser({ id: 'ann', email: 'ann@example.com', emailVerified: null })
    const own = initAuth(configure({ adapter, events, session: { strategy: 'jwt', revocation: { list: true } } }))
    const signIn = async () => (await within('', () => own.startSession({ user: { id }, amr: ['pwd'] }))).cookie
    const isIn = async (cookie: string) => (await within(cookie, async () => own.auth())).result !== null
    return { own, id, signIn, isIn }
  }

  it('ends a session that is listed, all others, and a signed-out copy', async () => {
    const { own, signIn, isIn } = await define()
    const [one, two, three] = [await signIn(), await signIn(), await signIn()]
    const { result: account } = await within(one, own.account.get)
    expect(account?.sessions.map(({ current }) => current)).to.deep.equal([true, false, false])
    const id = account?.sessions[1]?.id ?? ''
    expect((await within(one, () => own.sessions.end(id))).result).to.deep.equal({ ok: true })
    expect([await isIn(two), await isIn(three)].filter(Boolean)).to.have.length(1)
    expect((await within(one, own.sessions.endOthers)).result).to.equal(1)
    expect([await isIn(one), await isIn(two), await isIn(three)]).to.deep.equal([true, false, false])
    await within(one, () => own.signOut({ redirect: false }))
    expect(await isIn(one)).to.equal(false)
  })

  it('tells by whose request, where one is being answered', async () => {
    const told: SessionEndedMessage[] = []
    const { own, id, signIn } = await define({ sessionEnded: (message) => void told.push(message) })
    const desk = await signIn()
    const { result: account } = await within(desk, own.account.get)
    await within(desk, () => own.sessions.endAll(id))
    await own.users.disable(id)
    expect(told).to.deep.equal([
      { userId: id, reason: 'endSessionsOf', endedBy: account?.sessions[0]?.id, by: id, request: {} },
      { userId: id, reason: 'disableUser' },
    ])
  })

  it('ends all sessions of a user, disables and enables them, without a request', async () => {
    const { own, id, signIn, isIn } = await define()
    const one = await signIn()
    await own.sessions.endAll(id)
    expect(await isIn(one)).to.equal(false)
    const two = await signIn()
    expect(await isIn(two)).to.equal(true)
    await own.users.disable(id)
    expect(await isIn(two)).to.equal(false)
    expect(await rejectionOf(signIn())).to.have.property('type', 'AccessDenied')
    await own.users.enable(id)
    expect([await isIn(two), await isIn(await signIn())]).to.deep.equal([false, true])
  })
})
