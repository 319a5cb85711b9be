/** Many requests at once, large amounts, and inputs that are hard to parse, at both doors. */

import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { BoundedMap, ExpiringSet, KeyedLock, siteMemory } from '../../lib/base/memory.js'
import { createMemoryCounter } from '../../lib/store/memory-counter.js'
import type { Consumption } from '../../lib/types/store.js'
import { exchange, op } from '../router/fixtures.js'
import { testDatabase } from '../support/adapter.js'
import { credentials } from '../support/app.js'
import { type DoorApp, doors } from '../support/doors.js'
import { heapReader } from '../support/heap.js'
import { opened } from '../support/opened.js'

describe('a million keys in each memory of the process', function () {
  // Where each new key costs as much as the memory is long, this takes a minute.
  this.timeout(10_000)
  this.slow(3000)
  const many = 1_000_000
  /** Keys are hashes: as long as those of the library. */
  const keyOf = (at: number) => `${at}`.padStart(22, 'k')

  const memories: Readonly<Record<string, () => { fill(): Promise<void> | void; keeps(): unknown }>> = {
    'BoundedMap, of 20,000': () => {
      const map = new BoundedMap<string, number>(20_000)
      return {
        fill() {
          for (let at = 0; at < many; at += 1) map.set(keyOf(at), at)
        },
        keeps: () => [map.size, map.has(keyOf(many - 1)), map.has(keyOf(0))],
      }
    },
    'ExpiringSet, of 20,000': () => {
      const set = new ExpiringSet({ lifetime: 60_000, capacity: 20_000, hashOf: (text) => text })
      return {
        fill() {
          for (let at = 0; at < many; at += 1) set.add(keyOf(at))
        },
        keeps: () => [20_000, set.has(keyOf(many - 1)), set.has(keyOf(0))],
      }
    },
    'the counts of attempts, of 20,000': () => {
      const counts = createMemoryCounter({ first: 20_000, second: 10_000 })
      const once: Consumption = { cost: 1, limit: 1, window: 60 }
      return {
        fill() {
          for (let at = 0; at < many; at += 1) counts.consume(keyOf(at), once)
        },
        keeps: () => [
          counts.size,
          !counts.consume(keyOf(many - 1), once).allowed,
          !counts.consume(keyOf(0), { ...once, cost: 0 }).allowed,
        ],
      }
    },
    'the sites, of 1,000': () => {
      const first = siteMemory(keyOf(0))
      return {
        fill() {
          for (let at = 1; at < many; at += 1) siteMemory(keyOf(at))
        },
        keeps: () => [20_000, siteMemory(keyOf(many - 1)) !== undefined, siteMemory(keyOf(0)) === first],
      }
    },
    'KeyedLock, whose turns are over': () => {
      const lock = new KeyedLock()
      let done = 0
      return {
        async fill() {
          for (let at = 0; at < many / 1000; at += 1) {
            const turns = Array.from({ length: 1000 }, (_, key) =>
              lock.run(keyOf(at * 1000 + key), async () => void done++),
            )
            await Promise.all(turns)
          }
        },
        keeps: () => [20_000, done === many, false],
      }
    },
  }

  for (const [name, open] of Object.entries(memories)) {
    it(`DOS-10 ${name}: keeps the newest, and no more`, async () => {
      const readHeap = heapReader()
      const before = readHeap()
      const memory = open()
      await memory.fill()
      const grown = (readHeap() - before) / 1e6
      expect(memory.keeps()).to.deep.equal([20_000, true, false])
      // All of them would be more than 100 MB.
      expect(grown, 'MB').to.be.below(12)
    })
  }
})

