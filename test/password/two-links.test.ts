/** Another site opens a link of its own in a second window, while the form of the user's link is open. */
import { expect } from 'chai'
import { type Browser, target } from '../support/app.js'
import {
  better,
  expectNobody,
  expectSignedIn,
  good,
  open,
  places,
  type Stage,
  send,
  sessionOf,
  startStage,
} from './stage.js'

const [ann, eve] = ['ann@example.com', 'eve@example.com']

/** Returns the URL of a custom page: the path, and its parameters. */
async function openCustom(browser: Browser, link: string): Promise<URLSearchParams> {
  const moved = await browser.get(link)
  const shown = await browser.get(target(moved))
  const url = new URL(target(shown))
  expect(url.pathname).to.equal('/new-password')
  return url.searchParams
}

for (const { name, start, strategy } of places) {
  describe(`two email links in one browser (${name})`, () => {
    let stage: Stage
    let victim: Browser

    async function begin(pages: { resetPassword?: string } = {}) {
      stage = await startStage({ start, config: { ...sessionOf(strategy), pages } })
      victim = stage.browser()
    }
    afterEach(() => stage.close())

    async function resetLink(email: string): Promise<string> {
      await stage.browser().submit('/auth/password/forgot', { email })
      return stage.link(email, 'reset-password')
    }

    /** Checks which password a user has. */
    async function expectPassword(email: string, password: string) {
      const browser = stage.browser()
      await stage.signIn(browser, email, password)
      await expectSignedIn(browser, email)
    }

    describe('of forgotten passwords', () => {
      it('CD-18: a form sets the password of its own link, and says whose it is', async () => {
        await begin()
        for (const email of [ann, eve]) await stage.register(stage.browser(), email)
        const page = await open(victim, await resetLink(ann))
        expect(page.text).to.include(ann)
        const planted = await open(victim, await resetLink(eve))
        expect(planted.text).to.include(eve).and.not.include(ann)
        expect(target(await send(victim, page, { password: better }))).to.equal(`${stage.app.origin}/`)
        await expectSignedIn(victim, ann)
        await expectPassword(ann, better)
        await expectPassword(eve, good)
      })

      it('CD-18: a form that is shown again still belongs to its link', async () => {
        await begin()
        for (const email of [ann, eve]) await stage.register(stage.browser(), email)
        const page = await open(victim, await resetLink(ann))
        await open(victim, await resetLink(eve))
        const again = await send(victim, page, { password: 'short' })
        expect([again.status, again.text.includes(ann), again.text.includes(eve)]).to.deep.equal([400, true, false])
        await send(victim, again, { password: better })
        await expectSignedIn(victim, ann)
      })

      it('CD-18: a link in a form is good in its own browser only, and for its own page', async () => {
        await begin()
        await stage.register(stage.browser(), ann)
        const page = await open(victim, await resetLink(ann))
        const stolen = /name="link" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
        const other = stage.browser()
        for (const [path, browser, link] of [
          ['reset', other, stolen],
          ['verify', victim, stolen],
          ['reset', victim, 'x'],
          ['reset', victim, ''],
        ] as const) {
          const answer = await browser.submit(`/auth/password/${path}`, { link, password: better })
          expect(target(answer), path).to.include('error=Verification')
        }
        const twice = await victim.submit('/auth/password/reset', { link: [stolen, stolen], password: better })
        expect(target(twice)).to.include('error=Verification')
        await expectPassword(ann, good)
      })
    })

    describe('behind a custom page', () => {
      it('CD-18: the form sends back which link it belongs to, and another one is rejected', async () => {
        await begin({ resetPassword: '/new-password' })
        for (const email of [ann, eve]) await stage.register(stage.browser(), email)
        const url = await resetLink(ann)
        const params = await openCustom(victim, url)
        const link = params.get('link') ?? ''
        expect(link).to.match(/^[\w-]{22,43}$/)
        expect(url).to.not.include(link)
        await openCustom(victim, await resetLink(eve))
        const refused = await victim.submit('/auth/password/reset', { link, password: better })
        expect(target(refused)).to.include('error=Verification')
        await expectNobody(victim)
        for (const email of [ann, eve]) await expectPassword(email, good)
        // The link itself is as good as before.
        const again = (await openCustom(victim, url)).get('link') ?? ''
        expect(again).to.equal(link)
        await victim.submit('/auth/password/reset', { link, password: better })
        await expectSignedIn(victim, ann)
      })

      it('CD-18: a script of the page reads whose password is set', async () => {
        await begin({ resetPassword: '/new-password' })
        for (const email of [ann, eve]) await stage.register(stage.browser(), email)
        for (const email of [ann, eve]) {
          const link = (await openCustom(victim, await resetLink(email))).get('link')
          const { body, headers } = await victim.get('/auth/password/reset', { accept: 'application/json' })
          expect(body).to.deep.equal({ email, link })
          expect(headers['cache-control']).to.include('no-store')
        }
      })

      it('CD-18: a form without it is rejected while another one may be open', async () => {
        await begin({ resetPassword: '/new-password' })
        for (const email of [ann, eve]) await stage.register(stage.browser(), email)
        await openCustom(victim, await resetLink(ann))
        await victim.get(`/auth/password/reset?token=${'x'.repeat(40)}`)
        await openCustom(victim, await resetLink(eve))
        const refused = await victim.submit('/auth/password/reset', { password: better })
        expect(target(refused)).to.include('error=Verification')
        for (const email of [ann, eve]) await expectPassword(email, good)
      })

      it('CD-18: a form without it is rejected where the page of the last link was not shown', async () => {
        await begin({ resetPassword: '/new-password' })
        for (const email of [ann, eve]) await stage.register(stage.browser(), email)
        await openCustom(victim, await resetLink(ann))
        await victim.get(await resetLink(eve))
        const refused = await victim.submit('/auth/password/reset', { password: better })
        expect(target(refused)).to.include('error=Verification')
        for (const email of [ann, eve]) await expectPassword(email, good)
      })

      it('a form without it continues if all links were for one address', async () => {
        await begin({ resetPassword: '/new-password' })
        await stage.register(stage.browser(), ann)
        await openCustom(victim, await resetLink(ann))
        const newest = await resetLink(ann)
        const late = await victim.submit('/auth/password/reset', { password: better })
        expect(target(late)).to.include('error=Verification')
        await openCustom(victim, newest)
        await victim.submit('/auth/password/reset', { password: better })
        await expectSignedIn(victim, ann)
      })
    })

    describe('of sign-ups', () => {
      it('CD-18: the button makes the account of its own link', async () => {
        await begin()
        await stage.signUp(victim, ann)
        const page = await open(victim, await stage.link(ann, 'sign-up'))
        await stage.signUp(stage.browser(), eve)
        const planted = await open(victim, await stage.link(eve, 'sign-up'))
        expect(planted.text).to.include(eve)
        expect(target(await send(victim, page))).to.equal(`${stage.app.origin}/`)
        await expectSignedIn(victim, ann)
        expect(await stage.adapter.getUserByEmail(eve)).to.equal(null)
      })
    })
  })
}
