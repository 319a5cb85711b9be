/**
 * Second factors of users whom an `authorize` returned, and who have no stored record: the id may be that of a stored
 * user, who is another user. And no sign-in skips a factor because the factor is stored under an older name.
 */

import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { sealPersistent, unsealPersistent } from '../../lib/crypto/seal.js'
import { EmailCode, RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import { unstoredUserKey } from '../../lib/features/factors/store.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { decode, encode } from '../../lib/jwt.js'
import type { User } from '../../lib/types/identity.js'
import { credentials } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { type FactorRecords, factorsIn } from '../support/stores.js'
import {
  base,
  doors,
  type FactorStage,
  type FactorStageConfig,
  mailProvider,
  openFactorStage,
  type Person,
  stopClock,
  whereTo,
} from './stage.js'

const ownersAddress = 'owner@example.com'
const key = unstoredUserKey({ provider: 'credentials', providerAccountId: '1' })

for (const [name, open] of Object.entries(doors)) {
  describe(`second factors of users without a stored record (${name})`, () => {
    let stage: FactorStage
    let store: FactorRecords
    let returned: User
    let isDown = false
    beforeEach(() => {
      stopClock()
      returned = { id: '1', name: 'Cred', email: 'cred@example.com' }
    })
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    async function start(more: FactorStageConfig = {}) {
      const mails: Parameters<typeof mailProvider>[0] = []
      const adapter = memoryAdapter()
      store = factorsIn(adapter.store())
      const authorize = () => ({ ...returned })
      stage = await openFactorStage(open, {
        session: { strategy: 'jwt', revocation: true },
        adapter: {
          ...adapter,
          getUser(id) {
            if (isDown) throw new Error('invalid input syntax for type integer')
            return adapter.getUser(id)
          },
        },
        providers: [credentials({ authorize }), mailProvider(mails)],
        ...more,
      })
      await adapter.createUser({ id: '1', email: ownersAddress, emailVerified: new Date() })
      return mails
    }

    /** Signs in the stored user with the id 1 by a call of the application. */
    async function signInStored(person: Person = stage.stranger()) {
      const { text: body } = await person.ask('/own-sign-in?user=1')
      return { person, ...(JSON.parse(body) as { started: boolean; url?: string }) }
    }

    async function signInUnstored(person: Person = stage.stranger()) {
      return { person, to: whereTo(await person.signIn({ username: '1' })) }
    }

    const secrets = (): [string] => [String(stage.config.secret)]
    const typesUnder = async (userId: string) => (await store.list(userId)).map(({ type }) => type).sort()

    it('MF-19 a user without a record does not lock out a stored user of the same id, and has a factor of their own', async () => {
      await start()
      const { person } = await signInUnstored()
      expect((await person.addApp()).status).to.equal(200)
      expect(await typesUnder('1')).to.deep.equal([])
      expect(await typesUnder(key)).to.deep.equal(['recovery', 'totp'])
      expect((await signInStored()).started).to.equal(true)
      advanceClock(30)
      const again = await signInUnstored(person.elsewhere())
      expect(again.to).to.include('/two-factor')
      expect(whereTo(await again.person.answer('totp', { code: again.person.code() }))).to.not.include('error')
      expect(await again.person.session()).to.have.nested.property('user.email', 'cred@example.com')
      expect(
        stage.changes.map(({ userId }) => userId),
        'events tell the id',
      ).to.deep.equal(['1', '1'])
    })

    it('MF-19 a stored user does not lock out a user without a record, whose session shows and changes no factor of the stored user', async () => {
      await start()
      const { person: owner } = await signInStored()
      expect((await owner.addApp()).status).to.equal(200)
      const { person, to } = await signInUnstored()
      expect(to).to.equal('/')
      const page = await person.ask(`${base}/two-factor?setup`)
      expect(page.status).to.equal(200)
      expect(page.text).to.not.include('My phone')
      const [row] = await store.list('1')
      await person.answer('totp', { intent: 'remove', id: row?.id ?? '' })
      expect(await typesUnder('1')).to.deep.equal(['recovery', 'totp'])
    })

    it('MF-19 no code is sent to the address of the stored user, and none of their passkeys counts', async () => {
      const mails = await start({ factors: [Totp(), EmailCode(), RecoveryCodes()] })
      const { person } = await signInUnstored()
      await person.answer('email', { intent: 'setup-send' })
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(mails).to.deep.equal([])
      expect(await typesUnder('1')).to.deep.equal([])
    })

    it('MF-19 wrong codes of one are not counted for the other', async () => {
      await start({ rateLimit: {} })
      const { person: owner } = await signInStored()
      await owner.addApp()
      const { person } = await signInUnstored()
      await person.addApp()
      advanceClock(30)
      for (let count = 0; count < 6; count += 1) {
        const other = (await signInUnstored(person.elsewhere())).person
        await other.answer('totp', { code: '000000' })
      }
      const { person: again } = await signInStored(owner.elsewhere())
      expect(whereTo(await again.answer('totp', { code: again.code() }))).to.not.include('error')
      expect(await again.session()).to.have.nested.property('user.email', ownersAddress)
    })

    it('MF-19 a user whom `authorize` returns with the address of the stored user is that user: the factor is asked for', async () => {
      await start()
      returned = { id: '1', name: 'Owner', email: ownersAddress.toUpperCase() }
      const { person: owner } = await signInStored()
      await owner.addApp()
      advanceClock(30)
      const { person, to } = await signInUnstored(owner.elsewhere())
      expect(to).to.include('/two-factor')
      await person.answer('totp', { code: person.code() })
      expect(await person.session()).to.have.nested.property('user.email')
    })

    for (const [what, make] of [
      ['without an address', () => ({ id: '1', name: 'Cred' })],
      ['while the database does not answer', () => ({ id: '1', name: 'Cred', email: 'cred@example.com' })],
    ] as const) {
      it(`MF-19 ${what} the user cannot be determined: the factor is asked for all the same`, async () => {
        await start()
        const { person: owner } = await signInStored()
        await owner.addApp()
        advanceClock(30)
        returned = make()
        isDown = what.startsWith('while')
        const { person, to } = await signInUnstored(owner.elsewhere())
        isDown = false
        expect(to).to.include('/two-factor')
        expect(await person.session()).to.equal(null)
        await person.answer('totp', { code: person.code() })
        expect(await person.session()).to.have.nested.property('user.name', 'Cred')
      })
    }

    /** Writes a factor as an earlier version did, before names were separate: under the id, and without a mark. */
    async function writeOlder(data?: string) {
      const row = { userId: '1', id: 'totp:old', type: 'totp', name: 'Old phone' }
      const sealed = data ?? (await sealPersistent('factor', { key: 'unknown', of: ['1', row.id] }, secrets()))
      await store.write({ ...row, data: sealed, createdAt: new Date(), usedAt: null, expiresAt: null }, 0)
    }

    it('MF-20 a factor from before names were separate is still asked for, by both, and none is lost', async () => {
      await start()
      await writeOlder()
      const { to } = await signInUnstored()
      expect(to).to.include('/two-factor')
      expect(await typesUnder(key)).to.include.members(['moved', 'totp'])
      expect(await typesUnder('1')).to.deep.equal(['totp'])
      expect((await signInStored()).started).to.equal(false)
    })

    it('MF-20 the same for one that cannot be opened', async () => {
      await start()
      await writeOlder('what nobody can open')
      expect((await signInUnstored()).to).to.include('/two-factor')
    })

    it('MF-20 a real factor of the earlier version keeps its key, its name and its codes', async () => {
      await start()
      const { person } = await signInUnstored()
      await person.addApp()
      // As the version before kept them.
      for (const row of await store.list(key)) {
        const payload = await unsealPersistent('factor', row.data, secrets())
        const data = await sealPersistent('factor', { ...payload, of: ['1', row.id] }, secrets())
        await store.write({ ...row, userId: '1', data }, 0)
      }
      await store.remove(key)
      advanceClock(30)
      const again = await signInUnstored(person.elsewhere())
      expect(again.to).to.include('/two-factor')
      await again.person.answer('totp', { code: again.person.code() })
      expect(await again.person.session()).to.have.nested.property('user.email', 'cred@example.com')
      const byCode = await signInUnstored(person.elsewhere())
      await byCode.person.answer('recovery', { code: person.codes[0] ?? '' })
      expect(await byCode.person.session()).to.have.nested.property('user.email', 'cred@example.com')
    })

    it('MF-20 a session of the earlier version has no access to the factors of the stored user', async () => {
      await start()
      const { person: owner } = await signInStored()
      await owner.addApp()
      const { person } = await signInUnstored()
      const salt = 'auth.session-token'
      const [secret] = secrets()
      const { auth_subject: subject, ...claims } = {
        ...(await decode({ token: person.cookies.get(salt), secret, salt })),
      }
      expect(subject).to.equal(key)
      person.cookies.set(salt, await encode({ token: { ...claims, auth_tokens: '1' }, secret, salt }))
      expect(await person.session()).to.have.nested.property('user.email', 'cred@example.com')
      expect(whereTo(await person.ask(`${base}/two-factor?setup`)), 'asks them to sign in').to.include('/signin')
    })

    it('MF-20 removed and reset factors do not come back', async () => {
      await start()
      await writeOlder()
      await signInUnstored()
      await expressFunctions(stage.config).factors.reset({ provider: 'credentials', providerAccountId: '1' })
      expect(await typesUnder('1'), 'those of the stored user stay').to.deep.equal(['totp'])
      expect((await signInUnstored()).to).to.equal('/')
      await expressFunctions(stage.config).factors.reset('1')
      expect(await typesUnder('1')).to.deep.equal([])
    })

    it('MF-20 an id that no stored user has resets all users with that id', async () => {
      await start()
      returned = { id: '7', name: 'Seven' }
      const { person } = await signInUnstored()
      await person.addApp()
      const own = unstoredUserKey({ provider: 'credentials', providerAccountId: '7' })
      expect(await typesUnder(own)).to.include('totp')
      await expressFunctions(stage.config).factors.reset('7')
      expect(await typesUnder(own)).to.not.include('totp')
    })

    it('MF-19 remembered browsers and pending sign-ins of both are forgotten when the sessions of the id end', async () => {
      await start({ factors: { remember: { days: 30 } } })
      const { person } = await signInUnstored()
      await person.addApp()
      advanceClock(30)
      const other = (await signInUnstored(person.elsewhere())).person
      await other.answer('totp', { code: other.code(), rememberDevice: '1' })
      await signInUnstored(person.elsewhere())
      expect(await typesUnder(key)).to.include.members(['device', 'held'])
      await expressFunctions(stage.config).sessions.endAll('1')
      expect(await typesUnder(key))
        .to.not.include('device')
        .and.not.include('held')
    })

    it('MF-19 without an adapter: two providers whose ids are equal, and a sign-in by the application', async () => {
      const memory = memoryStore()
      store = factorsIn(memory)
      const authorize = () => ({ ...returned })
      const second = credentials({ id: 'second', authorize })
      stage = await openFactorStage(open, {
        adapter: undefined as never,
        session: { strategy: 'jwt', revocation: undefined as never },
        providers: [credentials({ authorize }), second],
        factors: { methods: [Totp(), RecoveryCodes()], store: memory },
      })
      const { person } = await signInUnstored()
      await person.addApp()
      const other = stage.stranger()
      const answer = await other.ask(`${base}/callback/second`, {
        form: { csrfToken: true, username: 'x', password: 'y' },
      })
      expect(whereTo(answer), 'the other provider’s user').to.equal('/')
      const own = await stage.stranger().ask('/own-sign-in?user=1')
      expect(own.body, 'whoever the application means, a factor is asked for').to.include({
        started: false,
      })
    })
  })
}
