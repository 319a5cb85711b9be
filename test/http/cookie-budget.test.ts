/** All our cookies together fit into the 16 KiB of headers that Node accepts, whatever a link asks to be remembered. */
import { expect } from 'chai'
import { resolveCookies } from '../../lib/config/site.js'
import { TooManyCookies } from '../../lib/errors.js'
import { assertCookieBudget, chunkedSize, clearUntilFits, cookieBudget } from '../../lib/http/cookie-budget.js'
import { CookieJar } from '../../lib/http/cookies.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import { credentials } from '../support/app.js'
import { openExpress, openShim } from '../support/doors.js'

const option = (name: string) => ({ name, options: { path: '/' } })
/** The headers of a browser besides cookies. */
const others = {
  'user-agent': 'x'.repeat(150),
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'accept-language': 'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
  'sec-ch-ua': '"Chromium";v="140", "Not=A?Brand";v="24", "Google Chrome";v="140"',
  referer: `https://app.test/${'x'.repeat(300)}`,
  'x-forwarded-proto': 'https',
}
const acme = {
  id: 'acme',
  name: 'Acme',
  type: 'oauth' as const,
  clientId: 'a-client-id-of-the-length-that-google-gives-apps.googleusercontent.example',
  clientSecret: 'client-secret',
  authorization: 'https://op.example/authorize',
  token: 'https://op.example/token',
  userinfo: 'https://op.example/userinfo',
}
const hostile = [`/a${'/'.repeat(1000)}`, `/${'%20'.repeat(330)}`, `/${'x'.repeat(990)}`, `/?${'é'.repeat(160)}`]

const doors = {
  Express: (config: Partial<FullStackAuthConfig>) => openExpress(config, { trustProxy: true }),
  shim: (config: Partial<FullStackAuthConfig>) => openShim({ ...config, trustHost: true }),
}

describe('CookieJar.size()', () => {
  it('counts what is sent next: encoded, with what is set, without what is cleared', () => {
    const jar = new CookieJar('a=%2F%2F; b=2; b=22; c=3')
    expect(jar.size()).to.equal('a=%2F%2F; b=2; b=22; c=3; '.length)
    jar.set(option('b'), '/')
    jar.clear(option('c'))
    jar.set(option('d'), 'x|y')
    expect(jar.size()).to.equal('a=%2F%2F; b=%2F; d=x%7Cy; '.length)
    expect(jar.size((name) => name !== 'a')).to.equal('b=%2F; d=x%7Cy; '.length)
  })
})

describe('CookieJar.sizeAtMost', () => {
  it('is never less than the size, so that a jar is counted before it is too full', () => {
    const texts = ['', 'a', 'x|y', '€€€', '%2F', '=', 'x'.repeat(300)]
    const headers = [undefined, '', ';', ';;;', 'a;b;c', 'a=1;b=2', 'a=1;  b=2', 'a; ;b', 'a=%2F; a=2', '=;=;=']
    for (const header of headers) {
      for (const value of texts) {
        const jar = new CookieJar(header)
        for (const name of ['b', 'longer-name']) jar.set(option(name), value)
        jar.clear(option('a'))
        expect(jar.sizeAtMost).to.be.at.least(jar.size())
        jar.reserve({ name: 'reserved', bytes: 5000, isReplaced: (name) => name === 'b' })
        expect(jar.sizeAtMost).to.be.at.least(jar.size())
      }
    }
  })
})

describe('assertCookieBudget(jar, policy, value)', () => {
  it('rejects the first value that is too long, of any characters', () => {
    const { plain } = resolveCookies({})
    const name = plain.sessionToken.name
    for (const character of ['x', '|', 'é', '€']) {
      const accepts = (length: number) => {
        try {
          assertCookieBudget(new CookieJar('app=1'), plain, { name, value: character.repeat(length) })
          return true
        } catch (error) {
          expect(error).to.be.instanceOf(TooManyCookies)
          return false
        }
      }
      const sizeOf = (length: number) => chunkedSize(name, character.repeat(length)) + 'app=1; '.length
      const limit = cookieBudget - 600
      for (let length = 1000; length <= 13_000; length += 37) expect(accepts(length)).to.equal(sizeOf(length) <= limit)
    }
  })
})

describe('makeRoom(jar, giveWay)', () => {
  it('drops what comes first, and no more than it takes', () => {
    const jar = new CookieJar(`a=${'x'.repeat(500)}; b=${'x'.repeat(500)}; c=${'x'.repeat(500)}`)
    jar.set(option('session'), 'x'.repeat(cookieBudget - 700))
    clearUntilFits(jar, [option('a'), option('b'), option('c')])
    expect([...jar.written.keys()]).to.deep.equal(['session', 'a', 'b'])
  })
})

for (const [name, openDoor] of Object.entries(doors)) {
  describe(`a browser with the largest session there can be (${name})`, () => {
    /** Opens a site whose token has as many characters as fit. */
    async function start() {
      const door = await openDoor({
        providers: [credentials(), acme],
        jwt: {
          encode: ({ token }) => Buffer.from(JSON.stringify(token).padEnd(8856)).toString('base64url'),
          decode: ({ token }) => JSON.parse(Buffer.from(token ?? '', 'base64url').toString()),
        },
      })
      const visitor = door.browser(others)
      const ask: typeof visitor.ask = async (target, question) => {
        const answer = await visitor.ask(target, question)
        expect(answer.status, `${target} is answered`).to.be.below(431)
        const cookie = [...visitor.cookies].map(([key, value]) => `${key}=${value}; `).join('')
        expect(cookie.length).to.be.at.most(cookieBudget)
        return answer
      }
      return { door, visitor, ask }
    }
    const begin = { form: { csrfToken: true } } as const

    for (const link of hostile) {
      it(`continues after links with ${link.slice(0, 8)}…, before and after the sign-in, and after five tabs`, async () => {
        const { door, visitor, ask } = await start()
        // The text of the link is shorter than the stored one, because cookies are encoded again.
        const url = `/api/auth/signin?callbackUrl=${encodeURI(decodeURI(link))}`
        await ask(url)
        for (let tab = 0; tab < 5; tab += 1) {
          await ask('/api/auth/signin/acme', { form: { csrfToken: true, callbackUrl: link } })
        }
        await visitor.signIn()
        expect((await ask('/api/auth/session')).text).to.include('ann')
        await ask(url)
        for (let tab = 0; tab < 5; tab += 1) {
          const { headers } = await ask('/api/auth/signin/acme', { form: { csrfToken: true, callbackUrl: link } })
          expect(headers.location).to.include('https://op.example/authorize')
        }
        expect(
          [...visitor.cookies.keys()].some((key) => key.includes('transaction')),
          'the last tab goes on',
        ).to.equal(true)
        expect((await ask('/api/auth/signout', begin)).status).to.equal(303)
        expect((await ask('/api/auth/session')).text).to.equal('null')
        await door.close()
      })
    }

    it('keeps five attempts and a callback URL where there is room', async () => {
      const { door, visitor, ask } = await start()
      for (let tab = 0; tab < 5; tab += 1) {
        await ask('/api/auth/signin/acme', { form: { csrfToken: true, callbackUrl: '/there?a=1' } })
      }
      const kept = [...visitor.cookies.keys()].filter((key) => key.includes('transaction'))
      expect(kept).to.have.length(5)
      expect(decodeURIComponent(visitor.cookies.get('__Secure-auth.callback-url') ?? '')).to.include('/there?a=1')
      await door.close()
    })
  })
}
