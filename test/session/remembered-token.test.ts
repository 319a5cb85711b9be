/** Attacks on remembered tokens: requests must not share values, users, hosts or options of configurations. */
import { expect } from 'chai'
import { getEngine } from '../../lib/engine/index.js'
import { getSession, type ServerAuthConfig } from '../../lib/index.js'
import { encode } from '../../lib/jwt.js'
import { createLog, credentials } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../support/clock.js'

const secret = 'a-secret-of-the-remembered-tokens-32-characters'
const plain = 'auth.session-token'
const secure = '__Secure-auth.session-token'

function configure(more: Partial<ServerAuthConfig> = {}): ServerAuthConfig {
  return { secret, trustHost: true, providers: [credentials()], logger: createLog().logger, ...more }
}

const claims = (sub: string) => ({
  sub,
  name: `User ${sub}`,
  email: `${sub}@example.com`,
  sid: sub.padEnd(22, 'x'),
  auth_began: seconds(),
  auth_proofs: `p|${seconds().toString(36)}|credentials|`,
  auth_time: seconds(),
  amr: ['pwd'],
})
const mint = (sub: string, { by = secret, salt = plain, more = {} } = {}) =>
  encode({ token: { ...claims(sub), ...more }, secret: by, salt, maxAge: 3600 })

const requestWith = (cookie: string, { protocol = 'http', host = 'app.test' } = {}) => ({
  headers: { host, cookie },
  protocol,
})
const read = (config: ServerAuthConfig, cookie: string, at?: { protocol?: string; host?: string }) =>
  getSession(requestWith(cookie, at), config)

/** Reads a token until it is remembered. */
async function remember(config: ServerAuthConfig, cookie: string, at?: { protocol?: string }): Promise<void> {
  for (const _ of [1, 2, 3]) expect(await read(config, cookie, at)).to.have.property('user')
}

/** Changes everything in a value. */
function spoil(value: object): void {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) spoil(member)
  for (const name of Object.keys(value)) Reflect.set(value, name, 'spoilt')
  if (Array.isArray(value)) value.push('spoilt')
}

