/** Requests from pages of other origins, with the headers that browsers send, at both doors and with both kinds of sessions. */
import { expect } from 'chai'
import type { Browser } from '../support/http-browser.js'
import { strategies } from '../support/world.js'
import { expectedOf, initOf, type Outcome, type PageOrigin, type Row, rows, titleOf } from './matrix.js'
import { type OriginSite, sites } from './site.js'

const trusted = 'https://app.example.com'

/** The headers that a browser adds, by the origin of the page. */
const senders: Readonly<Record<PageOrigin, { site: string; origin: string | undefined }>> = {
  own: { site: 'same-origin', origin: undefined },
  trusted: { site: 'same-site', origin: trusted },
  sibling: { site: 'same-site', origin: 'https://evil.example.com' },
  stranger: { site: 'cross-site', origin: 'https://evil.test' },
}

/** Returns the headers of a browser for a page. Those of the same origin send no `Origin` with GET. */
function headersOf(from: PageOrigin, method: string, own: string): Record<string, string> {
  const { site, origin = method === 'GET' ? undefined : own } = senders[from]
  return { 'sec-fetch-site': site, 'sec-fetch-mode': 'cors', ...(origin !== undefined && { origin }) }
}

const granted = (headers: Readonly<Record<string, string>>, origin: string | undefined, credentials: string) =>
  headers['access-control-allow-origin'] === origin &&
  (credentials === 'omit' || headers['access-control-allow-credentials'] === 'true')

for (const [door, open] of Object.entries(sites)) {
  for (const strategy of strategies) {
    describe(`a page of another origin (${door}, ${strategy} sessions)`, () => {
      let site: OriginSite
      let signedIn: Browser
      let visitor: Browser

      before(async () => {
        site = await open(strategy, { trustedOrigins: [trusted] })
        signedIn = site.door.browser()
        await signedIn.signIn()
        visitor = site.door.browser()
      })
      after(() => site.door.close())

      /** Sends the request of a row as a browser does: after its preflight, and with the cookies that may travel. */
      async function send(row: Row): Promise<Outcome> {
        const { from, target, credentials, preflight, session } = row
        const holder = session ? signedIn : visitor
        const init = initOf(row, await holder.csrf())
        const { origin } = senders[from]
        const [, path = ''] = target.split(' ')
        const anonymous = site.door.browser()
        const headers = { ...init.headers, ...headersOf(from, init.method, site.door.origin) }
        const before = { ...site.counts }
        const done = (status: number): Outcome => ({
          arrived: site.counts.arrived > before.arrived,
          status,
          changed: site.counts.changed > before.changed,
        })
        if (preflight && from !== 'own') {
          const names = Object.keys(init.headers).filter((name) => name !== 'accept')
          const asked = { 'access-control-request-method': init.method, 'access-control-request-headers': names.join() }
          const answer = await anonymous.ask(path, {
            method: 'OPTIONS',
            headers: { ...headersOf(from, 'OPTIONS', site.door.origin), ...asked },
          })
          expect(answer.headers.vary, 'Vary of the preflight').to.include('Origin')
          expect(answer.cookies).to.deep.equal([])
          const allowed = answer.headers['access-control-allow-headers']?.split(/, ?/) ?? []
          const passes = answer.status < 300 && granted(answer.headers, origin, credentials)
          if (!passes || !names.every((name) => allowed.includes(name))) return done(0)
          expect(answer.headers['access-control-max-age']).to.equal('600')
        }
        const travels = credentials === 'include' && from !== 'stranger'
        const { method, body } = { body: undefined, ...init }
        const answer = await (travels ? holder : anonymous).ask(path, {
          method,
          headers,
          ...(body !== undefined && { body }),
        })
        expect(answer.headers.vary, 'Vary').to.include('Origin')
        const isReadable = from === 'own' || granted(answer.headers, origin, credentials)
        return done(isReadable ? answer.status : 0)
      }

      it(`CS-20 has the result of the table: ${rows.length} rows`, async () => {
        for (const row of rows) expect(await send(row), titleOf(row)).to.deep.equal(expectedOf(row))
      })
    })
  }
}
