/** Tests of `auth.users`, the functions of an admin page: at both doors, with both strategies. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { UserFunctions } from '../../lib/functions/users.js'
import Passkey from '../../lib/providers/passkey.js'
import type { AdapterUser } from '../../lib/types/adapter.js'
import initAuth, { withRequest } from '../../shim/index.js'
import {
  better,
  expectNobody,
  expectSignedIn,
  good,
  open,
  places,
  type Stage,
  send,
  startStage,
} from '../password/stage.js'
import type { Browser } from '../support/app.js'
import { rejectionOf } from '../support/rejection.js'

const email = 'ann@example.com'
const desk = 'desk@example.com'

/** A stored user. The outcome must be `ok`. */
function userOf(outcome: { ok: boolean; user?: AdapterUser; reason?: string }): AdapterUser {
  expect(outcome, JSON.stringify(outcome)).to.have.property('ok', true)
  if (!outcome.user) throw new Error('There is no user.')
  return outcome.user
}

for (const { name: place, door, start, strategy } of places) {
  describe(`users of an admin page (${place})`, () => {
    let stage: Stage
    let adapter: ReturnType<typeof memoryAdapter>
    /** A browser that is signed in as the support desk. */
    let support: Browser
    let supportId: string

    beforeEach(async () => {
      adapter = memoryAdapter()
      stage = await startStage({
        start,
        more: [Passkey({ relyingParty: { id: 'app.test', name: 'App', origin: 'https://app.test' } })],
        config: {
          adapter,
          session: { strategy, revocation: strategy === 'jwt' ? { list: true } : true },
          factors: [Totp(), RecoveryCodes()],
          experimental: { enableWebAuthn: true },
          events: Object.fromEntries(
            (
              ['createUser', 'updateUser', 'passwordLinkSent', 'sessionEnded', 'userDisabled', 'factorRemoved'] as const
            ).map((name) => [name, (message: object) => void stage.events.push([name, { ...message }])]),
          ),
        },
      })
      support = stage.browser()
      await stage.register(support, desk)
      supportId = (await adapter.getUserByEmail(desk))?.id ?? ''
      stage.events.length = 0
    })
    afterEach(() => stage.close())

    /** Calls functions in a request of the support desk, at the door. */
    const users: UserFunctions = new Proxy({} as UserFunctions, {
      get: (_, name: keyof UserFunctions) => async (argument: never) => {
        const headers = { host: new URL(stage.app.origin).host, cookie: support.cookieHeader() }
        if (door === 'Express') {
          const call = expressFunctions(stage.app.config).users[name] as (own: never, req: object) => Promise<unknown>
          return call(argument, { headers, protocol: 'http' })
        }
        const own = initAuth(stage.app.config).users[name] as (own: never) => Promise<unknown>
        let result: unknown
        await withRequest(new Request(`${stage.app.origin}/admin`, { headers }), async () => {
          result = await own(argument)
          return new Response()
        })
        return result
      },
    })

    const told = (event: string) => stage.events.flatMap(([name, message]) => (name === event ? [message] : []))

    /** A user with a password, in a browser of their own. */
    async function enter(address = email): Promise<{ browser: Browser; id: string }> {
      const browser = stage.browser()
      await stage.register(browser, address)
      await expectSignedIn(browser, address)
      stage.events.length = 0
      return { browser, id: (await adapter.getUserByEmail(address))?.id ?? '' }
    }

    /** Stores a second factor of the user. */
    async function enrol(userId: string): Promise<void> {
      const { factorsTable } = await import('../../lib/features/factors/description.js')
      const row = { name: null, data: 'x', createdAt: new Date(), usedAt: null, expiresAt: null }
      await adapter.store().records.write(factorsTable, { ...row, userId, id: 'app', type: 'totp' }, 0)
    }

    describe('create', () => {
      it('stores a user with the normalized address, and signs no user in', async () => {
        const user = userOf(await users.create({ email: '  ANN@Example.COM ', emailVerified: true, name: 'Ann' }))
        expect(user).to.include({ email, name: 'Ann', image: null })
        expect(user.emailVerified).to.be.an.instanceOf(Date)
        expect(await adapter.getUser(user.id)).to.deep.equal(user)
        expect(await adapter.listSessionsByUserId(user.id)).to.deep.equal([])
        expect((await users.get(user.id))?.sessions).to.deep.equal([])
        const [event] = told('createUser')
        expect(event).to.deep.include({ user, administered: true, by: supportId })
        expect(event).to.have.property('sid').that.is.a('string')
        const unverified = userOf(await users.create({ email: 'bob@example.com', emailVerified: false }))
        expect(unverified.emailVerified).to.equal(null)
        expect(userOf(await users.create({ email: null, emailVerified: false, name: 'Cid' })).email).to.equal(null)
      })

      it('rejects a taken address, verified or not, and text that is no address', async () => {
        await users.create({ email, emailVerified: false })
        for (const emailVerified of [true, false])
          expect(await users.create({ email: 'Ann@example.com', emailVerified })).to.deep.equal({
            ok: false,
            reason: 'taken',
          })
        for (const wrong of ['', 'ann', 'a@b', 'ann@example.com, eve@example.com', 'ann@example.com\nbcc: x@y.zz'])
          expect(await users.create({ email: wrong, emailVerified: false })).to.deep.equal({
            ok: false,
            reason: 'email',
          })
        expect(await users.create({ email: null, emailVerified: true })).to.deep.equal({ ok: false, reason: 'email' })
        expect(told('createUser')).to.have.length(1)
      })

      it('creates one user of twenty calls at once', async () => {
        const made = await Promise.all(Array.from({ length: 20 }, () => users.create({ email, emailVerified: true })))
        expect(made.filter(({ ok }) => ok)).to.have.length(1)
        expect(made.filter(({ ok }) => !ok)).to.have.length(19)
      })

      it('rejects values of another type, and an id', async () => {
        const create = (user: object) => rejectionOf(users.create(user as never))
        expect((await create({ email })).message).to.include('`emailVerified`')
        expect((await create({ email, emailVerified: 'true' })).message).to.include('`emailVerified`')
        expect((await create({ email: ['a@b.cc'], emailVerified: true })).message).to.include('`email`')
        expect((await create({ email, emailVerified: true, name: 5 })).message).to.include('`name`')
        expect((await create({ email, emailVerified: true, id: 'x' })).message).to.include('`id`')
        expect(await adapter.getUserByEmail(email)).to.equal(null)
      })
    })

    describe('update', () => {
      it('changes name, picture and own columns', async () => {
        const { id } = await enter()
        const before = await adapter.getUser(id)
        const change = { userId: id, name: 'Ann B.', image: 'https://img.test/a.png', plan: 'gold' }
        const user = userOf(await users.update(change as never))
        expect(user).to.deep.equal({ ...before, name: 'Ann B.', image: 'https://img.test/a.png', plan: 'gold' })
        expect(told('updateUser')).to.deep.include.members([
          { ...told('updateUser')[0], user, administered: true, by: supportId },
        ])
        expect(told('updateUser')[0]).to.not.have.property('previousEmail')
        expect(userOf(await users.update({ userId: id, name: undefined })).name).to.equal('Ann B.')
        expect(told('updateUser'), 'nothing has changed').to.have.length(1)
      })

      it('stores another address as unverified, and notifies the old one', async () => {
        const { browser, id } = await enter()
        const user = userOf(await users.update({ userId: id, email: 'New@Example.com' }))
        expect(user).to.include({ email: 'new@example.com', emailVerified: null })
        expect(told('updateUser')[0]).to.deep.include({ previousEmail: email, administered: true, by: supportId })
        const notice = await stage.mail(email, 'notice')
        expect(JSON.stringify(notice.mail)).to.not.include('new@example.com')
        if (strategy === 'database') await expectSignedIn(browser, 'new@example.com')
        else expect(await browser.session(), 'sessions continue').to.not.equal(null)
        const again = stage.browser()
        await stage.signIn(again, 'new@example.com')
        await expectNobody(again)
        await send(again, await open(again, await stage.link('new@example.com', 'reset-password')), {
          password: better,
        })
        await expectSignedIn(again, 'new@example.com')
      })

      it('verifies an address if it is said', async () => {
        const { id } = await enter()
        const moved = userOf(await users.update({ userId: id, email: 'new@example.com', emailVerified: true }))
        expect(moved.emailVerified).to.be.an.instanceOf(Date)
        const browser = stage.browser()
        await stage.signIn(browser, 'new@example.com')
        await expectSignedIn(browser, 'new@example.com')
        expect(userOf(await users.update({ userId: id, email: 'NEW@example.com' })).emailVerified).to.deep.equal(
          moved.emailVerified,
        )
        expect(userOf(await users.update({ userId: id, emailVerified: false })).emailVerified).to.equal(null)
        expect(userOf(await users.update({ userId: id, emailVerified: true })).emailVerified).to.be.an.instanceOf(Date)
        expect(userOf(await users.update({ userId: id, email: null })).email).to.equal(null)
        expect(await users.update({ userId: id, emailVerified: true })).to.deep.equal({ ok: false, reason: 'email' })
      })

      for (const [what, add] of [
        [
          'an account',
          (userId: string) => adapter.linkAccount?.({ userId, provider: 'test', providerAccountId: '7', type: 'oidc' }),
        ],
        ['a second factor', enrol],
      ] as const) {
        it(`LK-02 verifies no typed address of a user with ${what}, which an attacker may have added`, async () => {
          const { id } = userOf(await users.create({ email, emailVerified: false }))
          await add(id)
          const before = await adapter.getUser(id)
          stage.events.length = 0
          for (const own of [undefined, false]) {
            for (const change of [{}, { email: 'victim@example.com' }, { name: 'Changed' }]) {
              const asked = { userId: id, emailVerified: true, keepSignInMethods: own, ...change }
              expect(await users.update(asked)).to.deep.equal({ ok: false, reason: 'methods' })
            }
          }
          expect(await adapter.getUser(id)).to.deep.equal(before)
          expect(stage.events).to.deep.equal([])
          const kept = userOf(await users.update({ userId: id, emailVerified: true, keepSignInMethods: true }))
          expect(kept.emailVerified).to.be.an.instanceOf(Date)
          // A verified email address proves that the methods are the owner's.
          userOf(await users.update({ userId: id, email: 'new@example.com', emailVerified: true }))
        })
      }

      it('rejects a `keepSignInMethods` that is not a boolean', async () => {
        const { id } = userOf(await users.create({ email, emailVerified: false }))
        const wrong = { userId: id, emailVerified: true, keepSignInMethods: 'yes' as unknown as boolean }
        expect((await rejectionOf(users.update(wrong))).message).to.include('`keepSignInMethods`')
      })

      it('ends links that were sent to the old address', async () => {
        const { browser, id } = await enter()
        await stage.settle()
        await browser.submit('/auth/password/forgot', { email })
        const reset = await stage.link(email, 'reset-password')
        await users.update({ userId: id, email: 'new@example.com', emailVerified: true })
        const opened = await stage.browser().get(reset)
        const page = opened.status === 302 ? await browser.get(String(opened.headers.location)) : opened
        expect(page.status, page.text).to.equal(403)
      })

      it('rejects an address of another user, an unknown user, and text that is no address', async () => {
        const { id } = await enter()
        await users.create({ email: 'bob@example.com', emailVerified: false })
        for (const emailVerified of [true, false, undefined]) {
          const outcome = await users.update({ userId: id, email: 'Bob@example.com', emailVerified, name: 'Changed' })
          expect(outcome).to.deep.equal({ ok: false, reason: 'taken' })
        }
        expect(await users.update({ userId: id, email: 'nothing', name: 'Changed' })).to.deep.equal({
          ok: false,
          reason: 'email',
        })
        expect(await users.update({ userId: 'nobody', name: 'x' })).to.deep.equal({ ok: false, reason: 'unknown' })
        expect((await adapter.getUser(id))?.name ?? null).to.equal(null)
        expect((await rejectionOf(users.update({ name: 'x' } as never))).message).to.include('`userId`')
      })

      it('gives an address to one of two users who get it at once', async () => {
        const [one, two] = [await enter(), await enter('bob@example.com')]
        const moved = await Promise.all(
          [one, two].map(({ id }) => users.update({ userId: id, email: 'new@example.com', emailVerified: true })),
        )
        expect(moved.map(({ ok }) => ok).sort()).to.deep.equal([false, true])
      })
    })

    describe('get', () => {
      it('returns what a support desk needs, and no secret', async () => {
        const { id } = await enter()
        await adapter.linkAccount({
          ...{ userId: id, provider: 'github', providerAccountId: '42', type: 'oauth' },
          ...{ access_token: 'secret-access', refresh_token: 'secret-refresh', id_token: 'secret-id' },
        })
        await adapter.createAuthenticator({
          ...{
            userId: id,
            providerAccountId: 'h',
            credentialID: 'Q0k=',
            credentialPublicKey: 'secret-key',
            counter: 7,
          },
          ...{ credentialBackedUp: true, credentialDeviceType: 'multiDevice', name: 'Phone', createdAt: new Date(5) },
        })
        const found = await users.get(id)
        expect(found?.user).to.deep.equal(await adapter.getUser(id))
        expect(found).to.include({ disabled: false })
        expect(
          found?.accounts.map(({ provider, providerAccountId }) => [provider, providerAccountId]),
        ).to.deep.include.members([
          ['password', id],
          ['github', '42'],
        ])
        expect(found?.passkeys).to.deep.include.members([
          { ...found?.passkeys[0], id: 'Q0k=', name: 'Phone', createdAt: new Date(5), lastUsedAt: null },
        ])
        expect(found?.factors).to.deep.equal([])
        expect(found?.sessions).to.have.length(1)
        expect(found?.sessions[0]).to.not.have.property('current')
        expect(found?.password?.changedAt).to.be.an.instanceOf(Date)
        expect(found?.lastSignIn).to.deep.equal(found?.sessions[0]?.beganAt).and.be.an.instanceOf(Date)
        const text = JSON.stringify(found)
        for (const secret of ['secret-', '$quick$', 'h1_']) expect(text).to.not.include(secret)
      })

      it('returns null for anything that is no id of a user', async () => {
        for (const id of ['', 'nobody', 'x'.repeat(5000), 'a\0b', '\uD800', '__proto__', undefined, null, 5, ['a'], {}])
          expect(await users.get(id as never)).to.equal(null)
      })
    })

    describe('disable, endSessions and resetFactors', () => {
      it('disables, shows it in the list, and enables', async () => {
        const { browser, id } = await enter()
        await users.disable(id)
        await expectNobody(browser)
        expect((await users.get(id))?.disabled).to.equal(true)
        const { users: listed } = await users.list()
        expect(listed.map(({ user, disabled }) => [user.email, disabled])).to.deep.equal([
          [email, true],
          [desk, false],
        ])
        await users.enable(id)
        expect((await users.list({ search: 'ann' })).users.map(({ disabled }) => disabled)).to.deep.equal([false])
        expect(told('userDisabled')[0]).to.include({ by: supportId })
      })

      it('ends all sessions, and says who did it', async () => {
        const { browser, id } = await enter()
        await users.endSessions(id)
        await expectNobody(browser)
        await expectSignedIn(support, desk)
        expect(told('sessionEnded')[0]).to.include({ userId: id, reason: 'endSessionsOf', by: supportId })
      })

      it('removes second factors with remembered browsers, and says who did it', async () => {
        const { browser, id } = await enter()
        const row = { name: null, data: 'x', createdAt: new Date(), usedAt: null, expiresAt: null }
        const { records } = adapter.store()
        const { factorsTable } = await import('../../lib/features/factors/description.js')
        for (const [factor, type] of [
          ['app', 'totp'],
          ['device:x', 'device'],
        ] as const)
          await records.write(factorsTable, { ...row, userId: id, id: factor, type }, 0)
        await users.resetFactors(id)
        expect(await records.list(factorsTable, id)).to.deep.equal([])
        await expectNobody(browser)
        expect(told('factorRemoved')).to.have.length(1)
        expect(told('factorRemoved')[0]).to.include({ userId: id, reason: 'reset', by: supportId })
      })
    })

    describe('sendPasswordLink', () => {
      it('sends the link of a forgotten password, and reveals it to no one', async () => {
        const { id } = await enter()
        expect(await users.sendPasswordLink(id)).to.deep.equal({ ok: true })
        const [event] = told('passwordLinkSent')
        expect(event).to.include({ userId: id, by: supportId })
        expect(JSON.stringify(stage.events)).to.not.include('token')
        const browser = stage.browser()
        await send(browser, await open(browser, await stage.link(email, 'reset-password')), { password: better })
        await expectSignedIn(browser, email)
      })

      it('invites a user that was created, whose address is verified by the link', async () => {
        const { id } = userOf(await users.create({ email, emailVerified: false }))
        await users.sendPasswordLink(id)
        const browser = stage.browser()
        await send(browser, await open(browser, await stage.link(email, 'reset-password')), { password: good })
        await expectSignedIn(browser, email)
        expect((await adapter.getUser(id))?.emailVerified).to.be.an.instanceOf(Date)
      })

      it('is limited, and needs a user with an address', async () => {
        const { id } = userOf(await users.create({ email, emailVerified: true }))
        const outcomes = []
        for (let count = 0; count < 6; count += 1) outcomes.push(await users.sendPasswordLink(id))
        expect(outcomes.at(-1)).to.deep.equal({ ok: false, reason: 'limited' })
        expect(outcomes.slice(0, 5)).to.deep.equal(Array.from({ length: 5 }, () => ({ ok: true })))
        expect(told('passwordLinkSent')).to.have.length(5)
        expect(await users.sendPasswordLink('nobody')).to.deep.equal({ ok: false, reason: 'unknown' })
        const nameless = userOf(await users.create({ email: null, emailVerified: false }))
        expect(await users.sendPasswordLink(nameless.id)).to.deep.equal({ ok: false, reason: 'email' })
      })
    })
  })
}
