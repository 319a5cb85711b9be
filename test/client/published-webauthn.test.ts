/**
 * The published helper for passkeys (`next-auth/webauthn` 5 on `@simplewebauthn/browser` 9), unmodified, in a page of an
 * application, against our endpoints: a site moves its server first, its pages later.
 */
import { expect } from 'chai'
import type { Express } from 'express'
import {
  enter,
  expectHello,
  pages as ownPages,
  press,
  signIn,
  signOut,
  signUp,
  type Visitor,
} from '../browser/passkey-site.js'
import { present, strategies, usePasskeys } from '../flows/webauthn/stage.js'
import type { AppOptions } from '../support/app.js'
import { describeInBrowser } from '../support/browser.js'
import { inTurn } from '../support/extent.js'
import { plugIn } from '../support/passkey-device.js'
import { bundle, publishedClient } from './bundle.js'
import { shows } from './stage.js'

const email = 'ann@example.com'
const worked = { error: null, code: null, status: 200, ok: true }

/** Bundles the page with the version on which `next-auth` depends; our development uses a newer one. */
const build = () =>
  bundle('test/client/pages/published-passkeys.ts', {
    ...publishedClient,
    alias: { '@simplewebauthn/browser': 'webauthn-browser9' },
  })

const pages: AppOptions = {
  after(app, config) {
    ownPages.after?.(app, config)
    addPublishedPage(app)
  },
}