describe('a remembered session token', () => {
  beforeEach(() => freezeClock())
  afterEach(restoreClock)

  it('shares no value between two requests, whatever one of them changes', async () => {
    const config = configure({ session: { data: true } })
    const cookie = `${plain}=${await mint('ann', { more: { auth_data: { cart: [{ id: 1 }] } } })}`
    await remember(config, cookie)
    const expected = structuredClone(await read(config, cookie))
    expect(expected)
      .to.have.nested.property('data.cart')
      .deep.equal([{ id: 1 }])
    const before = await read(config, cookie)
    const spoilt = await read(config, cookie)
    if (spoilt) spoil(spoilt)
    expect(before).to.deep.equal(expected)
    expect(await read(config, cookie)).to.deep.equal(expected)
  })

  it('keeps its user while a callback changes the token that an own `decode` returned', async () => {
    const token = { ...claims('ann'), iat: seconds(), exp: seconds() + 3600 }
    const config = configure({
      jwt: { decode: () => token },
      callbacks: {
        jwt: ({ token }) => Object.assign(token, { sub: 'eve' }),
        session: ({ session }) => session,
      },
    })
    const read = getEngine(config).readingOf(requestWith(`${plain}=own`))
    expect(await read.session).to.have.nested.property('user.id', 'eve')
    expect(read.reading?.userId).to.equal('ann')
  })

  it('keeps what the engine knows of it, whatever a guard or a callback does', async () => {
    const config = configure()
    const cookie = `${plain}=${await mint('ann')}`
    await remember(config, cookie)
    const readingOf = () => getEngine(config).readingOf(requestWith(cookie)).reading
    const [one, other] = [readingOf(), readingOf()]
    const proofs = structuredClone(one?.proofs)
    expect(proofs).to.have.lengthOf(1)
    expect(one?.session).not.to.equal(other?.session)
    expect(one?.session.user).not.to.equal(other?.session.user)
    if (one) spoil(one.session)
    expect(other?.userId).to.equal('ann')
    expect(readingOf()?.session.user).to.include({ id: 'ann', name: 'User ann' })
    expect(readingOf()?.proofs).to.deep.equal(proofs)
  })

  it('is that of its own user, among others', async () => {
    const config = configure()
    const cookies = await Promise.all(
      ['ann', 'bob', 'eve'].map(async (sub) => [sub, `${plain}=${await mint(sub)}`] as const),
    )
    for (const [, cookie] of cookies) await remember(config, cookie)
    for (const _ of [1, 2]) {
      const found = await Promise.all(cookies.map(([, cookie]) => read(config, cookie)))
      expect(found.map((session) => session?.user?.id)).to.deep.equal(['ann', 'bob', 'eve'])
    }
  })

  it('ends with a sign-out in this process', async () => {
    const config = configure()
    const cookie = `${plain}=${await mint('ann')}`
    await remember(config, cookie)
    const auth = getEngine(config)
    const signOut = await auth.sessions.signOut(auth.cookieContext({ cookie, origin: 'http://app.test' }))
    await signOut?.end()
    expect(await read(config, cookie)).to.equal(null)
  })

  it('ends when the store of ended sessions says so', async () => {
    const revocations: object[] = []
    let cursor = 0
    const log = {
      add() {},
      replace() {},
      find: () => ({ revocations: [], now: seconds() }),
      changes: () => ({ revocations: revocations.splice(0), cursor: `${++cursor}`, isLast: true }),
    }
    const config = configure({ session: { revocation: { store: { log } as never } } })
    const cookie = `${plain}=${await mint('ann')}`
    await remember(config, cookie)
    revocations.push({ key: 'ann'.padEnd(22, 'x'), exceptSid: '', notBefore: 253_402_300_799, until: seconds() + 3600 })
    advanceClock(11)
    expect(await read(config, cookie)).to.equal(null)
  })

  it('is extended when it is due, and not before', async () => {
    const config = configure({ session: { maxAge: 3600, updateAge: 600 } })
    const cookie = `${plain}=${await mint('ann')}`
    await remember(config, cookie)
    const auth = getEngine(config)
    const cookiesOf = async () => {
      const { cookies } = await auth.readSession({
        cookie,
        authorization: undefined,
        origin: 'http://app.test',
        writable: true,
      })
      return [...cookies().keys()]
    }
    expect(await cookiesOf()).to.deep.equal([])
    advanceClock(601)
    expect(await cookiesOf()).to.deep.equal([plain])
    expect(await read(config, cookie)).to.have.property(
      'expires',
      new Date((seconds() - 601 + 3600) * 1000).toISOString(),
    )
  })

  it('is renewed under a new secret, and rejected where its own was removed', async () => {
    const older = 'an-older-secret-of-the-remembered-tokens-32-char'
    const both = configure({ secret: [secret, older] })
    const cookie = `${plain}=${await mint('ann', { by: older })}`
    await remember(both, cookie)
    const source = { cookie, authorization: undefined, origin: 'http://app.test', writable: true }
    const { cookies } = await getEngine(both).readSession(source)
    expect([...cookies().keys()]).to.deep.equal([plain])
    expect(await read(configure(), cookie)).to.equal(null)
    expect(await read(configure({ secret: older }), cookie)).to.have.property('user')
  })

  it('belongs to a configuration: another one with the same secret decides by its own options', async () => {
    const first = configure()
    const cookie = `${plain}=${await mint('ann', { more: { auth_data: { role: 'admin' } } })}`
    await remember(first, cookie)
    const withData = configure({ session: { data: true } })
    const short = configure({ session: { maxAge: 10 } })
    const renamed = configure({
      callbacks: { session: ({ session }) => ({ ...session, user: { id: '0', name: 'Own' } }) },
    })
    const ending = configure({ callbacks: { jwt: ({ token }) => (token.sub === 'ann' ? null : token) } })
    expect(await read(first, cookie)).not.to.have.property('data')
    for (const _ of [1, 2, 3]) {
      expect(await read(withData, cookie)).to.have.deep.property('data', { role: 'admin' })
      expect(await read(renamed, cookie)).to.have.nested.property('user.name', 'Own')
      expect(await read(ending, cookie)).to.equal(null)
      expect(await read(first, cookie)).to.have.nested.property('user.name', 'User ann')
      expect(await read(first, cookie)).not.to.have.property('data')
    }
    expect(await read(short, cookie)).to.have.property('user')
    advanceClock(10)
    expect(await read(short, cookie)).to.equal(null)
    expect(await read(first, cookie)).to.have.property('user')
  })

  it('is read by the cookie of the origin only: not under http what was read under https', async () => {
    const config = configure()
    const own = await mint('ann', { salt: secure })
    await remember(config, `${secure}=${own}`, { protocol: 'https' })
    expect(await read(config, `${plain}=${own}`, { protocol: 'https' })).to.equal(null)
    expect(await read(config, `${secure}=${own}`, { protocol: 'http' })).to.equal(null)
    expect(await read(config, `${plain}=${own}`, { protocol: 'http' })).to.equal(null)
    expect(await read(config, `${secure}=${own}`, { protocol: 'https', host: 'other.test' })).to.have.property('user')
  })

  it('is read at a trusted host only, with a session or without', async () => {
    const config = configure({ trustHost: false })
    const cookie = `${plain}=${await mint('ann')}`
    for (const sent of [cookie, 'theme=dark', '']) {
      const thrown = await read(config, sent).catch((error: unknown) => error)
      expect(thrown, sent).to.have.property('type', 'UntrustedHost')
    }
  })
})

describe('a request without the name of a session cookie', () => {
  it('has no session, and one with the name in another cookie neither', async () => {
    for (const cookie of ['', 'theme=dark', `theme=${plain}`, `${plain}x=1`, `x-${plain}=1`])
      expect(await read(configure(), cookie), cookie).to.equal(null)
  })

  it('forgets the session that the request had before its cookies changed', async () => {
    const auth = getEngine(configure())
    const req = requestWith(`${plain}=${await mint('ann')}`)
    expect(await auth.readRequest(req)).to.have.property('user')
    req.headers.cookie = 'theme=dark'
    expect(await auth.readingOf(req).session).to.equal(null)
    expect(auth.readingOf(req).reading).to.equal(null)
  })

  it('may have a bearer token', async () => {
    const bearer = configure({ session: { bearer: true } })
    const headers = { host: 'app.test', authorization: `Bearer ${await mint('ann')}` }
    for (const _ of [1, 2, 3]) expect(await getSession({ headers, protocol: 'http' }, bearer)).to.have.property('user')
    expect(await getSession({ headers, protocol: 'http' }, configure())).to.equal(null)
  })
})
