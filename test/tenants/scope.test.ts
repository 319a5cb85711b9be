/** The stored names of tenants: each method of adapters and stores, for two tenants in one database. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { keyedHashes } from '../../lib/crypto/keyed-hashes.js'
import { sessionKey } from '../../lib/crypto/keys.js'
import {
  type PersistentPurpose,
  type SealPurpose,
  seal,
  sealPersistent,
  unseal,
  unsealPersistent,
} from '../../lib/crypto/seal.js'
import { hashSessionToken, type SessionToken } from '../../lib/crypto/session-token.js'
import { recordTables } from '../../lib/store/tables.js'
import { deriveSecret } from '../../lib/tenants/configuration.js'
import { createScope } from '../../lib/tenants/scope.js'
import { scopeAdapter } from '../../lib/tenants/scoped-adapter.js'
import { scopeStore } from '../../lib/tenants/scoped-store.js'
import { adapterContract, storeContract } from '../../lib/testing/index.js'
import type { Adapter } from '../../lib/types/adapter.js'
import type { RecordTable, Store, StoredRecord } from '../../lib/types/store.js'
import { secret } from '../support/app.js'

const hooks = { describe, it, before, after }
const scopes = { acme: createScope('acme', new Set(['google'])), beta: createScope('beta', new Set(['google'])) }
const secrets = { acme: [deriveSecret(secret, 'acme')], beta: [deriveSecret(secret, 'beta')] }
const later = new Date(Date.now() + 3_600_000)
const seconds = () => Math.floor(Date.now() / 1000)

storeContract(hooks, {
  name: 'the store of a tenant',
  create: () => ({ store: scopeStore(memoryStore(), scopes.acme) as Store }),
})

/** The methods whose first argument is the token of a session, or has one. */
const ofSessions: ReadonlySet<string> = new Set([
  ...['createSession', 'getSessionAndUser', 'getSessionUserAndData', 'updateSession', 'deleteSession'],
  ...['linkSession', 'writeSessionData', 'getSessions'],
])

/** Returns the adapter as the engine calls it: the tokens of sessions are hashed. */
function withHashes(adapter: Adapter): Adapter {
  const clear = new Map<string, string>()
  const hash = (token: string) => {
    const hashed = hashSessionToken(token as SessionToken)
    clear.set(hashed, token)
    return hashed
  }
  const into = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(into)
    if (typeof value === 'string') return hash(value)
    return { ...Object(value), sessionToken: hash(Reflect.get(Object(value), 'sessionToken')) }
  }
  const back = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(back)
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    const token: unknown = Reflect.get(value, 'sessionToken')
    const session: unknown = Reflect.get(value, 'session')
    if (typeof token === 'string') return { ...value, sessionToken: clear.get(token) ?? token }
    return session === undefined ? value : { ...value, session: back(session) }
  }
  return new Proxy(adapter, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      if (name === 'transaction') {
        return (work: (inside: Adapter) => unknown) =>
          Reflect.apply(method, target, [(inside: Adapter) => work(withHashes(inside))])
      }
      return async (first: unknown, ...rest: readonly unknown[]) =>
        back(await Reflect.apply(method, target, [ofSessions.has(String(name)) ? into(first) : first, ...rest]))
    },
  })
}

adapterContract(hooks, {
  name: 'the adapter of a tenant',
  create: () => ({ adapter: withHashes(scopeAdapter(memoryAdapter(), scopes.acme)) }),
})

/** A record of a table, whose names are those of a user. */
function recordOf({ columns, expires }: RecordTable): StoredRecord {
  const values: StoredRecord = { number: 1, boolean: true, time: later }
  const entries = Object.entries(columns).map(([column, type]) => {
    return [column, column === expires ? later : (values[type.replace('?', '')] ?? `${column} of ann`)] as const
  })
  return Object.fromEntries(entries)
}

