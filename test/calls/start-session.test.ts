/** `startSession`: a session for a proof of the application's own. The guarantees of a sign-in hold for it, too. */
import { expect } from 'chai'
import { type MemoryAdapter, memoryAdapter } from '../../lib/adapters/memory/index.js'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import type { ServerAuthConfig, SignInCallbackParams } from '../../lib/index.js'
import { decode } from '../../lib/jwt.js'
import type { StartedSession, StartSessionOptions } from '../../lib/types/calls.js'
import { credentials, secret } from '../support/app.js'
import { databaseKinds, requireDatabase } from '../support/databases.js'
import type { Door } from '../support/doors.js'
import type { Answer, Browser } from '../support/http-browser.js'
import { sessionName } from '../support/session.js'
import { doors, type Work } from './doors.js'

const address = 'ann@example.com'
const proved = { email: address, emailVerified: true } as const
const sessionLines = ({ cookies }: Answer) => cookies.filter((line) => line.startsWith(sessionName))
const userOf = async (visitor: Browser) => (await visitor.ask('/api/auth/session')).body?.user

for (const [name, open] of doors) {
  describe(`startSession at ${name}`, () => {
    const running: Door[] = []
    afterEach(async () => {
      await Promise.all(running.splice(0).map((door) => door.close()))
    })

    async function start(work: Work, config: Partial<ServerAuthConfig> = {}): Promise<Door> {
      const door = await open(config, work)
      running.push(door)
      return door
    }

    /** Makes one call, by an email link: another site leads here. */
    async function run(
      options: unknown,
      config?: Partial<ServerAuthConfig>,
      visitorOf = (door: Door) => door.browser(),
    ) {
      const door = await start((calls) => calls.startSession(options as StartSessionOptions), config)
      const visitor = visitorOf(door)
      const answer = await visitor.ask('/do', { headers: { 'sec-fetch-site': 'cross-site' } })
      return { door, visitor, answer, result: answer.body as StartedSession & { type?: string } }
    }

    it('starts a session without an adapter, for the id that the application gives', async () => {
      const { door, visitor, result, answer } = await run({
        user: { id: '7', name: 'Ann', email: address },
        amr: ['otp'],
      })
      expect(result).to.deep.include({ started: true, isNewUser: false, url: `${door.origin}/` })
      expect(answer.headers['cache-control']).to.include('no-store')
      expect(await userOf(visitor)).to.deep.include({ name: 'Ann', email: address })
    })

    it('stores no value by which an unverified email address could be linked', async () => {
      const { visitor } = await run({ user: { id: '7', email: address }, amr: [] })
      const token = await decode({ token: visitor.cookies.get(sessionName), secret, salt: sessionName })
      expect(token).to.include({ sub: '7' }).and.not.have.property('auth_owner')
    })

    for (const strategy of ['jwt', 'database'] as const) {
      describe(`with an adapter and ${strategy} sessions`, () => {
        const stored = (adapter: MemoryAdapter, config: Partial<ServerAuthConfig> = {}): Partial<ServerAuthConfig> => ({
          adapter,
          session: { strategy },
          ...config,
        })
        const makeUser = (adapter: MemoryAdapter, emailVerified: Date | null, email = address) =>
          adapter.createUser({ id: crypto.randomUUID(), name: 'Ann', email, emailVerified })

        it('signs in a stored user by their id', async () => {
          const adapter = memoryAdapter()
          const { id } = await makeUser(adapter, null)
          const { visitor, result } = await run({ user: { id }, amr: ['mfa'], redirectTo: '/in' }, stored(adapter))
          expect(result).to.have.property('started', true)
          expect(result.url).to.match(/\/in$/)
          expect(await userOf(visitor)).to.include({ name: 'Ann' })
          // The application knows the user, but the email address stays unverified.
          expect((await adapter.getUser(id))?.emailVerified).to.equal(null)
        })

        it('stores the methods and the time in the session', async () => {
          const adapter = memoryAdapter()
          const { id } = await makeUser(adapter, null)
          const config = stored(adapter, {
            callbacks: { session: ({ session, authentication }) => ({ ...session, authentication }) },
          })
          for (const amr of [['face', 'mfa'], []]) {
            const { visitor } = await run({ user: { id }, amr }, config)
            const { authentication } = (await visitor.ask('/api/auth/session')).body
            expect(authentication.amr).to.deep.equal(amr)
            expect(authentication.auth_time).to.be.closeTo(Date.now() / 1000, 5)
          }
        })

        it('stores the stated proofs with their methods, levels and times, and no higher level', async () => {
          const adapter = memoryAdapter()
          const { id } = await makeUser(adapter, null)
          const config = stored(adapter, {
            session: { strategy, absoluteMaxAge: 100_000 },
            callbacks: { session: ({ session, authentication }) => ({ ...session, authentication }) },
          })
          const now = Math.floor(Date.now() / 1000)
          const ago = (seconds: number, amr: string[], aal?: 2) => ({ amr, at: now - seconds, ...(aal && { aal }) })
          for (const [proofs, authentication] of [
            [[ago(90_000, ['pwd'])], { auth_time: now - 90_000, amr: ['pwd'], aal: 1 }],
            // Two methods are two factors only if a proof says so.
            [[ago(900, ['pwd']), ago(600, ['otp'])], { auth_time: now - 600, amr: ['pwd', 'otp'], aal: 1 }],
            [[ago(900, ['pwd']), ago(600, ['hwk'], 2)], { auth_time: now - 600, amr: ['pwd', 'hwk', 'mfa'], aal: 2 }],
            [[ago(600.9, [], 2)], { auth_time: now - 601, amr: [], aal: 2 }],
          ] as const) {
            const { visitor } = await run({ user: { id }, proofs }, config)
            expect((await visitor.ask('/api/auth/session')).body.authentication).to.deep.equal(authentication)
          }
          // The clock of the other service may be ahead.
          const { visitor } = await run({ user: { id }, proofs: [ago(-200, ['pwd'])] }, config)
          const { authentication } = (await visitor.ask('/api/auth/session')).body
          expect(authentication.auth_time).to.be.closeTo(Date.now() / 1000, 5)
        })

        it('rejects an id that no stored user has', async () => {
          const { answer, result } = await run({ user: { id: 'nobody' }, amr: [] }, stored(memoryAdapter()))
          expect([answer.status, result.type, answer.cookies]).to.deep.equal([500, 'AccountNotLinked', []])
        })

        it('creates a user for a verified email address, and finds them again', async () => {
          const adapter = memoryAdapter()
          const told: unknown[] = []
          const config = stored(adapter, {
            pages: { newUser: '/welcome' },
            events: {
              createUser: ({ user }) => void told.push(['createUser', user.email]),
              linkAccount: () => void told.push('linkAccount'),
              signIn: ({ account, isNewUser }) => void told.push(['signIn', account, isNewUser]),
            },
          })
          const user = { ...proved, email: ' Ann@Example.com ', name: 'Ann', image: 'javascript:alert(1)' }
          const { visitor, result } = await run({ user, amr: ['otp'], redirectTo: '/in' }, config)
          expect(result).to.have.property('isNewUser', true)
          expect(new URL(result.url).pathname).to.equal('/welcome')
          expect(await userOf(visitor)).to.include({ name: 'Ann', email: address })
          const made = await adapter.getUserByEmail(address)
          expect(made?.emailVerified).to.be.instanceOf(Date)
          expect(made?.image).to.equal(null)
          const again = await run({ user: proved, amr: ['otp'] }, config)
          expect(again.result).to.deep.include({ started: true, isNewUser: false })
          expect((again.result as { user: { id: string } }).user.id).to.equal(made?.id)
          expect(told).to.deep.equal([
            ['createUser', address],
            ['signIn', null, true],
            ['signIn', null, false],
          ])
        })

        it('creates one user for two simultaneous calls', async () => {
          const adapter = memoryAdapter()
          const door = await start((calls) => calls.startSession({ user: proved, amr: [] }), stored(adapter))
          const ids = await Promise.all(
            Array.from({ length: 5 }, async () => (await door.browser().ask('/do')).body.user.id),
          )
          expect(new Set(ids).size).to.equal(1)
        })

        it('never leads to a user who has not verified the address: they lose it (first proof)', async () => {
          const adapter = memoryAdapter()
          const claimant = await makeUser(adapter, null)
          const { visitor, result } = await run({ user: proved, amr: ['otp'] }, stored(adapter))
          expect(result).to.have.property('isNewUser', true)
          expect((result as { user: { id: string } }).user.id).to.not.equal(claimant.id)
          expect((await adapter.getUser(claimant.id))?.email).to.equal(null)
          expect(await userOf(visitor)).to.include({ email: address })
        })

        it('lets a signed-in user verify their own address from a page of the site, and from no other', async () => {
          for (const [site, keeps] of [
            ['same-origin', true],
            ['cross-site', false],
          ] as const) {
            const adapter = memoryAdapter()
            const claimant = await makeUser(adapter, null)
            const options: StartSessionOptions[] = [
              { user: { id: claimant.id }, amr: [] },
              { user: proved, amr: [] },
            ]
            const door = await start((calls) => calls.startSession(options.shift() ?? expectNever()), stored(adapter))
            const visitor = door.browser()
            await visitor.ask('/do', { method: 'POST', headers: { 'sec-fetch-site': site } })
            const { text: body } = await visitor.ask('/do', { method: 'POST', headers: { 'sec-fetch-site': site } })
            expect(JSON.parse(body).user.id === claimant.id, site).to.equal(keeps)
          }
        })

        it('calls the callback, and a rejection writes no cookie', async () => {
          const asked: SignInCallbackParams[] = []
          const config = stored(memoryAdapter(), {
            callbacks: {
              signIn: (params) => {
                asked.push(params)
                return false
              },
            },
          })
          const { answer, result } = await run({ user: proved, amr: ['otp'] }, config)
          expect([result.type, answer.cookies]).to.deep.equal(['AccessDenied', []])
          expect(asked.map(({ user, account }) => [user.email, account])).to.deep.equal([[address, null]])
          expect(await (config.adapter as MemoryAdapter).getUserByEmail(address)).to.equal(null)
        })

        it('follows a callback that returns a URL, and starts no session', async () => {
          const config = stored(memoryAdapter(), { callbacks: { signIn: () => '/wait' } })
          const { door, answer, result } = await run({ user: proved, amr: [] }, config)
          expect(result).to.deep.equal({ started: false, url: `${door.origin}/wait` })
          expect(sessionLines(answer)).to.deep.equal([])
        })

        it('ends the previous session, and gives the new one a new token (fixation)', async () => {
          const adapter = memoryAdapter()
          const { id } = await makeUser(adapter, new Date(), 'other@example.com')
          const door = await start((calls) => calls.startSession({ user: { id }, amr: [] }), stored(adapter))
          const visitor = door.browser()
          await visitor.signIn({ username: 'bob' })
          const [planted, token] = [visitor.cookies.get(sessionName), await visitor.csrf()]
          await visitor.ask('/do', { method: 'POST' })
          expect(visitor.cookies.get(sessionName)).to.be.a('string').and.not.equal(planted)
          expect(await visitor.csrf()).to.not.equal(token)
          const attacker = door.browser()
          attacker.cookies.set(sessionName, planted ?? '')
          const { text: body } = await attacker.ask('/api/auth/session')
          expect(body).to.not.include('Ann')
          if (strategy === 'database') expect(body).to.equal('null')
        })

        it('gives a session that the account functions know', async () => {
          const adapter = memoryAdapter()
          const { id } = await makeUser(adapter, new Date())
          const door = await start(async (calls) => {
            await calls.startSession({ user: { id }, amr: [] })
            return [(await calls.session())?.user?.name, (await calls.account())?.user.id]
          }, stored(adapter))
          const { text: body } = await door.browser().ask('/do', { method: 'POST' })
          expect(JSON.parse(body)).to.deep.equal(['Ann', id])
        })
      })
    }

    for (const kind of databaseKinds) {
      it(`creates one user for the calls of two processes, and takes the address from a user who has not verified it (${kind})`, async function () {
        const database = await requireDatabase(this, kind)
        try {
          await migrate(database.db)
          const adapter = sqlAdapter(database.db)
          const emailVerified = null
          const claimant = await adapter.createUser({
            id: crypto.randomUUID(),
            name: 'X',
            email: address,
            emailVerified,
          })
          const work: Work = (calls) => calls.startSession({ user: proved, amr: ['otp'] })
          // Two secrets: what the processes remember is not shared either.
          const both = [await start(work, { adapter }), await start(work, { adapter, secret: `another ${secret}` })]
          const answers = await Promise.all(both.map((door) => door.browser().ask('/do')))
          const users = answers.map(({ text: body }) => JSON.parse(body).user)
          expect(users[0].id).to.equal(users[1].id).and.not.equal(claimant.id)
          expect((await adapter.getUser(claimant.id))?.email || null).to.equal(null)
          expect(users[0].email).to.equal(address)
        } finally {
          await database.close()
        }
      })
    }

    it('redirects to no other site (open redirect)', async () => {
      for (const redirectTo of ['https://evil.test/', '//evil.test', '/\\evil.test']) {
        const { door, result } = await run({ user: { id: '7' }, amr: [], redirectTo })
        expect(new URL(result.url).origin, redirectTo).to.equal(door.origin)
      }
    })

    it('rejects invalid arguments, and sets no cookie', async () => {
      const cases: ReadonlyArray<readonly [unknown, string]> = [
        [undefined, 'InvalidConfiguration'],
        [{ amr: [] }, 'InvalidConfiguration'],
        [{ user: 'ann', amr: [] }, 'InvalidConfiguration'],
        [{ user: { id: '' }, amr: [] }, 'InvalidConfiguration'],
        [{ user: { id: 7 }, amr: [] }, 'InvalidConfiguration'],
        [{ user: { id: '7' } }, 'InvalidConfiguration'],
        [{ user: { id: '7' }, amr: 'otp' }, 'InvalidConfiguration'],
        [{ user: { id: '7' }, amr: ['one time password'] }, 'InvalidConfiguration'],
        [{ user: { id: '7' }, amr: Array(9).fill('otp') }, 'InvalidConfiguration'],
        [{ user: { id: '7' }, amr: [], maxage: 60 }, 'InvalidConfiguration'],
        ...wrongProofs().map((wrong) => [{ user: { id: '7' }, ...wrong }, 'InvalidConfiguration'] as const),
        [{ user: { email: address }, amr: [] }, 'InvalidConfiguration'],
        [{ user: { email: address, emailVerified: false }, amr: [] }, 'InvalidConfiguration'],
        // The row of a user who proved it once: that says nothing about who is here now.
        [{ user: { email: address, emailVerified: new Date() }, amr: [] }, 'InvalidConfiguration'],
        [{ user: { ...proved, email: 'ann@example.com, bob@example.com' }, amr: [] }, 'InvalidConfiguration'],
        [{ user: { ...proved, role: 'admin' }, amr: [] }, 'InvalidConfiguration'],
        [{ user: { ...proved, role: undefined }, amr: [] }, 'MissingAdapter'],
        [{ user: proved, amr: [] }, 'MissingAdapter'],
      ]
      for (const [options, type] of cases) {
        const { answer, result } = await run(options)
        expect([result.type, answer.cookies], JSON.stringify(options)).to.deep.equal([type, []])
      }
    })

    it('reports a failure, and throws it', async () => {
      const told: unknown[] = []
      const config: Partial<ServerAuthConfig> = {
        providers: [credentials()],
        callbacks: { jwt: () => Promise.reject(new Error('away')) },
        events: { failure: ({ type, action }) => void told.push([type, action]) },
      }
      const { answer, result } = await run({ user: { id: '7' }, amr: [] }, config)
      expect([result.type, answer.cookies]).to.deep.equal(['CallbackRouteError', []])
      expect(told).to.deep.equal([['CallbackRouteError', 'callback']])
    })
  })
}

/** Invalid proofs: too many, without a time, in the future, or beside the proof of this moment. */
function wrongProofs(): object[] {
  const now = Math.floor(Date.now() / 1000)
  const proof = { amr: ['pwd'], at: now }
  return [
    { proofs: [] },
    { proofs: proof },
    { proofs: Array(5).fill(proof) },
    { proofs: [proof], amr: [] },
    { proofs: [proof], aal: 2 },
    { proofs: [proof, undefined] },
    { proofs: [proof, 'otp'] },
    { proofs: [{ ...proof, method: 'totp' }] },
    { proofs: [{ ...proof, aal: 3 }] },
    { proofs: [{ ...proof, amr: undefined }] },
    { proofs: [{ ...proof, amr: ['a b'] }] },
    { proofs: Array(2).fill({ ...proof, amr: Array(5).fill('otp') }) },
    ...[undefined, null, -1, Number.NaN, Date.now(), new Date(), String(now), now + 400].map((at) => ({
      proofs: [{ ...proof, at }],
    })),
  ]
}

function expectNever(): never {
  throw new Error('called too often')
}
