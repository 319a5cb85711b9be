/**
 * The proofs of a session, attacked over HTTP: by linking, by copies, by sessions of the application, and by sessions
 * of other libraries.
 */

import { encode as encodeLegacy } from '@auth/core/jwt'
import { expect } from 'chai'
import Passkey from '../../lib/providers/passkey.js'
import {
  base,
  doors,
  enrolled,
  type FactorStage,
  type FactorStageConfig,
  fieldIn,
  keyIn,
  mailProvider,
  openFactorStage,
  type Person,
  stopClock,
  strategies,
  whereTo,
} from '../factors/stage.js'
import { strategies as passkeyStrategies, usePasskeys } from '../flows/webauthn/stage.js'
import { credentials } from '../support/app.js'
import { advanceClock, restoreClock, seconds } from '../support/clock.js'
import { startHostileProvider } from '../support/hostile-provider.js'
import { opened } from '../support/opened.js'
import { sessionName } from '../support/session.js'
import { factorsIn } from '../support/stores.js'

const showing: FactorStageConfig['callbacks'] = {
  session: ({ session, authentication }) => ({ ...session, authentication }),
}

for (const [name, open] of Object.entries(doors)) {
  for (const strategy of strategies) {
    describe(`the proofs of a session, ${name}, ${strategy}`, () => {
      let stage: FactorStage
      const start = async (config: FactorStageConfig = {}) => {
        stage = await openFactorStage(open, {
          session: { strategy },
          callbacks: showing,
          experimental: { enableWebAuthn: true },
          providers: [
            credentials(),
            mailProvider([]),
            { type: 'oidc', id: 'test', name: 'Test', ...provider.settings, trustAcr: () => 2 },
            Passkey({ relyingParty: { id: 'localhost', name: 'Test', origin: 'http://localhost' } }),
          ],
          ...config,
        })
      }
      const provider = opened(() => startHostileProvider())
      beforeEach(stopClock)
      afterEach(async () => {
        restoreClock()
        await stage.close()
      })

      /** A stored user in a session that the application began. */
      async function member(query = ''): Promise<Person> {
        const person = stage.stranger()
        const { id } = await stage.adapter.createUser({ id: '', email: 'ann@example.com', emailVerified: new Date() })
        person.userId = id
        await person.ask(`/own-sign-in?user=${id}${query}`)
        expect(await person.session()).to.have.nested.property('user.email', 'ann@example.com')
        return person
      }

      /** Signs in at the provider with an unknown account, which is linked to the signed-in user. */
      async function attach(person: Person, sub: string): Promise<string> {
        provider.person = { sub, name: sub, email: `${sub}@example.com`, email_verified: true }
        const begun = await person.ask(`${base}/signin/test`, { form: { csrfToken: true } })
        const back = new URL(provider.authorize(begun.headers.location ?? ''))
        return whereTo(await person.ask(back.pathname + back.search))
      }

      const accountsOf = async (person: Person) =>
        (await stage.adapter.listAccountsByUserId(person.userId)).map(({ provider: id }) => id)
      const factsOf = async (person: Person) => Object((await person.session())?.authentication)

      for (const withFactors of [false, true]) {
        const where = withFactors ? 'with factors' : 'without factors'

        it(`MF-11: an account that is attached makes a session neither fresher nor stronger, ${where}`, async () => {
          await start(withFactors ? {} : { factors: undefined })
          const ann = await member()
          const began = seconds()
          advanceClock(withFactors ? 200 : 3600)
          expect(await attach(ann, 'eve')).to.not.include('error')
          expect(await accountsOf(ann)).to.deep.equal(['test'])
          expect(await factsOf(ann)).to.deep.equal({ auth_time: began, amr: ['pwd'], aal: 1 })
          advanceClock(200)
          expect((await ann.ask('/guarded-fresh')).status).to.not.equal(200)
          // Signing in by the same account is a proof.
          expect(await attach(ann, 'eve')).to.not.include('error')
          expect(await factsOf(ann)).to.include({ auth_time: seconds(), aal: 2 })
        })
      }

      it('MF-11: attaching something every few minutes keeps level 2 no fresher than it is', async () => {
        await start()
        const ann = await enrolled(stage)
        const began = (await factsOf(ann)).auth_time
        advanceClock(130)
        expect(await attach(ann, 'one')).to.not.include('error')
        advanceClock(130)
        expect(await attach(ann, 'two')).to.not.include('error')
        expect(await factsOf(ann)).to.include({ auth_time: began, aal: 2 })
        advanceClock(130)
        expect(await attach(ann, 'three')).to.include('error=ReauthenticationRequired')
        expect(await accountsOf(ann)).to.have.length(2)
        const [app] = (await factorsIn(stage.adapter.store()).list(ann.userId)).filter(({ type }) => type === 'totp')
        const form = { csrfToken: true, intent: 'remove', id: app?.id ?? '' } as const
        const answer = await ann.ask(`${base}/two-factor`, { form })
        expect(`${answer.status} ${whereTo(answer)}`).to.match(/^403|error=ReauthenticationRequired/)
        expect((await factorsIn(stage.adapter.store()).list(ann.userId)).map(({ type }) => type)).to.include('totp')
      })

      /** Tries all that outlives a session. */
      async function expectNothingLasting(person: Person): Promise<void> {
        const before = await factorsIn(stage.adapter.store()).list(person.userId)
        const page = await person.ask(`${base}/two-factor/totp?setup`)
        expect(page.text).to.not.match(/otpauth|name="setup"/)
        for (const [path, intent] of [
          ['/totp', 'setup-begin'],
          ['/totp', 'setup'],
          ['/recovery', 'codes'],
          ['/email', 'setup-send'],
          ['', 'remove'],
        ]) {
          const form = { csrfToken: true, intent: intent ?? '', id: before[0]?.id ?? '', setup: '', code: '' } as const
          const answer = await person.ask(`${base}/two-factor${path}`, { form })
          expect(`${answer.status} ${whereTo(answer)}`, intent).to.match(/^403|error=ReauthenticationRequired/)
          expect(answer.text).to.not.match(/otpauth|<code>/)
        }
        expect(await factorsIn(stage.adapter.store()).list(person.userId)).to.deep.equal(before)
        expect((await person.ask(`${base}/webauthn-options/passkey?action=register`)).status).to.not.equal(200)
        const accounts = await accountsOf(person)
        await attach(person, 'eve')
        expect(await accountsOf(person)).to.deep.equal(accounts)
      }

      it('MF-12: a session with an end of its own changes nothing that lasts', async () => {
        await start()
        const support = await member('&maxAge=900')
        await expectNothingLasting(support)
      })

      it('MF-12: nor does one whose user has a second factor, though it is proved there', async () => {
        await start()
        const ann = await enrolled(stage)
        const support = ann.elsewhere()
        await support.ask(`/own-sign-in?user=${ann.userId}&maxAge=900`)
        await support.answer('totp', { code: ann.code() })
        expect(await factsOf(support)).to.include({ aal: 2 })
        await expectNothingLasting(support)
      })

      it('MF-12: a copied cookie adds no second factor, however fresh it is', async () => {
        await start()
        const ann = await member()
        const eve = ann.elsewhere()
        for (const [cookie, value] of ann.cookies) {
          if (cookie.startsWith(sessionName)) eve.cookies.set(cookie, value)
        }
        expect(await eve.session()).to.have.nested.property('user.email', 'ann@example.com')
        const page = await ann.ask(`${base}/two-factor/totp?setup`)
        expect(fieldIn(page.text, 'setup'), 'the owner may').to.not.equal('')
        await expectNothingLasting(eve)
      })

      it('MF-12: a copied cookie proves no second factor of its owner, nor of any other user', async () => {
        await start({ factors: { whenEnrolled: 'ask' } })
        const ann = await enrolled(stage)
        const own = ann.elsewhere()
        await own.ask(`/own-sign-in?user=${ann.userId}`)
        const eve = ann.elsewhere()
        for (const [cookie, value] of own.cookies) {
          if (cookie.startsWith(sessionName)) eve.cookies.set(cookie, value)
        }
        expect(whereTo(await eve.answer('totp', { code: ann.code() }))).to.include('error=ReauthenticationRequired')
        expect(await factsOf(eve)).to.include({ aal: 1 })
        expect(whereTo(await own.answer('totp', { code: ann.code() }))).to.not.include('error')
        expect(await factsOf(own)).to.include({ aal: 2 })
      })

      it('SE-04, MF-12: proving more makes no session longer than `absoluteMaxAge`', async () => {
        await start({ session: { strategy, absoluteMaxAge: 7200, updateAge: 0 } })
        const ann = await enrolled(stage)
        advanceClock(3600)
        expect(whereTo(await ann.answer('totp', { code: ann.code() }))).to.not.include('error')
        expect(await attach(ann, 'own')).to.not.include('error')
        advanceClock(3500)
        expect(await ann.session()).to.not.equal(null)
        expect(whereTo(await ann.answer('totp', { code: ann.code() }))).to.not.include('error')
        advanceClock(100)
        expect(await ann.session()).to.equal(null)
      })

      it('MF-14: a code by the application may have been sent by mail, and is not combined with an email code', async () => {
        await start()
        const ann = await member('&amr=otp')
        const page = await ann.ask(`${base}/two-factor/email?setup`)
        expect(page.text).to.not.match(/setup-send/)
      })

      it('MF-10: a code from an hour ago, an app from now: each counts for itself', async () => {
        await start({ factors: { whenEnrolled: 'ask' } })
        const ann = await member('&amr=hwk')
        const page = await ann.ask(`${base}/two-factor/totp?setup`)
        ann.key = keyIn(page.text)
        const form = { intent: 'setup', setup: fieldIn(page.text, 'setup'), code: ann.code() }
        expect((await ann.answer('totp', form)).status).to.be.oneOf([200, 303])
        advanceClock(3600)
        expect(whereTo(await ann.answer('totp', { code: ann.code() }))).to.not.include('error')
        expect(await factsOf(ann)).to.deep.equal({ auth_time: seconds(), amr: ['hwk', 'otp', 'mfa'], aal: 2 })
        if (name !== 'express') return
        expect((await ann.ask('/guarded-fresh')).status).to.equal(200)
        expect((await ann.ask('/guarded-by-key')).status).to.equal(200)
        expect((await ann.ask('/guarded-by-fresh-key')).status).to.not.equal(200)
      })
    })
  }
}