describe('records of two tenants in one store', () => {
  for (const table of recordTables) {
    it(`TN-02 keeps those of ${table.name} apart`, async () => {
      const store = memoryStore()
      const [acme, beta] = [scopeStore(store, scopes.acme).records, scopeStore(store, scopes.beta).records]
      if (!acme || !beta) throw new Error('there are records')
      const row = recordOf(table)
      const key = Object.fromEntries(table.key.map((column) => [column, String(row[column])]))
      const owner = table.by === undefined ? '' : String(row[table.by])
      expect(await acme.write(table, row, 0)).to.equal(true)
      expect(await beta.find(table, key)).to.equal(null)
      if (table.by) {
        expect(await beta.list(table, owner)).to.deep.equal([])
        expect(await acme.list(table, owner)).to.have.length(1)
        expect(await beta.remove(table, { [table.by]: owner })).to.equal(0)
      }
      if (table.lease) {
        const lease = { version: 1, leaseId: 'a'.repeat(22), seconds: 60 }
        expect(await beta.lease(table, key, lease)).to.equal(false)
        expect(await acme.lease(table, key, lease)).to.equal(true)
        await beta.release(table, key, lease.leaseId)
        expect(await acme.lease(table, key, { ...lease, leaseId: 'b'.repeat(22) })).to.equal(false)
      }
      expect(await beta.write(table, row, 0)).to.equal(true)
      expect(await beta.remove(table, key)).to.equal(1)
      if (!table.version) expect(await beta.take(table, key)).to.equal(null)
      expect(await acme.find(table, key)).to.include(key)
      const stored = await store.records.find(table, key)
      expect(stored, 'no name is stored as it is').to.equal(null)
    })
  }

  it('TN-02 keeps ended sessions, listed sessions and their changes apart', async () => {
    const { log } = memoryStore()
    // The store in memory is not shared by processes, so it has no changes.
    const changes = () => ({ revocations: [{ key: scopes.acme.name('u.ann'), ...rest }], cursor: '1', isLast: true })
    const rest = { exceptSid: '', notBefore: 1, until: seconds() + 60 }
    const store: Partial<Store> = { log: { ...log, changes } }
    const [acme, beta] = [scopeStore(store, scopes.acme).log, scopeStore(store, scopes.beta).log]
    if (!acme || !beta) throw new Error('there is a log')
    const ended = { key: 'u.ann', ...rest }
    await acme.add([ended])
    await beta.replace({ key: 'u.ann', notBefore: 2, until: seconds() + 60 })
    expect((await beta.find(['u.ann'])).revocations).to.deep.equal([])
    expect((await acme.find(['u.ann'])).revocations).to.deep.equal([ended])
    expect((await beta.changes?.(null))?.revocations).to.deep.equal([])
    expect((await acme.changes?.(null))?.revocations).to.deep.equal([ended])
    const session = { sid: 's', userKey: 'k', begunAt: 1, usedAt: 1, until: seconds() + 60, beginning: 'x' }
    await acme.list?.(session)
    await beta.unlist?.('k', ['s'])
    expect(await beta.listed?.('k')).to.deep.equal([])
    expect((await acme.listed?.('k'))?.map(({ sid, userKey }) => [sid, userKey])).to.deep.equal([['s', 'k']])
  })
})

