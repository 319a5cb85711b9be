/** Passwords in a browser, without scripts: signing up, resetting and changing them. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { BrowserContext, Page } from 'playwright-core'
import { better, good, startStage } from '../password/stage.js'
import { describeInBrowser } from '../support/browser.js'
import { opened } from '../support/opened.js'

const ann = 'ann@example.com'

describeInBrowser('passwords', (open) => {
  const stage = opened(() => startStage({ config: { session: { strategy: 'jwt', revocation: true } } }), 'each')

  const url = (path: string) => stage.app.origin + path
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
  const who = async (context: BrowserContext) =>
    ((await (await context.request.get(url('/auth/session'))).json()) as { user?: { email?: string } } | null)?.user
      ?.email

  async function signUp(page: Page, password = good): Promise<void> {
    await page.goto(url('/auth/signin'))
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Email address').fill(ann)
    await page.getByLabel('New password').fill(password)
    await press(page, 'Create the account')
  }

  it('a sign-up works without scripts: the page, the mail, one click', async () => {
    const { page, context, problems } = await open({ javaScriptEnabled: false })
    await signUp(page)
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.goto(await stage.link(ann, 'sign-up'))
    expect(page.url()).to.equal(url('/auth/password/verify'))
    await press(page, 'Create the account')
    await page.waitForURL(url('/'))
    expect(await who(context)).to.equal(ann)
    // The application has no first page.
    expect(problems.filter((each) => !each.includes('404'))).to.deep.equal([])
  })

  it('a rejected password is explained on the page, and the address stays', async () => {
    const { page } = await open({ javaScriptEnabled: false })
    await signUp(page, 'aaaaaaaaaaaaaaaaaaaa')
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Email address').inputValue()).to.equal(ann)
    expect(await page.getByLabel('New password').inputValue()).to.equal('')
    await page.getByLabel('New password').fill('short')
    await press(page, 'Create the account')
    // `minlength` of the browser: nothing is sent.
    expect(page.url()).to.equal(url('/auth/signup/password'))
    await page.getByLabel('New password').fill(good)
    await press(page, 'Create the account')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  })

  it('in another browser a password is chosen again; a forgotten one is replaced by a link', async () => {
    const first = await open({ javaScriptEnabled: false })
    await signUp(first.page, 'typed by somebody else')
    const { page, context } = await open({ javaScriptEnabled: false })
    await page.goto(await stage.link(ann, 'sign-up'))
    await page.getByLabel('New password').fill(good)
    await press(page, 'Create the account')
    await page.waitForURL(url('/'))
    await context.clearCookies()
    await page.goto(url('/auth/signin'))
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email address').fill(ann)
    await press(page, 'Send me a link')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.goto(await stage.link(ann, 'reset-password'))
    await page.getByLabel('New password').fill(better)
    await press(page, 'Save the password')
    await page.waitForURL(url('/'))
    expect(await who(context)).to.equal(ann)
    await page.goto(url('/auth/password/change'))
    await page.getByLabel('New password').fill(good)
    await press(page, 'Save the password')
    await page.waitForURL(url('/'))
    await context.clearCookies()
    await page.goto(url('/auth/signin'))
    await page.getByLabel('Email').fill(ann)
    await page.getByLabel('Password', { exact: true }).fill(good)
    await press(page, 'Sign in')
    await page.waitForURL(url('/'))
    expect(await who(context)).to.equal(ann)
  })

  it('CD-18: a link that another site opens in a second window does not take the password', async () => {
    const eve = 'eve@example.com'
    for (const email of [ann, eve]) await stage.register(stage.browser(), email)
    const linkFor = async (email: string) => {
      await stage.browser().submit('/auth/password/forgot', { email })
      return stage.link(email, 'reset-password')
    }
    const { page, context } = await open()
    await page.goto(await linkFor(ann))
    await page.getByText(ann).first().waitFor()
    const planted = await linkFor(eve)
    const evil = createServer((_req, res) => {
      res.setHeader('content-type', 'text/html')
      res.end(`<!doctype html><title>Evil</title><a target="_blank" href="${planted}">Open</a>`)
    })
    await new Promise<void>((resolve) => evil.listen(0, 'localhost', resolve))
    const second = await context.newPage()
    await second.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`)
    const opened = context.waitForEvent('page')
    await second.getByRole('link', { name: 'Open' }).click()
    await (await opened).getByText(eve).first().waitFor()
    await page.getByLabel('New password').fill(better)
    await press(page, 'Save the password')
    await page.waitForURL(url('/'))
    expect(await who(context)).to.equal(ann)
    expect((await stage.mail(ann, 'notice')).identifier).to.equal(ann)
    await new Promise((resolve) => evil.close(resolve).closeAllConnections())
  })
})
