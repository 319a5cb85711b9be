/** Second factors in a browser without scripts: every page that asks, guards, and fresh sign-ins. */

import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { VerificationRequest } from '../../lib/types/provider.js'
import {
  base,
  doors,
  enrolled,
  type FactorStage,
  keyIn,
  mailProvider,
  openFactorStage,
  type Person,
  stopClock,
  wrongFor,
} from '../factors/stage.js'
import { credentials } from '../support/app.js'
import { describeInBrowser } from '../support/browser.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { factorsIn } from '../support/stores.js'

describeInBrowser('second factors without scripts', (open) => {
  let stage: FactorStage
  const mails: VerificationRequest[] = []
  let people = 0

  before(async () => {
    stage = await openFactorStage(doors.express, {
      providers: [
        credentials({
          authorize: ({ username, password }) =>
            password === 'right' ? stage.adapter.getUserByEmail(`${username}@example.com`) : null,
        }),
        mailProvider(mails),
      ],
    })
  })
  after(() => stage?.close())
  beforeEach(() => stopClock())
  afterEach(() => restoreClock())

  const at = (path: string) => stage.door.origin + path
  const name = () => `ann${++people}`
  const press = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click()
  const follow = (page: Page, link: string) => page.getByRole('link', { name: link, exact: true }).click()
  const alert = (page: Page) => page.getByRole('alert').textContent()
  const heading = (page: Page) => page.locator('h1').textContent()

  async function arrive() {
    const opened = await open({ javaScriptEnabled: false })
    opened.context.setDefaultTimeout(10_000)
    return opened
  }

  async function told(page: Page) {
    return (await page.request.get(at(`${base}/session`))).json()
  }

  /** Types the password on the page that is shown. */
  async function typePassword(page: Page, username: string): Promise<void> {
    await page.getByLabel('User name').fill(username)
    await page.getByLabel('Password', { exact: true }).fill('right')
    await page.locator('form[action$="/callback/credentials"] button[type=submit]').click()
  }

  async function signIn(page: Page, username: string, callbackUrl = '/by-session?x=1'): Promise<void> {
    await page.goto(at(`${base}/signin?${new URLSearchParams({ callbackUrl })}`))
    await typePassword(page, username)
  }

  async function typeCode(page: Page, code: string, label = 'Code', button = 'Continue'): Promise<void> {
    await page.getByLabel(label, { exact: true }).fill(code)
    await press(page, button)
  }

  /** Returns the code of the next mail after a number of mails. */
  async function mailedCode(before: number): Promise<string> {
    const somebody = stage.stranger()
    somebody.mailbox = mails
    return (await somebody.mail(before)).token
  }

  /** Creates a user with an authenticator app and recovery codes. */
  async function member(): Promise<{ person: Person; username: string }> {
    const username = name()
    return { person: await enrolled(stage, `${username}@example.com`), username }
  }

  it('signs in with the app, after a wrong code, and returns to exactly the requested page', async () => {
    const { person, username } = await member()
    const { page } = await arrive()
    await signIn(page, username)
    expect(await heading(page)).to.equal('Confirm that it is you')
    expect(await told(page)).to.equal(null)
    await typeCode(page, wrongFor(person))
    expect(await alert(page)).to.include('not correct')
    await typeCode(page, person.code())
    expect(page.url()).to.equal(at('/by-session?x=1'))
    expect(await told(page)).to.have.nested.property('assurance.aal', 2)
  })

  it('signs in with a recovery code, which works once, and removes the app', async () => {
    const { person, username } = await member()
    const { page, context } = await arrive()
    await signIn(page, username)
    await follow(page, 'Use a recovery code')
    await typeCode(page, 'AAAA-BBBB-CCCC', 'Recovery code')
    expect(await alert(page)).to.match(/./)
    expect(await page.getByLabel('Recovery code').count(), 'the same page').to.equal(1)
    await typeCode(page, (person.codes[0] ?? '').toLowerCase(), 'Recovery code')
    expect(page.url()).to.equal(at('/by-session?x=1'))
    await page.goto(at(`${base}/two-factor?setup`))
    expect(await page.locator('main').textContent()).to.include('Recovery codes left: 9')
    await context.clearCookies()
    await signIn(page, username)
    await follow(page, 'Use a recovery code')
    await typeCode(page, person.codes[0] ?? '', 'Recovery code')
    expect(await told(page)).to.equal(null)
    await typeCode(page, person.codes[1] ?? '', 'Recovery code')
    await page.goto(at(`${base}/two-factor?setup`))
    await press(page, 'Remove: Authenticator app')
    expect(page.url()).to.match(/two-factor\?setup/)
    expect(await page.locator('.factors').count()).to.equal(0)
    expect(await factorsIn(stage.adapter.store()).list(person.userId)).to.deep.equal([])
    await context.clearCookies()
    await signIn(page, username)
    expect(await told(page)).to.have.nested.property('assurance.aal', 1)
  })

  it('adds email codes, and signs in with one: requested, sent, wrong, sent again', async () => {
    const username = name()
    const address = `${username}@example.com`
    await stage.adapter.createUser({ id: '', email: address, emailVerified: new Date() })
    const { page, context } = await arrive()
    await signIn(page, username, '/by-session')
    await page.goto(at(`${base}/two-factor?setup`))
    await follow(page, 'Add a code by email')
    let before = mails.length
    await press(page, 'Send me a code')
    await typeCode(page, await mailedCode(before), 'Code', 'Add')
    expect(await heading(page)).to.equal('Your recovery codes')
    await page.getByLabel('I keep these codes in a safe place.').check()
    await press(page, 'Continue')
    expect(page.url()).to.equal(at('/by-session'))
    await context.clearCookies()
    advanceClock(120)
    await signIn(page, username)
    expect(await page.getByLabel('Code', { exact: true }).count()).to.equal(0)
    before = mails.length
    await press(page, 'Send me a code')
    const code = await mailedCode(before)
    expect(await page.locator('main').textContent()).to.include('has just sent')
    await typeCode(page, code === '000000' ? '111111' : '000000')
    expect(await alert(page)).to.include('not correct')
    advanceClock(120)
    before = mails.length
    await press(page, 'Send a new code')
    await typeCode(page, await mailedCode(before))
    expect(page.url()).to.equal(at('/by-session?x=1'))
    expect(await told(page)).to.have.nested.property('assurance.aal', 2)
  })

  it('five wrong codes end at the sign-in page, which says why', async () => {
    const { person, username } = await member()
    const { page } = await arrive()
    await signIn(page, username)
    for (let tries = 0; tries < 5; tries += 1) await typeCode(page, wrongFor(person))
    expect(new URL(page.url()).pathname).to.equal(`${base}/signin`)
    expect(await alert(page)).to.include('too many wrong codes')
    await page.goto(at(`${base}/two-factor`))
    expect(new URL(page.url()).pathname).to.equal(`${base}/signin`)
    // The user is not locked out, and the requested page is not forgotten.
    advanceClock(3600)
    await page.goBack()
    await typePassword(page, username)
    await typeCode(page, person.code())
    expect(page.url()).to.equal(at('/by-session?x=1'))
  })

  it('a guard for two factors: asks for the app, and leads back to exactly the page', async () => {
    const username = name()
    const { id } = await stage.adapter.createUser({
      id: '',
      email: `${username}@example.com`,
      emailVerified: new Date(),
    })
    const { page } = await arrive()
    await signIn(page, username)
    // The user adds an app in another browser.
    const person = stage.stranger()
    await person.ask(`/own-sign-in?user=${id}`)
    await person.addApp()
    advanceClock(30)
    await page.goto(at('/guarded-twice?q=a%20b&q=%2F%3F&z'))
    expect(await heading(page)).to.equal('Confirm that it is you')
    await typeCode(page, wrongFor(person))
    expect(await alert(page)).to.include('not correct')
    await typeCode(page, person.code())
    expect(page.url()).to.equal(at('/guarded-twice?q=a%20b&q=%2F%3F&z'))
    expect(await page.textContent('body')).to.include('inside')
  })

  it('a guard for two factors: a user without factors adds an app, and continues to exactly the page', async () => {
    const username = name()
    await stage.adapter.createUser({ id: '', email: `${username}@example.com`, emailVerified: new Date() })
    const { page } = await arrive()
    await page.goto(at('/guarded-twice?x=1'))
    await typePassword(page, username)
    expect(await heading(page)).to.equal('Two-step sign-in')
    await follow(page, 'Add an authenticator app')
    const person = stage.stranger()
    person.key = keyIn(await page.content())
    await typeCode(page, person.code(), 'Code', 'Add')
    expect(await heading(page)).to.equal('Your recovery codes')
    await page.getByLabel('I keep these codes in a safe place.').check()
    await press(page, 'Continue')
    expect(page.url()).to.equal(at('/guarded-twice?x=1'))
    expect(await page.textContent('body')).to.include('inside')
  })

  it('a guard for a fresh sign-in: the password again, as the same user, and back', async () => {
    const username = name()
    await stage.adapter.createUser({ id: '', email: `${username}@example.com`, emailVerified: new Date() })
    const { page } = await arrive()
    await signIn(page, username)
    await page.goto(at('/guarded-fresh?x=1'))
    expect(await page.textContent('body')).to.include('inside')
    advanceClock(301)
    await page.goto(at('/guarded-fresh?x=1'))
    expect(new URL(page.url()).pathname).to.equal(`${base}/signin`)
    expect(await page.locator('main').textContent()).to.include('to confirm that it is you')
    await page.getByLabel('User name').fill(username)
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.locator('form[action$="/callback/credentials"] button[type=submit]').click()
    expect(new URL(page.url()).pathname).to.equal(`${base}/signin`)
    await typePassword(page, username)
    expect(page.url()).to.equal(at('/guarded-fresh?x=1'))
    expect(await page.textContent('body')).to.include('inside')
  })

  it('a guard for a fresh sign-in: another user is rejected, and the session stays', async () => {
    const [username, other] = [name(), name()]
    for (const each of [username, other])
      await stage.adapter.createUser({ id: '', email: `${each}@example.com`, emailVerified: new Date() })
    const { page } = await arrive()
    await signIn(page, username)
    advanceClock(301)
    await page.goto(at('/guarded-fresh?x=1'))
    await typePassword(page, other)
    expect(await heading(page)).to.equal('That is another account')
    expect(await told(page)).to.have.nested.property('user.email', `${username}@example.com`)
    await page.goto(at('/guarded-fresh?x=1'))
    await typePassword(page, username)
    expect(page.url()).to.equal(at('/guarded-fresh?x=1'))
    expect(await page.textContent('body')).to.include('inside')
  })
})
