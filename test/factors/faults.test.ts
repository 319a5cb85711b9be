/**
 * A store of second factors that is unavailable, slow or returns nonsense signs no user in. The same holds for a lost
 * secret.
 */

import { expect } from 'chai'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import type { RecordStore } from '../../lib/types/store.js'
import { restoreClock } from '../support/clock.js'
import { factorsIn } from '../support/stores.js'
import {
  base,
  doors,
  enrolled,
  type FactorStage,
  fieldIn,
  keyIn,
  openFactorStage,
  stopClock,
  strategies,
  waiting,
  whereTo,
} from './stage.js'

type Method = 'list' | 'write' | 'remove'

/** Creates a store whose methods a test replaces by faults. */
function brokenStore() {
  const { records } = memoryStore()
  const faults = new Map<Method, (...args: readonly unknown[]) => unknown>()
  const through =
    (method: Method) =>
    (table: unknown, ...args: readonly unknown[]): unknown => {
      const fault = faults.get(method)
      return fault ? fault(...args) : Reflect.apply(records[method], records, [table, ...args])
    }
  const broken = { list: through('list'), write: through('write'), remove: through('remove') }
  return {
    real: factorsIn({ records }),
    faults,
    store: { records: { ...records, ...broken } as unknown as RecordStore },
  }
}

const ways: Record<string, () => unknown> = {
  throws: () => {
    throw new Error('the table is gone')
  },
  rejects: () => Promise.reject(new Error('the table is gone')),
  'says nothing': () => undefined,
  'says null': () => null,
  'says an object': () => ({}),
  'says a text': () => 'yes',
  hangs: () => new Promise(() => {}),
}

/** The nonsense results of single methods. */
const nonsense: Record<Method, Record<string, () => unknown>> = {
  list: {
    'lists nothing that is a factor': () => [null],
    'lists rows without a version': () => [
      { userId: 'x', id: 'y', type: 'totp', data: '', createdAt: new Date(), expiresAt: null },
    ],
  },
  write: { 'says 1': () => 1 },
  remove: { 'says true': () => true, 'says -1': () => -1, 'says NaN': () => Number.NaN, 'says 0.5': () => 0.5 },
}

for (const [name, open] of Object.entries(doors)) {
  describe(`a store of second factors that fails, ${name}`, () => {
    let stage: FactorStage
    let broken: ReturnType<typeof brokenStore>
    beforeEach(async () => {
      stopClock()
      broken = brokenStore()
      stage = await openFactorStage(open, { factors: { store: broken.store }, timeout: 0.06 })
    })
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    for (const method of ['list', 'write', 'remove'] as const) {
      for (const [what, fault] of Object.entries({ ...ways, ...nonsense[method] })) {
        it(`DOS-12: \`${method}\` ${what}: no user is signed in, and nothing is lost`, async () => {
          const ann = await enrolled(stage)
          const rows = await broken.real.list(ann.userId)
          const signIns = stage.signIns.length
          broken.faults.set(method, fault)
          if (method !== 'remove') {
            // The first factor.
            const first = ann.elsewhere()
            const answer = await first.ask(`/own-sign-in?user=${ann.userId}`)
            expect(answer.status, answer.text).to.equal(500)
            expect(await first.session()).to.equal(null)
            expect(await broken.real.list(ann.userId)).to.deep.equal(rows)
          }
          broken.faults.clear()
          const held = await waiting(ann)
          broken.faults.set(method, fault)
          const answer = await held.answer('totp', { code: ann.code() })
          expect(`${answer.status} ${whereTo(answer)}`).to.match(/^503|error=AdapterError|error=Configuration/)
          expect(await held.session()).to.equal(null)
          expect(stage.signIns).to.have.length(signIns)
          broken.faults.clear()
          const left = (await broken.real.list(ann.userId)).filter(({ type }) => type === 'totp' || type === 'recovery')
          expect(left.map(({ id }) => id)).to.deep.equal(rows.map(({ id }) => id))
          // The sign-in continues when the store is back.
          const again = await waiting(ann)
          expect(whereTo(await again.answer('recovery', { code: ann.codes[0] ?? '' }))).to.equal('/')
        })
      }
    }

    it('DOS-12: rows of another user, or of none, are not used for the user', async () => {
      const ann = await enrolled(stage)
      const bob = await enrolled(stage, 'bob@example.com')
      const ofBob = await broken.real.list(bob.userId)
      broken.faults.set('list', async (userId) => [...(await broken.real.list(String(userId))), ...ofBob])
      const held = await waiting(ann)
      expect(whereTo(await held.answer('totp', { code: bob.code() }))).to.match(/error=InvalidCode/)
      expect(await held.session()).to.equal(null)
    })
  })
}

