/**
 * The option `session.revocation`: the values that it accepts, and those that are rejected when the configuration is
 * resolved.
 */

import { expect } from 'chai'
import { combine } from '../../lib/adapters/combine.js'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { connect, sqlAdapter, sqlStore } from '../../lib/adapters/sql/index.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { defineAuth, requireSession, type ServerAuthConfig } from '../../lib/index.js'
import { createLog, credentials, secret } from '../support/app.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'

function configOf(options: object): ServerAuthConfig {
  return { providers: [], secret, logger: createLog().logger, ...options } as ServerAuthConfig
}

const resolve = (revocation: unknown, rest: object = {}) =>
  resolveConfig(configOf({ session: { strategy: 'jwt', revocation }, ...rest })).session.revocation

const store = memoryStore()

describe('session.revocation', () => {
  const db = connect(':memory:')
  after(() => db.destroy())

  it('is off unless it is set', () => {
    for (const value of [undefined, false]) expect(resolve(value)).to.equal(undefined)
    expect(resolveConfig(configOf({}))).not.to.have.nested.property('session.revocation')
  })

  it('accepts a store, alone and with options', () => {
    for (const value of [store, sqlStore(db), { store }, { store, maxStale: 1, onOutage: 'allow' }]) {
      expect(resolve(value)).to.have.property('refreshSessions')
    }
  })

  it('uses the store of our adapters, also of one that keeps sessions elsewhere', () => {
    const adapter = memoryAdapter()
    for (const each of [adapter, sqlAdapter(db), combine(adapter, { sessions: sessionsOf(adapter) })]) {
      for (const value of [true, {}, { maxStale: 3 }])
        expect(resolve(value, { adapter: each })).to.have.property('refreshSessions')
    }
  })

  const { store: _none, ...foreign } = memoryAdapter()
  const refused: ReadonlyArray<readonly [value: unknown, message: RegExp, adapter?: unknown]> = [
    [true, /needs a store, and there is no `adapter`/],
    [true, /needs a store, and this `adapter` has no store with `log`/, foreign],
    ['redis', /`session\.revocation` must be true, a store such as `redisStore\(client\)`/],
    [{ store: {} }, /`session\.revocation\.store` must be true, or a store with `log` such as .*it is/],
    [{ log: { add: () => {} } }, /`session\.revocation` must be .*its `log` lacks replace, find/],
    [{ store, maxstale: 1 }, /no option `session\.revocation\.maxstale`\. Did you mean `maxStale`\?/],
    [{ add: () => {}, replace: () => {}, find: () => {} }, /`session\.revocation\.add` is now part of a store: .*log/],
    [{ store, maxStale: 0 }, /`session\.revocation\.maxStale` must be a number of seconds, at least 1/],
    [
      { store: { log: { add: () => {}, replace: () => {}, find: () => {} } }, list: true },
      /needs a store with list, listed, unlist/,
    ],
    [{ store, list: 1 }, /`session\.revocation\.list` must be true or false/],
    [{ store, onOutage: 'open' }, /`session\.revocation\.onOutage` must be "deny" or "allow"/],
  ]
  for (const [value, message, adapter] of refused) {
    it(`rejects ${JSON.stringify(value)}${adapter ? ' with an adapter of others' : ''}`, () => {
      const error = thrownBy(() => resolve(value, adapter ? { adapter } : {}))
      expect(error.name).to.equal('InvalidConfiguration')
      expect(error.message).to.match(message)
    })
  }

  it('is needed by a guard with `live`, and by the functions that end JWT sessions', async () => {
    const config = configOf({ session: { strategy: 'jwt' } })
    expect(thrownBy(() => requireSession(config, { live: true })).message).to.contain('needs `session.revocation`')
    expect((await rejectionOf(expressFunctions(config).sessions.endAll('ann'))).message).to.contain(
      'needs `session.revocation`',
    )
  })

  it('rejects a list of database sessions, because the adapter has one', () => {
    const options = { adapter: memoryAdapter(), session: { strategy: 'database', revocation: { list: true } } }
    expect(thrownBy(() => resolveConfig(configOf(options))).name).to.equal('UnsupportedStrategy')
  })

  it('rejects a user without an id', async () => {
    const config = configOf({ session: { strategy: 'jwt', revocation: store } })
    for (const id of ['', undefined as never]) {
      expect((await rejectionOf(expressFunctions(config).sessions.endAll(id))).message).to.equal(
        'The first argument must be the id of a user, a string. The request is the last argument.',
      )
    }
  })

  it('has its functions in defineAuth', async () => {
    const auth = defineAuth({
      secret,
      providers: [credentials()],
      session: { revocation: memoryStore() },
      logger: createLog().logger,
    })
    await auth.sessions.endAll('ann')
    await auth.users.disable('ann')
    await auth.users.enable('ann')
    const revocation = resolveConfig(auth.config).session.revocation
    expect(revocation?.hasEnded({ sid: 'x', userId: 'ann', startedAt: 1 })).to.equal(true)
  })
})

/** Returns the sessions of an adapter, as `combine` accepts them. */
function sessionsOf(adapter: ReturnType<typeof memoryAdapter>) {
  return { ...adapter, getSession: async () => null } as unknown as Parameters<typeof combine>[1]['sessions']
}
