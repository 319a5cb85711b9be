import { expect } from 'chai'
import { chunkSize, maxValueSize, presentedCookieNames, readChunked, splitChunks } from '../../lib/http/chunks.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import { type Browser, setCookies, startApp } from '../support/app.js'
import type { Answer } from '../support/http-browser.js'
import { opened } from '../support/opened.js'

const name = 'auth.session-token'
const jar = (cookies: Record<string, string>) => new Map(Object.entries(cookies).map(([key, value]) => [key, [value]]))
const values = (cookies: Record<string, string>) => readChunked(jar(cookies), name)
const full = (letter: string) => letter.repeat(chunkSize)

describe('splitChunks', () => {
  it('keeps a value that fits in one cookie under its own name', () => {
    expect(splitChunks(name, full('a'))).to.deep.equal([[name, full('a')]])
  })

  it('numbers the chunks of a longer one from 0, all full but the last', () => {
    expect(splitChunks(name, `${full('a')}b`)).to.deep.equal([
      [`${name}.0`, full('a')],
      [`${name}.1`, 'b'],
    ])
  })

  for (const length of [1, chunkSize, chunkSize + 1, 2 * chunkSize, 2 * chunkSize + 1, maxValueSize]) {
    it(`is undone by readChunked: ${length} characters`, () => {
      const value = Array.from({ length }, (_, at) => at % 10).join('')
      expect(values(Object.fromEntries(splitChunks(name, value)))[0]).to.equal(value)
    })
  }
})

