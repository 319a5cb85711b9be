/** The format of keys: random, recognizable, and rejected without a query if it is wrong. */
import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import fc from 'fast-check'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { requireApiKey } from '../../lib/features/api-keys/index.js'
import { createKey, hasValidChecksum, idOfKey } from '../../lib/features/api-keys/key-format.js'
import { requireSession } from '../../lib/index.js'
import { startApp } from '../support/app.js'
import { watchedStore } from './stage.js'

/** The pattern for secret scanners that the guide prints. */
const pattern = /\bacme_[0-9A-Za-z]{61}\b/g

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('the format of API keys', () => {
  it('the pattern of the guide finds all of 10,000 keys, and none of a million other texts', function () {
    this.timeout(60_000)
    const keys = Array.from({ length: 10_000 }, () => createKey('acme').key)
    expect(new Set(keys).size).to.equal(keys.length)
    for (const key of keys) expect(`x="${key}",`.match(pattern)).to.deep.equal([key])
    let found = 0
    for (let at = 0; at < 1_000_000; at += 1) {
      const text = `${at % 2 ? 'acme_' : ''}${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`
      found += text.match(pattern)?.length ?? 0
    }
    expect(found).to.equal(0)
  })

  it('has the CRC-32 of everything before it, by another implementation', function () {
    if (typeof crc32 !== 'function') this.skip()
    for (let at = 0; at < 1000; at += 1) {
      const { id, key } = createKey('acme')
      let [rest, digits] = [crc32(key.slice(0, -6)), '']
      for (let count = 0; count < 6; count += 1) {
        digits = base62[rest % 62] + digits
        rest = Math.floor(rest / 62)
      }
      expect(key.slice(-6)).to.equal(digits)
      expect(hasValidChecksum(key)).to.equal(true)
      expect(idOfKey('acme', key)).to.equal(id)
    }
  })

  it('every changed character is noticed', () => {
    const { key } = createKey('acme')
    for (let at = 5; at < key.length; at += 1) {
      for (const letter of base62) {
        if (letter === key[at]) continue
        expect(hasValidChecksum(key.slice(0, at) + letter + key.slice(at + 1))).to.equal(false)
      }
    }
  })

  it('uses all characters equally often', () => {
    const counts = new Map<string, number>()
    for (let at = 0; at < 4000; at += 1) {
      for (const letter of createKey('acme').key.slice(5, 60)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    }
    const expected = (4000 * 55) / 62
    expect(counts.size).to.equal(62)
    for (const [letter, count] of counts) expect(Math.abs(count - expected) / expected, letter).to.be.below(0.12)
  })

  it('takes any text of a client', () => {
    const { key } = createKey('acme')
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 90 }),
      fc.string({ maxLength: 70 }).map((text) => `acme_${text}`),
      fc
        .tuple(fc.nat(65), fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }))
        .map(([at, text]) => key.slice(0, at) + text + key.slice(at + text.length)),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const id = idOfKey('acme', text)
        if (id === undefined) return
        expect(text).to.match(/^acme_[0-9A-Za-z]{61}$/)
        if (text !== key) expect(hasValidChecksum(text)).to.equal(false)
      }),
      { numRuns: 3000 },
    )
  })

  it('a million texts that are no keys cost no query', async function () {
    this.timeout(120_000)
    const { store, calls } = watchedStore()
    const { apiKeyChecksOf } = await import('../../lib/features/api-keys/entry.js')
    const { getEngine } = await import('../../lib/engine/index.js')
    const app = await startApp({ adapter: memoryAdapter(), apiKeys: { store, prefix: 'acme', scopes: ['read'] } })
    try {
      const checks = apiKeyChecksOf(getEngine(app.config).config)
      const use = {
        isFresh: false,
        failures: () => {
          throw new Error('This text is no key.')
        },
        background() {},
      }
      const { key } = createKey('acme')
      for (let at = 0; at < 1_000_000; at += 1) {
        const text = at % 3 === 0 ? `acme_${at}` : key.slice(0, 20) + String(at).padStart(7, 'x') + key.slice(27)
        expect(checks.check(text, use)).to.equal(null)
      }
      expect(calls).to.deep.equal([])
    } finally {
      await app.close()
    }
  })
})

describe('the option `apiKeys`', () => {
  const valid = { store: watchedStore().store, prefix: 'acme', scopes: ['read'] }
  const rejected = (apiKeys: unknown, scope?: unknown) => {
    const config = { secret: 'x'.repeat(32), providers: [], adapter: memoryAdapter(), apiKeys } as never
    try {
      requireApiKey(config, scope === undefined ? {} : ({ scope } as never))
      return 'accepted'
    } catch (error) {
      return (error as Error).message
    }
  }

  it('rejects a guard whose other requirements say nothing about keys', () => {
    const config = { secret: 'x'.repeat(32), providers: [], adapter: memoryAdapter(), apiKeys: valid }
    for (const other of [{ allow: () => true }, { maxAge: 300 }, { amr: ['hwk'] }]) {
      const create = () => requireSession(config, { apiKey: 'read', ...other } as never)
      expect(create).to.throw('says nothing about API keys')
    }
    expect(() => requireSession(config, { apiKey: undefined } as never)).to.throw('`apiKey` of requireSession must be')
    expect(() => requireSession(config, { apiKey: 'write' } as never)).to.throw('`apiKey` of requireSession must be')
    expect(() => requireSession(config, { apiKey: 'read' })).to.not.throw()
    expect(() => requireApiKey(config, { scopes: 'read' } as never)).to.throw('`requireApiKey.scopes`')
    expect(() => requireApiKey(config, { scope: undefined } as never)).to.throw('`scope` of requireApiKey must be')
  })

  it('rejects what cannot work, and says how to fix it', () => {
    expect(rejected(valid)).to.equal('accepted')
    const cases: Array<[object, string]> = [
      [{ prefix: 'a' }, '`apiKeys.prefix` must be 2 to 12 characters'],
      [{ prefix: 'Acme' }, '`apiKeys.prefix` must be'],
      [{ prefix: 'acme_live' }, '`apiKeys.prefix` must be'],
      [{ prefix: undefined }, '`apiKeys.prefix` must be'],
      [{ scopes: [] }, '`apiKeys.scopes` must be a list'],
      [{ scopes: ['a b'] }, '`apiKeys.scopes` must be a list'],
      [{ scopes: ['a"b'] }, '`apiKeys.scopes` must be a list'],
      [{ scopes: ['a', 'a'] }, '`apiKeys.scopes` must be a list of different words'],
      [{ maxAge: 59 }, '`apiKeys.maxAge` must be a whole number'],
      [{ cacheFor: 301 }, '`apiKeys.cacheFor` must be a whole number'],
      [{ header: 'Authorization' }, '`apiKeys.header` must be the name of a header'],
      [{ header: 'a b' }, '`apiKeys.header` must be'],
      [{ store: {} }, '`apiKeys.store` must be true, or a store'],
      [{ keys: true }, '`apiKeys.keys`'],
    ]
    for (const [change, message] of cases) expect(rejected({ ...valid, ...change }), message).to.include(message)
    expect(rejected(true)).to.include('`apiKeys` must be { store, prefix, scopes }')
    expect(rejected(undefined)).to.match(/^`scope` of requireApiKey needs `apiKeys`\. Set/)
    for (const scope of ['write', [], null, ['read', 'write']]) {
      expect(rejected(valid, scope)).to.include('`scope` of requireApiKey must be a scope of `apiKeys.scopes`')
    }
  })
})