describe('an adapter that two tenants have', () => {
  const token = hashSessionToken('the token of a cookie' as SessionToken)
  let inner: ReturnType<typeof memoryAdapter>
  let acme: Required<Adapter>
  let beta: Required<Adapter>
  let userId: string

  beforeEach(async () => {
    inner = memoryAdapter()
    acme = scopeAdapter(inner, scopes.acme) as Required<Adapter>
    beta = scopeAdapter(inner, scopes.beta) as Required<Adapter>
    userId = (await inner.createUser({ id: '', email: 'ann@x.test', emailVerified: null })).id
  })

  it('TN-02 keeps sessions apart, with the same token', async () => {
    const session = { sessionToken: token, userId, expires: later }
    await acme.createSession(session)
    expect(await beta.getSessionAndUser(token)).to.equal(null)
    expect(await beta.getSessionUserAndData(token)).to.equal(null)
    expect(await beta.listSessionsByUserId(userId)).to.deep.equal([])
    expect(await beta.getSessions([token])).to.deep.equal([])
    expect(await acme.getSessions([token, 'clear'])).to.deep.equal([session])
    expect(await beta.writeSessionData({ sessionToken: token, data: '{}', previous: null })).to.equal(false)
    expect(await beta.updateSession({ sessionToken: token, expires: new Date(0) })).to.be.oneOf([null, undefined])
    await beta.deleteSession(token)
    await acme.linkSession({ sessionToken: token, subject: 's', providerSession: 'p' })
    expect(await beta.listSessionLinks({ subject: 's' })).to.deep.equal([])
    expect(await beta.listSessionLinks({ providerSession: 'p' })).to.deep.equal([])
    expect((await acme.listSessionLinks({ subject: 's' }))[0]).to.have.property('sessionToken', token)
    expect(await acme.getSessionAndUser(token)).to.have.nested.property('session.sessionToken', token)
    expect(await acme.listSessionsByUserId(userId)).to.deep.equal([session])
    await beta.createSession(session)
    expect(await inner.listSessionsByUserId(userId)).to.have.length(2)
    expect((await inner.listSessionsByUserId(userId)).map(({ sessionToken }) => sessionToken.length)).to.deep.equal([
      67, 67,
    ])
  })

  it('TN-02 finds no session by a token that another library stored in the clear', async () => {
    await inner.createSession({ sessionToken: 'clear', userId, expires: later })
    expect(await acme.getSessionAndUser('clear')).to.equal(null)
    expect(await acme.listSessionsByUserId(userId)).to.deep.equal([])
  })

  it('TN-02 keeps email links apart, with the same hash', async () => {
    const link = { identifier: 'ann@x.test', token: 'hash', expires: later }
    await acme.createVerificationToken(link)
    await beta.deleteVerificationTokens('ann@x.test')
    expect(await beta.useVerificationToken(link)).to.equal(null)
    expect(await acme.useVerificationToken(link)).to.deep.equal(link)
  })

  it('TN-02 keeps passkeys apart, with the same id', async () => {
    const passkey = {
      ...{ userId, providerAccountId: 'id', credentialID: 'aWQ=', credentialPublicKey: 'key', counter: 0 },
      ...{ credentialBackedUp: false, credentialDeviceType: 'singleDevice', transports: null },
    }
    await acme.createAuthenticator(passkey)
    expect(await beta.getAuthenticator('aWQ=')).to.equal(null)
    expect(await beta.listAuthenticatorsByUserId(userId)).to.deep.equal([])
    await beta.deleteAuthenticator('aWQ=')
    await acme.renameAuthenticator('aWQ=', 'mine')
    await acme.updateAuthenticatorCounter('aWQ=', 1, { credentialBackedUp: true, lastUsedAt: later })
    expect(await acme.getAuthenticator('aWQ=')).to.include({ credentialID: 'aWQ=', name: 'mine', counter: 1 })
    expect(await acme.listAuthenticatorsByUserId(userId)).to.have.length(1)
  })

  it('TN-16 stores accounts as <tenant>~<provider>, except those of shared providers', async () => {
    const account = (provider: string) => ({ type: 'oidc', provider, providerAccountId: 'sub', userId }) as const
    await acme.linkAccount(account('okta'))
    expect(await beta.getUserByAccount(account('okta'))).to.equal(null)
    expect(await beta.getAccount('sub', 'okta')).to.equal(null)
    expect(await beta.listAccountsByUserId(userId)).to.deep.equal([])
    await beta.unlinkAccount(account('okta'))
    expect(await acme.getUserByAccount(account('okta'))).to.have.property('id', userId)
    expect(await acme.listAccountsByUserId(userId)).to.deep.equal([account('okta')])
    expect(await inner.getAccount('sub', 'acme~okta')).to.have.property('userId', userId)
    await acme.linkAccount(account('google'))
    expect(await beta.getUserByAccount(account('google'))).to.have.property('id', userId)
    expect(await beta.listAccountsByUserId(userId)).to.deep.equal([account('google')])
  })

  it('TN-02 keeps records apart inside a transaction, and in the store of the adapter', async () => {
    const session = { sessionToken: token, userId, expires: later }
    await acme.transaction(async (inside) => inside.createSession?.(session))
    expect(await beta.getSessionAndUser(token)).to.equal(null)
    expect(await acme.getSessionAndUser(token)).to.have.nested.property('user.id', userId)
    expect(acme.store()).to.equal(acme.store()).and.not.equal(inner.store())
  })

  it('passes on no method that it does not know', () => {
    const extended = scopeAdapter({ ...inner, getSessionByPhone: () => 'a session' } as Adapter, scopes.acme)
    expect(Reflect.get(extended, 'getSessionByPhone')).to.equal(undefined)
    expect([typeof extended.createUser, typeof extended.transaction]).to.deep.equal(['function', 'function'])
    expect(scopeAdapter({ getUser: () => null }, scopes.acme).createSession).to.equal(undefined)
  })
})

