/** Refreshes whose answer is late, is not accepted or cannot be stored: no refresh token is lost, and no caller waits for ever. */

import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import type { Store } from '../../lib/types/store.js'
import type { Browser } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import type { DoorApp } from '../support/doors.js'
import type { Reply } from '../support/hostile-provider.js'
import { withRecords } from '../support/stores.js'
import {
  askToken,
  doorsFor,
  places,
  type RotatingProvider,
  signInAt,
  startRotatingProvider,
  type TokenAnswer,
  tokenDoors,
} from './stage.js'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Asks until there is a token. */
async function untilToken(browser: Browser): Promise<TokenAnswer> {
  for (const end = Date.now() + 20_000; ; await pause(100)) {
    const answer = await askToken(browser)
    if (answer.accessToken !== undefined || Date.now() > end) return answer
  }
}

/** Changes what the provider answers to refreshes, after it has used up the refresh token. */
function onRefresh({ hostile }: RotatingProvider, change: (body: object) => Partial<Reply> | Promise<Partial<Reply>>) {
  const { onToken } = hostile
  hostile.onToken = async (body, request) => {
    const reply = await onToken(body, request)
    if (body.grant_type !== 'refresh_token' || (reply.status ?? 200) !== 200) return reply
    return { ...reply, ...(await change(reply.body as object)) }
  }
  return () => {
    hostile.onToken = onToken
  }
}

async function idTokenOf({ hostile }: RotatingProvider, options: object = {}, claims: object = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const { issuer, clientId } = hostile.settings
  return hostile.signIdToken(
    { iss: issuer, aud: clientId, sub: 'person-1', iat: now, exp: now + 300, ...claims },
    options,
  )
}

for (const [place, configure] of Object.entries(places)) {
  for (const [door, start] of doorsFor(place)) {
    describe(`refreshes that go wrong (${door}, ${place})`, () => {
      let provider: RotatingProvider
      let app: DoorApp
      let browser: Browser

      beforeEach(async () => {
        provider = await startRotatingProvider()
        app = await start({
          providers: [{ id: 'test', name: 'Test', type: 'oidc', ...provider.hostile.settings }],
          timeout: 1.5,
          ...configure(),
        })
        browser = app.browser()
        provider.life = 0
        await signInAt(browser, provider)
        provider.life = 3600
      })
      afterEach(async () => {
        restoreClock()
        await app.close()
        await provider.hostile.close()
      })

      /** Checks that the grant continues: another refresh works, with the stored tokens. */
      async function assertGoesOn(refreshes: number): Promise<void> {
        expect((await untilToken(browser)).accessToken).to.equal(provider.given.at(-2))
        expect(provider.refreshes).to.equal(refreshes)
        expect((await askToken(browser, { forceRefresh: true })).accessToken).to.equal(provider.given.at(-2))
        expect(provider.isRevoked).to.equal(false)
      }

      it('OA-12 an answer that comes after its caller has left is stored', async () => {
        const wellBehaved = onRefresh(provider, () => ({ delay: 3000 }))
        expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: true })
        expect(provider.refreshes).to.equal(1)
        wellBehaved()
        await assertGoesOn(1)
      })

      it('OA-13 six calls at once wait for a provider that hangs as long as one', async () => {
        onRefresh(provider, () => ({ delay: 60_000 }))
        const began = performance.now()
        const calls = await Promise.all(
          [0, 50, 100, 200, 400, 800].map(async (delay) => {
            await pause(delay)
            return askToken(browser)
          }),
        )
        for (const call of calls) expect(call).to.deep.include({ error: 'RefreshError', retryable: true })
        // One after the other they would take nine seconds.
        expect(performance.now() - began).to.be.lessThan(6000)
        expect(provider.refreshes).to.equal(1)
      })

      it('OA-12 keys are fetched before the refresh token is sent', async () => {
        freezeClock()
        advanceClock(11 * 60)
        provider.hostile.onJwks = () => ({ status: 503, body: 'down' })
        onRefresh(provider, async () => ({}))
        expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: true })
        expect(provider.refreshes).to.equal(0)
        provider.hostile.onJwks = () => ({ body: provider.hostile.jwks })
        await assertGoesOn(1)
      })

      it('OA-12 keys that fail after the answer cost one more refresh, and not the grant', async () => {
        await provider.hostile.rotateKeys()
        provider.hostile.onJwks = () => ({ status: 503, body: 'down' })
        onRefresh(provider, async (body) => ({ body: { ...body, id_token: await idTokenOf(provider) } }))
        expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: true })
        expect(provider.refreshes).to.equal(1)
        provider.hostile.onJwks = () => ({ body: provider.hostile.jwks })
        await assertGoesOn(2)
      })

      it('OA-10 OA-12 a refresh token beside a forged id_token gives nothing until a good one comes', async () => {
        const forged = onRefresh(provider, async (body) => ({
          body: { ...body, id_token: await idTokenOf(provider, { key: 'stranger' }) },
        }))
        expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: false })
        forged()
        const silent = onRefresh(provider, (body) => ({ body }))
        expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: false })
        silent()
        const foreign = onRefresh(provider, async (body) => ({
          body: { ...body, id_token: await idTokenOf(provider, {}, { sub: 'somebody-else' }) },
        }))
        expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: false })
        foreign()
        onRefresh(provider, async (body) => ({ body: { ...body, id_token: await idTokenOf(provider) } }))
        await assertGoesOn(4)
      })

      it('OA-09 a token that has ended when it comes is given as it is, and not renewed again and again', async () => {
        provider.life = 0
        expect((await askToken(browser)).accessToken).to.equal(provider.given[2])
        expect(provider.refreshes).to.equal(1)
      })

      const broken = {
        'no access token': (body: object) => ({ body: { ...body, access_token: undefined } }),
        'no token type': (body: object) => ({ body: { ...body, token_type: undefined } }),
        'a lifetime that is no number': (body: object) => ({ body: { ...body, expires_in: {} } }),
      }
      for (const [name, change] of Object.entries(broken)) {
        it(`OA-12 the refresh token of an answer with ${name} is stored`, async () => {
          const wellBehaved = onRefresh(provider, change)
          expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: false })
          wellBehaved()
          await assertGoesOn(2)
        })
      }
    })
  }
}

