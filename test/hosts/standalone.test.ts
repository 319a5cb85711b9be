/**
 * Applications as a server gets them: built, with the files that their framework traced, away from any `node_modules`.
 *
 * Next.js 15 with Turbopack is not among them: there it was not yet the default, and its build leaves the `matcher` of this
 * middleware out, so that every page is guarded.
 */

import { expect } from 'chai'
import { Browser } from '../support/http-browser.js'
import { sessionName } from '../support/session.js'
import { apps, startApp } from './apps.js'
import type { Site } from './site.js'

for (const app of apps) {
  describe(`a standalone build: ${app.title}`, function () {
    this.timeout(300_000)
    this.slow(60_000)
    let site: Site

    before(async () => {
      site = await startApp(app)
    })
    after(() => site?.stop())

    it('answers the routes', async () => {
      const { status, text: body } = await new Browser(site.origin, { base: '/api/auth' }).ask('/api/auth/providers')
      expect([status, Object.keys(JSON.parse(body))], site.log()).to.deep.equal([200, ['credentials']])
    })

    it('signs in, and auth() knows who it is', async () => {
      const visitor = new Browser(site.origin, { base: '/api/auth' })
      expect((await visitor.ask('/')).text).to.include('nobody')
      expect((await visitor.signIn()).status, site.log()).to.equal(303)
      const { text: body } = await visitor.ask('/api/auth/session')
      expect(JSON.parse(body).user.name).to.equal('ann')
      expect((await visitor.ask('/')).text).to.include('ann')
    })

    it('guards a page by auth before it', async () => {
      const stranger = new Browser(site.origin, { base: '/api/auth' })
      const refused = await stranger.ask('/guarded')
      expect(refused.status, site.log()).to.be.oneOf([302, 307])
      expect(refused.headers.location).to.match(/\/api\/auth\/signin\?callbackUrl=/)
      await stranger.signIn()
      const passed = await stranger.ask('/guarded')
      expect([passed.status, passed.text.includes('guarded')]).to.deep.equal([200, true])
    })

    if (app.hasForms) {
      it('guards a page by auth.require, and a form by auth.csrf', async () => {
        const visitor = new Browser(site.origin, { base: '/api/auth' })
        const page = { headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' } }
        const refused = await visitor.ask('/account?a=1', page)
        expect([refused.status, refused.headers.location]).to.deep.equal([
          302,
          `${site.origin}/api/auth/signin?callbackUrl=%2Faccount%3Fa%3D1`,
        ])
        expect((await visitor.ask('/account')).body).to.include({ error: 'Unauthorized' })
        await visitor.signIn()
        const { text } = await visitor.ask('/account', page)
        expect(text, site.log()).to.match(/^ann<input type="hidden"/)
        const csrfToken = /value="([0-9a-f]{64})"/.exec(text)?.[1] ?? ''
        expect((await visitor.ask('/leave', { form: {} })).body).to.include({ error: 'MissingCSRF' })
        const left = await visitor.ask('/leave', { form: { csrfToken } })
        expect([left.status, left.headers.location], site.log()).to.deep.equal([303, `${site.origin}/`])
        expect((await visitor.ask('/')).text).to.include('nobody')
      })
    }

    if (app.title.startsWith('Next')) {
      it('guards a page and a route handler by auth.require', async () => {
        const visitor = new Browser(site.origin, { base: '/api/auth' })
        const refused = await visitor.ask('/account', { headers: { accept: 'text/html' } })
        expect([refused.status, refused.headers.location], site.log()).to.deep.equal([
          307,
          `${site.origin}/api/auth/signin?callbackUrl=%2Faccount%3Fa%3D1`,
        ])
        const api = await visitor.ask('/api/me', { headers: { accept: 'application/json' } })
        expect([api.status, api.text], site.log()).to.deep.equal([401, ''])
        await visitor.signIn()
        expect((await visitor.ask('/account')).text).to.include('ann')
        expect((await visitor.ask('/api/me')).body.user.name).to.equal('ann')
      })
    }

    it('reads two cookies of one name alike, in auth() and in the routes', async () => {
      const visitor = new Browser(site.origin, { base: '/api/auth' })
      await visitor.signIn()
      const genuine = `${sessionName}=${visitor.cookies.get(sessionName)}`
      for (const cookie of [`${sessionName}=tossed; ${genuine}`, `${genuine}; ${sessionName}=tossed`]) {
        const ask = (path: string) => new Browser(site.origin, { base: '/api/auth' }).ask(path, { headers: { cookie } })
        const session = (await ask('/api/auth/session')).body
        expect((await ask('/')).text).to.include(session?.user.name ?? 'nobody')
        expect((await ask('/guarded')).status === 200).to.equal(session !== null)
      }
    })
  })
}