describe('readChunked', () => {
  it('finds nothing in nothing', () => expect(values({})).to.deep.equal([]))
  it('finds nothing in an empty cookie', () => expect(values({ [name]: '' })).to.deep.equal([]))

  for (const stranger of ['.9', '.zz', '.-1', '.01', '.00', '.1e3', '.', '-x', 'x', '.0x', '.0.0', '. 0', '.1']) {
    it(`does not look at ${name}${stranger}`, () => {
      expect(values({ [name]: 'value', [`${name}${stranger}`]: 'planted' })).to.deep.equal(['value'])
      const chunked = { [`${name}.0`]: full('a'), [`${name}.1`]: 'b' }
      expect(values({ [`${name}${stranger}`]: 'planted', ...chunked })).to.deep.equal([`${full('a')}b`])
    })
  }

  it('takes both shapes for candidates', () => {
    expect(values({ [name]: 'whole', [`${name}.0`]: full('a'), [`${name}.1`]: 'b' })).to.deep.equal([
      'whole',
      `${full('a')}b`,
    ])
  })

  it('ends a value at its first short chunk', () => {
    expect(values({ [`${name}.0`]: full('a'), [`${name}.1`]: 'b', [`${name}.2`]: 'planted' })).to.deep.equal([
      `${full('a')}b`,
    ])
  })

  it('takes a value that ends with a full chunk for a candidate, whatever follows it', () => {
    const genuine = full('a') + full('b')
    expect(values({ [`${name}.0`]: full('a'), [`${name}.1`]: full('b'), [`${name}.2`]: 'planted' })).to.include(genuine)
    expect(values({ [`${name}.0`]: full('a'), [`${name}.1`]: full('b'), [`${name}.2`]: full('c') })).to.include(genuine)
  })

  it('needs the first chunk', () => expect(values({ [`${name}.1`]: 'b', [`${name}.2`]: 'c' })).to.deep.equal([]))

  it('looks at no more chunks than a value may have', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${name}.${at}`, full('a')]))
    expect(Math.max(...values(many).map(({ length }) => length))).to.be.at.most(4 * chunkSize)
    expect(values(many).length).to.be.at.most(4)
  })
})

describe('heldNames', () => {
  it('names the cookies of both shapes, also behind a gap, and no look-alike', () => {
    const held = [name, `${name}.0`, `${name}.1`, `${name}.3`, `${name}.17`]
    const others = [`${name}-x`, `${name}.`, `${name}.01`, `${name}.x`, `${name}.1.1`, `x${name}`]
    const cookies = Object.fromEntries([...held, ...others].map((each) => [each, 'a']))
    expect(presentedCookieNames(jar(cookies), name)).to.deep.equal(held)
  })
})

/** A session whose token holds as much as a client update asks for. */
const config: Partial<ServerAuthConfig> = {
  callbacks: {
    jwt: (params) =>
      params.trigger === 'update' ? { ...params.token, data: 'x'.repeat(Number(params.session)) } : params.token,
    session: ({ session, token }) => ({ ...session, size: String(token?.data ?? '').length }),
  },
}

/** Session cookies of a reply: set ones with their size on the wire, and the names of cleared ones. */
function sessionCookies(response: Answer): { set: Map<string, number>; cleared: string[] } {
  const lines = setCookies(response).filter((line) => line.includes('session-token'))
  const isCleared = (line: string) => line.includes('=; Max-Age=0;')
  const nameOf = (line: string) => line.slice(0, line.indexOf('='))
  return {
    set: new Map(lines.filter((line) => !isCleared(line)).map((line) => [nameOf(line), line.length])),
    cleared: lines.filter(isCleared).map(nameOf),
  }
}

describe('a session in chunks', () => {
  for (const [scheme, headers, prefix] of [
    ['http', {}, ''],
    ['https', { 'x-forwarded-proto': 'https' }, '__Secure-'],
  ] as const) {
    describe(`over ${scheme}`, () => {
      let browser: Browser
      const app = opened(() => startApp(config, { trustProxy: true }))
      beforeEach(async () => {
        browser = app.browser()
        Object.assign(browser.headers, headers)
        await browser.signIn()
        app.log.errors.length = 0
      })

      const cookie = `${prefix}${name}`
      const chunks = (count: number) => Array.from({ length: count }, (_, at) => `${cookie}.${at}`)
      const resize = (size: number) => browser.submit('/auth/session', { data: size })
      const held = () => [...browser.cookies.keys()].filter((each) => each.includes('session-token')).sort()

      for (const [size, count] of [
        [4_000, 2],
        [8_000, 3],
      ] as const) {
        it(`has ${count} for a token with ${size} characters, each with at most 4096 bytes`, async () => {
          const response = await resize(size)
          const { set, cleared } = sessionCookies(response)
          expect([response.status, response.body.size]).to.deep.equal([200, size])
          expect([...set.keys()]).to.deep.equal(chunks(count))
          expect(Math.max(...set.values())).to.be.at.most(4096)
          expect(cleared).to.deep.equal([cookie])
          expect(held()).to.deep.equal(chunks(count))
          expect(await browser.session()).to.include({ size })
          expect((await browser.get('/me')).body).to.include({ size })
        })
      }

      it('shrinks from three to two and to one: what is left over is cleared', async () => {
        await resize(8_000)
        const two = sessionCookies(await resize(4_000))
        expect([[...two.set.keys()], two.cleared]).to.deep.equal([chunks(2), chunks(3).slice(2)])
        const one = sessionCookies(await resize(0))
        expect([[...one.set.keys()], one.cleared]).to.deep.equal([[cookie], chunks(2)])
        expect(held()).to.deep.equal([cookie])
        expect(await browser.session()).to.include({ size: 0 })
      })

      it('ends in all its chunks at sign-out', async () => {
        await resize(8_000)
        const { set, cleared } = sessionCookies(await browser.submit('/auth/signout'))
        expect([[...set.keys()], cleared]).to.deep.equal([[], chunks(3)])
        expect(await browser.session()).to.equal(null)
      })

      it('is replaced in all its chunks by the next sign-in', async () => {
        await resize(8_000)
        const { set, cleared } = sessionCookies(await browser.signIn({ username: 'bob' }))
        expect([[...set.keys()], cleared]).to.deep.equal([[cookie], chunks(3)])
        expect(await browser.session()).to.have.nested.property('user.name', 'bob')
      })

      it('is cleared in all its chunks when it is broken', async () => {
        await resize(8_000)
        browser.cookies.set(`${cookie}.1`, full('x'))
        const { cleared } = sessionCookies(await browser.get('/auth/session'))
        expect(cleared).to.deep.equal(chunks(3))
      })

      for (const size of [12_000, 60_000]) {
        it(`of ${size} characters is refused with its size, and the old one stays`, async () => {
          await resize(4_000)
          const response = await resize(size)
          expect([response.status, response.body.error]).to.deep.equal([500, 'Configuration'])
          expect(sessionCookies(response)).to.deep.equal({ set: new Map(), cleared: [] })
          const [error] = app.log.errors as Array<Error & { type?: string }>
          expect(error?.type).to.equal('SessionTooLarge')
          expect(error?.message).to.match(/has \d{5} characters; 11808 fit/)
          expect(await browser.session()).to.include({ size: 4_000 })
        })
      }

      for (const planted of ['.9', '.zz', '.-1', '.01', '.1e3', '-x', '.0', '.1', '.0.0']) {
        it(`is not harmed by a planted ${name}${planted} beside one cookie`, async () => {
          for (const value of ['planted', full('p')]) {
            browser.cookies.set(`${cookie}${planted}`, value)
            const response = await browser.get('/auth/session')
            expect(response.body).to.have.nested.property('user.name', 'ann')
            expect(setCookies(response)).to.deep.equal([])
            expect((await browser.get('/me')).body).to.have.nested.property('user.name', 'ann')
          }
        })
      }

      for (const planted of ['', '.2', '.3', '.9', '.zz', '.-1', '.01', '.1e3', '-x']) {
        it(`is not harmed by a planted ${name}${planted} beside chunks`, async () => {
          await resize(4_000)
          browser.cookies.set(`${cookie}${planted}`, 'planted')
          const response = await browser.get('/auth/session')
          expect(response.body).to.include({ size: 4_000 })
          expect(setCookies(response)).to.deep.equal([])
          expect((await browser.get('/me')).body).to.include({ size: 4_000 })
        })
      }
    })
  }
})

describe('a session whose last chunk happens to be full', () => {
  it('is not harmed by a planted chunk after it', async () => {
    const token = full('a') + full('b')
    const jwt: ServerAuthConfig['jwt'] = {
      encode: () => token,
      decode: (given) => (given.token === token ? { name: 'ann' } : null),
    }
    const app = await startApp({ jwt, session: { updateAge: 3600 } })
    const browser = app.browser()
    await browser.signIn()
    const names: unknown[] = []
    for (const planted of ['planted', full('p')]) {
      browser.cookies.set(`${name}.2`, planted)
      names.push((await browser.get('/me')).body?.user?.name)
    }
    await app.close()
    expect(names).to.deep.equal(['ann', 'ann'])
  })
})
