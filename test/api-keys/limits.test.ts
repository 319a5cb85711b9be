/** Unknown keys are limited by client; remembered checks; and keys after a change of the secret. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { apiKeysTable } from '../../lib/features/api-keys/description.js'
import { createKey } from '../../lib/features/api-keys/key-format.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { atEach, watchedStore } from './stage.js'

const limited = { rateLimit: { rules: { apiKey: { perClient: 3, window: 60 } } } }

atEach('the check of an API key', (open) => {
  afterEach(restoreClock)

  it('429 with `Retry-After` after too many unknown keys, without a query and not for remembered keys', async () => {
    const denied: string[] = []
    const events = { denied: ({ rule, by }: { rule: string; by: string }) => void denied.push(`${rule} ${by}`) }
    const stage = await open({ ...limited, events }, { cacheFor: 300 })
    const { signIn, keyOf, call, watch } = stage
    const { key } = await keyOf((await signIn()).browser)
    freezeClock()
    expect((await call(key)).status).to.equal(200)
    const unknown = Array.from({ length: 8 }, () => createKey('acme').key)
    const statuses = []
    for (const each of unknown) statuses.push((await call(each)).status)
    expect(statuses).to.deep.equal([401, 401, 401, 429, 429, 429, 429, 429])
    expect(watch.calls.filter((method) => method === 'find')).to.have.lengthOf(5)
    const refused = await call(createKey('acme').key)
    expect([refused.status, refused.headers['retry-after'], refused.body.error]).to.deep.equal([
      429,
      '60',
      'TooManyRequests',
    ])
    expect(denied).to.deep.equal(['apiKey client'])
    expect((await call(key)).status).to.equal(200)
    expect((await call('acme_garbage')).status).to.equal(401)
    advanceClock(61)
    expect((await call(createKey('acme').key)).status).to.equal(401)
  })

  it('DOS-05 unknown keys of a stranger lock out no key of the same network that this process knows', async () => {
    const { signIn, keyOf, call, watch } = await open(limited, { cacheFor: 2 })
    const { browser, userId } = await signIn()
    const { key, id } = await keyOf(browser)
    freezeClock()
    for (const path of ['/api/any', '/live']) expect((await call(key, path)).status, path).to.equal(200)
    for (let at = 0; at < 4; at += 1) await call(createKey('acme').key)
    advanceClock(3)
    for (const path of ['/api/any', '/live']) expect((await call(key, path)).status, path).to.equal(200)
    expect((await call(createKey('acme').key)).status).to.equal(429)
    // Guesses at the secret of the same key are limited.
    const guess = `${key.slice(0, 17)}${createKey('acme').key.slice(17, -6)}`
    expect((await call(withChecksum(guess))).status).to.equal(429)
    await watch.store.records.remove(apiKeysTable, { id, userId })
    advanceClock(3)
    expect((await call(key)).status).to.equal(429)
    // It is a guess now.
    advanceClock(3)
    watch.calls.length = 0
    for (const path of ['/api/any', '/live']) expect((await call(key, path)).status, path).to.equal(429)
    expect(watch.calls).to.deep.equal([])
  })

  it('counts neither valid keys nor keys that were valid', async () => {
    const { signIn, keyOf, call, watch } = await open(limited)
    const { browser, userId } = await signIn()
    const [one, other] = [await keyOf(browser), await keyOf(browser)]
    for (let at = 0; at < 6; at += 1) expect((await call(one.key)).status).to.equal(200)
    await watch.store.records.remove(apiKeysTable, { id: other.id, userId })
    // The same key again is remembered for a second, so that a script with an old key does not use up the limit of its network.
    for (let at = 0; at < 6; at += 1) expect((await call(other.key)).status).to.equal(401)
    expect((await call(one.key)).status).to.equal(200)
  })

  it('a key that another process revoked is rejected after `cacheFor`', async () => {
    const { signIn, keyOf, call, watch } = await open({}, { cacheFor: undefined })
    const { browser, userId } = await signIn()
    const { key, id } = await keyOf(browser)
    freezeClock()
    expect((await call(key)).status).to.equal(200)
    await watch.store.records.remove(apiKeysTable, { id, userId })
    advanceClock(9)
    expect((await call(key)).status).to.equal(200)
    advanceClock(2)
    expect((await call(key)).status).to.equal(401)
  })

  it('a remembered check does not outlive the key', async () => {
    const { signIn, keyOf, call } = await open({}, { cacheFor: 300 })
    const { browser } = await signIn()
    const { key } = await keyOf(browser, { expires: new Date(Date.now() + 30_000) })
    expect((await call(key)).status).to.equal(200)
    advanceClock(31)
    expect((await call(key)).status).to.equal(401)
  })

  it('one query answers concurrent requests, and a remembered key needs its secret', async () => {
    const { signIn, keyOf, call, watch } = await open({}, { cacheFor: 300 })
    const { browser } = await signIn()
    const { key } = await keyOf(browser)
    watch.calls.length = 0
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(key)))
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]))
    expect(watch.calls.filter((method) => method === 'find').length).to.be.at.most(2)
    const other = createKey('acme').key
    const forged = key.slice(0, 17) + other.slice(17, -6)
    expect((await call(`${forged}${other.slice(-6)}`)).status).to.equal(401)
    expect((await call(withChecksum(forged))).status).to.equal(401)
    expect((await call(key)).status).to.equal(200)
  })

  for (const [name, isKnown] of [
    ['one query checks a key and its owner, in a store that knows the users', true],
    ['two queries check a key and its owner, in another store', false],
  ] as const) {
    it(name, async () => {
      const adapter = memoryAdapter()
      const { getUser } = adapter
      const store = isKnown ? adapter.store() : memoryStore()
      const watch = watchedStore(store)
      adapter.getUser = (id) => {
        watch.calls.push('getUser')
        return getUser(id)
      }
      if (isKnown) Object.assign(store.records, { usersBy: adapter.getUser })
      const { signIn, keyOf, call } = await open({ adapter }, { store: watch.store })
      const { browser, userId } = await signIn()
      const { key } = await keyOf(browser)
      const queries = async () => {
        watch.calls.length = 0
        const { status } = await call(key)
        return [status, ...watch.calls.filter((method) => method !== 'write')]
      }
      expect(await queries()).to.deep.equal(isKnown ? [200, 'findOfUser'] : [200, 'find', 'getUser'])
      await adapter.deleteUser(userId)
      expect((await queries())[0]).to.equal(401)
    })
  }

  it('a key continues after a change of the secret, and is hashed again when it is used', async () => {
    const adapter = memoryAdapter()
    const revocation = memoryStore()
    const old = 'an-old-secret-of-more-than-32-characters'
    const secret = 'a-new-secret-of-more-than-32-characters'
    const shared = { adapter, session: { revocation } }
    const first = await open({ ...shared, secret: old })
    const { browser, userId } = await first.signIn()
    const [used, unused] = [await first.keyOf(browser), await first.keyOf(browser)]
    const { store } = first.watch
    const both = await open({ ...shared, secret: [secret, old] }, { store })
    const hashOf = async (id: string) => (await store.records.find(apiKeysTable, { id }))?.hash
    const before = await hashOf(used.id)
    expect((await both.call(used.key)).status).to.equal(200)
    for (let tries = 0; tries < 200 && (await hashOf(used.id)) === before; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await hashOf(used.id)).to.not.equal(before)
    const last = await open({ ...shared, secret }, { store })
    expect((await last.call(used.key)).body.apiKey).to.include({ id: used.id, userId })
    expect((await last.call(unused.key)).status).to.equal(401)
  })

  it('AZ-04 a copy of the store and the source make no key', async () => {
    const { signIn, keyOf, call, watch } = await open()
    const { browser, userId } = await signIn()
    const { key, id } = await keyOf(browser)
    const [row] = await watch.store.records.list(apiKeysTable, userId)
    expect(JSON.stringify(row)).to.not.include(key.slice(17, 40))
    const { createHmac, createHash } = await import('node:crypto')
    const guesses = [createHash('sha256').update(key).digest('hex'), createHmac('sha256', '').update(key).digest('hex')]
    expect(guesses).to.not.include(row?.hash)
    const hash = String(row?.hash)
    for (const text of [hash.slice(0, 43), Buffer.from(hash, 'hex').toString('base64url')]) {
      expect(
        (await call(withChecksum(`acme_${id}${text.replace(/[-_]/g, 'a').padEnd(43, 'a').slice(0, 43)}`))).status,
      ).to.equal(401)
    }
  })
})

/** Adds the checksum that a text would have as a key. */
function withChecksum(text: string): string {
  let value = 0xffffffff
  for (const letter of Buffer.from(text)) {
    value ^= letter
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  let [rest, digits] = [(value ^ 0xffffffff) >>> 0, '']
  const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  for (let count = 0; count < 6; count += 1) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return text + digits
}
