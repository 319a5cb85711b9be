/**
 * The documentation site, as `npm run docs:build` built it: its links, and in a browser its appearance, its search and
 * its menus.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import express from 'express'
import { states } from '../browser/states.js'
import { violations, visualRules } from '../support/axe.js'
import { describeInBrowser } from '../support/browser.js'
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.js'
import { skip } from '../support/skip.js'

const dist = fileURLToPath(new URL('../../docs/.vitepress/dist/', import.meta.url))
const phone = { width: 360, height: 740 }
const desktop = { width: 1280, height: 800 }

/** One page of each kind: the front page, text with code, drawings, tables. */
const pages = ['index.html', 'start/express.html', 'explanations/pictures.html', 'guides/deployment.html']

const read = (path: string) => readFileSync(join(dist, path), 'utf8')

/** The path below which the site is to be served: `DOCS_BASE` of its build. */
const baseOf = () => /href="([^"]*\/)assets\//.exec(read('index.html'))?.[1] ?? '/'

function needSite(context: Mocha.Context): void {
  if (!existsSync(join(dist, 'index.html'))) skip(context, 'the documentation site is not built: npm run docs:build')
}

describe('the documentation site', () => {
  before(function () {
    needSite(this)
  })

  it('has links that lead to existing pages and headings', () => {
    const base = baseOf()
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
    // Pages of the gallery link to URLs of an application.
    const isState = (path: string) => /^gallery\/(?!(\w+\/)?index\.html$)/.test(path)
    const html = files.filter((path) => path.endsWith('.html') && path !== '404.html' && !isState(path))
    const ids = new Map(
      html.map((path) => [path, new Set([...read(path).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
    )
    const broken: string[] = []
    let count = 0
    for (const page of html) {
      for (const [, href = ''] of read(page).matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        if (/^[a-z]+:/.test(href)) continue
        count += 1
        const [path = '', anchor] = href.split('#')
        const below = path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(page), path)
        const target = path === '' ? page : posix.normalize(/(^|\/)$/.test(below) ? `${below}index.html` : below)
        const isThere = anchor ? ids.get(target)?.has(decodeURIComponent(anchor)) : files.includes(target)
        if (!isThere) broken.push(`${page}: ${href}`)
      }
    }
    expect(broken).to.deep.equal([])
    expect(html.length).to.be.greaterThan(30)
    expect(count).to.be.greaterThan(1000)
  })

  it('has every state of every built-in page, in four languages', () => {
    for (const language of ['', 'ar/', 'de/', 'ja/']) {
      const frames = [...read(`gallery/${language}index.html`).matchAll(/<iframe src="([^"]+)"/g)].map(([, src]) => src)
      expect(frames.sort()).to.deep.equal(
        Object.keys(states)
          .map((name) => `${name}.html`)
          .sort(),
      )
      for (const frame of frames) expect(read(`gallery/${language}${frame}`)).to.match(/^<!doctype html>/)
    }
  })

  it('has no id twice in a page', () => {
    const twice = readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.html'))
      .flatMap((path) => {
        const ids = [...read(path).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
        return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${path}: ${id}`)
      })
    expect(twice).to.deep.equal([])
  })
})

describeInBrowser('the documentation site', (open) => {
  let server: LoopbackServer
  let site = ''

  before(async function () {
    needSite(this)
    const app = express().use(baseOf(), express.static(dist))
    server = await startLoopbackServer(app)
    site = server.origin + baseOf()
  })
  after(() => server?.close())

  it('is accessible: light and dark, on a desktop and on a phone', async () => {
    const { page, problems } = await open({ reducedMotion: 'reduce' })
    const found: Record<string, string[]> = {}
    for (const path of pages) {
      await page.goto(site + path)
      for (const [size, viewport] of Object.entries({ desktop, phone })) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize(viewport)
          await page.emulateMedia({ colorScheme })
          const isFirst = size === 'desktop' && colorScheme === 'light'
          const all = await violations(page, isFirst ? undefined : visualRules)
          if (all.length > 0) found[`${path}, ${size}, ${colorScheme}`] = all
        }
      }
    }
    expect(found).to.deep.equal({})
    expect(problems).to.deep.equal([])
  })

  it('requests nothing from other hosts', async () => {
    const { page } = await open()
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(server.origin) && !request.url().startsWith('data:')) elsewhere.push(request.url())
    })
    for (const path of ['index.html', 'explanations/pictures.html'])
      await page.goto(site + path, { waitUntil: 'networkidle' })
    expect(elsewhere).to.deep.equal([])
  })

  it('finds a page by its search, with the keyboard alone', async () => {
    const { page, problems } = await open({ viewport: desktop })
    await page.goto(site, { waitUntil: 'networkidle' })
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('OAuthAccountNotLinked')
    await page.getByRole('option', { name: /OAuthAccountNotLinked/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/errors\.html#oauthaccountnotlinked$/)
    expect(problems).to.deep.equal([])
  })

  it('ranks guides before other pages', async () => {
    const { page, problems } = await open({ viewport: desktop })
    await page.goto(site, { waitUntil: 'networkidle' })
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('rate limit')
    await page.getByRole('option', { name: /Rate limits/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/guides\/limits\.html/)
    expect(problems).to.deep.equal([])
  })

  it('leads from page to page on a phone', async () => {
    const { page, problems } = await open({ viewport: phone })
    await page.goto(site)
    await page.getByRole('button', { name: 'Menu' }).click()
    const menu = page.locator('#VPSidebarNav')
    await menu.getByText('Sign-in methods', { exact: true }).click()
    await menu.getByRole('link', { name: 'Passkeys' }).click()
    await page.getByRole('heading', { level: 1, name: 'Passkeys' }).waitFor()
    expect(problems).to.deep.equal([])
  })
})
