/**
 * A real browser for tests: the system's Chromium, or its headless shell, through `playwright-core`.
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
import { setTimeout } from 'node:timers/promises'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { skip } from './skip.js'
import { timeLimit } from './time-limits.js'

/**
 * The first is the same engine without windows, profiles and extensions: a page costs a fifth of the time there.
 * Debian has it as a package of its own.
 */
const candidates = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

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

const hostRules = '--host-resolver-rules=MAP *.example.com 127.0.0.1, MAP *.example.net 127.0.0.1'

/** A page in a profile of its own. */
export interface OpenPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of the console, of scripts, and violations of a Content Security Policy, as they happen. */
  readonly problems: string[]
}

/** The options with which the browser is started. */
export interface BrowserTraits {
  /** Pages that are left are kept as they are, for Back and Forward: playwright turns that off. */
  readonly backForwardCache?: boolean
  /** Hosts below `example.com` and `example.net` are this machine, for pages of several origins and sites. */
  readonly exampleHosts?: boolean
}

/** The path of a Chromium, or undefined. The headless shell keeps no pages that were left. */
export function findChromium({ backForwardCache }: BrowserTraits = {}): string | undefined {
  const { CHROMIUM } = process.env
  if (CHROMIUM) return CHROMIUM
  return candidates.find((path) => existsSync(path) && !(backForwardCache && path.endsWith('-headless-shell')))
}

/** A mocha suite that needs a browser. `open` gives each test a page of its own. */
export function describeInBrowser(
  title: string,
  body: (open: (options?: BrowserContextOptions) => Promise<OpenPage>) => void,
  traits: BrowserTraits = {},
): void {
  describe(`${title} (in Chromium)`, function () {
    this.timeout(60_000)
    this.slow(10_000)
    // On a machine that is busy Chromium now and then drops an event. The reporter tells what needed a second try.
    this.retries(1)
    const opened: BrowserContext[] = []
    let running: Browser | undefined

    before(function () {
      if (findChromium(traits) === undefined)
        skip(this, `no Chromium found (${candidates.join(', ')}, or set CHROMIUM)`)
    })

    afterEach(async () => {
      const closing = Promise.all(opened.splice(0).map((context) => context.close()))
      if (await isDoneIn(closing, timeLimit(20_000))) return
      // It hangs, as Chromium may where a navigation is under way. The next test gets another one.
      const hanging = running
      running = undefined
      await hanging?.close()
    })

    after(() => running?.close())

    body(async (options) => {
      running ??= await launch(traits)
      const context = await running.newContext(options)
      opened.push(context)
      context.setDefaultTimeout(timeLimit(30_000))
      const page = await context.newPage()
      return { page, context, problems: watch(page) }
    })
  })
}

function launch(traits: BrowserTraits): Promise<Browser> {
  const executablePath = findChromium(traits)
  if (executablePath === undefined) throw new Error('there is no Chromium')
  return chromium.launch({
    executablePath,
    args: traits.exampleHosts ? [...flags, hostRules] : flags,
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: '' },
    ...(traits.backForwardCache && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  })
}

/** Checks whether the work ends within a number of milliseconds. Throws its errors. */
async function isDoneIn(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController()
  const late = setTimeout(milliseconds, false, { signal: timer.signal }).catch(() => false)
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    timer.abort()
  }
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
