/** Many users at once, URLs that are never fetched, and passwords in the example. */
import { expect } from 'chai'
import { checkPassword } from '../../examples/express-app/demo/users.js'
import { hashPassword, isPassword } from '../../examples/express-app/src/passwords.js'
import { useStage } from '../flows/oauth/stage.js'
import { type Browser, startApp, type TestApp, target } from '../support/app.js'
import { crowd } from '../support/extent.js'
import { startLoopbackServer } from '../support/loopback-server.js'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('many users at once on one engine', () => {
  let app: TestApp
  before(async () => {
    // Each callback waits for another while, so that requests overtake each other everywhere.
    const idle = () => pause(Math.random() * 5)
    app = await startApp({
      session: { updateAge: 0 },
      callbacks: {
        signIn: () => idle().then(() => true),
        jwt: ({ token }) => idle().then(() => token),
        session: ({ session, token }) => idle().then(() => ({ ...session, sub: token?.sub })),
      },
    })
  })
  after(() => app.close())

  it('RC-08 each signs in as themselves, reads their own session, and keeps their own cookie', async () => {
    const people = Array.from({ length: 50 }, (_, at) => ({ name: `person-${at}`, browser: app.browser() }))
    await Promise.all(people.map(({ name, browser }) => browser.signIn({ username: name })))
    const assertSelf = async (name: string, browser: Browser, path: string) => {
      const { body } = await browser.get(path)
      expect(body).to.include({ sub: `id-of-${name}` })
      expect(body.user).to.include({ name, email: `${name}@example.com` })
    }
    for (let round = 0; round < crowd(10); round += 1) {
      await Promise.all(
        people.flatMap(({ name, browser }) => ['/auth/session', '/me'].map((path) => assertSelf(name, browser, path))),
      )
    }
  })
})

describe('URLs that are never fetched', () => {
  const stage = useStage()

  it('SF-05 the picture that a provider names', async () => {
    stage.provider.routes.set('/picture.png', () => ({ body: 'x' }))
    stage.provider.person = { ...stage.provider.person, picture: `${stage.provider.origin}/picture.png` }
    await stage.expectSignedIn(await stage.signIn())
    for (const path of ['session', 'signin', 'signout', 'error']) await stage.browser.get(`/auth/${path}`)
    expect(await stage.browser.session()).to.have.nested.property('user.image')
    expect(stage.provider.count('/picture.png')).to.equal(0)
  })

  it('SF-07 the redirect proxy, and URLs in requests or a provider’s answer', async () => {
    const asked: string[] = []
    const other = await startLoopbackServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    })
    try {
      await stage.restart({}, { redirectProxyUrl: `${other.origin}/auth` })
      const query = ['request_uri', 'sector_identifier_uri', 'jwks_uri', 'issuer', 'iss', 'redirect_uri', 'wellKnown']
        .map((name) => `${name}=${encodeURIComponent(`${other.origin}/${name}`)}`)
        .join('&')
      const url = await stage.begin('test', `?${query}`)
      expect(new URL(url).searchParams.get('request_uri')).to.equal(null)
      await stage.browser.get(`/auth/callback/test?${query}&state=x&code=y`)
      await stage.browser.get(`/auth/signin?${query}`)
    } finally {
      await other.close()
    }
    expect(asked).to.deep.equal([])
  })
})

describe('passwords of the example application', () => {
  it('CD-07 a hash that was cut short matches no password', async () => {
    const whole = await hashPassword('right')
    expect(await isPassword('right', whole)).to.equal(true)
    expect(await isPassword('wrong', whole)).to.equal(false)
    const [algorithm, N, r, p, salt, key] = whole.split('$')
    const parts = [algorithm, N, r, p, salt]
    for (const cut of [
      '',
      'x',
      'scrypt',
      parts.join('$'),
      `${parts.join('$')}$`,
      `${parts.join('$')}$${key?.slice(0, 4)}`,
      whole.slice(0, -2),
      `${whole}AAAA`,
      whole.replace('scrypt', 'md5'),
    ]) {
      expect(await isPassword('right', cut), cut).to.equal(false)
    }
  })

  it('CD-01 an unknown name costs as much as a wrong password', async () => {
    await checkPassword('nobody', 'warm-up')
    // The processor's time: that of the clock grows with whatever else runs.
    const cost = async (name: string) => {
      const before = process.cpuUsage()
      expect(await checkPassword(name, 'wrong')).to.equal(null)
      return process.cpuUsage(before).user
    }
    const known = [await cost('demo'), await cost('demo'), await cost('demo')]
    const unknown = [await cost('nobody'), await cost('__proto__'), await cost('')]
    // The comparison shows whether the hash is computed at all: without it the answer takes microseconds.
    expect(Math.min(...unknown)).to.be.above(Math.min(...known) / 4)
  })

  it('CD-06 rejects values that are no text, or very long, without hashing them', async () => {
    for (const [name, password] of [
      [['demo'], 'demo'],
      ['demo', ['demo']],
      [{ toString: () => 'demo' }, 'demo'],
      ['demo', undefined],
      ['demo', 'demo'.padEnd(100_000, 'x')],
    ]) {
      expect(await checkPassword(name, password)).to.equal(null)
    }
    expect(await checkPassword('demo', 'demo\0')).to.equal(null)
    expect(await checkPassword(' Demo ', 'demo')).to.equal('demo@example.com')
  })
})

describe('the callback of a used attempt, by two browsers at once', () => {
  const stage = useStage()

  it('RC-02 signs in one browser only, in any order', async () => {
    const back = stage.provider.authorize(await stage.begin())
    const [own, thief] = [stage.browser, stage.app.browser()]
    const replies = await Promise.all([own.get(back), thief.get(back), own.get(back), thief.get(back)])
    expect(await thief.session()).to.equal(null)
    expect(await own.session()).to.have.property('user')
    expect(stage.provider.count('/token')).to.equal(1)
    expect(replies.filter((reply) => target(reply).endsWith('/welcome'))).to.have.lengthOf(1)
  })
})
