/**
 * A real browser for tests: the system's Chromium through `playwright-core`.
 *
 * ```ts
 * describeInBrowser('the example', (open) => {
 *   it('shows the home page', async () => {
 *     const { page, problems } = await open()      // a fresh profile: no cookies; closed after the test
 *     await page.goto(url)
 *     expect(problems).to.deep.equal([])           // console errors, CSP violations, page errors
 *   })
 * })
 * ```
 *
 * Without Chromium the suite is skipped with one line; with `REQUIRE_ALL=1` that is a failure.
 * `CHROMIUM` names another executable.
 */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { skip } from './skip.js'

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A page in a profile of its own. */
export interface OpenPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of the console, of scripts, and violations of a Content Security Policy, as they happen. */
  readonly problems: string[]
}

/** The path of a Chromium, or undefined. */
export function findChromium(): string | undefined {
  const { CHROMIUM } = process.env
  return CHROMIUM ? CHROMIUM : candidates.find((path) => existsSync(path))
}

/** A mocha suite that needs a browser. `open` gives each test a page of its own. */
export function describeInBrowser(
  title: string,
  body: (open: (options?: BrowserContextOptions) => Promise<OpenPage>) => void,
): void {
  describe(`${title} (in Chromium)`, function () {
    this.timeout(60_000)
    this.slow(10_000)
    const opened: BrowserContext[] = []
    const running: Browser[] = []

    before(async function () {
      const executablePath = findChromium()
      if (executablePath !== undefined) {
        running.push(
          await chromium.launch({ executablePath, args: flags, env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: '' } }),
        )
        return
      }
      skip(this, `no Chromium found (${candidates.join(', ')}, or set CHROMIUM)`)
    })

    afterEach(async () => {
      await Promise.all(opened.splice(0).map((context) => context.close()))
    })

    after(async () => {
      await Promise.all(running.splice(0).map((browser) => browser.close()))
    })

    body(async (options) => {
      const [browser] = running
      if (!browser) throw new Error('the browser is not running')
      const context = await browser.newContext(options)
      opened.push(context)
      const page = await context.newPage()
      return { page, context, problems: watch(page) }
    })
  })
}

/** Chromium reports violations of a Content Security Policy as console errors. */
function watch(page: Page): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.text().includes('Content Security Policy')) {
      problems.push(`${message.text()} (${message.location().url})`)
    }
  })
  page.on('pageerror', (error) => void problems.push(String(error)))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (reason.includes('BLOCKED') || reason.includes('csp')) problems.push(`${reason} ${request.url()}`)
  })
  return problems
}
