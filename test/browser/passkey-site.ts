/**
 * A site with passkeys for a real browser, and the actions of its users. The applications are those of the HTTP suites
 * (`flows/webauthn/stage.ts`); a browser finds them at `localhost`, because an IP address has no passkeys.
 *
 * ```ts
 * const stage = usePasskeys()
 * await stage.start({ strategy }, pages)
 * const ann = await enter(open, stage)                    // a browser with a device
 * await signUp(ann, 'ann@example.com')
 * await expectHello(ann, 'ann@example.com')
 * ```
 */
import { expect } from 'chai'
import type { Express } from 'express'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { getSession, type ServerAuthConfig } from '../../lib/index.js'
import { bundle } from '../client/bundle.js'
import type { PasskeyStage } from '../flows/webauthn/stage.js'
import type { AppOptions, Door } from '../support/app.js'
import type { OpenPage } from '../support/browser.js'
import { type Device, type DeviceOptions, plugIn } from '../support/passkey-device.js'

/** Adds `/` and `/page/<n>`, which say who is signed in, and `/own` with buttons of its own (`passkey-own-page.ts`). */
export const pages: AppOptions = { after: addPages }

/** A visitor at a page of the site. */
export interface Visitor extends OpenPage {
  readonly device: Device
  url(path: string, host?: string): string
}

/** The options of a visitor: the application, the device and the browser. */
export interface VisitorOptions {
  readonly app?: Door
  readonly device?: DeviceOptions
  readonly browser?: BrowserContextOptions
}

type Open = (options?: BrowserContextOptions) => Promise<OpenPage>

/** Opens a browser with a device. */
export async function enter(open: Open, stage: PasskeyStage, options: VisitorOptions = {}): Promise<Visitor> {
  const { app = stage.app, device, browser } = options
  const opened = await open(browser)
  return arrive(opened, app, device)
}

/** Opens another tab of the same browser, with a device of its own. */
export async function openTab({ context, problems }: Visitor, stage: PasskeyStage): Promise<Visitor> {
  return arrive({ context, problems, page: await context.newPage() }, stage.app)
}

async function arrive(opened: OpenPage, app: Door, options?: DeviceOptions): Promise<Visitor> {
  await opened.page.addInitScript(obey)
  const device = await plugIn(opened.page, options)
  return { ...opened, device, url: (path, host = 'localhost') => app.origin.replace('127.0.0.1', host) + path }
}

declare global {
  interface Window {
    /** Picks the suggested passkey. */
    pick?: () => void
  }
}

/**
 * Replaces the user's choice among the browser's suggestions. The virtual authenticator always picks one immediately.
 * Therefore the address has `suggestions=ignored`, or `suggestions=later`, which waits for `pick()`.
 */
function obey(): void {
  const how = new URLSearchParams(location.search).get('suggestions')
  // A page that is not secure has none.
  const credentials: CredentialsContainer | undefined = navigator.credentials
  if ((how !== 'ignored' && how !== 'later') || !credentials) return
  const get = credentials.get.bind(credentials)
  credentials.get = async (options = {}) => {
    if (options.mediation !== 'conditional') return get(options)
    if (how === 'ignored') {
      return new Promise((_resolve, reject) => {
        options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
      })
    }
    const answer = await get(options)
    await new Promise<void>((resolve) => {
      window.pick = resolve
    })
    return answer
  }
}

/** Returns the path of the sign-in page. Suggestions are ignored, unless the test says otherwise. */
export function signInPath(callbackUrl: string, suggestions: 'ignored' | 'later' | 'picked' = 'ignored'): string {
  return `/auth/signin?${new URLSearchParams({ callbackUrl, suggestions })}`
}

export async function goToSignIn({ page, url }: Visitor, callbackUrl = '/page/1'): Promise<void> {
  await page.goto(url(signInPath(callbackUrl)))
}

/** Fills in the form for a new account, and sends it. */
export async function register({ page }: Visitor, email: string): Promise<void> {
  await page.locator('#input-email-for-passkey-provider').fill(email)
  await press(page, 'Create an account with a passkey')
}

/** Creates an account with a passkey, from the sign-in page to the callback URL. */
export async function signUp(visitor: Visitor, email: string): Promise<void> {
  await goToSignIn(visitor)
  await register(visitor, email)
  await expectHello(visitor, email)
}

/** Signs in by the button, from the sign-in page to the callback URL. */
export async function signIn(visitor: Visitor, email: string): Promise<void> {
  await goToSignIn(visitor)
  await press(visitor.page, 'Sign in with a passkey')
  await expectHello(visitor, email)
}

export async function signOut({ page, url }: Visitor): Promise<void> {
  await page.goto(url('/auth/signout?callbackUrl=/'))
  await press(page, 'Sign out')
  await page.waitForURL(url('/'))
  expect(await page.locator('h1').textContent()).to.equal('Hello nobody')
}

export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

/** Checks that the page of the site says who is signed in. */
export async function expectHello({ page, url }: Visitor, email: string, path = '/page/1'): Promise<void> {
  await page.waitForURL(url(path))
  expect(await page.locator('h1').textContent()).to.equal(`Hello ${email}`)
}

/** Checks that the form says so, and can be used again. */
export async function hears({ page }: Visitor, text: string | RegExp): Promise<void> {
  await page.locator('[id$=-message]').getByText(text).waitFor()
  expect(await page.locator('button:disabled').count()).to.equal(0)
}

/** Checks that the error page says that the passkey was not accepted, and that the visitor is not signed in. */
export async function expectNotAccepted({ page, url }: Visitor): Promise<void> {
  await page.waitForURL(url('/auth/error?error=WebAuthnVerificationError'))
  expect(await page.locator('h1').textContent()).to.equal('Your passkey was not accepted')
  expect(await (await page.request.get(url('/auth/session'))).json()).to.equal(null)
}

/** Checks that the developer tools show no problem except the statuses of error pages. */
export function expectNoProblems(...visitors: Visitor[]): void {
  const problems = visitors.flatMap(({ problems }) => problems)
  expect(problems.filter((each) => !/status of 400 .*\/auth\/error/.test(each))).to.deep.equal([])
}

function addPages(app: Express, config: ServerAuthConfig): void {
  app.get(['/', '/page/:n', '/own'], (req, res, next) => {
    getSession(req, config).then((session) => {
      const isOwn = req.path === '/own'
      res.set('content-security-policy', "default-src 'none'; img-src data:; script-src 'self'; connect-src 'self'")
      res.send(`<!doctype html><html lang="en"><title>Site</title><link rel="icon" href="data:,">
<h1>Hello ${session?.user?.email ?? 'nobody'}</h1>${isOwn ? ownPage : ''}</html>`)
    }, next)
  })
  app.get('/own.js', (_req, res, next) => {
    bundle('test/browser/passkey-own-page.ts').then(({ code }) => res.type('js').send(Buffer.from(code)), next)
  })
}

const ownPage = `<button id="add">Add a passkey</button><button id="sign-in">Sign in with a passkey</button>
<p role="alert"></p><script type="module" src="/own.js"></script>`
