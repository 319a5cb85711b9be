/** Requests of tenants: which one is found, and what the others get. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { UnknownTenant } from '../../lib/errors.js'
import { passwordsTable } from '../../lib/features/passwords/description.js'
import type { EmailConfig } from '../../lib/types/provider.js'
import { withEnv } from '../shim/stage.js'
import { setCookies } from '../support/app.js'
import { rejectionOf } from '../support/rejection.js'
import { createTenants, firstLabel, type StageOptions, type TenantStage, tenantDoors } from './stage.js'

for (const [door, open] of tenantDoors) {
  describe(`requests of tenants (${door})`, () => {
    let stage: TenantStage
    const start = async (options?: StageOptions) => {
      stage = await open(options)
    }
    afterEach(() => stage.close())

    it('signs in at one tenant, whose session is unknown at another one', async () => {
      await start()
      const browser = stage.browser('acme.test')
      await browser.signIn()
      expect(await browser.session()).to.have.nested.property('user.name', 'ann')
      for (const path of ['/me', '/guarded', '/tenant']) expect((await browser.get(path)).status, path).to.equal(200)
      expect((await browser.get('/tenant')).body).to.equal('acme')
      const other = stage.browser('beta.test')
      for (const [name, value] of browser.cookies) other.cookies.set(name, value)
      expect(await other.session()).to.equal(null)
      expect((await other.get('/me')).body).to.equal(null)
      expect((await other.get('/guarded', { accept: 'application/json' })).status).to.equal(401)
      expect(stage.log.errors).to.deep.equal([])
    })

    it('TN-04 finds one tenant by every spelling of its host', async () => {
      const hosts: string[] = []
      await start({
        key({ host }) {
          hosts.push(host)
          return firstLabel({ host })
        },
        load: (id) => ({ origins: id === 'xn--bcher-kva' ? ['http://bücher.test'] : [`http://${id}.test`] }),
      })
      for (const host of ['Acme.TEST', 'acme.test.', 'acme.test:80', 'ACME.test.:443', 'xn--bcher-kva.test']) {
        const answer = await stage.browser(host).get('/auth/csrf')
        expect(answer.status, host).to.equal(200)
      }
      expect(new Set(hosts)).to.deep.equal(new Set(['acme.test', 'xn--bcher-kva.test']))
      expect(stage.loads).to.deep.equal(['acme', 'xn--bcher-kva'])
    })

    for (const host of [
      '.',
      'acme.test..',
      'acme.test..:80',
      'acme.test/x',
      'a b',
      'acme.test:99999',
      '[::1',
      'user@acme.test',
    ]) {
      it(`TN-04 answers the host ${JSON.stringify(host)} with 4xx, and loads nothing`, async () => {
        await start()
        const answer = await stage.browser(host).get('/auth/session')
        expect(answer.status).to.be.within(400, 499)
        expect([stage.loads, stage.log.errors]).to.deep.equal([[], []])
      })
    }

    for (const id of [null, '', 'Acme', '-acme', 'a.b', 'acme~x', `a${'b'.repeat(64)}`, 7, {}, ['acme']]) {
      it(`TN-03 answers the id ${JSON.stringify(id)} of \`key\` with 404, and loads nothing`, async () => {
        await start({ key: () => id as string | null })
        for (const path of ['/auth/session', '/auth/signin', '/me', '/tenant', '/guarded', '/live']) {
          const answer = await stage.browser('acme.test').get(path)
          expect(answer.status, path).to.equal(404)
          expect(setCookies(answer)).to.deep.equal([])
        }
        expect((await stage.browser('acme.test').post('/form', { a: 1 })).status).to.equal(404)
        expect([stage.loads, stage.log.errors]).to.deep.equal([[], []])
      })
    }

    it('TN-03 answers an unknown tenant with 404, which no cache stores, in JSON for API clients', async () => {
      await start({ load: () => null })
      const page = await stage.browser('acme.test').get('/auth/signin', { accept: 'text/html' })
      expect([page.status, page.type, page.text]).to.deep.equal([
        404,
        'text/plain',
        'There is no site at this address.\n',
      ])
      expect(page.headers['cache-control']).to.include('no-store')
      const json = await stage.browser('acme.test').get('/auth/session', { accept: 'application/json' })
      expect(json.body).to.deep.equal({ error: 'UnknownTenant', message: 'There is no site at this address.' })
      expect(page.text + json.text).to.not.include('acme')
    })

    it('TN-05 answers 404 if the host is not among the origins that were loaded', async () => {
      await start({ key: () => 'acme' })
      expect((await stage.browser('acme.test').get('/auth/csrf')).status).to.equal(200)
      for (const host of ['beta.test', 'acme.test.evil.test', 'acme.test:8080']) {
        expect((await stage.browser(host).get('/auth/csrf')).status, host).to.equal(404)
        expect((await stage.browser(host).get('/me')).status, host).to.equal(404)
      }
    })

    it('TN-06 uses the first origin for redirects, whatever the host says, and moves pages there', async () => {
      await start({ key: () => 'acme', load: () => ({ origins: ['http://acme.test', 'http://old.test'] }) })
      const other = stage.browser('old.test')
      const moved = await other.get('/auth/signin?callbackUrl=/there')
      expect([moved.status, moved.headers.location]).to.deep.equal([
        307,
        'http://acme.test/auth/signin?callbackUrl=/there',
      ])
      expect((await other.get('/auth/session')).status).to.equal(200)
      const guarded = await other.get('/guarded', { accept: 'text/html' })
      expect(guarded.headers.location).to.match(/^(http:\/\/acme\.test)?\/auth\/signin\?/)
      expect(guarded.headers.location).to.not.include('old.test')
    })

    it('TN-10 calls the callbacks of a class, whose methods need `this`', async () => {
      class Callbacks {
        readonly #isOpen = false
        signIn() {
          return this.#isOpen
        }
        redirect({ baseUrl }: { baseUrl: string }) {
          return `${baseUrl}/rejected-${this.#isOpen}`
        }
      }
      await start({ load: () => ({ callbacks: new Callbacks() }) })
      const browser = stage.browser('acme.test')
      await browser.signIn()
      expect(await browser.session()).to.equal(null)
    })

    it('TN-19 reads no session cookie that the site of another tenant can set', async () => {
      await start({ trustProxy: true, load: (id) => ({ origins: [`https://${id}.test`] }) })
      const stranger = stage.browser('acme.test')
      await stranger.signIn()
      const token = stranger.cookies.get('__Host-auth.session-token') ?? ''
      expect(token).to.not.equal('')
      expect(await stranger.session()).to.not.equal(null)
      const victim = stage.browser('acme.test')
      victim.cookies.set('__Secure-auth.session-token', token)
      expect(await victim.session()).to.equal(null)
    })

    it('TN-07 redirects to an origin of the tenant only, also where its callback allows others', async () => {
      await start({
        load: (id) => ({
          origins: [`http://${id}.test`, `http://www.${id}.test`],
          callbacks: { redirect: ({ url }) => url },
        }),
      })
      const targetOf = async (callbackUrl: string) =>
        (await stage.browser('acme.test').signIn({ callbackUrl })).headers.location
      expect(await targetOf('/there')).to.equal('http://acme.test/there')
      expect(await targetOf('http://www.acme.test/there')).to.equal('http://www.acme.test/there')
      for (const url of [
        'http://beta.test/',
        'https://acme.test/',
        'http://acme.test:81/',
        'http://acme.test.evil.test/',
      ]) {
        expect((await targetOf(url))?.replace(/\/$/, ''), url).to.equal('http://acme.test')
      }
    })
  })
}

describe('functions of tenants', () => {
  const request = (host = 'acme.test') => ({ method: 'GET', url: '/', headers: { host }, protocol: 'http' })

  it('TN-17 throws without a request, and says how to name the tenant', async () => {
    const { auth } = createTenants()
    const error = await rejectionOf(auth.users.list({}))
    expect(error).to.be.instanceOf(TypeError)
    expect(String(error)).to.include('(await auth.of(id)).users.list()')
    expect(await rejectionOf(auth.getSession(undefined as never))).to.be.instanceOf(TypeError)
    expect(String(await rejectionOf(auth.tenant(undefined as never)))).to.include('tenant() needs the request')
    expect(await rejectionOf(auth.tokens.get({ userId: 'ann' }, { provider: 'google' }))).to.be.instanceOf(TypeError)
  })

  it('throws if a guard is passed to Express without a call', () => {
    const { auth } = createTenants()
    const req = { ...request(), socket: {} } as never
    const { csrf, requireSession, requireTenant, tokens } = auth
    for (const guard of [csrf.require, requireSession, requireTenant, tokens.requireConnection] as Array<
      typeof requireSession
    >) {
      expect(() => guard(req)).to.throw('was passed to Express without a call')
    }
  })

  it('TN-17 throws from functions that do not wait, until the tenant of the request is known', async () => {
    const { auth } = createTenants()
    const req = request()
    await auth.getSession(request())
    for (const call of [auth.getCsrfToken, auth.hasCsrfToken, auth.csrf.field]) {
      expect(() => call(req as never)).to.throw(TypeError, 'requireTenant')
    }
    expect(await auth.tenant(req)).to.equal('acme')
    expect(auth.hasCsrfToken(Object.assign(req, { body: {} }))).to.equal(false)
  })

  it('TN-17 has the functions of one tenant, of which those of another one know nothing', async () => {
    const adapter = memoryAdapter()
    const { auth } = createTenants({ load: () => ({ adapter, session: { strategy: 'database', revocation: true } }) })
    const [acme, beta] = [await auth.of('acme'), await auth.of('beta')]
    const { user } = (await acme.users.create({ email: 'ann@x.test', emailVerified: true })) as { user: { id: string } }
    await acme.users.disable(user.id)
    expect((await beta.users.get(user.id))?.disabled).to.not.equal(true)
    expect(await rejectionOf(auth.of('ACME'))).to.be.instanceOf(UnknownTenant)
  })

  it('deletes a user in one tenant, with the records that it has stored under its name', async () => {
    const adapter = memoryAdapter()
    const options = { adapter, session: { strategy: 'database', revocation: true }, deletion: true } as const
    const { auth, log } = createTenants({ load: () => options })
    const acme = await auth.of('acme')
    const made = await acme.users.create({ email: 'ann@x.test', emailVerified: true })
    if (!made.ok) throw new Error('the user was not created')
    const { records } = acme.config.adapter?.store?.() ?? {}
    const password = { userId: made.user.id, hash: 'x', changedAt: new Date() }
    expect(await records?.write(passwordsTable, password, 0)).to.equal(true)
    const deleted = await acme.users.delete(made.user.id, { reason: 'a test' })
    expect([deleted.ok, await records?.find(passwordsTable, { userId: made.user.id })]).to.deep.equal([true, null])
    expect(await (await auth.of('beta')).users.get(made.user.id)).to.equal(null)
    expect(log.errors).to.deep.equal([])
  })

  it('accepts the sessions of a tenant in another process with the same secret', async () => {
    const adapter = memoryAdapter()
    const load = () => ({ adapter, session: { strategy: 'database' } }) as const
    const open = tenantDoors[0]?.[1]
    if (!open) throw new Error('there is no entry point')
    const [one, other] = [await open({ load }), await open({ load })]
    const browser = one.browser('acme.test')
    await browser.signIn()
    for (const [host, isIn] of [
      ['acme.test', true],
      ['beta.test', false],
    ] as const) {
      const elsewhere = other.browser(host)
      for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value)
      expect((await elsewhere.session()) !== null, host).to.equal(isIn)
    }
    await Promise.all([one.close(), other.close()])
  })

  it('waits in `router.close` for emails, also of a tenant that was replaced in memory', async () => {
    let send = () => {}
    const sent = new Promise<void>((resolve) => {
      send = resolve
    })
    const email: EmailConfig = {
      ...{ id: 'email', name: 'Email', type: 'email', limit: false },
      sendVerificationRequest: () => sent,
    }
    const open = tenantDoors[0]?.[1]
    if (!open) throw new Error('there is no entry point')
    const stage = await open({ max: 1, load: () => ({ adapter: memoryAdapter(), providers: [email] }) })
    await stage.browser('acme.test').submit('/auth/signin/email', { email: 'ann@x.test' })
    await stage.auth.of('beta')
    let isOver = false
    const closed = stage.auth.router.close().then(() => {
      isOver = true
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(isOver).to.equal(false)
    send()
    await closed
    await stage.close()
  })

  it('keeps the tenant that a request has found', async () => {
    const { auth, loads } = createTenants()
    const req = request()
    await auth.getSession(req)
    auth.invalidate('acme')
    await auth.getSession(req)
    expect(loads).to.deep.equal(['acme'])
    await auth.getSession(request())
    expect(loads).to.deep.equal(['acme', 'acme'])
  })

  it('finds the tenant of a Fetch request, and trusts the host of a proxy only with AUTH_TRUST_HOST', async () => {
    const headers = { 'x-forwarded-host': 'beta.test' }
    const fetchRequest = () => new Request('http://acme.test/x', { headers })
    expect(await createTenants().auth.tenant(fetchRequest())).to.equal('acme')
    await withEnv({ AUTH_TRUST_HOST: 'true' }, async () => {
      expect(await createTenants().auth.tenant(fetchRequest())).to.equal('beta')
    })
  })

  it('reads the path and the headers for `key`', async () => {
    const seen: unknown[] = []
    const { auth } = createTenants({
      key({ path, headers }) {
        seen.push([path, headers.get('x-tenant')])
        return headers.get('x-tenant')
      },
    })
    const req = {
      ...request(),
      originalUrl: 'http://acme.test/a/b?c',
      headers: { host: 'acme.test', 'x-tenant': 'acme' },
    }
    expect(await auth.tenant(req)).to.equal('acme')
    expect(seen).to.deep.equal([['/a/b', 'acme']])
  })

  it('TN-14 keeps nothing of 10,000 unknown hosts beyond its limits, and asks once for each', async () => {
    const { auth, loads, log } = createTenants({ load: () => null })
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 10_000; index += 1) {
        await auth.tenant(request(`t${index}.test`)).catch(() => {})
      }
      expect(loads).to.have.length(10_000)
    }
    expect(log.errors).to.deep.equal([])
    // The oldest name is forgotten for one more.
    await auth.tenant(request('one-more.test')).catch(() => {})
    await auth.tenant(request('t0.test')).catch(() => {})
    expect(loads).to.have.length(10_002)
  })
})
