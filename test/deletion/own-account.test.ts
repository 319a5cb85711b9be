/** Users who delete their own account, by the page and by the application's code: at both doors, with both strategies. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import type { DeletionOptions } from '../../lib/features/deletion/types.js'
import { defineAuth } from '../../lib/index.js'
import { expectNobody, expectSignedIn, places, type Stage, startStage } from '../password/stage.js'
import { type Browser, target } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { rejectionOf } from '../support/rejection.js'

const email = 'ann@example.com'
const path = '/auth/delete-account'

/** Sends the form of the page. */
const press = async (browser: Browser) => browser.post(path, { csrfToken: await browser.csrf('/auth') })

for (const { name: place, start, strategy } of places) {
  describe(`the own account (${place})`, () => {
    let stage: Stage
    let adapter: ReturnType<typeof memoryAdapter>
    let ann: Browser
    let id: string
    let isRefused: boolean

    const open = async (deletion: DeletionOptions | boolean) => {
      adapter = memoryAdapter()
      isRefused = false
      stage = await startStage({
        start,
        config: {
          adapter,
          deletion,
          session: { strategy, revocation: true },
          events: {
            beforeDeleteUser: () => !isRefused,
            userDisabled: (message) => void stage.events.push(['userDisabled', { ...message }]),
            userDeleted: (message) => void stage.events.push(['userDeleted', { ...message }]),
          },
        },
      })
      ann = stage.browser()
      await stage.register(ann, email)
      id = (await adapter.getUserByEmail(email))?.id ?? ''
    }
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    it('DL-12 is deleted after the button was pressed, and not before', async () => {
      await open(true)
      const page = await ann.get(path)
      expect([page.status, page.text.includes(email)]).to.deep.equal([200, true])
      await expectSignedIn(ann, email)
      const done = await press(ann)
      expect([done.status, done.text]).to.satisfy(
        ([status, text]: [number, string]) => status === 200 && text.includes('has been deleted'),
      )
      await expectNobody(ann)
      expect(await adapter.getUser(id)).to.equal(null)
      const [, message] = stage.events.find(([event]) => event === 'userDeleted') ?? []
      expect(message).to.include({ userId: id, by: id, reason: 'own request' })
      expect(message?.sid).to.be.a('string')
    })

    it('DL-12 is kept without the CSRF token, without a session, and in a session that is not fresh', async () => {
      await open(true)
      const forged = await ann.post(path, {})
      expect(target(forged)).to.include('error=MissingCSRF')
      const stranger = stage.browser()
      expect((await stranger.get(path)).status).to.equal(403)
      expect((await press(stranger)).status).to.equal(403)
      advanceClock(6 * 60)
      const late = await ann.get(path)
      expect(late.status).to.equal(403)
      expect(late.text).to.include('within five minutes').and.not.include('<form')
      // The sign-in leads back to the page.
      expect(late.text).to.match(/\/signin\?callbackUrl=[^"]*delete-account"/)
      expect((await press(ann)).status).to.equal(403)
      expect(await adapter.getUser(id)).to.include({ id })
      await expectSignedIn(ann, email)
    })

    it('DL-12 is kept if the application refuses', async () => {
      await open(true)
      isRefused = true
      const refused = await press(ann)
      expect(refused.status).to.equal(403)
      expect(refused.text).to.include('cannot be deleted here now')
      await expectSignedIn(ann, email)
    })

    it('DL-13 is disabled for some days, and then deleted by a job', async () => {
      await open({ graceDays: 14 })
      expect((await ann.get(path)).text).to.include('in 14 days')
      expect((await press(ann)).text).to.include('in 14 days')
      await expectNobody(ann)
      const { users } = defineAuth(stage.app.config)
      expect((await users.get(id))?.disabled).to.equal(true)
      expect(stage.events.find(([event]) => event === 'userDisabled')?.[1]).to.include({ userId: id, by: id })
      expect(await users.unfinishedDeletions()).to.deep.equal([])
      expect(await users.delete(id, { reason: 'job', resume: true })).to.deep.equal({ ok: false, reason: 'unknown' })
      advanceClock(14 * 24 * 60 * 60 + 1)
      const [due, ...others] = await users.unfinishedDeletions()
      expect(others).to.deep.equal([])
      expect(due).to.include({ userId: id, reason: 'own request' })
      const deleted = await users.delete(id, { reason: 'job', resume: true })
      expect(deleted).to.nested.include({ ok: true, 'report.reason': 'own request' })
      expect(await adapter.getUser(id)).to.equal(null)
      expect(await users.unfinishedDeletions()).to.deep.equal([])
    })

    it('DL-13 is brought back by enable, and then no job deletes it', async () => {
      await open({ graceDays: 1 })
      await press(ann)
      const { users } = defineAuth(stage.app.config)
      await users.enable(id)
      advanceClock(2 * 24 * 60 * 60)
      expect(await users.unfinishedDeletions()).to.deep.equal([])
      expect(await users.delete(id, { reason: 'job', resume: true })).to.deep.equal({ ok: false, reason: 'unknown' })
      const again = stage.browser()
      await stage.signIn(again, email)
      await expectSignedIn(again, email)
      // A second request counts from its own time.
      await press(again)
      await expectNobody(again)
      expect(await users.unfinishedDeletions()).to.deep.equal([])
      advanceClock(2 * 24 * 60 * 60)
      expect(await users.unfinishedDeletions()).to.have.length(1)
    })

    it('DL-13 is not deleted by a job after an application without the option has enabled the user', async () => {
      await open({ graceDays: 1 })
      await press(ann)
      const { deletion: _deletion, ...without } = stage.app.config
      await defineAuth(without).users.enable(id)
      advanceClock(2 * 24 * 60 * 60)
      const { users } = defineAuth(stage.app.config)
      expect(await users.unfinishedDeletions()).to.have.length(1)
      expect(await users.delete(id, { reason: 'job', resume: true })).to.deep.equal({ ok: false, reason: 'unknown' })
      expect(await users.unfinishedDeletions()).to.deep.equal([])
      const again = stage.browser()
      await stage.signIn(again, email)
      await expectSignedIn(again, email)
    })

    it('DL-13 loses nothing by a sign-in that fails before it is brought back', async () => {
      await open({ graceDays: 14 })
      await press(ann)
      expect(target(await stage.signIn(stage.browser(), email))).to.include('error=')
      await defineAuth(stage.app.config).users.enable(id)
      const again = stage.browser()
      await stage.signIn(again, email)
      await expectSignedIn(again, email)
    })

    it('DL-13 is not brought back while a job deletes it: one of both wins', async () => {
      await open({ graceDays: 1 })
      await press(ann)
      advanceClock(2 * 24 * 60 * 60)
      const { users } = defineAuth(stage.app.config)
      const [deleted, enabled] = await Promise.all([
        users.delete(id, { reason: 'job', resume: true }).catch((error: Error) => error),
        users.enable(id).then(
          () => true,
          () => false,
        ),
      ])
      const user = await adapter.getUser(id)
      expect(enabled).to.equal(user !== null)
      expect(deleted).to.have.property('ok', user === null)
    })

    it('DL-10 has no page without the option', async () => {
      await open(false)
      expect((await ann.get(path)).status).to.equal(404)
      const { account } = defineAuth(stage.app.config)
      const req = { headers: { host: new URL(stage.app.origin).host, cookie: ann.cookieHeader() }, protocol: 'http' }
      const res = { setHeader() {}, getHeader() {}, writeHead() {}, headersSent: false }
      expect(await rejectionOf(account.requestDeletion(req as never, res as never))).to.include({
        type: 'InvalidConfiguration',
      })
    })
  })
}
