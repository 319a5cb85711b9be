/** Passwords in SQLite, which has one connection: what is done inside a transaction must not wait for anything outside. */

import { expect } from 'chai'
import { connect, migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'

import { startApp, target } from '../support/app.js'
import { better, expectSignedIn, good, open, send, sessionOf, startStage } from './stage.js'

const ann = 'ann@example.com'

for (const strategy of ['jwt', 'database'] as const) {
  describe(`passwords in SQLite (${strategy})`, () => {
    it('signing up, a forgotten password, another one, and unlinking', async () => {
      const db = connect(':memory:')
      await migrate(db)
      const adapter = sqlAdapter(db)
      const stage = await startStage({
        start: (config) =>
          startApp(config, {
            after: (app, own) => {
              app.get(
                '/accounts',
                async (req, res) => void res.json((await expressFunctions(own).account.get(req))?.accounts),
              )
              app.get('/unlink', async (req, res) => {
                const { id } = req.query
                res.json(
                  await expressFunctions(own).account.unlink(req, {
                    provider: 'password',
                    providerAccountId: String(id),
                  }),
                )
              })
            },
          }),
        config: { ...sessionOf(strategy), adapter },
      })
      const browser = stage.browser()
      await stage.register(browser, ann)
      await expectSignedIn(browser, ann)
      await stage.browser().submit('/auth/password/forgot', { email: ann })
      await send(browser, await open(browser, await stage.link(ann, 'reset-password')), { password: better })
      await send(browser, await browser.get('/auth/password/change'), { password: good })
      expect(target(await stage.signIn(stage.browser(), ann, good))).to.equal(`${stage.app.origin}/`)
      const [account] = (await browser.get('/accounts')).body
      const id = account.providerAccountId
      expect((await browser.get(`/unlink?id=${id}`)).body).to.deep.equal({ ok: false, reason: 'last' })
      await adapter.linkAccount({ userId: id, provider: 'password', providerAccountId: 'x', type: 'credentials' })
      expect((await browser.get(`/unlink?id=${id}`)).body).to.deep.equal({ ok: true })
      expect(target(await stage.signIn(stage.browser(), ann, good))).to.include('error=CredentialsSignin')
      await stage.close()
      await db.destroy()
    })
  })
}
