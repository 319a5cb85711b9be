/** Attempts to extend sessions beyond their announced end: by values of clients, and by events in the meantime. */

import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { clearSiteMemories } from '../../lib/base/memory.js'
import {
  appendTokenMetadata,
  hashSessionToken,
  metadataOfToken,
  type TokenMetadata,
} from '../../lib/crypto/session-token.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { type ServerAuthConfig, startSession } from '../../lib/index.js'
import { type Calls, doors } from '../calls/doors.js'
import { strategies, usePasskeys } from '../flows/webauthn/stage.js'
import { type TestDatabase, testDatabase } from '../support/adapter.js'
import { secret } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import type { Door } from '../support/doors.js'
import { Browser } from '../support/http-browser.js'
import type { PasskeyPerson } from '../support/passkey-person.js'
import { sessionName } from '../support/session.js'

const minute = 60
const day = 24 * 60 * minute

/** A callback that many applications have. Database sessions have no token. */
const mergingOf = (strategy: 'jwt' | 'database'): ServerAuthConfig['callbacks'] =>
  strategy === 'database'
    ? {}
    : { jwt: ({ token, trigger, session }) => (trigger === 'update' ? { ...token, ...(session as object) } : token) }

/** Values that a client sends so that a callback merges them. */
const wishes = {
  auth_end: 4_102_444_800,
  auth_remember: true,
  auth_time: 4_102_444_800,
  exp: 4_102_444_800,
  iat: 4_102_444_800,
  maxAge: 10 ** 9,
  remember: true,
  expires: '2100-01-01T00:00:00.000Z',
}

for (const [name, open] of doors) {
  for (const strategy of ['jwt', 'database'] as const) {
    describe(`a session that is to last 15 minutes, at ${name}, strategy ${strategy}`, () => {
      let db: TestDatabase
      let door: Door
      let work: (calls: Calls) => Promise<unknown>
      let visitor: Browser
      const running: Door[] = []
      beforeEach(() => freezeClock())
      afterEach(async () => {
        restoreClock()
        await Promise.all(running.splice(0).map((each) => each.close()))
      })

      async function serve(config: Partial<ServerAuthConfig> = {}): Promise<void> {
        clearSiteMemories()
        const session = { strategy, data: true, updateAge: 0, ...config.session }
        door = await open({ adapter: db.adapter, callbacks: mergingOf(strategy), ...config, session }, (calls) =>
          work(calls),
        )
        running.push(door)
        const held = visitor?.cookies
        visitor = door.browser()
        for (const [each, value] of held ?? []) visitor.cookies.set(each, value)
      }

      async function run(next: typeof work): Promise<unknown> {
        work = next
        return (await visitor.ask('/do', { method: 'POST', headers: { origin: door.origin } })).body
      }

      async function begin(config: Partial<ServerAuthConfig> = {}): Promise<void> {
        db = testDatabase()
        await db.addUser({ id: 'ann', email: 'ann@example.com' })
        visitor = new Browser('http://127.0.0.1', { base: '/api/auth' })
        await serve(config)
        const options = { user: { id: 'ann' }, amr: [], maxAge: 15 * minute, remember: true }
        expect(await run((calls) => calls.startSession(options))).to.have.property('started', true)
      }

      /** Returns the seconds until the session ends, or `null` if it has ended. */
      async function left(): Promise<number | null> {
        const session = (await visitor.ask('/api/auth/session')).body
        return session && Math.round((Date.parse(session.expires) - Date.now()) / 1000)
      }

      const update = async (data: object) =>
        visitor.ask('/api/auth/session', { json: { csrfToken: await visitor.csrf(), data, ...data } })

      /** Actions during the session. */
      const middles: Readonly<Record<string, () => Promise<unknown>>> = {
        'a client’s update': () => update(wishes),
        'an update of the application’s': () => run((calls) => calls.update({ ...wishes, user: { name: 'x' } })),
        'data that has such names': () => run((calls) => calls.setSessionData(wishes as object)),
        'a restart where people are kept signed in': () =>
          serve({ session: { maxAge: day, rememberMaxAge: 90 * day } }),
        'a restart where sessions are remembered': () =>
          serve(strategy === 'database' ? { session: { cacheFor: 30 } } : {}),
        'a new secret': () => serve({ secret: ['another-secret-of-more-than-32-characters', secret] }),
        'a clock that was set back for a while': async () => {
          advanceClock(-day)
          await left()
          advanceClock(day)
        },
      }

      for (const [what, happens] of Object.entries(middles)) {
        it(`ends then all the same: ${what}`, async () => {
          await begin()
          advanceClock(5 * minute)
          await happens()
          expect(await left()).to.equal(10 * minute)
          advanceClock(10 * minute - 1)
          expect(await left()).to.equal(1)
          const copy = new Map(visitor.cookies)
          advanceClock(1)
          expect(await left()).to.equal(null)
          for (const [each, value] of copy) visitor.cookies.set(each, value)
          expect(await run((calls) => calls.session())).to.equal(null)
          expect(await run((calls) => calls.setSessionData({ more: 1 } as object))).to.equal(null)
          for (const [each, value] of copy) visitor.cookies.set(each, value)
          await update(wishes)
          expect(await left()).to.equal(null)
        })
      }

      it('ends then by the clock of the process, whatever that of the store says', async () => {
        const { log } = memoryStore()
        const find: typeof log.find = async (keys) => {
          const found = await log.find(keys)
          return { ...found, now: found.now + day }
        }
        await begin({ session: { revocation: { store: { log: { ...log, find } } } } })
        expect(await left()).to.equal(15 * minute)
        advanceClock(15 * minute)
        expect(await left()).to.equal(null)
      })
    })

    describe(`"Keep me signed in" at ${name}, strategy ${strategy}`, () => {
      let door: Door
      beforeEach(async () => {
        freezeClock()
        clearSiteMemories()
        const session = { strategy, maxAge: day, rememberMaxAge: 90 * day, updateAge: 0 }
        door = await open(
          { adapter: testDatabase().adapter, callbacks: mergingOf(strategy), session },
          async () => null,
        )
      })
      afterEach(async () => {
        restoreClock()
        await door.close()
      })

      it('cannot be set by a client afterwards, or by a cookie or an address alone', async () => {
        const visitor = door.browser()
        visitor.cookies.set('auth.remember', '1')
        visitor.cookies.set('__Host-auth.remember', '1')
        const { cookies } = await visitor.ask('/api/auth/callback/credentials?remember=1', {
          form: { csrfToken: true, username: 'ann', password: 'right' },
          headers: { remember: '1' },
        })
        const [line = ''] = cookies.filter((each) => each.startsWith(sessionName))
        expect(line).to.not.match(/expires|max-age/i)
        for (const json of [{ data: wishes }, { remember: '1', data: { remember: '1' } }]) {
          await visitor.ask('/api/auth/session', { json: { csrfToken: await visitor.csrf(), ...json } })
        }
        visitor.cookies.set('auth.remember', '1')
        const answer = await visitor.ask('/api/auth/session')
        expect(Date.parse(answer.body.expires) - Date.now()).to.equal(day * 1000)
        expect(answer.cookies.filter((each) => each.startsWith(sessionName)).join()).to.not.match(/expires|max-age/i)
      })

      it('is not stored for a visitor whom another site sends', async () => {
        const visitor = door.browser()
        const foreign: Array<Record<string, string>> = [
          { origin: 'https://evil.test' },
          { 'sec-fetch-site': 'cross-site' },
        ]
        for (const headers of foreign) {
          const form = { remember: '1' }
          const { cookies } = await visitor.ask('/api/auth/signin/credentials', { form, headers })
          expect(cookies.join()).to.not.include('remember')
        }
        const { cookies } = await visitor.ask('/api/auth/signin/credentials?remember=1')
        expect(cookies.join()).to.not.include('remember')
      })
    })
  }
}

