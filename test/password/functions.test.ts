/** The functions of `server-auth/passwords`, and what account pages make of a password. */

import { expect } from 'chai'
import type { Express, Request as ExpressRequest, Response as ExpressResponse } from 'express'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { scryptHashes } from '../../lib/features/passwords/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { type ServerAuthConfig, startSession } from '../../lib/index.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { type Browser, startApp, target } from '../support/app.js'
import { advanceClock, freezeClock, restoreClock } from '../support/clock.js'
import { rejectionOf } from '../support/rejection.js'
import { passwordsIn } from '../support/stores.js'
import { better, expectNobody, expectSignedIn, good, open, type Stage, send, sessionOf, startStage } from './stage.js'

const ann = 'ann@example.com'

/** An application whose own pages call the functions. */
function pages(app: Express, config: ServerAuthConfig): void {
  const answer = (path: string, work: (req: ExpressRequest, res: ExpressResponse) => Promise<unknown>) =>
    app.get(path, (req, res, next) => void work(req, res).then((result) => res.json(result ?? null), next))
  answer('/has', (req) => expressFunctions(config).passwords.has(req))
  answer('/change', (req) =>
    expressFunctions(config).passwords.change(req, { ...(req.query as object), password: String(req.query.password) }),
  )
  answer('/account', async (req) => (await expressFunctions(config).account.get(req))?.accounts)
  answer('/unlink', async (req) =>
    expressFunctions(config).account.unlink(req, { provider: 'password', providerAccountId: String(req.query.id) }),
  )
  answer('/begin', async (req, res) =>
    startSession(req, res, config, { user: { id: String(req.query.id) }, amr: ['hwk'] }),
  )
}

for (const strategy of ['jwt', 'database'] as const) {
  describe(`functions for passwords (${strategy})`, () => {
    let stage: Stage
    let browser: Browser
    const json = async (path: string, whose = browser) => (await whose.get(path)).body
    const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

    beforeEach(async () => {
      stage = await startStage({
        start: (config) => startApp(config, { after: pages }),
        config: sessionOf(strategy),
        password: { imported: [scryptHashes()] },
      })
      browser = stage.browser()
    })
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    const addUser = (id: string, emailVerified: Date | null = new Date()) =>
      stage.adapter.createUser({ id, email: `${id}@example.com`, emailVerified })

    it('hasPassword, and changePassword by its results', async () => {
      expect(await json('/has')).to.equal(false)
      expect(await json(`/change?${query({ password: better })}`)).to.deep.equal({ ok: false, reason: 'unknown' })
      await stage.register(browser, ann)
      expect(await json('/has')).to.equal(true)
      freezeClock()
      advanceClock(600)
      expect(await json(`/change?${query({ current: better, password: better })}`)).to.deep.equal({
        ok: false,
        reason: 'wrong',
      })
      expect(await json(`/change?${query({ current: good, password: 'short' })}`)).to.deep.equal({
        ok: false,
        reason: 'short',
      })
      expect(await json(`/change?${query({ current: good, password: better })}`)).to.deep.equal({ ok: true })
      await expectSignedIn(browser, ann)
    })

    it('CD-15: a first password needs a fresh session, and a verified email address', async () => {
      await addUser('bob')
      await addUser('eve', null)
      freezeClock()
      const [bob, eve] = [stage.browser(), stage.browser()]
      await bob.get('/begin?id=bob')
      await eve.get('/begin?id=eve')
      expect(await json(`/change?${query({ password: good })}`, eve)).to.deep.equal({ ok: false, reason: 'unverified' })
      advanceClock(301)
      expect(await json(`/change?${query({ password: good })}`, bob)).to.deep.equal({ ok: false, reason: 'stale' })
      expect((await bob.get('/auth/password/change')).text).to.include('sign in to it again')
      await bob.get('/begin?id=bob')
      expect(await json(`/change?${query({ password: good })}`, bob)).to.deep.equal({ ok: true })
      expect(target(await stage.signIn(stage.browser(), 'bob@example.com'))).to.equal(`${stage.app.origin}/`)
    })

    it('is an account on account pages; unlinking it removes the password, but never the last sign-in method', async () => {
      await stage.register(browser, ann)
      const [account] = await json('/account')
      expect(account).to.include({ provider: 'password', name: 'Password', isLast: true })
      expect(await json(`/unlink?id=${account.providerAccountId}`)).to.deep.equal({ ok: false, reason: 'last' })
      const id = account.providerAccountId
      await stage.adapter.linkAccount({ userId: id, provider: 'password', providerAccountId: 'x', type: 'credentials' })
      expect(await json(`/unlink?id=${id}`)).to.deep.equal({ ok: true })
      expect(await json('/has')).to.equal(false)
      expect(target(await stage.signIn(stage.browser(), ann))).to.include('error=CredentialsSignin')
    })

    it('setPassword: by own code, for any user; all sessions end, and a mail reports it', async () => {
      await addUser('bob')
      const before = stage.browser()
      await before.get('/begin?id=bob')
      const { config } = stage.app
      const req = { headers: { host: new URL(stage.app.origin).host }, protocol: 'http' }
      await expressFunctions(config).passwords.set({ userId: 'bob', password: good }, req)
      await expectNobody(before)
      await stage.mail('bob@example.com', 'notice')
      expect(target(await stage.signIn(browser, 'bob@example.com'))).to.equal(`${stage.app.origin}/`)
      expect(await expressFunctions(config).passwords.set({ userId: 'bob', password: 'short' }, req)).to.deep.equal({
        ok: false,
        reason: 'short',
      })
      expect(
        (await rejectionOf(expressFunctions(config).passwords.set({ userId: 'nobody', password: good }, req))).message,
      ).to.include('No stored user')
      const misspelt = { userId: 'bob', pasword: good } as unknown as { userId: string; password: string }
      expect((await rejectionOf(expressFunctions(config).passwords.set(misspelt, req))).message).to.equal(
        '`passwords.set` needs a `password` that is text.',
      )
    })

    it('importPassword: a hash of another system signs in once, and is replaced', async () => {
      await addUser('carl')
      const { config } = stage.app
      const { scrypt } = await import('../../lib/features/passwords/hashing/hasher.js')
      const hash = await scrypt().hash(good)
      expect(await expressFunctions(config).passwords.import({ userId: 'carl', hash })).to.deep.equal({ ok: true })
      expect(await expressFunctions(config).passwords.import({ userId: 'carl', hash })).to.deep.equal({
        ok: false,
        reason: 'exists',
      })
      expect(
        await rejectionOf(expressFunctions(config).passwords.import({ userId: 'carl', hash: 'two\nlines' })),
      ).to.be.an.instanceOf(TypeError)
      await stage.signIn(browser, 'carl@example.com')
      await expectSignedIn(browser, 'carl@example.com')
      await stage.settle()
      expect((await passwordsIn(stage.adapter.store()).find('carl'))?.hash).to.match(/^\$quick\$/)
      expect((await json('/account'))[0]).to.include({ provider: 'password', providerAccountId: 'carl' })
    })

    it('sendPasswordLink: for users that own code makes', async () => {
      await addUser('dana', null)
      const req = { headers: { host: new URL(stage.app.origin).host }, protocol: 'http' }
      await expressFunctions(stage.app.config).passwords.sendLink({ userId: 'dana' }, req)
      const link = await stage.link('dana@example.com', 'reset-password')
      await send(browser, await open(browser, link), { password: good })
      await expectSignedIn(browser, 'dana@example.com')
      expect((await stage.adapter.getUser('dana'))?.emailVerified).to.be.an.instanceOf(Date)
    })
  })
}

