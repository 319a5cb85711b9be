/** Two processes of the operating system on one PostgreSQL and on one MariaDB: they use a code once together. */
import { once } from 'node:events'
import { expect } from 'chai'
import { migrate } from '../../lib/adapters/sql/index.js'
import { forkScript } from '../support/child-script.js'
import { databaseKinds, requireDatabase } from '../support/databases.js'
import { extent } from '../support/extent.js'
import { Browser } from '../support/http-browser.js'
import { strategies } from '../support/world.js'
import type { AppSettings } from './app-main.js'
import { AppClient, base } from './stage.js'

async function start(settings: AppSettings) {
  const child = await forkScript('test/apps/app-main.ts', { APP_SETTINGS: JSON.stringify(settings) })
  const [{ origin }] = (await once(child, 'message')) as [{ origin: string }]
  return { origin, stop: () => child.kill('SIGKILL') }
}

if (extent !== 'quick') {
  for (const kind of databaseKinds.filter((each) => each !== 'sqlite')) {
    for (const strategy of strategies) {
      it(`AP-02 two processes begin one session of 200 uses at once, and end it (${kind}, ${strategy} sessions)`, async function () {
        this.timeout(60_000)
        const { db, url, close } = await requireDatabase(this, kind)
        await migrate(db)
        const [one, other] = await Promise.all([
          start({ door: 'Express', strategy, databaseUrl: url }),
          start({ door: 'Fetch', strategy, databaseUrl: url }),
        ])
        try {
          const browser = new Browser(one.origin, { base })
          await browser.get('/start?email=ann@example.com')
          const app = new AppClient(one.origin)
          const elsewhere = new AppClient(other.origin)
          const code = await app.codeOf(browser)
          const answers = await Promise.all(
            Array.from({ length: 200 }, (_none, at) => (at % 2 ? app : elsewhere).redeem(code, app.fieldsOf(code))),
          )
          const statuses = answers.map(({ status }) => status)
          expect(statuses.filter((status) => status !== 400)).to.deep.equal([200])
          const { sessions } = (await browser.get('/account')).body
          expect(sessions.filter((each: { app?: object }) => each.app)).to.deep.equal([])
          expect((await browser.get('/me')).body.user.email).to.equal('ann@example.com')
        } finally {
          one.stop()
          other.stop()
          await close()
        }
      })
    }
  }
}