describe('sealed values and hashes of a tenant', () => {
  const purposes: Readonly<Record<SealPurpose, true>> = {
    ...{ transaction: true, 'email-attempt': true, 'passkey-challenge': true, logout: true, 'pending-factor': true },
    ...{ reauthentication: true, 'factor-setup': true, 'password-link': true, 'form-post': true },
    ...{ 'redirect-proxy': true, 'email-change': true, 'typed-fields': true, 'provider-session': true },
    ...{ connection: true, 'password-reset': true, 'user-list': true, 'mailed-address': true, impersonator: true },
  }
  for (const purpose of Object.keys(purposes) as SealPurpose[]) {
    it(`TN-01 are noise at another one: ${purpose}`, async () => {
      const value = await seal(purpose, { a: 1 }, { secrets: secrets.acme, maxAge: 60 })
      expect(await unseal(purpose, value, secrets.beta)).to.equal(null)
      expect(await unseal(purpose, value, [secret])).to.equal(null)
      expect(await unseal(purpose, value, secrets.acme)).to.include({ a: 1 })
    })
  }

  const stored: Readonly<Record<PersistentPurpose, true>> = {
    ...{ 'provider-tokens': true, 'token-cookie': true, factor: true, 'held-sign-in': true, 'connection-secret': true },
  }
  for (const purpose of Object.keys(stored) as PersistentPurpose[]) {
    it(`TN-01 are noise at another one: ${purpose}`, async () => {
      const value = await sealPersistent(purpose, { a: 1 }, secrets.acme)
      expect(await unsealPersistent(purpose, value, secrets.beta)).to.equal(null)
      expect(await unsealPersistent(purpose, value, secrets.acme)).to.include({ a: 1 })
    })
  }

  it('TN-01 differ, with each secret and for each tenant', async () => {
    const hashes = [secrets.acme, secrets.beta, [secret], [deriveSecret('another', 'acme')]].map(
      (each) => keyedHashes({ secrets: each }, 'a use', ['text'])[0],
    )
    expect(new Set(hashes).size).to.equal(4)
    const keys = await Promise.all([secrets.acme, secrets.beta].map(([each = '']) => sessionKey(each, 'cookie')))
    expect(keys[0]?.bytes).to.not.deep.equal(keys[1]?.bytes)
    expect(deriveSecret(secret, 'acme')).to.equal(secrets.acme[0]).and.have.length(43)
  })
})
