/** The sign-in page with passkeys at the real server: other addresses, tabs, the Back button, no script, no mouse. */
import { expect } from 'chai'
import { usePasskeys } from '../flows/webauthn/stage.js'
import { describeInBrowser } from '../support/browser.js'
import { inTurn } from '../support/extent.js'
import { startLoopbackServer } from '../support/loopback-server.js'
import {
  enter,
  expectHello,
  expectNoProblems,
  expectNotAccepted,
  goToSignIn,
  hears,
  openTab,
  pages,
  press,
  register,
  signIn,
  signInPath,
  signOut,
  signUp,
  type Visitor,
} from './passkey-site.js'

const email = 'ann@example.com'
const button = 'Sign in with a passkey'

describeInBrowser('the sign-in page with passkeys', (open) => {
  const stage = usePasskeys()

  describe('at another address', () => {
    it('127.0.0.1 has no passkeys, and the page says so', async () => {
      await stage.start({}, pages)
      const ann = await enter(open, stage)
      const insecure = 'Passkeys do not work at this address. Please open the site at its own address'
      await ann.page.goto(ann.url(signInPath('/page/1'), '127.0.0.1'))
      await press(ann.page, button)
      await hears(ann, insecure)
      await register(ann, email)
      await hears(ann, insecure)
      expect(stage.events).to.deep.equal([])
      expectNoProblems(ann)
    })

    it('another port: the browser allows it, the server rejects it', async () => {
      const front = await startLoopbackServer(
        (request, response) => void stage.app.server.emit('request', request, response),
      )
      try {
        await stage.start({ passkey: { relyingParty: { origin: `http://localhost:${front.port}` } } }, pages)
        const ann = await enter(open, stage, { app: { ...stage.app, origin: front.origin } })
        await signUp(ann, email)
        await signOut(ann)
        await signIn(ann, email)

        const other = await enter(open, stage)
        for (const passkey of await ann.device.passkeys()) {
          await other.device.keep({ ...passkey, signCount: passkey.signCount + 10 })
        }
        await goToSignIn(other)
        await press(other.page, button)
        await expectNotAccepted(other)
        await goToSignIn(other)
        await register(other, 'bob@example.com')
        await expectNotAccepted(other)
        const messages = stage.app.log.errors.map(({ message }) => message)
        expect(messages).to.have.length(2)
        for (const message of messages) {
          expect(message).to.contain(`"${stage.app.origin.replace('127.0.0.1', 'localhost')}"`)
          expect(message).to.contain('relyingParty.origin')
        }
        expectNoProblems(ann, other)
      } finally {
        await front.close()
      }
    })
  })

  it('a taken address is rejected with an explanation, and its account is not opened', async () => {
    await stage.start({ passkey: { enableConditionalUI: false } }, pages)
    const [ann, stranger] = [await enter(open, stage), await enter(open, stage)]
    await signUp(ann, email)
    await goToSignIn(stranger, '/page/2')
    await register(stranger, 'ANN@example.com')
    await stranger.page.waitForURL(stranger.url('/auth/signin?error=AccountNotLinked'))
    await stranger.page.getByRole('alert').getByText('sign in the way you did the first time').waitFor()
    expect(await (await stranger.page.request.get(stranger.url('/auth/session'))).json()).to.equal(null)
    expect(await stage.passkeysOf(email)).to.have.length(1)
    expect(stage.faults()).to.deep.equal(['AccountNotLinked'])
    // The form of the page that says so works.
    await register(stranger, 'bob@example.com')
    await expectHello(stranger, 'bob@example.com', '/page/2')
    expectNoProblems(ann, stranger)
  })

  for (const strategy of inTurn(['jwt', 'database'] as const, 0)) {
    it(`reload, back and forward after a sign-in (${strategy})`, async () => {
      await stage.start({ strategy }, pages)
      const ann = await enter(open, stage)
      const { page, url } = ann
      await signUp(ann, email)
      await page.reload()
      await expectHello(ann, email)
      await page.goBack()
      await page.waitForURL(url(signInPath('/page/1')))
      await page.goForward()
      await expectHello(ann, email)
      await page.goBack()
      await page.reload()
      await page.locator('#passkey-form').waitFor()
      expect(await page.locator('button:disabled').count()).to.equal(0)
      expect(await page.locator('#passkey-form input[name=data]').inputValue()).to.equal('')
      // A signed-in user may sign in again.
      await press(page, button)
      await expectHello(ann, email)
      stage.expectNoFault()
      expectNoProblems(ann)
    })

    for (const order of ['first', 'last'] as const) {
      it(`two tabs wait for a suggestion to be picked: the ${order} one begins, both sign in (${strategy})`, async () => {
        await stage.start({ strategy }, pages)
        const ann = await enter(open, stage)
        await signUp(ann, email)
        await signOut(ann)
        const tab = await openTab(ann, stage)
        await copyPasskeys(ann, tab)
        await waitForPick(ann, '/page/1')
        await waitForPick(tab, '/page/2')
        stage.events.length = 0
        const inOrder = [() => pick(ann, '/page/1'), () => pick(tab, '/page/2')]
        for (const next of order === 'first' ? inOrder : inOrder.reverse()) await next()
        stage.expectNoFault()
        expectNoProblems(ann)
      })
    }
  }

  describe('without a script', () => {
    it('there is a sentence instead of the form, and the other forms work', async () => {
      await stage.start({ passkey: { offerAfterPassword: false } }, pages)
      const { page, url, problems } = await enter(open, stage, { browser: { javaScriptEnabled: false } })
      await page.goto(url('/auth/signin?callbackUrl=/page/1'))
      const sentence = page.locator('noscript p')
      expect(await sentence.isVisible()).to.equal(true)
      expect(await sentence.textContent()).to.equal('Signing in with a passkey needs JavaScript.')
      expect(await page.getByRole('button', { name: /passkey/ }).count()).to.equal(0)
      expect(await page.getByLabel('Email address').filter({ visible: true }).count()).to.equal(1)
      await page.getByLabel('User name').fill('ann')
      await page.getByLabel('Password', { exact: true }).fill('right')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL(url('/page/1'))
      expect(await page.locator('h1').textContent()).to.equal(`Hello ${email}`)
      expect(problems).to.deep.equal([])
    })
  })

  it('without a mouse: account, sign-out and sign-in by keys alone', async () => {
    await stage.start({}, pages)
    const ann = await enter(open, stage)
    const { page, url } = ann
    const { keyboard } = page
    await goToSignIn(ann)
    await focusOn(ann, 'input-email-for-passkey-provider')
    await keyboard.type(email)
    await keyboard.press('Enter')
    await expectHello(ann, email)

    await page.goto(url('/auth/signout?callbackUrl=/'))
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await page.waitForURL(url('/'))

    const kept = await ann.device.passkeys()
    for (const passkey of kept) await ann.device.forget(passkey)
    await goToSignIn(ann)
    await focusOn(ann, 'submitButton-passkey')
    await keyboard.press('Space')
    await hears(ann, /^You are not signed in/)
    for (const passkey of kept) await ann.device.keep(passkey)
    // The focus is where it was.
    await keyboard.press('Space')
    await expectHello(ann, email)
    stage.expectNoFault()
    expectNoProblems(ann)
  })
})

/** Gives both browsers the same passkeys; the counters of the copies are ahead. */
async function copyPasskeys(from: Visitor, to: Visitor): Promise<void> {
  for (const passkey of await from.device.passkeys()) {
    await to.device.keep({ ...passkey, signCount: passkey.signCount + 10 })
  }
}

/** Opens the sign-in page, and waits until its user could pick. */
async function waitForPick({ page, url }: Visitor, callbackUrl: string): Promise<void> {
  await page.goto(url(signInPath(callbackUrl, 'later')))
  await page.waitForFunction(() => window.pick !== undefined)
}

async function pick(visitor: Visitor, callbackUrl: string): Promise<void> {
  await visitor.page.evaluate(() => window.pick?.())
  await expectHello(visitor, email, callbackUrl)
}

/** Moves the focus with the Tab key. */
async function focusOn({ page }: Visitor, id: string): Promise<void> {
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate(() => document.activeElement?.id)) === id) return
  }
  throw new Error(`Tab does not lead to #${id}`)
}
