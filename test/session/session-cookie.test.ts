import { expect } from 'chai'
import { resolveConfig } from '../../lib/config/resolve.js'
import { SessionTooLarge } from '../../lib/errors.js'
import { CookieJar } from '../../lib/http/cookies.js'
import { clearSessionCookie, writeSessionCookie } from '../../lib/session/session-cookie.js'
import { freezeClock, restoreClock } from '../support/clock.js'
import { thrownBy } from '../support/rejection.js'

const config = resolveConfig({ providers: [], secret: 'a-test-secret-of-more-than-32-characters' })
const cookiePolicy = config.cookies.plain
const { name } = cookiePolicy.sessionToken

describe('writeSessionCookie(context, { token, maxAge })', () => {
  beforeEach(() => freezeClock())
  afterEach(restoreClock)

  it('writes one cookie up to 3936 characters, chunks beyond', () => {
    for (const [length, names] of [
      [3936, [name]],
      [3937, [`${name}.0`, `${name}.1`]],
      [11_808, [`${name}.0`, `${name}.1`, `${name}.2`]],
    ] as const) {
      const jar = new CookieJar(undefined)
      writeSessionCookie({ config, cookies: jar, cookiePolicy }, { token: 'x'.repeat(length), maxAge: 60 })
      expect([...jar.written.keys()]).to.deep.equal(names)
    }
  })

  it('clears with the same write what the new shape does not use', () => {
    const jar = new CookieJar(`${name}.0=a; ${name}.1=b; ${name}.2=c`)
    writeSessionCookie({ config, cookies: jar, cookiePolicy }, { token: 'x'.repeat(4000), maxAge: 60 })
    expect(jar.written.get(`${name}.0`)).to.not.include('Max-Age=0')
    expect(jar.written.get(`${name}.1`)).to.not.include('Max-Age=0')
    expect(jar.written.get(`${name}.2`)).to.equal(`${name}.2=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`)
  })

  it('writes nothing when the token is too long', () => {
    const jar = new CookieJar(`${name}=old`)
    const error = thrownBy(() =>
      writeSessionCookie({ config, cookies: jar, cookiePolicy }, { token: 'x'.repeat(11_809), maxAge: 60 }),
    )
    expect(error).to.be.instanceOf(SessionTooLarge)
    expect(error.message).to.include('11809 characters').and.include('11808 fit')
    expect(jar.written.size).to.equal(0)
  })
})

describe('clearSessionCookie(context)', () => {
  it('clears what the browser holds, also behind a gap, and nothing that it does not', () => {
    const jar = new CookieJar(`${name}=a; ${name}.0=b; ${name}.x=c; ${name}.2=d; other=e`)
    clearSessionCookie({ config, cookies: jar, cookiePolicy })
    expect([...jar.written.keys()]).to.deep.equal([name, `${name}.0`, `${name}.2`])
  })
})
