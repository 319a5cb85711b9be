/** The stored data of provider tokens, and their cost: the calls to the store, and the rows. */

import { inspect } from 'node:util'
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import type { OIDCConfig } from '../../lib/types/provider.js'
import type { Store } from '../../lib/types/store.js'
import { sharedStores } from '../revocation/sites.js'
import type { Browser } from '../support/app.js'
import type { DoorApp } from '../support/doors.js'
import { withRecords } from '../support/stores.js'
import { askToken, type RotatingProvider, signInAt, startRotatingProvider, tokenDoors } from './stage.js'

/** A store that says which of its methods were called. */
function watched({ records }: Pick<Store, 'records'>): { store: Pick<Store, 'records'>; calls: string[] } {
  const calls: string[] = []
  const proxy = new Proxy(records, {
    get(from, name) {
      const value: unknown = Reflect.get(from, name)
      if (typeof value !== 'function') return value
      return (...words: unknown[]) => {
        calls.push(String(name))
        return Reflect.apply(value, from, words)
      }
    },
  })
  return { store: { records: proxy }, calls }
}

/** Members of a token answer that no standard has, and those of other types. */
const oddMembers: Readonly<Record<string, object>> = {
  'an end as text': { expires_at: '2026-01-01T00:00:00Z' },
  'an end that is no number': { expires_at: { seconds: 5 } },
  'an end far away': { expires_at: 1e300 },
}

for (const [door, start] of Object.entries(tokenDoors)) {
  describe(`the stored data of provider tokens (${door})`, () => {
    let provider: RotatingProvider
    let app: DoorApp | undefined
    const adapter = memoryAdapter
    beforeEach(async () => {
      provider = await startRotatingProvider()
    })
    afterEach(async () => {
      await app?.close()
      app = undefined
      await provider.hostile.close()
    })

    async function open(config: object, own: Partial<OIDCConfig> = {}): Promise<Browser> {
      const test = { id: 'test', name: 'Test', type: 'oidc' as const, ...provider.hostile.settings, ...own }
      app = await start({ providers: [test], ...config })
      return app.browser()
    }

    for (const strategy of ['jwt', 'database'] as const) {
      it(`a token that is good costs one call to the store, and no request: ${strategy} sessions`, async () => {
        const { store, calls } = watched(memoryStore())
        const browser = await open({ adapter: adapter(), session: { strategy }, tokens: { store } })
        await signInAt(browser, provider)
        calls.length = 0
        provider.hostile.requests.length = 0
        expect((await askToken(browser)).accessToken).to.equal(provider.given[0])
        expect([calls, provider.hostile.requests]).to.deep.equal([['list'], []])
      })

      it(`reading a session sends no query to the store: ${strategy} sessions`, async () => {
        const { store, calls } = watched(memoryStore())
        const browser = await open({ adapter: adapter(), session: { strategy }, tokens: { store } })
        await signInAt(browser, provider)
        calls.length = 0
        expect(await browser.session()).to.have.property('user')
        expect(calls).to.deep.equal([])
      })
    }

    for (const [what, members] of Object.entries(oddMembers)) {
      for (const [kind, openStore] of Object.entries(sharedStores)) {
        if (!['memory', 'sqlite'].includes(kind)) continue
        it(`OA-02: an answer with ${what} locks no user out, with a store in ${kind}`, async function () {
          const stores = await openStore(this)
          try {
            const browser = await open({ adapter: adapter(), tokens: { store: stores.make() } })
            provider.life = undefined
            const { onToken } = provider.hostile
            provider.hostile.onToken = async (body, request) => {
              const reply = await onToken(body, request)
              return { ...reply, body: { ...(reply.body as object), ...members } }
            }
            for (const each of [browser, browser, app?.browser() ?? browser]) await signInAt(each, provider)
            expect(await askToken(browser)).to.have.property('accessToken')
          } finally {
            await stores.close()
          }
        })
      }
    }

    it('no row has a token in the clear, whatever the provider’s own `account` chooses', async () => {
      const base = adapter()
      const tokens = memoryStore()
      const written: unknown[] = []
      const store = withRecords(tokens, {
        write: (table, row, previous) => {
          written.push(row)
          return tokens.records.write(table, row, previous)
        },
      })
      const own = { account: (set: object) => ({ ...set, colour: 'blue' }) }
      const browser = await open({ adapter: base, session: { strategy: 'jwt' }, tokens: { store } }, own)
      await signInAt(browser, provider)
      const account = await base.getAccount?.('person-1', 'test')
      const rows = inspect([account, written], { depth: 9 })
      expect(written).to.have.length(1)
      expect(rows).to.include('blue')
      for (const token of provider.given) expect(rows).not.to.include(token)
      expect(rows).not.to.include('id_token')
    })

    it('OA-10 a renewal that names another person changes no row', async () => {
      const { store, calls } = watched(memoryStore())
      const browser = await open({ adapter: adapter(), session: { strategy: 'jwt' }, tokens: { store } })
      provider.life = 0
      await signInAt(browser, provider)
      provider.hostile.onToken = async () => {
        const now = Math.floor(Date.now() / 1000)
        const { issuer, clientId } = provider.hostile.settings
        const claims = { iss: issuer, aud: clientId, sub: 'somebody-else', iat: now, exp: now + 300 }
        const id_token = await provider.hostile.signIdToken(claims)
        return { body: { access_token: 'at-of-another', token_type: 'Bearer', expires_in: 3600, id_token } }
      }
      calls.length = 0
      const answer = await askToken(browser)
      expect(answer.accessToken).to.equal(undefined)
      expect(answer.error).to.equal('RefreshError')
      expect(calls).not.to.include('write')
    })
  })
}

describe('provider tokens in cookies that are too many', () => {
  it('are refused with their sizes, and not with their contents', async () => {
    const provider = await startRotatingProvider()
    const long = `at-${'x'.repeat(12_000)}`
    const { onToken } = provider.hostile
    provider.hostile.onToken = async (body, request) => {
      const reply = await onToken(body, request)
      return { ...reply, body: { ...(reply.body as object), access_token: long } }
    }
    const test = { id: 'test', name: 'Test', type: 'oidc' as const, ...provider.hostile.settings }
    const app = await tokenDoors.express({ providers: [test], tokens: { store: 'cookie' } })
    try {
      const browser = app.browser()
      await signInAt(browser, provider).then(
        () => expect.fail('it fits'),
        () => undefined,
      )
      const [error] = app.log.errors
      expect(String((error as Error).message))
        .to.match(/access_token 1200\d/)
        .and.include('sqlStore(db)')
      expect(inspect(app.log.errors, { depth: 9 })).not.to.include('xxxxx')
      expect(await browser.session()).to.equal(null)
    } finally {
      await app.close()
      await provider.hostile.close()
    }
  })
})