for (const strategy of strategies) {
  describe(`secrets of second factors, ${strategy}`, () => {
    const [old, fresh] = ['an-old-secret-of-more-than-32-characters', 'a-fresh-secret-of-more-than-32-characters']
    const running: FactorStage[] = []
    beforeEach(stopClock)
    afterEach(async () => {
      restoreClock()
      await Promise.all(running.splice(0).map((stage) => stage.close()))
    })

    async function start(secret: string | string[], before?: FactorStage): Promise<FactorStage> {
      const more = before ? { adapter: before.adapter } : {}
      const stage = await openFactorStage(doors.express, { secret, session: { strategy }, ...more })
      running.push(stage)
      return stage
    }

    it('CS-15: an old one that is second in the list opens stored values, until they are written again', async () => {
      const first = await start(old)
      const ann = await enrolled(first)
      const rotated = await start([fresh, old], first)
      for (const [factor, code] of [
        ['totp', ann.code()],
        ['recovery', ann.codes[3] ?? ''],
      ] as const) {
        const other = rotated.stranger()
        await other.ask(`/own-sign-in?user=${ann.userId}`)
        expect(whereTo(await other.answer(factor, { code })), factor).to.equal('/')
        expect(await other.session()).to.have.nested.property('assurance.aal', 2)
      }
      expect(rotated.door.log.warnings).to.deep.equal([])
    })

    it('CS-15: one that is gone signs no user in, and the log has the remedy', async () => {
      const first = await start(old)
      const ann = await enrolled(first)
      const later = await start(fresh, first)
      const other = later.stranger()
      await other.ask(`/own-sign-in?user=${ann.userId}`)
      expect(await other.session()).to.equal(null)
      for (const [factor, code] of [
        ['totp', ann.code()],
        ['recovery', ann.codes[3] ?? ''],
      ] as const) {
        expect(whereTo(await other.answer(factor, { code })), factor).to.match(/error=InvalidCode/)
      }
      expect(await other.session()).to.equal(null)
      expect(later.door.log.warnings.map(({ code }) => code)).to.include('factor-unreadable')
      expect(JSON.stringify(later.door.log.warnings)).to.include('auth.factors.reset').and.not.include(old)
    })
  })
}

describe('second factors where no user is stored', () => {
  let stage: FactorStage
  beforeEach(stopClock)
  afterEach(async () => {
    restoreClock()
    await stage.close()
  })

  it('MF-02: a password alone does not sign in a user with an app', async () => {
    const { credentials } = await import('../support/app.js')
    const { RecoveryCodes, Totp } = await import('../../lib/features/factors/index-kinds.js')
    stage = await openFactorStage(doors.express, {
      adapter: undefined,
      providers: [credentials()],
      factors: { methods: [Totp(), RecoveryCodes()], store: memoryStore() },
    })
    const ann = stage.stranger()
    await ann.signIn({ username: 'ann' })
    const page = await ann.ask(`${base}/two-factor/totp?setup`)
    ann.key = keyIn(page.text)
    const added = await ann.answer('totp', { intent: 'setup', setup: fieldIn(page.text, 'setup'), code: ann.code() })
    expect(added.status, added.text).to.equal(200)
    expect(await ann.session()).to.have.nested.property('assurance.aal', 2)
    const other = ann.elsewhere()
    expect(whereTo(await other.signIn({ username: 'ann' }))).to.match(/two-factor/)
    expect(await other.session()).to.equal(null)
    expect(whereTo(await other.answer('totp', { code: ann.code(1) }))).to.equal('/')
    expect(await other.session()).to.have.nested.property('assurance.aal', 2)
    const bob = stage.stranger()
    await bob.signIn({ username: 'bob' })
    expect(await bob.session()).to.have.nested.property('assurance.aal', 1)
  })
})
