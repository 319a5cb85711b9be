/** Pages that are not in `trustedOrigins`, or that lack the token, with all capabilities: they read and change nothing. */
import { expect } from 'chai'
import { routes } from '../../lib/http/routes.js'
import { changes } from '../calls/effects.js'
import { base, doors, openStage, type Person, type Stage } from '../impersonation/stage.js'
import { strategies } from '../support/world.js'

const trusted = 'https://app.example.com'

/** The headers of browsers for scripts and forms of pages that have no access. */
const hostile: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sibling: { 'sec-fetch-site': 'same-site', origin: 'https://evil.example.com' },
  stranger: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
  'trusted, but of another site': { 'sec-fetch-site': 'cross-site', origin: trusted },
}

/** Origins that resemble the trusted one (GHSA-vp58-j275-797x). */
const spellings = [
  'https://app.example.com.evil.test',
  'https://evil-app.example.com',
  'https://xapp.example.com',
  'https://appxexample.com',
  'https://app.example.co',
  'https://app.example.com@evil.test',
  'https://user@app.example.com',
  'https://app.example.com:443',
  'https://app.example.com:8443',
  'http://app.example.com',
  'https://APP.example.com',
  'https://app.example.com.',
  'https://app.example.com/',
  'https://app.example.com, https://app.example.com',
  'https://app.example.com https://evil.test',
  'https://аpp.example.com'.normalize(),
  'https://xn--pp-7kc.example.com',
  'null',
  '*',
  '',
]

/** All that is stored, the sessions, and what events told beside rejections. */
async function stateOf({ config, ann, events }: Stage, person: Person): Promise<string> {
  const { adapter } = config
  return JSON.stringify([
    await adapter?.getUser?.(ann.id),
    await adapter?.listAccountsByUserId?.(ann.id),
    await adapter?.listAuthenticatorsByUserId?.(ann.id),
    await adapter?.listSessionsByUserId?.(ann.id),
    events.filter(({ event }) => event !== 'failure'),
    await person.me(),
  ])
}

for (const door of Object.keys(doors) as Array<keyof typeof doors>) {
  for (const strategy of strategies) {
    describe(`a page without access, with all capabilities (${door}, ${strategy} sessions)`, () => {
      let stage: Stage
      let person: Person
      before(async () => {
        stage = await openStage(door, strategy, { trustedOrigins: [trusted] })
        person = stage.browser()
        await person.signInAs(stage.ann)
      })
      after(() => stage.close())

      for (const { action, methods, takesProvider } of routes) {
        const path = `${base}/${action}${takesProvider ? '/credentials' : ''}`
        it(`CS-21 changes nothing by ${methods.join(' and ')} ${path}`, async () => {
          const csrfToken = await person.csrf()
          for (const [from, headers] of Object.entries(hostile)) {
            for (const method of [...methods, 'OPTIONS']) {
              // The attacker even knows the token of the victim.
              const form = { csrfToken, username: 'root', password: 'right', email: 'eve@example.com', data: 'x' }
              const own = person.copy()
              const before = await stateOf(stage, own)
              const answer = await own.ask(path, {
                method,
                ...(method === 'POST' && { form }),
                headers: {
                  ...headers,
                  accept: 'application/json',
                  ...(method === 'OPTIONS' && { 'access-control-request-method': 'POST' }),
                },
              })
              const where = `${from} ${method}`
              const access = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))
              expect(access, where).to.deep.equal([])
              expect(answer.headers.vary, where).to.include('Origin')
              if (method === 'OPTIONS') expect([answer.status, answer.cookies], where).to.deep.equal([405, []])
              expect(await stateOf(stage, own), where).to.equal(before)
            }
          }
        })
      }

      it('CS-23 gives no access to an origin that resembles a trusted one', async () => {
        const csrfToken = await person.csrf()
        for (const origin of spellings.map((text) => Buffer.from(text).toString('latin1'))) {
          for (const site of ['same-site', undefined]) {
            const headers = { accept: 'application/json', origin, ...(site && { 'sec-fetch-site': site }) }
            const before = await stateOf(stage, person)
            const answer = await person.ask(`${base}/session`, { form: { csrfToken, data: 'x' }, headers })
            expect(answer.headers, origin).to.not.have.property('access-control-allow-origin')
            expect(answer.body.error, origin).to.equal('MissingCSRF')
            expect(await stateOf(stage, person), origin).to.equal(before)
          }
        }
      })

      const page = { 'sec-fetch-site': 'same-site', origin: trusted }
      for (const call of Object.keys(changes)) {
        it(`CS-26 needs the token for ${call}, also from a trusted page`, async () => {
          const own = person.copy()
          const before = await stateOf(stage, own)
          for (const headers of [page, { origin: trusted }, { ...page, 'x-csrf-token': 'a'.repeat(64) }]) {
            const { thrown, answer } = await own.own('call', { name: call }, headers)
            expect([thrown, answer.cookies], JSON.stringify(headers)).to.deep.equal(['MissingCSRF', []])
          }
          expect(await stateOf(stage, own)).to.equal(before)
        })
      }

      it('CS-26 allows calls of a trusted page with the token in the header', async () => {
        for (const call of ['signOut', 'sessions.endOthers', 'update unstable_update']) {
          const own = stage.browser()
          await own.signInAs(stage.ann)
          const { thrown } = await own.own('call', { name: call }, { ...page, 'x-csrf-token': await own.csrf() })
          expect(thrown, call).to.equal(undefined)
        }
      })
    })
  }
}
