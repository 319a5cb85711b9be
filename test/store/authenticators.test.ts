/** Passkeys as databases return them: in one shape, or a fault, and exactly the one that was asked for. */
import { expect } from 'chai'
import { siteMemory } from '../../lib/base/memory.js'
import type { AdapterStore } from '../../lib/contracts/index.js'
import { AdapterError } from '../../lib/errors.js'
import { createGuardedStore } from '../../lib/store/index.js'
import type { Adapter, AdapterAuthenticator } from '../../lib/types/adapter.js'
import { createLog } from '../support/app.js'
import { rejectionOf } from '../support/rejection.js'

const row = {
  userId: 'u1',
  providerAccountId: 'handle',
  credentialID: 'YWJj',
  credentialPublicKey: 'a2V5',
  counter: 0,
  credentialBackedUp: false,
  credentialDeviceType: 'singleDevice',
  transports: 'usb',
}

function storeOf(adapter: Record<string, unknown>): AdapterStore {
  return createGuardedStore(adapter as Adapter, {
    logger: createLog().logger,
    timeout: 1000,
    memory: siteMemory('test'),
  })
}

const read = (value: unknown) => storeOf({ getAuthenticator: () => value }).getAuthenticator('YWJj')
const list = (...values: unknown[]) =>
  storeOf({ listAuthenticatorsByUserId: () => values })
    .listAuthenticators('u1')
    .then(([first]) => first)

for (const [method, act] of [
  ['getAuthenticator', read],
  ['listAuthenticators', list],
] as const) {
  describe(`store.${method}()`, () => {
    const part = async (changes: object, field: keyof AdapterAuthenticator) =>
      (await act({ ...row, ...changes }))?.[field]

    it('fills in what the database has no column for', async () => {
      expect(await act(row)).to.deep.equal({ ...row, name: null, createdAt: null, lastUsedAt: null })
    })

    it('keeps further columns', async () => {
      expect(await act({ ...row, id: 7, note: 'x' })).to.include({ id: 7, note: 'x' })
    })

    it('counts, however the driver writes a number', async () => {
      for (const counter of [4_294_967_295, 4_294_967_295n, '4294967295']) {
        expect(await part({ counter }, 'counter')).to.equal(4_294_967_295)
      }
      for (const counter of [undefined, null, '', 'many', -1, '-1', 1.5, Number.NaN, 2 ** 60, {}, [1, 2]]) {
        const error = await rejectionOf(act({ ...row, counter }))
        expect(error, String(counter)).to.be.instanceOf(AdapterError)
      }
    })

    it('understands a truth, and takes nothing else for one', async () => {
      for (const yes of [true, 1, 1n, '1', 't', 'true']) {
        expect(await part({ credentialBackedUp: yes }, 'credentialBackedUp'), String(yes)).to.equal(true)
      }
      for (const no of [false, 0, 0n, '0', 'f', 'false', '', null, undefined, 'yes', {}, 2]) {
        expect(await part({ credentialBackedUp: no }, 'credentialBackedUp'), String(no)).to.equal(false)
      }
    })

    it('understands ids that are numbers, and none that are not there', async () => {
      expect(await part({ userId: 7, providerAccountId: 8n }, 'userId')).to.equal('7')
      expect(await part({ userId: 7, providerAccountId: 8n }, 'providerAccountId')).to.equal('8')
      for (const changes of [{ userId: null }, { userId: '' }, { providerAccountId: undefined }, { userId: 2 ** 60 }]) {
        expect(await rejectionOf(act({ ...row, ...changes }))).to.be.instanceOf(AdapterError)
      }
    })

    it('understands times, and none that are not', async () => {
      const time = new Date(1e12)
      for (const value of [time, time.toISOString(), 1e12, BigInt(1e12)]) {
        expect(await part({ createdAt: value }, 'createdAt')).to.deep.equal(time)
        expect(await part({ lastUsedAt: value }, 'lastUsedAt')).to.deep.equal(time)
      }
      for (const changes of [{ createdAt: 'then' }, { lastUsedAt: new Date(Number.NaN) }, { lastUsedAt: {} }]) {
        expect(await rejectionOf(act({ ...row, ...changes }))).to.be.instanceOf(AdapterError)
      }
    })

    it('takes what is no text for none where none is needed, and for a fault where one is', async () => {
      expect(await part({ transports: ['usb'] }, 'transports')).to.equal(null)
      expect(await part({ name: 7 }, 'name')).to.equal(null)
      expect(await part({ name: "Ada's 📱" }, 'name')).to.equal("Ada's 📱")
      for (const changes of [{ credentialID: Buffer.from('abc') }, { credentialPublicKey: null }]) {
        expect(await rejectionOf(act({ ...row, ...changes }))).to.be.instanceOf(AdapterError)
      }
    })
  })
}

describe('store.getAuthenticator(credentialID)', () => {
  it('is nothing, or a fault', async () => {
    for (const value of [null, undefined]) expect(await read(value)).to.equal(null)
    for (const value of [false, 0, '', 'x', [], [row]]) {
      expect(await rejectionOf(read(value)), String(value)).to.be.instanceOf(AdapterError)
    }
  })

  it('is exactly the one: in base64, upper and lower case are other bytes', async () => {
    for (const credentialID of ['ywjj', 'YWJJ', 'YWJj ', 'YWJ', '']) {
      expect(await read({ ...row, credentialID }), credentialID).to.equal(null)
    }
  })
})

describe('store.updateAuthenticatorCounter(credentialID, counter, use)', () => {
  it('hands all three on, and believes whatever comes back', async () => {
    const use = { credentialBackedUp: true, lastUsedAt: new Date() }
    const calls: unknown[][] = []
    for (const result of [undefined, null, 1, row]) {
      const store = storeOf({
        updateAuthenticatorCounter: (...args: unknown[]) => {
          calls.push(args)
          return result
        },
      })
      expect(await store.updateAuthenticatorCounter('YWJj', 5, use)).to.equal(undefined)
    }
    expect(calls[0]).to.deep.equal(['YWJj', 5, use])
    expect(calls).to.have.length(4)
  })
})
