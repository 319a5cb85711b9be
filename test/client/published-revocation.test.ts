/**
 * Two browsers with the published client (`next-auth/react` 5), unmodified, and JWT sessions that can be ended: directly, and
 * with nginx in between.
 */

import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { getSession } from '../../lib/index.js'
import { logIn, Site, useSite } from '../browser/site.js'
import { gate } from '../sign-in/linking-stage.js'
import { describeInBrowser } from '../support/browser.js'
import { missingNginx, startNginx } from '../support/nginx.js'
import { skip } from '../support/skip.js'
import { comeBack, openStage, openTab, type Stage, shows } from './stage.js'
import { addViews, takesName } from './views.js'

describeInBrowser('two browsers with next-auth/react and sessions that can be ended', (open) => {
  /** The requests that were sent and wait for their answer. */
  let asked = gate()
  let updating = gate()
  let answer = gate()
  const site = useSite({
    config: {
      adapter: memoryAdapter(),
      session: { strategy: 'jwt', updateAge: 0, revocation: { list: true } },
      callbacks: {
        async jwt(message) {
          if (message.trigger === 'update') {
            updating.open()
            await answer.opened
          }
          return takesName?.jwt?.(message) ?? message.token
        },
      },
    },
    app: {
      trustProxy: 1,
      after(app, config) {
        addViews(app)
        app.get('/account', (req, res, next) => {
          expressFunctions(config)
            .account.get(req)
            .then((account) => res.json(account?.sessions), next)
        })
        app.post('/end', (req, res, next) => {
          expressFunctions(config)
            .sessions.end(req, String(req.query.id))
            .then((ended) => res.json(ended), next)
        })
        // A long poll: the session is read when it begins, and its cookie would be written when it ends.
        app.get('/poll', (req, res, next) => {
          getSession(req, config)
            .then(async (session) => {
              asked.open()
              await answer.opened
              res.json(session?.user?.name ?? null)
            })
            .catch(next)
        })
      },
    },
  })
  beforeEach(() => {
    asked = gate()
    updating = gate()
    answer = gate()
  })

  const options = { view: 'published', props: { provider: { basePath: '/auth' } } } as const
  async function openSignedIn(at: Site): Promise<Stage> {
    const stage = await openStage(open, at, options)
    const home = stage.page.url()
    await shows(stage.page, 'unauthenticated: nobody')
    await stage.page.evaluate(() => void window.client.signIn('test'))
    await stage.page.waitForURL(`${site.provider.issuer}/interaction/**`)
    await logIn(stage.page)
    await stage.page.waitForURL(home)
    await shows(stage.page, 'authenticated: Alice Example')
    return stage
  }

  /** Two requests that are answered later: the application's own, and the client's `update`. */
  async function ask({ page }: Stage) {
    const poll = page.evaluate(() => fetch('/poll').then((response) => response.json()))
    const update = page.evaluate(() => globalThis.updateSession?.({ name: 'Alice of the hill' }))
    await Promise.all([asked.opened, updating.opened])
    return { poll, update }
  }

  /** Ends the other session of the user, as an account page does. */
  const endTheOther = ({ page }: Stage) =>
    page.evaluate(async () => {
      const sessions: Array<{ id: string; current: boolean }> = await (await fetch('/account')).json()
      const others = sessions.filter(({ current }) => !current)
      const ended = await Promise.all(others.map(({ id }) => fetch(`/end?id=${id}`, { method: 'POST' })))
      return Promise.all(ended.map((response) => response.json()))
    })
  const cookies = async ({ context }: Stage, at: Site) => {
    const all = await context.cookies(at.url('/'))
    return all.filter(({ name }) => name.includes('session-token')).map(({ value }) => value)
  }

  const ways = {
    directly: async () => ({ at: site, close: async () => {} }),
    async 'through nginx'() {
      const nginx = await startNginx(site.app.origin)
      return { at: new Site({ ...site.app, origin: nginx.origin }, site.provider), close: nginx.close }
    },
  }
  for (const [way, reach] of Object.entries(ways)) {
    describe(way, () => {
      let at: Site
      let close = async () => {}
      before(async function () {
        const missing = missingNginx()
        if (way === 'through nginx' && missing !== undefined) skip(this, missing)
        const reached = await reach()
        at = reached.at
        close = reached.close
      })
      after(() => close())

      it('one ends the other, whose late answers restore nothing', async () => {
        const [one, two] = [await openSignedIn(at), await openSignedIn(at)]
        const before = await cookies(two, at)
        const late = await ask(two)
        const outcomes = await endTheOther(one)
        expect(outcomes).to.have.length.above(0)
        for (const outcome of outcomes) expect(outcome).to.deep.equal({ ok: true })
        answer.open()
        expect(await late.poll, 'as it was when the request came').to.equal('Alice Example')
        expect(await late.update).to.equal(null)
        expect(await cookies(two, at), 'the dead one is still there, and no new one').to.deep.equal(before)
        await comeBack(two.page)
        await shows(two.page, 'unauthenticated: nobody')
        expect(await cookies(two, at)).to.deep.equal([])
        await comeBack(one.page)
        await shows(one.page, 'authenticated: Alice Example')
        expect(await cookies(one, at)).to.have.length(1)
        expect(site.faults()).to.deep.equal([])
      })

      it('a sign-out in another tab of the same browser also ends it for late answers', async () => {
        const one = await openSignedIn(at)
        const tab = await openTab(one, at, options)
        await shows(tab.page, 'authenticated: Alice Example')
        const late = await ask(one)
        await tab.page.evaluate(() => window.client.signOut({ redirect: false }))
        await shows(tab.page, 'unauthenticated: nobody')
        answer.open()
        await late.poll
        expect(await late.update).to.equal(null)
        expect(await cookies(one, at)).to.deep.equal([])
        await comeBack(one.page)
        await shows(one.page, 'unauthenticated: nobody')
        expect(site.faults()).to.deep.equal([])
      })
    })
  }
})
