/** Loading of tenants: once for all, refreshed in the background, and faults that reach no other tenant. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { AuthError, UnknownTenant } from '../../lib/errors.js'
import { type TenantsOptions, tenants } from '../../lib/tenants/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { OAuth2Config } from '../../lib/types/provider.js'
import { credentials, secret, target } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { createTenants, type Loaded, type StageOptions, type TenantStage, tenantDoors } from './stage.js'

/** A call of `load` that the test answers. */
interface Asked {
  readonly id: string
  answer(config: Loaded | null): void
  fail(error: unknown): void
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

for (const [door, open] of tenantDoors) {
  describe(`loading of tenants (${door})`, () => {
    let stage: TenantStage
    let asked: Asked[]
    beforeEach(() => {
      asked = []
      freezeClock()
    })
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    const start = async (options?: StageOptions) => {
      stage = await open(options)
    }
    /** Calls of `load` wait until the test answers them. */
    const waiting = (id: string) =>
      new Promise<Loaded | null>((answer, fail) => {
        asked.push({ id, answer, fail })
      })
    const status = async (host = 'acme.test') => (await stage.browser(host).get('/auth/csrf')).status
    const untilAsked = async (count: number) => {
      while (asked.length < count) await turn()
    }

    it('TN-08 loads once for 50 first requests, and creates one engine', async () => {
      await start({ load: waiting })
      const requests = Array.from({ length: 50 }, () => status())
      await untilAsked(1)
      await turn()
      asked[0]?.answer({})
      expect(new Set(await Promise.all(requests))).to.deep.equal(new Set([200]))
      const engines = stage.log.debugs.filter(({ message }) => message === 'configuration resolved')
      expect([stage.loads, engines.length]).to.deep.equal([['acme'], 1])
    })

    it('TN-09 answers 503 with Retry-After and one log line if `load` fails, asks again after 5 s, and harms no other tenant', async () => {
      let fails = true
      await start({
        load(id) {
          if (fails && id === 'acme') throw new Error('the database is down')
          return {}
        },
      })
      for (let count = 0; count < 3; count += 1) {
        const answer = await stage.browser('acme.test').get('/auth/session', { accept: 'application/json' })
        expect([answer.status, answer.headers['retry-after'], answer.body.error]).to.deep.equal([
          503,
          '5',
          'TenantUnavailable',
        ])
        expect(answer.headers['cache-control']).to.include('no-store')
        expect(answer.text).to.not.match(/acme|database/)
      }
      for (const path of ['/me', '/guarded', '/tenant']) {
        expect((await stage.browser('acme.test').get(path)).status, path).to.equal(503)
      }
      expect(await status('beta.test')).to.equal(200)
      expect(stage.loads).to.deep.equal(['acme', 'beta'])
      expect(stage.log.errors.map(({ message }) => message)).to.deep.equal(['The tenant "acme" could not be loaded.'])
      fails = false
      advanceClock(4)
      expect(await status()).to.equal(503)
      advanceClock(1)
      expect(await status()).to.equal(200)
      expect(stage.loads).to.deep.equal(['acme', 'beta', 'acme'])
    })

    it('TN-09 waits for one attempt at a time while `load` fails', async () => {
      await start({ load: waiting })
      const requests = Array.from({ length: 10 }, () => status())
      await untilAsked(1)
      asked[0]?.fail(undefined)
      expect(new Set(await Promise.all(requests))).to.deep.equal(new Set([503]))
      expect([asked.length, stage.log.errors.length]).to.deep.equal([1, 1])
    })

    const impossible: Readonly<Record<string, Loaded | object>> = {
      'no origins': { origins: [] },
      'an origin with a path': { origins: ['http://acme.test/app'] },
      'an origin that is no URL': { origins: ['acme.test'] },
      'a secret of its own': { secret: 'another-secret-of-more-than-32-characters' },
      'a cookie for a domain': { cookies: { sessionToken: { options: { domain: 'test' } } } },
      'a cookie for a domain, of the browser': { cookies: { browser: { options: { domain: 'test' } } } },
      'a redirect proxy': { redirectProxyUrl: 'https://proxy.test/auth' },
      'hosts of a redirect proxy': { redirectProxyOrigins: ['https://*.preview.test'] },
      'a misspelt option': { adaptor: memoryAdapter() },
      'providers that are no list': { providers: {} },
    }
    for (const [what, config] of Object.entries(impossible)) {
      it(`TN-10 answers 503 to a tenant with ${what}, and logs the reason`, async () => {
        await start({ load: (id) => (id === 'acme' ? (config as Loaded) : {}) })
        expect([await status(), await status('beta.test')]).to.deep.equal([503, 200])
        expect(stage.log.errors).to.have.length(1)
        const [error] = stage.log.errors
        expect(error?.cause).to.have.property('name', 'InvalidConfiguration')
      })
    }

    it('TN-10 answers 503 to an invalid configuration that `auth.tenant` has loaded first, and keeps the old one', async () => {
      const invalid = { adaptor: memoryAdapter() } as Loaded
      let config: Loaded = invalid
      await start({ ttl: 60, load: (id) => (id === 'acme' ? config : invalid) })
      const tenant = async (host: string) => (await stage.browser(host).get('/tenant')).status
      expect([await tenant('beta.test'), await status('beta.test')]).to.deep.equal([503, 503])
      config = {}
      expect(await status()).to.equal(200)
      config = invalid
      advanceClock(61)
      expect(await tenant('acme.test')).to.equal(200)
      await turn()
      expect(await status()).to.equal(200)
    })

    it('TN-11 answers with the old configuration while the new one is loaded, and with it if that fails', async () => {
      await start({ load: waiting, ttl: 60 })
      const first = status()
      await untilAsked(1)
      asked[0]?.answer({ theme: { name: 'Old' } })
      expect(await first).to.equal(200)
      const name = async () => /Old|New/.exec((await stage.browser('acme.test').get('/auth/signin')).text)?.[0]
      advanceClock(59)
      await name()
      expect(asked).to.have.length(1)
      advanceClock(1)
      expect([await name(), await name(), asked.length]).to.deep.equal(['Old', 'Old', 2])
      asked[1]?.fail(new Error('down'))
      await turn()
      expect([await name(), asked.length, stage.log.errors.length]).to.deep.equal(['Old', 2, 1])
      advanceClock(5)
      expect(await name()).to.equal('Old')
      asked[2]?.answer({ theme: { name: 'New' } })
      await turn()
      expect([await name(), asked.length]).to.deep.equal(['New', 3])
    })

    it('TN-11 uses an old configuration for an hour at most', async () => {
      let fails = false
      await start({
        ttl: 60,
        load() {
          if (fails) throw new Error('down')
          return {}
        },
      })
      expect(await status()).to.equal(200)
      fails = true
      advanceClock(60 + 3599)
      expect(await status()).to.equal(200)
      await turn()
      advanceClock(6)
      expect(await status()).to.equal(503)
    })

    it('TN-12 ends a removed tenant with the next load, and its sessions with it', async () => {
      let exists = true
      await start({ ttl: 60, load: () => (exists ? {} : null) })
      const browser = stage.browser('acme.test')
      await browser.signIn()
      exists = false
      advanceClock(61)
      await browser.session()
      await turn()
      expect([(await browser.get('/me')).status, (await browser.get('/guarded')).status]).to.deep.equal([404, 404])
      await stage.auth.of('acme').then(
        () => expect.fail('it exists'),
        (error: unknown) => expect(error).to.be.instanceOf(UnknownTenant),
      )
    })

    it('TN-13 sees `invalidate` at the next request, also while the tenant is loaded or unknown', async () => {
      let exists = false
      await start({ load: async (id) => (exists ? waiting(id) : null) })
      expect([await status(), await status(), stage.loads.length]).to.deep.equal([404, 404, 1])
      exists = true
      stage.auth.invalidate('acme')
      const early = status()
      await untilAsked(1)
      stage.auth.invalidate('acme')
      const late = status()
      await untilAsked(2)
      asked[1]?.answer({ theme: { name: 'New' } })
      expect(await late).to.equal(200)
      asked[0]?.answer({ theme: { name: 'Old' } })
      expect(await early).to.equal(200)
      await turn()
      const page = await stage.browser('acme.test').get('/auth/signin')
      expect(page.text).to.include('New').and.not.include('Old')
      expect(asked).to.have.length(2)
    })

    it('TN-14 asks for an unknown id once in 30 s', async () => {
      await start({ load: () => null })
      for (let count = 0; count < 5; count += 1) expect(await status()).to.equal(404)
      expect(stage.loads).to.have.length(1)
      advanceClock(29)
      await status()
      expect(stage.loads).to.have.length(1)
      advanceClock(2)
      await status()
      expect(stage.loads).to.have.length(2)
    })

    it('TN-09 answers 503 if `key` fails, and logs ten lines in 5 s at most', async () => {
      await start({ key: () => Promise.reject(new Error('down')) })
      for (let count = 0; count < 30; count += 1) expect(await status()).to.equal(503)
      expect(stage.loads).to.deep.equal([])
      const lines = stage.log.errors.map(({ message }) => message)
      expect(lines).to.have.length(10)
      expect([lines[0], lines[9]]).to.deep.equal([
        '`key` of tenants failed.',
        '`key` of tenants failed. Further failures are not logged for a few seconds.',
      ])
      advanceClock(6)
      await status()
      expect(stage.log.errors).to.have.length(11)
    })

    it('TN-15 continues a sign-in whose tenant was replaced in memory meanwhile', async () => {
      await start({ max: 1, load: () => ({ providers: [credentials()] }) })
      const browser = stage.browser('acme.test')
      const csrfToken = await browser.csrf()
      expect(await status('beta.test')).to.equal(200)
      await browser.post('/auth/callback/credentials', { csrfToken, username: 'ann', password: 'right' })
      expect(await status('beta.test')).to.equal(200)
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      expect(stage.loads).to.deep.equal(['acme', 'beta', 'acme', 'beta', 'acme'])
    })

    it('TN-15 knows a used attempt after its tenant was replaced in memory', async () => {
      const plain: OAuth2Config = {
        ...{ id: 'plain', name: 'Plain', type: 'oauth', clientId: 'c', clientSecret: 's' },
        ...{ authorization: 'http://127.0.0.1:9/a', token: 'http://127.0.0.1:9/t', userinfo: 'http://127.0.0.1:9/u' },
      }
      await start({ max: 1, load: () => ({ providers: [plain] }) })
      const browser = stage.browser('acme.test')
      const state = new URL(target(await browser.submit('/auth/signin/plain'))).searchParams.get('state') ?? ''
      const cookies = [...browser.cookies]
      const come = async () => {
        for (const [name, value] of cookies) browser.cookies.set(name, value)
        return (await browser.get(`/auth/callback/plain?code=c&state=${state}`)).headers.location
      }
      expect(await come()).to.not.include('InvalidCheck')
      expect(await status('beta.test')).to.equal(200)
      expect(await come()).to.include('InvalidCheck')
    })

    it('keeps sessions while the secret is replaced', async () => {
      const old = 'an-older-secret-of-more-than-32-characters'
      await start({ secret: old })
      const browser = stage.browser('acme.test')
      await browser.signIn()
      const cookies = [...browser.cookies]
      await stage.close()
      for (const [list, isIn] of [
        [[secret, old], true],
        [[secret], false],
      ] as const) {
        await start({ secret: list })
        const next = stage.browser('acme.test')
        for (const [name, value] of cookies) next.cookies.set(name, value)
        expect((await next.session()) !== null).to.equal(isIn)
        if (isIn) await stage.close()
      }
    })

    for (const slow of ['key', 'load'] as const) {
      it(`TN-09 waits for 10 s for \`${slow}\``, async () => {
        restoreClock()
        await start({ [slow]: () => new Promise<never>(() => {}) })
        const { setTimeout: real } = globalThis
        let limit = 0
        globalThis.setTimeout = ((work: () => void, milliseconds: number) => {
          if (milliseconds < 5_000) return real(work, milliseconds)
          limit = milliseconds
          return real(work, 20)
        }) as typeof setTimeout
        try {
          expect(await status()).to.equal(503)
        } finally {
          globalThis.setTimeout = real
        }
        expect(limit).to.equal(10_000)
      })
    }
  })
}

describe('the options of tenants', () => {
  const wrong: Readonly<Record<string, object>> = {
    key: { key: 'host' },
    load: { load: null },
    max: { max: 0 },
    ttl: { ttl: 0 },
    secret: { secret: [] },
    sharedProviders: { sharedProviders: ['a~b'] },
    trustHost: { trustHost: true },
  }
  for (const [name, options] of Object.entries(wrong)) {
    it(`are rejected at construction: ${name}`, () => {
      const complete: TenantsOptions<FullStackAuthConfig> = { key: () => 'acme', load: () => null, secret }
      expect(() => tenants({ ...complete, ...options })).to.throw(AuthError, name)
    })
  }

  it('reports several tenants with one adapter once', async () => {
    const adapter = memoryAdapter()
    const { auth, log } = createTenants({ load: () => ({ adapter }) })
    await auth.of('acme')
    expect(log.warnings).to.deep.equal([])
    for (const id of ['beta', 'gamma', 'acme']) await auth.of(id)
    expect(log.warnings.map(({ code }) => code)).to.deep.equal(['shared-users'])
  })
})
