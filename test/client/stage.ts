/** The functions by which tests of React open a page, read it and return to it. */
import type { BrowserContext, Page } from 'playwright-core'
import type { Site } from '../browser/site.js'
import type { OpenPage } from '../support/browser.js'
import type { AppProps } from './pages/app.js'
import { type View, viewPath } from './views.js'

/** An open page of the application. */
export interface Stage extends OpenPage {
  /** Methods of the requests for the session that it has sent. */
  readonly asked: string[]
}

/** The options with which a page is opened. */
export interface StageOptions {
  readonly props?: AppProps
  readonly view?: View
  /** True if the server renders the page first. */
  readonly server?: boolean
  /** True if ann is signed in before the page is opened. */
  readonly signedIn?: boolean
}

/** Opens the application in a profile of its own. */
export async function openStage(
  open: () => Promise<OpenPage>,
  site: Site,
  { signedIn = false, ...options }: StageOptions = {},
): Promise<Stage> {
  const opened = await open()
  if (signedIn) await signInBefore(opened.context, site)
  return { ...opened, asked: await show(opened.page, site, options) }
}

/** Opens the application in another tab. */
export async function openTab({ context }: Stage, site: Site, options: StageOptions = {}): Promise<Stage> {
  const page = await context.newPage()
  return { page, context, problems: [], asked: await show(page, site, options) }
}

async function show(page: Page, site: Site, { props, view = 'react', server }: StageOptions): Promise<string[]> {
  const asked: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/auth/session') asked.push(request.method())
  })
  await page.goto(site.url(viewPath(view, props, server ? { server: '' } : {})))
  return asked
}

async function signInBefore(context: BrowserContext, site: Site): Promise<void> {
  const page = await context.newPage()
  await page.goto(site.url('/view/plain'))
  await page.evaluate(() => window.auth.signIn('credentials', { username: 'ann', password: 'right', redirect: false }))
  await page.close()
}

/** Waits until the page shows the text. */
export async function shows(page: Page, text: string): Promise<void> {
  await page.getByRole('heading', { name: text, exact: true }).waitFor()
}

/** Returns all states that the page has shown, in their order. */
export function seen(page: Page): Promise<string[]> {
  return page.evaluate(() => globalThis.seen ?? [])
}

/** Returns to the page, as to a tab that was hidden. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
}

/** Waits until the test knows the earlier requests of the page. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(() => fetch('/me').then(() => fetch('/me')))
}