describeInBrowser('next-auth/webauthn in a browser', (open) => {
  const stage = usePasskeys()

  async function arrive(): Promise<Visitor> {
    const ann = await enter(open, stage)
    await ann.page.goto(ann.url('/published'))
    await shows(ann.page, 'unauthenticated: nobody')
    return ann
  }

  it('is tested here, and none of our files', async () => {
    const { files } = await build()
    expect(files).to.include.members([
      'node_modules/next-auth/webauthn.js',
      'node_modules/next-auth/react.js',
      'node_modules/webauthn-browser9/dist/bundle/index.js',
    ])
    expect(files.filter((file) => /^lib\/|@simplewebauthn\/browser/.test(file))).to.deep.equal([])
  })

  for (const strategy of inTurn(strategies, 0)) {
    it(`makes an account, signs in with and without leaving the page, and adds a passkey (${strategy})`, async () => {
      await stage.start({ strategy }, pages)
      const ann = await arrive()
      const { page, url } = ann
      expect(await call(ann, { action: 'register', email, name: 'Ann' })).to.deep.equal({
        ...worked,
        url: url('/published'),
      })
      await shows(page, 'authenticated: Ann')
      expect(await stage.userOf(email)).to.include({ name: 'Ann', emailVerified: null })

      await leave(ann)
      expect(await call(ann, { redirectTo: '/page/2' })).to.deep.equal({ ...worked, url: url('/page/2') })
      await shows(page, 'authenticated: Ann')

      await leave(ann)
      await page.evaluate(() => void window.published.signIn('passkey', { redirectTo: '/page/1' }))
      await expectHello(ann, email)

      await page.goto(url('/published'))
      await ann.device.unplug()
      const key = await plugIn(page, { transport: 'usb' })
      await shows(page, 'authenticated: Ann')
      expect(await call(ann, { action: 'register' })).to.deep.equal({ ...worked, url: url('/published') })
      expect(await stage.passkeysOf(email)).to.have.length(2)
      expect(await key.passkeys()).to.have.length(1)
      await leave(ann)
      const again = page.waitForEvent('load')
      await page.evaluate(() => void window.published.signIn('passkey'))
      await again
      await shows(page, 'authenticated: Ann')
      stage.expectNoFault()
      expect(ann.problems).to.deep.equal([])
    })
  }

  it('reports a rejection, and leaves for the page that explains it', async () => {
    await stage.start({}, pages)
    const ann = await arrive()
    const { page, url } = ann
    await call(ann, { action: 'register', email, name: 'Ann' })
    await shows(page, 'authenticated: Ann')
    await leave(ann)
    const [row] = await stage.passkeysOf(email)
    await stage.stored.deleteAuthenticator?.(present(row).credentialID)
    const refused = { ...worked, error: 'WebAuthnVerificationError', url: null }
    expect(await call(ann, {})).to.deep.equal(refused)
    expect(await call(ann, { action: 'register', email })).to.deep.equal({ ...refused, error: 'AccountNotLinked' })
    await shows(page, 'unauthenticated: nobody')
    expect(stage.faults()).to.deep.equal(['WebAuthnVerificationError', 'AccountNotLinked'])

    for (const each of (await ann.device.passkeys()).slice(1)) await ann.device.forget(each)
    await page.evaluate(() => void window.published.signIn('passkey'))
    await page.waitForURL(url('/auth/error?error=WebAuthnVerificationError'))
    expect(await page.locator('h1').textContent()).to.equal('Your passkey was not accepted')
  })

  it('throws the browser’s error after a cancel, and can be called again', async () => {
    await stage.start({}, pages)
    const ann = await arrive()
    await ann.device.recognise(false)
    const thrown = await ann.page.evaluate(
      (email) =>
        window.published.signIn('passkey', { action: 'register', email, redirect: false }).then(
          () => undefined,
          (error: Error) => error.name,
        ),
      email,
    )
    expect(thrown).to.equal('NotAllowedError')
    await ann.device.recognise(true)
    expect(await call(ann, { action: 'register', email, name: 'Ann' })).to.include({ ok: true, error: null })
    stage.expectNoFault()
  })

  it('logs what the options reject', async () => {
    await stage.start({}, pages)
    const ann = await arrive()
    expect(await call(ann, { action: 'register', email: 'no address' })).to.equal(undefined)
    expect(ann.problems.join()).to.contain('That is not an email address.')
    stage.expectNoFault()
  })

  describe('a passkey that one created and the other uses', () => {
    it('is created by the published helper, and used by our sign-in page, its suggestions, and our module', async () => {
      await stage.start({}, pages)
      const ann = await arrive()
      await call(ann, { action: 'register', email, name: 'Ann' })
      await shows(ann.page, 'authenticated: Ann')
      await signOut(ann)
      await signIn(ann, email)
      await signOut(ann)
      await ann.page.goto(ann.url('/auth/signin?callbackUrl=/page/3'))
      await expectHello(ann, email, '/page/3')
      await signOut(ann)
      await ann.page.goto(ann.url('/own'))
      await press(ann.page, 'Sign in with a passkey')
      await expectHello(ann, email, '/page/2')
      stage.expectNoFault()
      expect(ann.problems).to.deep.equal([])
    })

    it('is created by our sign-in page, and used by the published helper', async () => {
      await stage.start({}, pages)
      const ann = await enter(open, stage)
      await signUp(ann, email)
      await signOut(ann)
      await ann.page.goto(ann.url('/published'))
      await shows(ann.page, 'unauthenticated: nobody')
      expect(await call(ann, {})).to.deep.equal({ ...worked, url: ann.url('/published') })
      await ann.page.goto(ann.url('/page/1'))
      await expectHello(ann, email)
      stage.expectNoFault()
      expect(ann.problems).to.deep.equal([])
    })

    it('is one of two on one account: both handles belong to the same user, and neither device creates a second passkey', async () => {
      await stage.start({}, pages)
      const ann = await enter(open, stage)
      await signUp(ann, email)
      await ann.page.goto(ann.url('/published'))
      await shows(ann.page, 'authenticated: nobody')
      const again = ann.page.evaluate(() =>
        window.published.signIn('passkey', { action: 'register', redirect: false }).catch(({ name }: Error) => name),
      )
      expect(await again).to.equal('InvalidStateError')
      await ann.device.unplug()
      await plugIn(ann.page, { transport: 'usb' })
      expect(await call(ann, { action: 'register' })).to.include({ ok: true, error: null })
      expect(await stage.accountsOf(email)).to.have.length(1)
      await signOut(ann)
      await signIn(ann, email)
      stage.expectNoFault()
      expect(ann.problems).to.deep.equal([])
    })
  })
})

/** Makes a call that stays on the page. */
function call({ page }: Visitor, options: Record<string, string>): Promise<unknown> {
  return page.evaluate((options) => window.published.signIn('passkey', { ...options, redirect: false }), options)
}

/** Signs out, by the published client too. */
async function leave({ page, url }: Visitor): Promise<void> {
  if (!page.url().endsWith('/published')) await page.goto(url('/published'))
  await page.evaluate(() => window.published.signOut({ redirect: false }))
  await shows(page, 'unauthenticated: nobody')
}

function addPublishedPage(app: Express): void {
  app.get('/published', (_req, res) => {
    res.send(`<!doctype html><html lang="en"><title>Published</title><link rel="icon" href="data:,">
<div id="app"></div><script type="module" src="/published.js"></script></html>`)
  })
  app.get('/published.js', (_req, res, next) => {
    build().then(({ code }) => res.type('js').send(Buffer.from(code)), next)
  })
}
