/** `SessionProvider` and `useSession` in a browser: states, props, update, `required`. */
import { expect } from 'chai'
import { createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { useSession } from '../../lib/client/react.js'
import { useSite } from '../browser/site.js'
import { describeInBrowser } from '../support/browser.js'
import { comeBack, openStage, type StageOptions, seen, settle, shows } from './stage.js'
import { addViews, viewPath } from './views.js'

const session = { user: { name: 'ann' }, expires: '2100-01-01T00:00:00.000Z' }

function Alone(): ReactElement {
  return createElement('p', null, useSession().status)
}

describeInBrowser('server-auth/react', (open) => {
  /** The names that the server returns at the next read. */
  const renamed = new Map<string, string>()
  const site = useSite({
    app: { after: addViews },
    config: {
      callbacks: {
        jwt({ token, trigger, session: data }) {
          if (trigger === 'update') token.name = (data as { name: string }).name
          token.name = renamed.get(token.name ?? '') ?? token.name
          return token
        },
      },
    },
  })
  const openApp = (options?: StageOptions) => openStage(open, site, options)
  const textOf = (page: Awaited<ReturnType<typeof openApp>>['page']) => page.locator('h1').textContent()
  afterEach(() => {
    renamed.clear()
    site.faults()
  })

  describe('the states', () => {
    it('are loading, then unauthenticated', async () => {
      const { page, problems } = await openApp()
      await shows(page, 'unauthenticated: nobody')
      expect(await seen(page)).to.deep.equal(['loading: nobody', 'unauthenticated: nobody'])
      expect(problems).to.deep.equal([])
    })

    it('are loading, then authenticated', async () => {
      const { page, problems } = await openApp({ signedIn: true })
      await shows(page, 'authenticated: ann')
      expect(await seen(page)).to.deep.equal(['loading: nobody', 'authenticated: ann'])
      expect(problems).to.deep.equal([])
    })

    it('are the same under StrictMode, with one request', async () => {
      const { page, problems, asked } = await openApp({ props: { strict: true }, signedIn: true })
      await shows(page, 'authenticated: ann')
      await settle(page)
      expect(await seen(page)).to.deep.equal(['loading: nobody', 'authenticated: ann'])
      expect(asked).to.deep.equal(['GET'])
      expect(problems).to.deep.equal([])
    })

    it('end when the application is unmounted, and begin again with the next', async () => {
      const { page, asked } = await openApp({ props: { strict: true }, signedIn: true })
      await shows(page, 'authenticated: ann')
      await page.evaluate(() => window.unrender())
      await page.getByRole('heading').waitFor({ state: 'detached' })
      await comeBack(page)
      await settle(page)
      expect(asked).to.deep.equal(['GET'])
      await page.evaluate(() => window.render({}))
      await shows(page, 'authenticated: ann')
      expect(asked).to.deep.equal(['GET', 'GET'])
    })

    it('need a SessionProvider', () => {
      expect(() => renderToString(createElement(Alone))).to.throw('useSession needs a <SessionProvider> above it')
    })
  })

  describe('the session prop', () => {
    for (const [what, given, text] of [
      ['a session', session, 'authenticated: ann'],
      ['null', null, 'unauthenticated: nobody'],
    ] as const) {
      it(`${what}: is shown immediately, by the server too, without a request`, async () => {
        const props = { provider: { session: given }, strict: true }
        const { page, problems, asked } = await openApp({ props, server: true })
        await shows(page, text)
        await settle(page)
        expect(await page.evaluate(() => fetch(location.href).then((answer) => answer.text()))).to.contain(`>${text}<`)
        expect(await seen(page)).to.deep.equal([text])
        expect(asked).to.deep.equal([])
        expect(problems).to.deep.equal([])
      })
    }

    it('left out: server and browser begin with loading', async () => {
      const { page, problems } = await openApp({ props: { strict: true }, server: true, signedIn: true })
      await shows(page, 'authenticated: ann')
      const html = await page.evaluate(() => fetch(location.href).then((answer) => answer.text()))
      expect(html).to.contain('>loading: nobody<')
      expect(problems).to.deep.equal([])
    })

    it('rendered again: a new one is used, the old one is not used again', async () => {
      const { page } = await openApp({ props: { provider: { session } } })
      await shows(page, 'authenticated: ann')
      await page.evaluate(() => window.client.signOut({ redirect: false }))
      await shows(page, 'unauthenticated: nobody')
      await page.evaluate((same) => window.render({ provider: { session: same } }), session)
      await settle(page)
      expect(await textOf(page)).to.equal('unauthenticated: nobody')
      const next = { ...session, user: { name: 'eve' } }
      await page.evaluate((given) => window.render({ provider: { session: given } }), next)
      await shows(page, 'authenticated: eve')
      await page.evaluate(() => window.render({ provider: { session: null } }))
      await shows(page, 'unauthenticated: nobody')
    })
  })

  it('the basePath prop applies from the first effect of a component below', async () => {
    const { page, context } = await open()
    const paths: string[] = []
    context.on('request', (request) => void paths.push(new URL(request.url()).pathname))
    await page.goto(site.url(viewPath('react', { provider: { basePath: '/other/' }, early: true })))
    await shows(page, 'loading: nobody')
    await settle(page)
    expect(paths.filter((path) => path.endsWith('/session'))).to.deep.equal(['/other/session', '/other/session'])
  })

  it('signing in and out is shown before the promise is fulfilled, without loading in the meantime', async () => {
    const { page, asked } = await openApp()
    await shows(page, 'unauthenticated: nobody')
    const inside = await page.evaluate(async () => {
      await window.client.signIn('credentials', { username: 'ann', password: 'right', redirect: false })
      return document.querySelector('h1')?.textContent
    })
    expect(inside).to.equal('authenticated: ann')
    const outside = await page.evaluate(async () => {
      await window.client.signOut({ redirect: false })
      return document.querySelector('h1')?.textContent
    })
    expect(outside).to.equal('unauthenticated: nobody')
    const [, ...later] = await seen(page)
    expect(later).to.deep.equal(['unauthenticated: nobody', 'authenticated: ann', 'unauthenticated: nobody'])
    expect(asked).to.deep.equal(['GET', 'GET'])
  })

  it('a sign-in that fails changes nothing', async () => {
    const { page } = await openApp()
    await shows(page, 'unauthenticated: nobody')
    await page.evaluate(() =>
      window.client.signIn('credentials', { username: 'ann', password: 'wrong', redirect: false }),
    )
    expect(await seen(page)).to.deep.equal(['loading: nobody', 'unauthenticated: nobody'])
  })

  describe('update', () => {
    it('shows the answer, with one request, without loading in the meantime', async () => {
      const { page, asked } = await openApp({ signedIn: true })
      await shows(page, 'authenticated: ann')
      const answer = await page.evaluate(() => globalThis.updateSession?.({ name: 'Ann of the hill' }))
      expect(answer).to.have.nested.property('user.name', 'Ann of the hill')
      await shows(page, 'authenticated: Ann of the hill')
      expect(await seen(page)).to.deep.equal([
        'loading: nobody',
        'authenticated: ann',
        'authenticated: Ann of the hill',
      ])
      expect(asked).to.deep.equal(['GET', 'POST'])
    })

    it('without data shows the changes of the server', async () => {
      const { page, asked } = await openApp({ signedIn: true })
      await shows(page, 'authenticated: ann')
      renamed.set('ann', 'Ann by the sea')
      await page.evaluate(() => globalThis.updateSession?.())
      await shows(page, 'authenticated: Ann by the sea')
      expect(asked).to.deep.equal(['GET', 'GET'])
    })

    it('shows that the session has ended', async () => {
      const { page, context } = await openApp({ signedIn: true })
      await shows(page, 'authenticated: ann')
      await context.clearCookies({ name: 'auth.session-token' })
      expect(await page.evaluate(() => globalThis.updateSession?.({ name: 'Eve' }))).to.equal(null)
      await shows(page, 'unauthenticated: nobody')
    })

    it('throws if the server cannot be reached, and changes nothing', async () => {
      const { page, context } = await openApp({ signedIn: true })
      await shows(page, 'authenticated: ann')
      await context.setOffline(true)
      const type = await page.evaluate(() =>
        globalThis.updateSession?.({ name: 'Eve' }).catch((error: { type?: string }) => error.type),
      )
      expect(type).to.equal('NetworkError')
      expect(await textOf(page)).to.equal('authenticated: ann')
    })
  })

  describe('required', () => {
    it('shows loading, and then the session', async () => {
      const { page } = await openApp({ props: { required: true }, signedIn: true })
      await shows(page, 'authenticated: ann')
      expect(await seen(page)).to.deep.equal(['loading: nobody', 'authenticated: ann'])
    })

    it('redirects other visitors to the sign-in page, and they return', async () => {
      const { page } = await openApp({ props: { required: true, strict: true } })
      await page.waitForURL(/\/auth\/signin\?error=SessionRequired/)
      await page.getByRole('status').getByText('Please sign in to see this page.').waitFor()
      await page.getByLabel('User name').fill('ann')
      await page.getByLabel('Password', { exact: true }).fill('right')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await shows(page, 'authenticated: ann')
    })

    it('calls onUnauthenticated instead, once, and shows no unauthenticated state', async () => {
      const { page } = await openApp({ props: { required: true, note: true } })
      await page.waitForFunction(() => globalThis.refused !== undefined)
      await page.evaluate(() => window.render({ required: true, note: true }))
      await settle(page)
      expect(await page.evaluate(() => globalThis.refused)).to.equal(1)
      expect(await seen(page)).to.deep.equal(['loading: nobody'])
      expect(new URL(page.url()).pathname).to.equal('/view/react')
    })

    it('redirects a user who is signed out', async () => {
      const { page } = await openApp({ props: { required: true }, signedIn: true })
      await shows(page, 'authenticated: ann')
      await page.evaluate(() => void window.client.signOut({ redirect: false }))
      await page.waitForURL(/\/auth\/signin\?error=SessionRequired/)
    })
  })
})