/** Calls a function while a request is being answered. */
async function within<T>(request: Request, work: () => Promise<T>): Promise<T> {
  const results: T[] = []
  await withRequest(request, async () => {
    results.push(await work())
    return new Response()
  })
  return results[0] as T
}

describe('importPassword(config, …)', () => {
  it('rejects a hash by which no user could sign in, and stores nothing', async () => {
    const { bcrypt } = await import('../../lib/features/passwords/hashing/bcrypt.js')
    const hash = `$2b$10$${'a'.repeat(53)}`
    for (const imported of [[], [bcrypt()]]) {
      const stage = await startStage({ password: { hash: undefined, imported } })
      await stage.adapter.createUser({ id: 'carl', email: 'carl@example.com', emailVerified: new Date() })
      const user = await stage.adapter.getUserByEmail('carl@example.com')
      const userId = user?.id ?? ''
      const error = await rejectionOf(
        expressFunctions(stage.app.config).passwords.import({ userId, hash: '5f4dcc3b5aa765d61d8327deb882cf99' }),
      )
      expect(error).to.be.an.instanceOf(TypeError)
      expect(error.message).to.include('imported: [bcrypt()]').and.not.include('5f4dcc')
      expect(await passwordsIn(stage.adapter.store()).find(userId)).to.equal(null)
      const imports = expressFunctions(stage.app.config).passwords.import({ userId, hash })
      if (imported.length > 0) expect(await imports).to.deep.equal({ ok: true })
      else expect(await rejectionOf(imports)).to.be.an.instanceOf(TypeError)
      await stage.close()
    }
  })
})

describe('functions for passwords, behind the shim', () => {
  it('answer for the request that is being answered, and without one', async () => {
    const adapter = memoryAdapter()
    const stage = await startStage({ config: { adapter, ...sessionOf('jwt') } })
    await stage.register(stage.browser(), ann)
    const browser = stage.browser()
    await stage.signIn(browser, ann)
    const own = initAuth({ ...stage.app.config, basePath: '/auth' })
    const headers = { cookie: browser.cookieHeader(), 'sec-fetch-site': 'same-origin' }
    const request = new Request(`${stage.app.origin}/page`, { headers })
    expect(await within(request, own.passwords.has)).to.equal(true)
    expect(await within(request, () => own.passwords.change({ password: better }))).to.deep.equal({ ok: true })
    const user = await adapter.getUserByEmail(ann)
    expect(await own.passwords.import({ userId: user?.id ?? '', hash: 'x' })).to.deep.equal({
      ok: false,
      reason: 'exists',
    })
    await within(request, () => own.passwords.sendLink({ userId: user?.id ?? '' }))
    await stage.mail(ann, 'reset-password')
    await within(request, () => own.passwords.set({ userId: user?.id ?? '', password: good }))
    expect(target(await stage.signIn(stage.browser(), ann, good))).to.equal(`${stage.app.origin}/`)
    const foreign = new Request(`${stage.app.origin}/page`, { headers: { ...headers, 'sec-fetch-site': 'cross-site' } })
    expect(await rejectionOf(within(foreign, () => own.passwords.change({ password: better })))).to.include({
      type: 'MissingCSRF',
    })
    await stage.close()
  })
})
