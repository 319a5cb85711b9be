/** The requests to "Have I Been Pwned", and its valid and invalid answers. */
import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { InvalidConfiguration } from '../../lib/errors.js'
import { type HibpOptions, hibp } from '../../lib/features/passwords/index.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'

const password = 'vexing-lamp-71'
const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
const line = (count: number | string, rest = digest.slice(5)) => `${rest}:${count}`
const others = Array.from({ length: 900 }, (_, index) =>
  line(index, index.toString(16).padStart(35, '0').toUpperCase()),
)

/** Asks with a `fetch` that answers so. */
async function ask(answer: Response | (() => Promise<Response>), options: HibpOptions = {}, typed = password) {
  const asked: Array<[url: string, init: RequestInit]> = []
  const fetch: typeof globalThis.fetch = async (url, init = {}) => {
    asked.push([String(url), init])
    return typeof answer === 'function' ? answer() : answer
  }
  const check = hibp({ fetch, ...options })
  const known = Promise.resolve(check.isBreached(typed, new AbortController().signal))
  return { known, asked }
}

describe('hibp(options)', () => {
  it('sends five digits and asks for padding, follows no redirect, and finds the rest', async () => {
    const { known, asked } = await ask(new Response([...others, line(3), ...others].join('\r\n')))
    expect(await known).to.equal(true)
    const [[url, init] = ['', {}]] = asked
    expect(asked).to.have.length(1)
    expect(url).to.equal(`https://api.pwnedpasswords.com/range/${digest.slice(0, 5)}`)
    expect(new Headers(init.headers).get('add-padding')).to.equal('true')
    expect(init.redirect).to.equal('error')
    expect(JSON.stringify([url, init]))
      .to.not.include(digest.slice(5))
      .and.not.include(password)
  })

  it('finds it in lower case, and by the composed form', async () => {
    const composed = createHash('sha1').update('caf\u00e9').digest('hex')
    const { known } = await ask(new Response(`${line(1, composed.slice(5))}\n`), {}, 'cafe\u0301')
    expect(await known).to.equal(true)
  })

  it('does not find what is not there, or is padding', async () => {
    expect(await (await ask(new Response(others.join('\r\n')))).known).to.equal(false)
    expect(await (await ask(new Response([...others, line(0)].join('\r\n')))).known).to.equal(false)
  })

  const wrong: ReadonlyArray<[what: string, answer: () => Promise<Response>]> = [
    ['a page in its place', async () => new Response('<!doctype html><title>Sign in to the network</title>')],
    ['an empty answer', async () => new Response('')],
    ['no answer', async () => new Response(null)],
    ['status 503', async () => new Response(line(0), { status: 503 })],
    ['status 429', async () => new Response('slow down', { status: 429 })],
    ['a part of a line', async () => new Response(`${line(0)}\n${line(3).slice(0, 20)}`)],
    ['a list of a megabyte', async () => new Response(`${line(0)}\r\n`.repeat(30_000))],
    ['no connection', () => Promise.reject(new TypeError('fetch failed'))],
  ]
  for (const [what, answer] of wrong) {
    it(`throws for ${what}, and tells no digit`, async () => {
      const error = await rejectionOf((await ask(answer)).known)
      expect(error.message).to.not.include(digest.slice(0, 5)).and.not.include(password)
    })
  }

  it('says whether an outage blocks', () => {
    expect([hibp().blocksOnOutage, hibp({ onOutage: 'deny' }).blocksOnOutage]).to.deep.equal([false, true])
  })

  for (const options of [{ timeout: 0 }, { timeout: 31 }, { timeout: '2' }, { onOutage: 'ignore' }]) {
    it(`refuses ${JSON.stringify(options)}`, () => {
      const error = thrownBy(() => hibp(JSON.parse(JSON.stringify(options))))
      expect(error).to.be.instanceOf(InvalidConfiguration)
      expect(error.message).to.match(/^hibp: /)
    })
  }

  describe('of a server that', () => {
    /** Asks our own server, by Node's own `fetch`. */
    async function askServer(listener: RequestListener, options: HibpOptions, signal = new AbortController().signal) {
      const server = createServer(listener)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const send: typeof globalThis.fetch = (_, init) => globalThis.fetch(`http://127.0.0.1:${port}/`, init)
      try {
        return await rejectionOf(Promise.resolve(hibp({ fetch: send, ...options }).isBreached(password, signal)))
      } finally {
        server.closeAllConnections()
        server.close()
      }
    }

    it('never answers: gives up in time', async () => {
      const error = await askServer(() => undefined, { timeout: 0.1 })
      expect(error.name).to.equal('TimeoutError')
    })

    it('begins, and never ends: gives up in time', async () => {
      const error = await askServer((_, res) => res.write(`${line(3)}\r\n`), { timeout: 0.2 })
      expect(error.name).to.equal('TimeoutError')
    })

    it('is not waited for any more: gives up at once', async () => {
      const controller = new AbortController()
      const error = await askServer(() => controller.abort(), { timeout: 10 }, controller.signal)
      expect(error.name).to.equal('AbortError')
    })

    it('sends elsewhere: goes nowhere', async () => {
      const paths: string[] = []
      const error = await askServer(
        (req, res) => {
          paths.push(req.url ?? '')
          res.writeHead(302, { location: '/elsewhere' }).end()
        },
        { timeout: 5 },
      )
      expect(error).to.be.instanceOf(TypeError)
      expect(paths).to.deep.equal(['/'])
    })
  })
})
