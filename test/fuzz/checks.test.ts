/** The checks of the fuzzing can fail: each gets the fault that it has to find. */

import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { opened } from '../support/opened.js'
import { rejectionOf } from '../support/rejection.js'
import { startWatch, target } from './explore.js'
import { evilHost, scriptMark } from './hostile.js'
import { openSite } from './site.js'
import { checkAnswer, type Leave, Stranger, Violation } from './stranger.js'
import { exchange, parseAnswers, TooSlow, toBytes, type WireAnswer } from './wire.js'

describe('the checks of the fuzzing', () => {
  const answer = (changes: Partial<WireAnswer> = {}): WireAnswer => ({ status: 200, headers: [], body: '', ...changes })
  const refused: Readonly<Record<string, [answer: WireAnswer, reason: RegExp]>> = {
    'a fault': [answer({ status: 500 }), /status 500/],
    'a header of a stranger': [answer({ headers: [['x-injected', '1']] }), /x-injected/],
    'a cookie of a stranger': [answer({ headers: [['set-cookie', 'other=1; Path=/']] }), /other=1/],
    'a cookie for other hosts': [
      answer({ headers: [['set-cookie', 'auth.csrf-token=1; Path=/; Domain=example.com']] }),
      /Domain/,
    ],
    'another site': [answer({ status: 302, headers: [['location', `https://${evilHost}/`]] }), /leads to/],
    'another site without a scheme': [answer({ status: 302, headers: [['location', `//${evilHost}/`]] }), /leads to/],
    'another site by refresh': [answer({ headers: [['refresh', `0;url=https://${evilHost}/`]] }), /leads to/],
    'a script': [answer({ status: 302, headers: [['location', 'javascript:x']] }), /leads to/],
    'a page with a script': [answer({ headers: [['content-type', 'text/html']], body: `${scriptMark}()` }), /script/],
  }
  for (const [what, [given, reason]] of Object.entries(refused)) {
    it(`find ${what}`, () => expect(() => checkAnswer(given, {})).to.throw(Violation, reason))
  }

  const passed: ReadonlyArray<[answer: WireAnswer, leave?: Leave]> = [
    [answer({ headers: [['set-cookie', 'auth.session-token=ey.J; Max-Age=60; Path=/; HttpOnly; SameSite=Lax']] })],
    [answer({ status: 302, headers: [['location', 'https://app.test/']] })],
    [answer({ status: 503 }), { faults: [503] }],
  ]
  it('accept correct answers', () => {
    for (const [given, leave = {}] of passed) checkAnswer(given, leave)
  })

  const broken = [
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Fuzz\r\n\r\n',
    'HTTP/1.1 200 OK\r\nLocation: /\r\r\n\r\n',
    'HTTP/1.1 200 OK\r\nLocation: /\xe4\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nx',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nxyz\r\n0\r\n\r\n',
    'HTTP/1.1 OK\r\n\r\n',
  ]
  it('read an answer strictly', () => {
    for (const text of broken) expect(() => parseAnswers(Buffer.from(text, 'latin1')), text).to.throw()
    const whole = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nxy\r\n0\r\n\r\n'
    expect(parseAnswers(Buffer.from(whole + whole)).map(({ body }) => body)).to.deep.equal(['xy', 'xy'])
  })
})

/** Works for about a millisecond. Reading the CPU usage all the time would be work of the system, and not ours. */
function work(): void {
  for (let round = 0; round < 1000; round += 1) JSON.stringify(Array.from({ length: 20 }, Math.random))
}

describe('the watch of the fuzzing', () => {
  const watch = opened(() => startWatch(100), 'each')

  it('detects a prototype that was changed', async () => {
    const touch = async () => void Object.assign(Object.prototype, { fuzzed: true })
    try {
      expect(String(await rejectionOf(watch.around(touch)))).to.include('fuzzed')
    } finally {
      Reflect.deleteProperty(Object.prototype, 'fuzzed')
    }
    await watch.around(async () => {})
  })

  it('detects an unhandled rejection', async () => {
    // Mocha's own listener would end the run.
    const others = process.listeners('unhandledRejection').slice(0, -1)
    for (const listener of others) process.off('unhandledRejection', listener)
    const reject = async () => {
      void Promise.reject(new Error('of nobody'))
      await setTimeout(5)
    }
    const fault = await rejectionOf(watch.around(reject))
    for (const listener of others) process.on('unhandledRejection', listener)
    expect(String(fault)).to.match(/nobody took Error: of nobody/)
  })

  it('detects an event loop that is blocked each time, and tolerates it once', async () => {
    const block = () => {
      const before = process.cpuUsage()
      while (process.cpuUsage(before).user < 160_000) work()
    }
    const always = async () => {
      await setTimeout(5)
      block()
      await setTimeout(5)
    }
    expect(String(await rejectionOf(watch.around(always)))).to.match(/stood still/)
    let times = 0
    await watch.around(async () => {
      times += 1
      if (times === 1) await always()
    })
    expect(times).to.equal(2)
  })

  it('detects an answer that never comes', async () => {
    const server = await listen(() => {})
    const { port } = server.address() as AddressInfo
    const ask = () => exchange(port, toBytes({ target: '/', headers: [['host', 'localhost']] }), 50).then(() => {})
    expect(await rejectionOf(watch.around(ask))).to.be.instanceOf(TooSlow)
    server.closeAllConnections()
    server.close()
  })

  it('does not count the time in which the machine works for other processes', async () => {
    const server = await listen((_request, response) => void setTimeout(30).then(() => response.end()))
    const { port } = server.address() as AddressInfo
    const asked = exchange(port, toBytes({ target: '/', headers: [['host', 'localhost']] }), 200)
    await setTimeout(10)
    // Stands still without working.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
    expect(parseAnswers(await asked)).to.have.length(1)
    server.close()
  })

  it('counts the time in which an input is processed', async () => {
    const server = await listen((_request, response) => {
      const workLong = () => {
        const end = process.cpuUsage().user + 60_000
        while (process.cpuUsage().user < end) work()
      }
      const timer = setInterval(workLong, 1)
      response.once('close', () => clearInterval(timer))
    })
    const { port } = server.address() as AddressInfo
    const before = process.cpuUsage().user
    const asked = exchange(port, toBytes({ target: '/', headers: [['host', 'localhost']] }), 300)
    expect(await rejectionOf(asked)).to.be.instanceOf(TooSlow)
    expect((process.cpuUsage().user - before) / 1000).to.be.below(900)
    server.closeAllConnections()
    server.close()
  })
})

describe('the search of the fuzzing', () => {
  const site = opened(() => openSite('express', 'jwt'))

  it('finds the smallest input that does harm, and says how to play it again', async () => {
    const watch = startWatch(1000)
    const harmful = target('harmful', fc.nat(1000), async (_site, input) => {
      if (input >= 100) throw new Violation('harm')
    })
    const { find = '' } = await harmful.explore({ site, watch, seed: 1, runs: 100 })
    watch.close()
    expect(find).to.match(
      /^harmful@express: harm\n {2}\[100\]\n {2}npm run fuzz -- --target harmful .*--seed 1 --path "/,
    )
  })

  it('uses a site on which users can sign in, and detects that they are signed in', async () => {
    const person = new Stranger(site)
    await person.post('/callback/credentials', [
      ['username', 'ann'],
      ['password', 'right'],
    ])
    expect(String(await rejectionOf(person.expectNobody('as a control')))).to.include('ann@example.com')
  })
})

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
