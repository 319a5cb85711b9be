/** Passwords and second factors at once: what an old password has begun, and what a mailbox alone comes to. */

import { expect } from 'chai'
import { EmailCode, RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import { totpCodeAt, totpStepAt } from '../../lib/features/factors/totp-factor.js'
import type { PasswordHasher } from '../../lib/features/passwords/types.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import Password from '../../lib/providers/password.js'
import type { VerificationRequest } from '../../lib/types/provider.js'
import { keyIn, mailProvider } from '../factors/stage.js'
import { type Browser, target } from '../support/app.js'
import { formIn } from '../support/mail-server.js'
import { factorsIn } from '../support/stores.js'
import {
  better,
  expectNobody,
  expectSignedIn,
  open,
  places,
  quickHasher,
  type Stage,
  send,
  sessionOf,
  startStage,
} from './stage.js'

const ann = 'ann@example.com'

for (const { name, start, strategy } of places) {
  describe(`passwords in combination, ${name}`, () => {
    let stage: Stage
    afterEach(() => stage.close())

    /** A new password, by a link. */
    async function reset(): Promise<void> {
      const browser = stage.browser()
      await browser.submit('/auth/password/forgot', { email: ann })
      const page = await open(browser, await stage.link(ann, 'reset-password'))
      expect((await send(browser, page, { password: better })).status).to.equal(303)
    }

    it('CD-14, MF-01: a sign-in by the old password that waits for its second factor ends with that password', async () => {
      let needed: 1 | 2 = 1
      const methods = [Totp(), RecoveryCodes()]
      stage = await startStage({
        start,
        config: { ...sessionOf(strategy), factors: { methods, require: () => needed } },
      })
      await stage.register(stage.browser(), ann)
      needed = 2
      const eve = stage.browser()
      expect(target(await stage.signIn(eve, ann))).to.include('/auth/two-factor')
      const page = await eve.get('/auth/two-factor/totp?setup')
      const [key, { action, fields }] = [keyIn(page.text), formIn(page.text, '/auth/two-factor')]
      await reset()
      // An app that she adds would belong to the user from then on.
      const answer = await eve.post(action, { ...fields, code: totpCodeAt(key, totpStepAt(Date.now())) })
      expect(target(answer)).to.include('error=ReauthenticationRequired')
      await expectNobody(eve)
      const user = await stage.adapter.getUserByEmail?.(ann)
      const rows = await factorsIn(stage.adapter.store()).list(user?.id ?? '')
      expect(rows.map(({ type }) => type)).to.not.include('totp')
    })

    it('CD-14, MF-03: an attacker with the mailbox alone sets a password, and gets no further by an email code', async () => {
      const mails: VerificationRequest[] = []
      const mail = mailProvider(mails)
      stage = await startStage({
        start,
        config: {
          ...sessionOf(strategy),
          providers: [Password({ hash: quickHasher() }), mail],
          factors: [EmailCode(), RecoveryCodes()],
        },
      })
      const next = async (count: number) => {
        for (let tries = 0; mails.length < count && tries < 300; tries += 1) await stage.settle()
        return mails[count - 1] as VerificationRequest
      }
      const factor = async (browser: Browser, type: string, fields: object) =>
        browser.post(`/auth/two-factor/${type}`, { csrfToken: await browser.csrf(), ...fields })
      const own = stage.browser()
      await stage.signUp(own, ann)
      await send(own, await open(own, (await next(1)).url))
      await own.submit('/auth/signout')
      await stage.signIn(own, ann)
      await factor(own, 'email', { intent: 'setup-send' })
      const added = await factor(own, 'email', { intent: 'setup', code: (await next(2)).token })
      const [code = ''] = [...added.text.matchAll(/<code>([A-Z2-9-]{14})<\/code>/g)].map(([, each]) => each)
      expect(code).to.not.equal('')
      const eve = stage.browser()
      await eve.submit('/auth/password/forgot', { email: ann })
      await send(eve, await open(eve, (await next(3)).url), { password: better })
      await stage.signIn(eve, ann, better)
      expect(target(await factor(eve, 'email', { intent: 'send' }))).to.include('error=SecondFactorFailed')
      await expectNobody(eve)
      expect(mails).to.have.length(3)
      // The owner has more than the mailbox, and from then on the password is theirs.
      await stage.signIn(own, ann, better)
      expect(target(await factor(own, 'recovery', { code }))).to.not.include('error')
      await own.submit('/auth/signout')
      await stage.signIn(own, ann, better)
      await factor(own, 'email', { intent: 'send' })
      await factor(own, 'email', { code: (await next(4)).token })
      await expectSignedIn(own, ann)
    })

    /** An application with codes by mail beside an authenticator app, and what its mailbox gets. */
    async function startWithMailedCodes() {
      const mails: VerificationRequest[] = []
      stage = await startStage({
        start,
        config: {
          ...sessionOf(strategy),
          providers: [Password({ hash: quickHasher() }), mailProvider(mails)],
          factors: [Totp(), EmailCode(), RecoveryCodes()],
        },
      })
      const next = async (count: number) => {
        for (let tries = 0; mails.length < count && tries < 300; tries += 1) await stage.settle()
        return mails[count - 1] as VerificationRequest
      }
      const factor = async (browser: Browser, type: string, fields: object) =>
        browser.post(`/auth/two-factor/${type}`, { csrfToken: await browser.csrf(), ...fields })
      const own = stage.browser()
      await stage.signUp(own, ann)
      await send(own, await open(own, (await next(1)).url))
      const enrol = async () => {
        const page = await own.get('/auth/two-factor/totp?setup')
        const key = keyIn(page.text)
        const { fields } = formIn(page.text, '/auth/two-factor')
        await factor(own, 'totp', { ...fields, intent: 'setup', code: totpCodeAt(key, totpStepAt(Date.now())) })
        const sent = mails.length
        await factor(own, 'email', { intent: 'setup-send' })
        await factor(own, 'email', { intent: 'setup', code: (await next(sent + 1)).token })
        const user = await stage.adapter.getUserByEmail?.(ann)
        const types = (await factorsIn(stage.adapter.store()).list(user?.id ?? '')).map(({ type }) => type)
        expect(types).to.include.members(['totp', 'email'])
        return { key, userId: user?.id ?? '' }
      }
      /** The owner signs in by a link. */
      const enterByMail = async () => {
        const sent = mails.length
        await own.submit('/auth/signin/email', { email: ann })
        const { pathname, search } = new URL((await next(sent + 1)).url)
        await own.get(pathname + search)
      }
      /** The attacker with the mailbox alone: a new password by a link, then that password and a code by mail. */
      const eve = stage.browser()
      const takePassword = async (password: string) => {
        const sent = mails.length
        await eve.submit('/auth/password/forgot', { email: ann })
        await send(eve, await open(eve, (await next(sent + 1)).url), { password })
        await eve.submit('/auth/signout')
      }
      const expectHeldOff = async (password: string) => {
        await stage.signIn(eve, ann, password)
        expect(target(await factor(eve, 'email', { intent: 'send' }))).to.include('error=SecondFactorFailed')
        await expectNobody(eve)
      }
      return { own, enrol, enterByMail, factor, takePassword, expectHeldOff }
    }

    it('MF-14: the owner’s sign-in by another way leaves the mark at a password that was set by mail', async () => {
      const { own, enrol, enterByMail, factor, takePassword, expectHeldOff } = await startWithMailedCodes()
      const { key } = await enrol()
      await takePassword(better)
      // A sign-in by an email link and the app does not verify that password.
      await own.submit('/auth/signout')
      await enterByMail()
      expect(target(await factor(own, 'totp', { code: totpCodeAt(key, totpStepAt(Date.now()) + 1) }))).to.not.include(
        'error',
      )
      await expectSignedIn(own, ann)
      await own.submit('/auth/signout')
      await expectHeldOff(better)
    })

    it('MF-14: a password that was set by mail before there was a second factor is marked as well', async () => {
      const { own, enrol, enterByMail, takePassword, expectHeldOff } = await startWithMailedCodes()
      await takePassword(better)
      await own.submit('/auth/signout')
      await enterByMail()
      await enrol()
      await expectHeldOff(better)
    })

    it('MF-14: a reset of factors leaves the mark at a password that was set by mail', async () => {
      const { own, enrol, enterByMail, takePassword, expectHeldOff } = await startWithMailedCodes()
      const { userId } = await enrol()
      await takePassword(better)
      await expressFunctions(stage.app.config).factors.reset(userId)
      await own.submit('/auth/signout')
      await enterByMail()
      await enrol()
      await expectHeldOff(better)
    })

    it('CD-14, RC-03: a sign-in by the old password that is under way while a new one is set begins no session', async () => {
      const hasher = quickHasher()
      let meanwhile: (() => Promise<void>) | undefined
      const hash: PasswordHasher = {
        ...hasher,
        async verify(stored, password) {
          const isRight = await hasher.verify(stored, password)
          const work = meanwhile
          meanwhile = undefined
          await work?.()
          return isRight
        },
      }
      stage = await startStage({ start, password: { hash }, config: sessionOf(strategy) })
      await stage.register(stage.browser(), ann)
      const eve = stage.browser()
      meanwhile = reset
      expect(target(await stage.signIn(eve, ann))).to.include('error=CredentialsSignin')
      await expectNobody(eve)
    })
  })
}
