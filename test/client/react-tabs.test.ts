/** `SessionProvider` in several tabs of one browser: a sign-in or sign-out in one is seen in the others. */
import { expect } from 'chai'
import { begin, logIn, useSite } from '../browser/site.js'
import { describeInBrowser } from '../support/browser.js'
import { openStage, openTab, type StageOptions, settle, shows } from './stage.js'
import { addViews, takesName } from './views.js'

describeInBrowser('server-auth/react: several tabs', (open) => {
  const site = useSite({
    app: { after: addViews },
    config: {
      callbacks: takesName,
    },
  })

  /** Opens two tabs of one browser. The second sends no requests on its own. */
  const openTwo = async (options: StageOptions = {}) => {
    const one = await openStage(open, site, options)
    const two = await openTab(one, site, { props: { provider: { refetchOnWindowFocus: false } } })
    const text = options.signedIn ? 'authenticated: ann' : 'unauthenticated: nobody'
    await Promise.all([shows(one.page, text), shows(two.page, text)])
    await Promise.all([settle(one.page), settle(two.page)])
    one.asked.length = 0
    two.asked.length = 0
    return [one, two] as const
  }
  const credentials = { username: 'ann', password: 'right' }

  it('see a sign-in, an update and a sign-out without redirect, with one request each', async () => {
    const [one, two] = await openTwo()
    await one.page.evaluate(
      (fields) => window.client.signIn('credentials', { ...fields, redirect: false }),
      credentials,
    )
    await shows(two.page, 'authenticated: ann')
    await one.page.evaluate(() => globalThis.updateSession?.({ name: 'Ann of the hill' }))
    await shows(two.page, 'authenticated: Ann of the hill')
    await one.page.evaluate(() => window.client.signOut({ redirect: false }))
    await shows(two.page, 'unauthenticated: nobody')
    await Promise.all([settle(one.page), settle(two.page)])
    expect(two.asked).to.deep.equal(['GET', 'GET', 'GET'])
    expect(one.asked).to.deep.equal(['GET', 'POST'])
    expect([...one.problems, ...two.problems]).to.deep.equal([])
  })

  it('see a sign-in and a sign-out that leave the page', async () => {
    const [one, two] = await openTwo()
    await one.page.evaluate((fields) => {
      void window.client.signIn('credentials', { ...fields, redirectTo: '/page/1' })
    }, credentials)
    await shows(two.page, 'authenticated: ann')
    await one.page.waitForURL(site.url('/page/1'))
    await one.page.goBack()
    await shows(one.page, 'authenticated: ann')
    await one.page.evaluate(() => void window.client.signOut({ redirectTo: '/page/2' }))
    await shows(two.page, 'unauthenticated: nobody')
    await one.page.waitForURL(site.url('/page/2'))
  })

  for (const [what, provider] of [
    ['asks for the session', {}],
    ['has the session from the server', { session: { user: { name: 'alice' }, expires: '2100-01-01T00:00:00.000Z' } }],
  ] as const) {
    it(`see a user who returns from a provider, to a page that ${what}`, async () => {
      const [one, two] = await openTwo()
      await one.page.goto(
        site.url(
          `/auth/signin?${new URLSearchParams({ callbackUrl: `/view/react?props=${JSON.stringify({ provider })}` })}`,
        ),
      )
      await begin(one.page, site)
      await logIn(one.page)
      await shows(two.page, 'authenticated: Alice Example')
    })
  }

  it('see that a session has ended, when one of them does', async () => {
    const [one, two] = await openTwo({ signedIn: true })
    await one.context.clearCookies({ name: 'auth.session-token' })
    await one.page.evaluate(() => globalThis.updateSession?.())
    await Promise.all([shows(one.page, 'unauthenticated: nobody'), shows(two.page, 'unauthenticated: nobody')])
  })

  it('send no request when another is opened or loaded again', async () => {
    const [one, two] = await openTwo({ signedIn: true })
    await one.page.reload()
    await shows(one.page, 'authenticated: ann')
    const three = await openTab(one, site)
    await shows(three.page, 'authenticated: ann')
    await Promise.all([settle(one.page), settle(two.page), settle(three.page)])
    expect(two.asked).to.deep.equal([])
    expect(one.asked).to.deep.equal(['GET'])
  })

  it('receive only the fact that a user has signed in or out', async () => {
    const [one, two] = await openTwo()
    await two.page.evaluate(() => {
      const messages: unknown[] = []
      new BroadcastChannel('/auth/session').onmessage = ({ data }) => messages.push(data)
      Object.assign(window, { messages })
    })
    await one.page.evaluate(
      (fields) => window.client.signIn('credentials', { ...fields, redirect: false }),
      credentials,
    )
    const three = await openTab(one, site)
    await shows(three.page, 'authenticated: ann')
    await one.page.evaluate(() => window.client.signOut({ redirect: false }))
    await shows(two.page, 'unauthenticated: nobody')
    await shows(three.page, 'unauthenticated: nobody')
    const messages = (await two.page.evaluate(() => (window as { messages?: unknown[] }).messages)) as object[]
    for (const message of messages) {
      expect(message).to.have.all.keys('from', 'signedIn')
      expect(message).to.have.property('from').that.is.a('number')
    }
    expect(messages.map((message) => (message as { signedIn?: boolean }).signedIn)).to.deep.equal([
      undefined,
      true,
      false,
    ])
  })

  it('are not disturbed by other messages on the channel', async () => {
    const [one, two] = await openTwo({ signedIn: true })
    await one.page.evaluate(() => {
      const channel = new BroadcastChannel('/auth/session')
      for (const message of [null, 'text', 7, {}, { signedIn: false }]) channel.postMessage(message)
    })
    await Promise.all([settle(one.page), settle(two.page)])
    expect(two.asked).to.deep.equal([])
    expect([...one.problems, ...two.problems]).to.deep.equal([])
  })

  it('of different mounts are independent', async () => {
    const [one] = await openTwo()
    const stranger = await openTab(one, site, { props: { provider: { basePath: '/other', session: null } } })
    await shows(stranger.page, 'unauthenticated: nobody')
    const asked: string[] = []
    stranger.page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
    await one.page.evaluate(
      (fields) => window.client.signIn('credentials', { ...fields, redirect: false }),
      credentials,
    )
    await settle(stranger.page)
    expect(asked).to.deep.equal(['/me', '/me'])
  })
})
