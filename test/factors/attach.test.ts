/**
 * A user with a second factor adds a sign-in method only within five minutes of a sign-in with all factors, so that a
 * stolen session adds none.
 */

import { expect } from 'chai'
import { AuthError } from '../../lib/errors.js'
import { PasskeyFactor, RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { startSession } from '../../lib/index.js'
import Passkey from '../../lib/providers/passkey.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import { credentials } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { openExpress } from '../support/doors.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'
import {
  base,
  enrolled,
  type FactorStage,
  mailProvider,
  openFactorStage,
  type Person,
  stopClock,
  strategies,
} from './stage.js'

const express = (config: FullStackAuthConfig) =>
  openExpress(config, {
    after(app, full) {
      app.get('/own-sign-in', (req, res, next) => {
        const user = { id: String(req.query.user) }
        void startSession(req, res, full, { user, amr: ['pwd'] }).then((started) => res.json(started), next)
      })
      app.get('/change-email', (req, res, next) => {
        void expressFunctions(full)
          .account.changeEmail(req, { email: 'other@example.com' })
          .then(
            (outcome) => res.json(outcome),
            (error) => (error instanceof AuthError ? res.json(error.type) : next(error)),
          )
      })
    },
  })

for (const strategy of strategies) {
  describe(`sign-in methods that a user with a second factor adds, ${strategy}`, () => {
    let stage: FactorStage
    let provider: OpenIdProvider
    let ann: Person

    before(async () => {
      provider = await startOpenIdProvider()
    })
    after(() => provider.close())
    beforeEach(async () => {
      stopClock()
      stage = await openFactorStage(express, {
        session: { strategy },
        experimental: { enableWebAuthn: true },
        providers: [
          credentials(),
          mailProvider([]),
          { id: 'test', name: 'Test', type: 'oidc', ...provider.settings() },
          Passkey({ relyingParty: { id: 'localhost', name: 'Test', origin: 'http://localhost' } }),
        ],
        factors: [Totp(), PasskeyFactor(), RecoveryCodes()],
      })
      ann = await enrolled(stage)
    })
    afterEach(async () => {
      restoreClock()
      await stage.close()
    })

    const passkeyOptions = () => ann.ask(`${base}/webauthn-options/passkey?action=register`)

    it('MF-07: a passkey registration begins after a fresh sign-in, and is rejected later', async () => {
      expect((await passkeyOptions()).status).to.equal(200)
      advanceClock(301)
      const late = await passkeyOptions()
      expect([late.status, late.body.error]).to.deep.equal([403, 'ReauthenticationRequired'])
    })

    it('MF-07: a change of the address begins after a fresh sign-in, and is rejected later', async () => {
      expect((await ann.ask('/change-email')).body).to.deep.equal({ ok: true })
      advanceClock(301)
      expect((await ann.ask('/change-email')).body).to.equal('ReauthenticationRequired')
    })

    it('MF-07: an account at a provider is linked after a fresh sign-in, and rejected later', async () => {
      const accounts = async () => (await stage.adapter.listAccountsByUserId?.(ann.userId)) ?? []
      const link = async (login: string) => {
        const begun = await ann.ask(`${base}/signin/test`, { form: { csrfToken: true } })
        const answer = await provider.signInAs(begun.headers.location ?? '', login)
        const { pathname, search } = new URL(answer)
        return ann.ask(pathname + search)
      }
      await link('alice')
      expect((await accounts()).map((each) => each.provider)).to.deep.equal(['test'])
      expect(await ann.session()).to.have.nested.property('assurance.aal', 2)
      advanceClock(301)
      const refused = await link('bob')
      expect(refused.headers.location).to.match(/error=ReauthenticationRequired/)
      expect(await accounts()).to.have.length(1)
      expect(await ann.session()).to.have.nested.property('assurance.aal', 2)
    })
  })
}
