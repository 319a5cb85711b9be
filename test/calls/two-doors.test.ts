/** Both doors behave alike: each function of the table, for a signed-in user, for a visitor, and in a request of another site. */
import { expect } from 'chai'
import { rules } from '../../lib/functions/index.js'
import { freezeClock, restoreClock } from '../support/clock.js'
import { inTurn } from '../support/extent.js'
import { administers, changes, reads } from './effects.js'
import { openOnExpress, openOnFetch } from './own-code.js'

const table = { ...changes, ...reads, ...administers }
const names = Object.entries(rules).flatMap(([group, of]) => Object.keys(of).map((name) => `${group}.${name}`))

const callers = {
  'the signed-in user': { signsIn: true, headers: (origin: string) => ({ origin, 'sec-fetch-site': 'same-origin' }) },
  'a visitor': { signsIn: false, headers: (origin: string) => ({ origin, 'sec-fetch-site': 'same-origin' }) },
  'another site': { signsIn: true, headers: () => ({ origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }) },
}

const strategies = ['jwt', 'database'] as const

for (const strategy of strategies) {
  describe(`both doors, with ${strategy} sessions`, () => {
    // Sign-ins at both doors have the same time.
    beforeEach(() => freezeClock())
    afterEach(restoreClock)

    /** Calls a function at a door of its own. Returns what the application got, and the names of the cookies that were set. */
    async function call(open: typeof openOnExpress, name: string, caller: keyof typeof callers) {
      const door = await open(strategy)
      try {
        const visitor = door.browser()
        const { signsIn, headers } = callers[caller]
        if (signsIn) await visitor.signIn()
        const path = `/do?call=${encodeURIComponent(name)}&result=1`
        const { text: body, cookies } = await visitor.ask(path, { method: 'POST', headers: headers(door.origin) })
        return { result: JSON.parse(body), cookies: cookies.map((line) => line.split('=')[0]).sort() }
      } finally {
        await door.close()
      }
    }

    // Each function with one strategy: what differs between the doors does not depend on where sessions are stored.
    for (const name of names.filter((_, turn) => inTurn(strategies, turn).includes(strategy))) {
      it(`give the same answer to ${name}`, async () => {
        expect(table).to.have.property(name)
        for (const caller of Object.keys(callers) as Array<keyof typeof callers>) {
          const [express, fetched] = [await call(openOnExpress, name, caller), await call(openOnFetch, name, caller)]
          expect(fetched, caller).to.deep.equal(express)
        }
      })
    }
  })
}
