/** Tokens that were opened before are cached. No property of a session may depend on whether they are. */
import { expect } from 'chai'
import { getEngine } from '../../lib/engine/index.js'
import { getSession, type ServerAuthConfig } from '../../lib/index.js'
import { decode, encode } from '../../lib/jwt.js'
import { createLog, credentials } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../support/clock.js'

const secret = 'a-secret-of-the-token-cache-test-32-characters'
const older = 'an-older-secret-of-the-token-cache-test-32-chars'
const name = 'auth.session-token'

function configure(more: Partial<ServerAuthConfig> = {}): ServerAuthConfig {
  return { secret, trustHost: true, providers: [credentials()], logger: createLog().logger, ...more }
}

const token = (more: object = {}, by = secret) =>
  encode({
    token: { sub: '1', name: 'Ann', sid: 'x'.repeat(22), auth_time: seconds(), ...more },
    secret: by,
    salt: name,
    maxAge: 60,
  })

/** Sends another request with the cookie. */
const read = (config: ServerAuthConfig, text: string, cookie = name) =>
  getSession({ headers: { host: 'localhost', cookie: `theme=dark; ${cookie}=${text}` }, protocol: 'http' }, config)

/** Reads a token until it is cached. */
async function remember(config: ServerAuthConfig, text: string): Promise<void> {
  await read(config, text)
  await read(config, text)
  const again = () => read(config, text)
  expect(await countDecryptions(async () => expect(await again()).to.have.property('user'))).to.equal(0)
}

/** Returns the number of decryptions during some work. */
async function countDecryptions(work: () => Promise<unknown>): Promise<number> {
  const crypto = process.getBuiltinModule('node:crypto')
  const { createDecipheriv } = crypto
  let count = 0
  const counting = (...words: Parameters<typeof createDecipheriv>) => {
    count += 1
    return createDecipheriv(...words)
  }
  Object.assign(crypto, { createDecipheriv: counting })
  try {
    await work()
  } finally {
    Object.assign(crypto, { createDecipheriv })
  }
  return count
}

describe('a session token that is sent again', () => {
  beforeEach(() => freezeClock())
  afterEach(restoreClock)

  it('is opened twice, and then cached', async () => {
    const config = configure()
    const own = configure({ jwt: { decode } })
    const text = await token()
    const opened = async (by: ServerAuthConfig) => countDecryptions(async () => void (await read(by, text)))
    const timesOf = async (by: ServerAuthConfig) => [
      await opened(by),
      await opened(by),
      await opened(by),
      await opened(by),
    ]
    expect(await timesOf(config)).to.deep.equal([1, 1, 0, 0])
    expect(await timesOf(own), 'the exported decode is ours').to.deep.equal([1, 1, 0, 0])
  })

  it('is read synchronously, and so is a visitor: no promise is awaited if no callback returns one', async () => {
    const now = configure()
    const later = configure({ callbacks: { session: async ({ session }) => session } })
    const text = await token()
    const readBy = (by: ServerAuthConfig, cookie?: string) =>
      getEngine(by).readRequest({ headers: { host: 'localhost', ...(cookie && { cookie }) }, protocol: 'http' })
    for (const _ of [1, 2, 3]) expect(readBy(now, `${name}=${text}`)).to.have.nested.property('user.name', 'Ann')
    expect(readBy(now)).to.equal(null)
    expect(readBy(later, `${name}=${text}`)).to.be.a('promise')
  })

  it('decrypts nothing that was not sealed with the key', async () => {
    const text = await token({}, older)
    expect(await countDecryptions(async () => void (await read(configure(), text)))).to.equal(0)
  })

  it('gives the callbacks its contents, whatever they changed before', async () => {
    const seen: unknown[] = []
    const config = configure({
      callbacks: {
        jwt({ token }) {
          const { roles } = token as { roles: string[] }
          seen.push([...roles])
          roles.push('admin')
          token.name = 'Eve'
          return token
        },
        session({ session, token }) {
          if (token) Object.assign(token, { sub: 'somebody else' })
          if (session.user) session.user.email = 'eve@example.com'
          return session
        },
      },
    })
    const text = await token({ roles: ['reader'] })
    for (const _ of [1, 2, 3, 4, 5]) await read(config, text)
    expect(seen).to.deep.equal([['reader'], ['reader'], ['reader'], ['reader'], ['reader']])
    expect((await read(configure(), text))?.user).to.deep.equal({ id: '1', name: 'Ann', email: null, image: null })
  })

  it('is no session from its end on', async () => {
    const config = configure()
    const text = await token()
    await remember(config, text)
    advanceClock(59)
    expect(await read(config, text)).to.have.property('user')
    advanceClock(1)
    expect(await read(config, text)).to.equal(null)
  })

  it('ends with a shorter lifetime of the session', async () => {
    const text = await token()
    const config = configure({ session: { maxAge: 10 } })
    await remember(config, text)
    advanceClock(10)
    expect(await read(config, text)).to.equal(null)
  })

  it('counts for nothing where its secret was taken out', async () => {
    const text = await token({}, older)
    const before = configure({ secret: [secret, older] })
    await remember(before, text)
    expect(await read(configure(), text)).to.equal(null)
  })

  it('counts in the cookie that it was made for only', async () => {
    const config = configure({ useSecureCookies: false })
    const text = await token()
    await remember(config, text)
    const other = configure({ useSecureCookies: false, cookies: { sessionToken: { name: 'other.session-token' } } })
    expect(await read(other, text, 'other.session-token')).to.equal(null)
    expect(await read(config, text, 'other.session-token')).to.equal(null)
  })

  it('is not the token of which one letter is another', async () => {
    const config = configure()
    const text = await token()
    await remember(config, text)
    for (let at = 0; at < text.length; at += 7) {
      const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
      if (changed !== text) expect(await read(config, changed), `${at}`).to.equal(null)
    }
    expect(await read(config, text)).to.have.property('user')
  })

  it('is read each time by a `decode` of the application', async () => {
    let calls = 0
    const config = configure({
      jwt: {
        decode: (params) => {
          calls += 1
          return calls < 3 ? decode(params) : null
        },
      },
    })
    const text = await token()
    expect(await read(config, text)).to.have.property('user')
    expect(await read(config, text)).to.have.property('user')
    expect(await read(config, text)).to.equal(null)
  })
})