for (const strategy of passkeyStrategies) {
  describe(`a passkey that is added, ${strategy}`, () => {
    const stage = usePasskeys()
    beforeEach(stopClock)
    afterEach(restoreClock)

    it('MF-11: is no proof of its owner', async () => {
      await stage.start({ strategy, callbacks: showing, session: { updateAge: 0 } })
      const ann = stage.person()
      await stage.enterByMail(ann.browser, 'ann@example.com')
      const facts = async () => Object(await ann.browser.session()).authentication
      const began = seconds()
      expect(await facts()).to.deep.equal({ auth_time: began, amr: ['otp'], aal: 1 })
      advanceClock(3600)
      await ann.register()
      expect(await stage.passkeysOf('ann@example.com')).to.have.length(1)
      expect(await facts()).to.deep.equal({ auth_time: began, amr: ['otp'], aal: 1 })
    })
  })
}

describe('a session that was taken over from another library', () => {
  let stage: FactorStage
  beforeEach(stopClock)
  afterEach(async () => {
    restoreClock()
    await stage.close()
  })

  for (const [name, open] of Object.entries(doors)) {
    it(`MF-10: with a row in the database began at an unknown time, ${name}`, async () => {
      const legacy = { cookieName: 'authjs.session-token', until: new Date(Date.now() + 86_400_000).toISOString() }
      stage = await openFactorStage(open, { session: { strategy: 'database', legacy }, callbacks: showing })
      const { id: userId } = await stage.adapter.createUser({ id: '', email: 'ann@example.com', emailVerified: null })
      const expires = new Date(Date.now() + 86_400_000)
      await stage.adapter.createSession({ sessionToken: 'a-token-of-another-library', userId, expires })
      const ann = stage.stranger()
      ann.cookies.set(legacy.cookieName, 'a-token-of-another-library')
      expect((await ann.session())?.authentication).to.deep.equal({ aal: 1 })
      expect((await ann.session())?.authentication, 'under a token of ours').to.deep.equal({ aal: 1 })
      expect((await ann.ask('/guarded-fresh')).status).to.not.equal(200)
      const page = await ann.ask(`${base}/two-factor/totp?setup`)
      expect(page.text).to.not.match(/otpauth/)
    })

    it(`MF-10: so did one in a token, ${name}`, async () => {
      const legacy = { cookieName: 'authjs.session-token', until: new Date(Date.now() + 86_400_000).toISOString() }
      stage = await openFactorStage(open, { session: { strategy: 'jwt' }, jwt: { legacy }, callbacks: showing })
      const token = { sub: 'ann', name: 'Ann', email: 'ann@example.com' }
      const ann = stage.stranger()
      const secret = String(stage.config.secret)
      ann.cookies.set(legacy.cookieName, await encodeLegacy({ token, secret, salt: legacy.cookieName }))
      expect((await ann.session())?.authentication).to.deep.equal({ aal: 1 })
      expect((await ann.session())?.authentication, 'under a token of ours').to.deep.equal({ aal: 1 })
      expect((await ann.ask('/guarded-fresh')).status).to.not.equal(200)
    })
  }
})
