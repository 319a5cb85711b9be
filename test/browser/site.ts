/**
 * A small site for the browser tests, on 127.0.0.1, with the real OpenID provider on localhost: two sites for a browser.
 *
 * ```ts
 * const site = useSite()                                   // hooks of the suite: started before, closed after
 * await page.goto(site.url('/auth/signin?callbackUrl=/page/1'))
 * await signInAt(page, site)                               // the provider's login page
 * await page.waitForURL(site.url('/page/1'))
 * ```
 */
import { expect } from 'chai'
import type { Express } from 'express'
import type { Page } from 'playwright-core'
import { getSession, type ServerAuthConfig } from '../../lib/index.js'
import type { OIDCConfig, Provider } from '../../lib/types/provider.js'
import { type AppOptions, credentials, startApp, type TestApp } from '../support/app.js'
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.js'

/** The options of a site that differ from the defaults. */
export interface SiteOptions {
  readonly config?: Partial<ServerAuthConfig>
  /** Options of the OpenID provider `test`. */
  readonly provider?: Partial<OIDCConfig>
  readonly app?: AppOptions
  /** Providers beside it. Default: the password form of the tests. */
  readonly more?: readonly Provider[]
}

export class Site {
  readonly app: TestApp
  readonly provider: OpenIdProvider

  constructor(app: TestApp, provider: OpenIdProvider) {
    this.app = app
    this.provider = provider
  }

  url(path: string): string {
    return this.app.origin + path
  }

  /** Returns the types of the errors that were logged since the last call. */
  faults(): string[] {
    return this.app.log.errors.splice(0).map((error) => (error as { type?: string }).type ?? error.name)
  }
}

/** Starts a site for the suite around. Its `/` and `/page/<n>` say who is signed in. */
export function useSite(site: SiteOptions = {}): Site {
  const { config = {}, provider: options = {}, app: appOptions = {}, more = [credentials()] } = site
  const started: Site[] = []
  before(async () => {
    const provider = await startOpenIdProvider()
    const test: OIDCConfig = { id: 'test', name: 'Test', type: 'oidc', ...provider.settings(), ...options }
    const app = await startApp(
      { providers: [test, ...more], ...config },
      {
        ...appOptions,
        after(express, full) {
          addPages(express, full)
          appOptions.after?.(express, full)
        },
      },
    )
    started.push(new Site(app, provider))
  })
  after(async () => {
    for (const { app, provider } of started.splice(0)) await Promise.all([app.close(), provider.close()])
  })
  return new Proxy({} as Site, {
    get(_target, name) {
      const [site] = started
      if (!site) throw new Error('the site is started in hooks: use it in tests only')
      const value: unknown = Reflect.get(site, name)
      return typeof value === 'function' ? value.bind(site) : value
    },
  })
}

function addPages(app: Express, config: ServerAuthConfig): void {
  app.get(['/', '/page/:n'], (req, res, next) => {
    getSession(req, config).then((session) => {
      const who = session?.user?.name ?? 'nobody'
      res.send(`<!doctype html><html lang="en"><title>Site</title><link rel="icon" href="data:,">
<h1>Hello ${who}</h1><p>${req.path}</p><p><a href="/auth/signin">Sign in</a> <a href="/auth/signout">Sign out</a></p></html>`)
    }, next)
  })
}

/** Presses the button of the provider `test`, and waits for its login page. */
export async function begin(page: Page, site: Site): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Test' }).click()
  await page.waitForURL(`${site.provider.issuer}/interaction/**`)
}

/** Fills in the provider's login page. */
export async function logIn(page: Page, login = 'alice'): Promise<void> {
  await page.getByLabel('Login').fill(login)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Signs in, from the sign-in page to the callback URL. */
export async function signIn(page: Page, site: Site, callbackUrl = '/page/1'): Promise<void> {
  await page.goto(site.url(`/auth/signin?callbackUrl=${encodeURIComponent(callbackUrl)}`))
  await begin(page, site)
  await logIn(page)
  await page.waitForURL(site.url(callbackUrl))
}

/** Checks that the page of the site says who is signed in. */
export async function expectHello(page: Page, name: string): Promise<void> {
  expect(await page.locator('h1').textContent()).to.equal(`Hello ${name}`)
}

/** Follows every navigation of the page: its URLs, in their order. */
export function followed(page: Page): string[] {
  const urls: string[] = []
  page.on('framenavigated', (frame) => void (frame === page.mainFrame() && urls.push(frame.url())))
  return urls
}
