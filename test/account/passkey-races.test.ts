/** Two processes remove a user's sign-in methods at the same time: one method is left, and it opens the account. */

import { expect } from 'chai'
import { migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { usePasskeys } from '../flows/webauthn/stage.js'
import type { Browser } from '../support/app.js'
import { Authenticator } from '../support/authenticator.js'
import { databaseKinds, requireDatabase } from '../support/databases.js'
import { wordOf } from '../support/outcome.js'
import { addRoutes, overview, post } from './page.js'

const email = 'ann@example.com'

for (const kind of databaseKinds) {
  describe(`two processes on ${kind}`, () => {
    const stage = usePasskeys()

    for (const other of ['another passkey', 'an account'] as const) {
      it(`remove a passkey and ${other}`, async function () {
        const database = await requireDatabase(this, kind)
        try {
          await migrate(database.db)
          const adapter = sqlAdapter(database.db, { pruneEvery: 0 })
          await stage.start({ adapter }, { after: addRoutes })
          const ann = await stage.member(email)
          const twin = (await stage.serve({ adapter: sqlAdapter(database.db) }, { after: addRoutes })).browser()
          for (const [name, value] of ann.browser.cookies) twin.cookies.set(name, value)
          const { id: userId } = await stage.userOf(email)
          for (let round = 0; round < 5; round += 1) {
            const account = { provider: 'credentials', providerAccountId: String(round) }
            if (other === 'an account') await adapter.linkAccount({ ...account, userId, type: 'credentials' })
            else await adapter.createAuthenticator?.({ ...(await copyOf()), credentialID: `b2xk${round}AA=` })
            const [mine, second] = (await overview(ann.browser)).passkeys
            const answers = await Promise.all([
              post(ann.browser, 'delete', { id: mine?.id }),
              other === 'an account' ? post(twin, 'unlink', account) : post(twin, 'delete', { id: second?.id }),
            ])
            expect(answers.map(({ body }) => wordOf(body))).to.include('last')
            expect(await waysOf(ann.browser)).to.equal(1)
            if (other === 'an account' && answers[1]?.body.reason === 'last') break
          }
        } finally {
          await stage.leave()
          await database.close()
        }
      })
    }

    async function copyOf() {
      const [row] = await stage.passkeysOf(email)
      if (!row) throw new Error('there is no passkey')
      return row
    }

    async function waysOf(browser: Browser): Promise<number> {
      const { passkeys, accounts } = await overview(browser)
      return passkeys.length + accounts.length
    }
  })
}

describe('a passkey is added', () => {
  const stage = usePasskeys()

  for (const method of ['getUserByAccount', 'transaction'] as const) {
    it(`just after another process removed the one before (${method}): it opens the account`, async () => {
      await stage.start({}, { after: addRoutes })
      const ann = await stage.member(email)
      await stage.db.real.updateUser({ id: (await stage.userOf(email)).id, emailVerified: new Date() })
      const twin = (await stage.serve({}, { after: addRoutes })).browser()
      for (const [name, value] of ann.browser.cookies) twin.cookies.set(name, value)
      const fresh = ann.with({ key: new Authenticator() })
      const answer = fresh.key.create(await fresh.options('register'))
      const id = (await overview(twin)).passkeys[0]?.id
      const answers: unknown[] = []
      stage.db.replace(method, async (real, ...args) => {
        stage.db.repair()
        answers.push((await post(twin, 'delete', { id })).body)
        return real(...args)
      })
      const added = await fresh.send('register', answer)
      expect(answers).to.deep.equal([{ ok: true }])
      await stage.expectSignedIn(added, fresh, email)
      await fresh.signOut()
      await stage.expectSignedIn(await fresh.signIn(), fresh, email)
    })
  }
})