describe('refreshes and the store', () => {
  const { now } = performance
  let provider: RotatingProvider
  let app: DoorApp | undefined
  const stored = memoryStore

  beforeEach(async () => {
    provider = await startRotatingProvider()
  })
  afterEach(async () => {
    performance.now = now
    await app?.close()
    app = undefined
    await provider.hostile.close()
  })

  async function open(store: Pick<Store, 'records'> | 'cookie', timeout = 1): Promise<Browser> {
    const test = { id: 'test', name: 'Test', type: 'oidc' as const, ...provider.hostile.settings }
    const adapter = store === 'cookie' ? {} : { adapter: memoryAdapter() }
    app = await tokenDoors.express({ providers: [test], tokens: { store }, timeout, ...adapter })
    return app.browser()
  }

  async function signedIn(store: Pick<Store, 'records'> | 'cookie', timeout?: number): Promise<Browser> {
    const browser = await open(store, timeout)
    provider.life = 0
    await signInAt(browser, provider)
    provider.life = 3600
    return browser
  }

  it('OA-12 an access token that outgrows the cookie is left out, and the refresh token is kept', async () => {
    const browser = await signedIn('cookie')
    const wellBehaved = onRefresh(provider, (body) => ({ body: { ...body, access_token: 'x'.repeat(12_000) } }))
    expect(await askToken(browser)).to.deep.include({ error: 'SessionTooLarge' })
    wellBehaved()
    expect((await askToken(browser)).accessToken).to.equal(provider.given.at(-2))
    expect([provider.refreshes, provider.isRevoked]).to.deep.equal([2, false])
  })

  it('OA-12 a connection whose next refresh token might not fit into the cookie is refused at once', async () => {
    const { onToken } = provider.hostile
    const long = 'r'.repeat(3000)
    provider.hostile.onToken = async (body, request) => {
      const reply = await onToken(body, request)
      return { ...reply, body: { ...(reply.body as object), refresh_token: long } }
    }
    const browser = await open('cookie')
    await signInAt(browser, provider).then(
      () => expect.fail('it has room'),
      () => undefined,
    )
    expect(String(app?.log.errors[0])).to.match(/provider tokens may take \d+ characters/)
    expect(await browser.session()).to.equal(null)
  })

  it('OA-12 a store that takes no long texts keeps the refresh token', async () => {
    const tokens = stored()
    const browser = await signedIn(
      withRecords(tokens, {
        write: (table, row, previous) => {
          if (String(row.sealed).length > 8000) throw new Error('the text is too long for the column')
          return tokens.records.write(table, row, previous)
        },
      }),
    )
    const wellBehaved = onRefresh(provider, (body) => ({ body: { ...body, access_token: 'x'.repeat(12_000) } }))
    expect(await askToken(browser)).to.deep.include({ error: 'AdapterError' })
    wellBehaved()
    expect((await untilToken(browser)).accessToken).to.equal(provider.given.at(-2))
    expect([provider.refreshes, provider.isRevoked]).to.deep.equal([2, false])
  })

  it('OA-12 a store that is away for some seconds gets what the provider answered', async () => {
    const tokens = stored()
    let isAway = false
    const browser = await signedIn(
      withRecords(tokens, {
        write: (table, row, previous) => {
          if (isAway) throw new Error('the store is away')
          return tokens.records.write(table, row, previous)
        },
      }),
    )
    isAway = true
    expect(await askToken(browser)).to.deep.include({ error: 'AdapterError' })
    await pause(2500)
    isAway = false
    expect((await untilToken(browser)).accessToken).to.equal(provider.given.at(-2))
    expect([provider.refreshes, provider.isRevoked]).to.deep.equal([1, false])
  })

  it('OA-12 a sign-in meanwhile that brings no refresh token gets the one of the late answer', async () => {
    const browser = await signedIn(stored(), 2)
    const wellBehaved = onRefresh(provider, () => ({ delay: 4000 }))
    expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: true })
    const [, , , late] = provider.given
    Object.assign(provider, { gives: false, life: 0 })
    await signInAt(browser, provider)
    provider.life = 3600
    wellBehaved()
    expect((await untilToken(browser)).accessToken).to.equal(provider.given.at(-2))
    expect(late).to.be.a('string')
    expect([provider.refreshes, provider.isRevoked]).to.deep.equal([2, false])
  })

  it('OA-12 the tokens of a late answer are revoked where the account was disconnected meanwhile', async () => {
    const revoked: string[] = []
    provider.hostile.discovery.revocation_endpoint = `${provider.hostile.origin}/revoke`
    provider.hostile.routes.set('/revoke', ({ body }) => {
      revoked.push(body.token ?? '')
      return { body: {} }
    })
    const browser = await signedIn(stored())
    onRefresh(provider, () => ({ delay: 4000 }))
    expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: true })
    await browser.get('/disconnect', { 'sec-fetch-site': 'same-origin' })
    for (const end = Date.now() + 20_000; revoked.length < 2 && Date.now() < end; ) await pause(100)
    expect(revoked).to.deep.equal([provider.given[1], provider.given[3]])
  })

  it('RC-14 a lease is extended for as long as its holder lives', async () => {
    const tokens = stored()
    const leases: string[] = []
    const browser = await signedIn(
      withRecords(tokens, {
        lease: (table, key, lease) => {
          leases.push(lease.leaseId)
          return tokens.records.lease(table, key, lease)
        },
      }),
    )
    onRefresh(provider, () => ({ delay: 7000 }))
    expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: true })
    expect((await untilToken(browser)).accessToken).to.equal(provider.given.at(-2))
    expect(leases.length).to.be.at.least(3)
    expect(new Set(leases).size).to.equal(1)
    expect([provider.refreshes, provider.isRevoked]).to.deep.equal([1, false])
  })

  it('RC-14 a process that stood still after it took a lease sends nothing', async () => {
    const tokens = stored()
    let skew = 0
    const browser = await signedIn(
      withRecords(tokens, {
        lease: async (table, key, lease) => {
          const isTaken = await tokens.records.lease(table, key, lease)
          skew += 7000
          return isTaken
        },
      }),
    )
    performance.now = () => now.call(performance) + skew
    expect(await askToken(browser)).to.deep.include({ error: 'RefreshError', retryable: true })
    expect(provider.refreshes).to.equal(0)
  })

  it('RC-14 a sign-in fails where the store accepts no write, and does not try for ever', async () => {
    const browser = await open(withRecords(stored(), { write: () => false }))
    await signInAt(browser, provider).then(
      () => expect.fail('it was stored'),
      () => undefined,
    )
    expect(String(app?.log.errors[0])).to.include('rejected all writes')
    expect(await browser.session()).to.equal(null)
  })
})