for (const strategy of strategies) {
  describe(`access to another user’s account for 15 minutes, strategy ${strategy}`, () => {
    const stage = usePasskeys()
    const email = 'ann@example.com'

    /** Returns a member of the support team, in a session of Ann's. */
    async function look(maxAge: number | undefined): Promise<PasskeyPerson> {
      await stage.start(
        { strategy },
        {
          after: (express, config) => {
            express.post('/look', (req, res, next) => {
              stage
                .userOf(email)
                .then(({ id }) => startSession(req, res, config, { user: { id }, amr: [], maxAge }))
                .then(() => res.end(), next)
            })
            express.post('/move', (req, res, next) => {
              expressFunctions(config)
                .account.changeEmail(req, { email: 'support@example.com' })
                .then((said) => res.json(said), next)
            })
          },
        },
      )
      await stage.member(email)
      const support = stage.person()
      await support.browser.post('/look')
      expect(await support.browser.session()).to.have.nested.property('user.email', email)
      return support
    }

    it('leaves no passkey behind, and is not extended by one', async () => {
      const support = await look(15 * minute)
      const { body, status } = await support.browser.get('/auth/webauthn-options/passkey?action=register')
      expect([status, body.message]).to.deep.equal([400, 'An email address is required to create an account.'])
      expect(await stage.passkeysOf(email)).to.have.length(1)
      const left = Date.parse(String(Reflect.get(Object(await support.browser.session()), 'expires'))) - Date.now()
      expect(left).to.be.at.most(15 * minute * 1000)
    })

    it('takes over the account by no other address', async () => {
      const { browser } = await look(15 * minute)
      expect((await browser.post('/move')).body.error).to.include('This session may not change the account')
      expect(stage.mails.filter(({ identifier }) => identifier === 'support@example.com')).to.have.length(0)
      expect(await stage.userOf(email)).to.include({ email })
    })

    it('differs from a session without an end: there a passkey is added', async () => {
      const support = await look(undefined)
      await support.register()
      expect(await stage.passkeysOf(email)).to.have.length(2)
    })
  })
}

describe('the token of a database session', () => {
  const facts: TokenMetadata = { startedAt: 1_800_000_000, end: 1_800_000_900, remembered: true }
  const words = Array.from({ length: 8 }, (_, at) => `${at}`.repeat(32))

  it('has its end as it is stored, in 191 characters, whatever other values it has', () => {
    for (const more of [{}, { amr: ['pwd'], provider: 'github' }, { amr: words, provider: 'p'.repeat(200) }]) {
      const token = appendTokenMetadata('x'.repeat(43), { ...facts, ...more })
      expect(definedFields(metadataOfToken(token))).to.deep.equal({ amr: [], ...facts, ...more })
      const stored = hashSessionToken(token)
      expect(stored.length).to.be.at.most(191)
      expect(metadataOfToken(stored)).to.deep.include(facts)
      expect(stored).to.match(/^[\w.-]+$/)
    }
  })

  it('with an unreadable end has ended', () => {
    for (const end of [90.5, Number.MAX_VALUE, Number.POSITIVE_INFINITY, -1]) {
      expect(metadataOfToken(appendTokenMetadata('x', { ...facts, end }))).to.have.property('end', 0)
    }
  })
})

function definedFields(fields: object = {}): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