for (const [door, start] of doors) {
  describe(`a hundred sign-ins at once (${door})`, function () {
    this.slow(5000)
    const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
    /** 4 MB for each try. */
    const cost = { N: 4096, r: 8, p: 1 }
    const salt = randomBytes(16)
    const hash = scryptSync('right', salt, 32, cost)

    it('DOS-06 each ends as it should, in the memory of a few', async () => {
      let most = 0
      const db = testDatabase()
      const watch = setInterval(() => {
        most = Math.max(most, process.memoryUsage.rss())
      }, 2)
      const app = await start({
        adapter: db.adapter,
        session: { strategy: 'database' },
        providers: [
          credentials({
            async authorize({ username, password }) {
              const own = await derive(String(password), salt, 32, cost)
              if (!timingSafeEqual(own, hash)) return null
              return { id: `id-of-${username}`, name: String(username), email: `${username}@example.com` }
            },
          }),
        ],
      })
      try {
        const people = Array.from({ length: 100 }, (_, at) => ({ name: `person-${at}`, browser: app.browser() }))
        const tokens = await Promise.all(people.map(({ browser }) => browser.csrf()))
        const before = process.memoryUsage.rss()
        most = before
        await Promise.all(
          people.map(({ name, browser }, at) =>
            browser.post('/auth/callback/credentials', {
              csrfToken: tokens[at],
              username: name,
              // Every fourth one is a guess of 90 kB.
              password: at % 4 === 0 ? 'x'.repeat(90_000) : 'right',
            }),
          ),
        )
        const names = await Promise.all(
          people.map(
            async ({ browser }) => ((await browser.session()) as { user: { name: string } } | null)?.user.name,
          ),
        )
        expect(names).to.deep.equal(people.map(({ name }, at) => (at % 4 === 0 ? undefined : name)))
        expect(await db.sessions()).to.have.length(75)
        // A hundred hashes at once would be 400 MB. Half of that is room for whatever else this process does.
        expect((most - before) / 1e6, 'MB').to.be.below(200)
      } finally {
        clearInterval(watch)
        await app.close()
      }
    })
  })

  describe(`inputs that are hard to parse (${door})`, () => {
    const app = opened(() => start({ providers: [op, credentials()] }))

    /**
     * Limits work to a second of CPU time, because the elapsed time depends on other work of the machine. Work that
     * hangs runs into the time-out.
     */
    async function inASecond<T>(work: () => Promise<T>, what: string): Promise<T> {
      const before = process.cpuUsage()
      const result = await work()
      expect(process.cpuUsage(before).user / 1000, what).to.be.below(1000)
      return result
    }

    const targets: Readonly<Record<string, string>> = {
      'an unparsable callback URL': '/auth/signin?callbackUrl=http%3A%2F%2F%5B',
      'a percent sign that encodes nothing': '/auth/signin?callbackUrl=%',
      'a query of percent signs': `/auth/signin?${'%'.repeat(8000)}`,
      'a query of ampersands': `/auth/signin?${'&'.repeat(12_000)}`,
      'a query of brackets': `/auth/signin?${'a[][]'.repeat(2000)}=1`,
      'a name of brackets that goes deep': `/auth/signin?a${'[a]'.repeat(4000)}=1`,
      'thousands of callback URLs': `/auth/signin?${'callbackUrl=//e&'.repeat(800)}`,
      'slashes in front of a callback URL': `/auth/signin?callbackUrl=${'/'.repeat(12_000)}evil.test`,
      'points and slashes': `/auth/signin?callbackUrl=${'/..'.repeat(4000)}`,
      'an at sign after thousands': `/auth/signin?callbackUrl=https://${'@'.repeat(12_000)}app.test`,
      'an endless error': `/auth/error?error=${'x'.repeat(14_000)}`,
      'an endless state': `/auth/callback/op?code=x&state=${'x.'.repeat(7000)}`,
      'an endless provider': `/auth/signin/${'x'.repeat(14_000)}`,
    }
    for (const [what, path] of Object.entries(targets)) {
      it(`DOS-02 answers in a second: ${what}`, async () => {
        const { status, headers } = await inASecond(
          () => exchange(app.origin, `GET ${path} HTTP/1.1`, hostOf(app)),
          what,
        )
        expect(status).to.be.within(200, 499)
        if (headers.location) expect(new URL(headers.location).origin).to.equal(app.origin)
      })
    }

    const bodies: Readonly<Record<string, [type: string, body: string]>> = {
      'JSON that goes deep': ['application/json', '['.repeat(40_000) + ']'.repeat(40_000)],
      'objects that go deep': ['application/json', `${'{"a":'.repeat(16_000)}1${'}'.repeat(16_000)}`],
      'many keys': [
        'application/json',
        JSON.stringify(Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`k${at}`, 1]))),
      ],
      'keys that are numbers': [
        'application/json',
        JSON.stringify(Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [at * 7919, 1]))),
      ],
      'a number without end': ['application/json', `{"csrfToken":${'9'.repeat(90_000)}}`],
      'escapes without end': ['application/json', `{"csrfToken":"${'\\u0000'.repeat(15_000)}"}`],
      'brackets without end': ['application/x-www-form-urlencoded', `${'a[][]'.repeat(1000)}=1`],
      'a field a thousand times': ['application/x-www-form-urlencoded', 'csrfToken=x&'.repeat(900)],
      'percent signs': ['application/x-www-form-urlencoded', `csrfToken=${'%'.repeat(90_000)}`],
      'plus signs': ['application/x-www-form-urlencoded', `csrfToken=${'+'.repeat(90_000)}`],
    }
    for (const [what, [type, body]] of Object.entries(bodies)) {
      it(`DOS-04 answers in a second: ${what}`, async () => {
        for (const path of ['signin/op', 'callback/credentials', 'session', 'signout']) {
          const { status } = await inASecond(() => post(app.origin, `/auth/${path}`, type, body), `${what} at ${path}`)
          expect(status, path).to.be.within(300, 499)
        }
      })
    }
  })
}

const hostOf = ({ origin }: DoorApp) => [`Host: ${new URL(origin).host}`]

async function post(origin: string, path: string, type: string, body: string): Promise<Response> {
  return fetch(origin + path, { method: 'POST', body, headers: { 'content-type': type }, redirect: 'manual' })
}
