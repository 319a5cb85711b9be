/**
 * Calls of the application's own code, in a request that a page of another site has caused: each function, at both
 * doors.
 */
import { expect } from 'chai'
import * as factors from '../../lib/features/factors/index.js'
import * as passwords from '../../lib/features/passwords/index.js'
import * as tokens from '../../lib/features/tokens/index.js'
import { rules } from '../../lib/functions/index.js'
import * as main from '../../lib/index.js'
import { defineAuth } from '../../lib/index.js'
import initAuth from '../../shim/index.js'
import { createLog } from '../support/app.js'
import type { Door } from '../support/doors.js'
import { inTurn } from '../support/extent.js'
import type { Browser } from '../support/http-browser.js'
import { administers, changes, type Entry, noCalls, reads } from './effects.js'
import { configOf, openOnExpress, openOnFetch } from './own-code.js'

const table = { ...changes, ...reads, ...administers }

/** The headers of browsers for requests that a page of another site has caused. */
const foreign: ReadonlyArray<readonly [title: string, method: string, headers: Readonly<Record<string, string>>]> = [
  ['a link', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ['an image', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a link of a neighbour', 'GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }],
  ['a form', 'POST', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', origin: 'https://evil.test' }],
  ['a form, in an older browser', 'POST', { origin: 'https://evil.test' }],
  ['a header that is there twice', 'GET', { 'sec-fetch-site': 'same-origin, cross-site' }],
]

/** Requests that no other site can have caused. */
const own: typeof foreign = [
  ['a typed address', 'GET', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ['a link of the site', 'GET', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }],
  ['a form of the site', 'POST', { 'sec-fetch-site': 'same-origin', origin: '<origin>' }],
  ['a form of the site, in an older browser', 'POST', { origin: '<origin>' }],
  ['an API client', 'POST', {}],
]

const filled = (headers: Readonly<Record<string, string>>, { origin }: Door) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('<origin>', origin)]))

const entryPoints = { Express: openOnExpress, 'the shim': openOnFetch }

// The check of the origin precedes the session, so each entry point has one strategy, in turn.
for (const [turn, [name, open]] of Object.entries(entryPoints).entries()) {
  for (const strategy of inTurn(['jwt', 'database'] as const, turn)) {
    describe(`a request that another site caused, at ${name}, with ${strategy} sessions`, () => {
      let door: Door
      let visitor: Browser

      before(async () => {
        door = await open(strategy)
      })
      after(() => door.close())
      beforeEach(async () => {
        visitor = door.browser()
        await visitor.signIn()
      })

      const ask = async (call: string, [, method, headers]: (typeof foreign)[number]) => {
        const answer = await visitor.ask(`/do?call=${encodeURIComponent(call)}`, {
          method,
          headers: filled(headers, door),
        })
        return { result: answer.body as string, cookies: answer.cookies }
      }

      for (const call of Object.keys(changes)) {
        it(`CS-17 ${call} changes nothing`, async () => {
          for (const request of foreign) {
            const { result, cookies } = await ask(call, request)
            expect([result, cookies], request[0]).to.deep.equal(['MissingCSRF', []])
          }
          const { text: body } = await visitor.ask('/api/auth/session')
          expect(JSON.parse(body), body).to.nested.include({ 'user.name': 'ann' }).and.deep.include({ data: {} })
        })

        it(`CS-17 ${call} is not rejected in a request of the site`, async () => {
          for (const request of own) expect((await ask(call, request)).result, request[0]).not.to.equal('MissingCSRF')
        })
      }

      for (const [call] of [...Object.entries(reads), ...Object.entries(administers)] as Array<[string, Entry]>) {
        it(`CS-17 ${call} can be called behind a link of another site`, async () => {
          for (const request of foreign)
            expect((await ask(call, request)).result, request[0]).not.to.equal('MissingCSRF')
        })
      }
    })
  }
}

describe('the effects of calls', () => {
  /** Returns the names of functions, without classes. */
  const functionsOf = (exported: object): string[] =>
    Object.entries(exported).flatMap(([name, value]) => {
      if (name in rules || name === 'csrf') return Object.keys(value).map((each) => `${name}.${each}`)
      return /^class\b/.test(String(value)) ? [] : [name]
    })
  const listed = new Set([...Object.keys(table).flatMap((entry) => entry.split(',', 1).join().split(' ')), ...noCalls])
  const config = configOf('jwt')
  const log = createLog()

  for (const [door, exported] of [
    ['server-auth', main],
    ['server-auth/factors', factors],
    ['server-auth/passwords', passwords],
    ['server-auth/tokens', tokens],
    ['defineAuth', defineAuth({ ...config, logger: log.logger })],
    ['initAuth', initAuth({ ...config, logger: log.logger })],
    ['auth of initAuth', initAuth({ ...config, logger: log.logger }).auth],
  ] as const) {
    it(`CS-17 each function of ${door} is known to change something, or not to`, () => {
      const unlisted = functionsOf(exported).filter((name) => !listed.has(name))
      expect(unlisted, 'add them to `test/calls/effects.ts`').to.deep.equal([])
    })
  }

  it('CS-17 the lists have no common names, and only names of existing functions', () => {
    const named = (entries: object) => Object.keys(entries).map((entry) => entry.split(', no', 1).join())
    const [one, two, three] = [named(changes), named(reads), named(administers)]
    expect([...one, ...two, ...three].length).to.equal(new Set([...one, ...two, ...three]).size)
    const own = initAuth(config)
    const there = new Set([main, factors, passwords, tokens, defineAuth(config), own, own.auth].flatMap(functionsOf))
    const names = Object.keys(table).flatMap((entry) => entry.split(',', 1).join().split(' '))
    expect(names.filter((each) => !there.has(each))).to.deep.equal([])
  })
})
