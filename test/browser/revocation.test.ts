/** Two browsers of one user, with JWT sessions: one signs the other out, also while an answer to it is pending. */

import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { getSession } from '../../lib/index.js'
import { gate } from '../sign-in/linking-stage.js'
import { describeInBrowser } from '../support/browser.js'
import { expectHello, signIn, useSite } from './site.js'

describeInBrowser('two browsers with JWT sessions', (open) => {
  let begun = gate()
  let free = gate()
  const site = useSite({
    config: { adapter: memoryAdapter(), session: { strategy: 'jwt', updateAge: 0, revocation: { list: true } } },
    app: {
      after(app, config) {
        app.get('/account', (req, res, next) => {
          expressFunctions(config)
            .account.get(req)
            .then((account) => res.json(account?.sessions), next)
        })
        app.get('/end', (req, res, next) => {
          expressFunctions(config)
            .sessions.end(req, String(req.query.id))
            .then((ended) => res.json(ended), next)
        })
        // A long poll: the session is read when it begins, and its cookie would be written when it ends.
        app.get('/poll', (req, res, next) => {
          getSession(req, config)
            .then(async (session) => {
              begun.open()
              await free.opened
              res.json(session?.user?.name ?? null)
            })
            .catch(next)
        })
      },
    },
  })
  beforeEach(() => {
    begun = gate()
    free = gate()
  })

  it('end each other by the list, and a long poll restores no session', async () => {
    const [one, two] = [await open(), await open()]
    await signIn(one.page, site)
    await signIn(two.page, site)
    await expectHello(two.page, 'Alice Example')
    const poll = two.page.evaluate(() => fetch('/poll').then((answer) => answer.json()))
    await begun.opened

    const ended = await one.page.evaluate(async () => {
      const sessions: Array<{ id: string; current: boolean }> = await (await fetch('/account')).json()
      const other = sessions.filter(({ current }) => !current)
      // The one that was used last.
      return (await fetch(`/end?id=${other[0]?.id}`)).json()
    })
    expect(ended).to.deep.equal({ ok: true })
    free.open()
    expect(await poll, 'as it was when the request came').to.equal('Alice Example')
    await two.page.reload()
    await expectHello(two.page, 'nobody')
    await one.page.reload()
    await expectHello(one.page, 'Alice Example')
    const names = (await two.context.cookies(site.url('/'))).map(({ name }) => name)
    expect(names).not.to.include('auth.session-token')

    // The provider still has a session of the user.
    await two.page.goto(site.url('/auth/signin?callbackUrl=/page/2'))
    await two.page.getByRole('button', { name: 'Sign in with Test' }).click()
    await two.page.waitForURL(site.url('/page/2'))
    await expectHello(two.page, 'Alice Example')
    expect([...one.problems, ...two.problems]).to.deep.equal([])
    expect(site.faults()).to.deep.equal([])
  })
})
