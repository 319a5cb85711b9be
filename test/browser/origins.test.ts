/** Requests of scripts from pages of other origins, over https, as Chromium sends them and lets scripts read them. */
import type { RequestListener } from 'node:http'
import { expect } from 'chai'
import type { BrowserContext, Page } from 'playwright-core'
import { expectedOf, initOf, type PageOrigin, pages, type Row, rows, titleOf } from '../origins/matrix.js'
import { createExpressSite } from '../origins/site.js'
import { describeInBrowser } from '../support/browser.js'
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.js'

const hosts: Readonly<Record<PageOrigin, string>> = {
  own: 'api.example.com',
  trusted: 'app.example.com',
  sibling: 'evil.example.com',
  stranger: 'app.example.net',
}

describeInBrowser(
  'a page of another origin',
  (open) => {
    let server: LoopbackServer
    let site: ReturnType<typeof createExpressSite>
    const originOf = (from: PageOrigin) => `https://${hosts[from]}:${server.port}`

    before(async () => {
      let listener: RequestListener = () => undefined
      server = await startLoopbackServer((req, res) => listener(req, res), { tls: true })
      site = createExpressSite('jwt', { trustedOrigins: [originOf('trusted')] })
      listener = site.app
    })
    after(() => server.close())

    /** Opens a browser with a page of each origin. */
    async function openPages(isSignedIn: boolean) {
      const { context, page, problems } = await open({ ignoreHTTPSErrors: true })
      await page.goto(`${originOf('own')}/auth/signin`)
      if (isSignedIn) {
        await page.fill('[name=username]', 'ann')
        await page.fill('[name=password]', 'right')
        await page.click('button[type=submit]')
        await page.waitForURL(`${originOf('own')}/`)
      }
      const opened = await Promise.all(
        pages.map(async (from) => [from, await pageAt(context, originOf(from))] as const),
      )
      return { context, problems, pages: Object.fromEntries(opened) as Record<PageOrigin, Page> }
    }

    async function pageAt(context: BrowserContext, origin: string): Promise<Page> {
      const page = await context.newPage()
      await page.goto(`${origin}/page`)
      return page
    }

    /** Runs `fetch` in a page. @returns The status; 0 if the script may not read the response. */
    const fetchIn = (page: Page, url: string, init: RequestInit) =>
      page.evaluate(
        ([to, given]) =>
          fetch(to, given).then(
            ({ status }) => status,
            () => 0,
          ),
        [url, init] as const,
      )

    /** Returns the token of a browser, which even the pages of attackers know here. */
    const tokenOf = (page: Page) =>
      page.evaluate(async () => String((await (await fetch('/auth/csrf')).json()).csrfToken))

    it(`CS-20 has the result of the table: ${rows.length} rows`, async function () {
      this.timeout(120_000)
      for (const session of [true, false]) {
        const opened = await openPages(session)
        const csrfToken = await tokenOf(opened.pages.own)
        for (const row of rows.filter((each) => each.session === session)) {
          const before = { ...site.counts }
          const url = `${originOf('own')}${row.target.split(' ')[1]}`
          const status = await fetchIn(opened.pages[row.from], url, initOf(row, csrfToken))
          const { arrived, changed } = site.counts
          const outcome = { arrived: arrived > before.arrived, status, changed: changed > before.changed }
          expect(outcome, titleOf(row as Row)).to.deep.equal(expectedOf(row))
        }
      }
    })

    it('CS-21 changes nothing by a form of a sibling or a stranger', async () => {
      const { pages: opened } = await openPages(true)
      const csrfToken = await tokenOf(opened.own)
      for (const from of ['sibling', 'stranger'] as const) {
        for (const path of ['/auth/signout', '/auth/session', '/api/note']) {
          const before = site.counts.changed
          const page = await pageAt(opened[from].context(), originOf(from))
          await page.evaluate(
            ([action, token]) => {
              document.body.innerHTML = `<form method="post" action="${action}"><input name="csrfToken" value="${token}"></form>`
              document.forms[0]?.submit()
            },
            [`${originOf('own')}${path}`, csrfToken] as const,
          )
          await page.waitForURL(`${originOf('own')}/**`)
          expect(site.counts.changed, `${from} ${path}`).to.equal(before)
        }
      }
      expect(await fetchIn(opened.own, `${originOf('own')}/api/note`, {})).to.equal(200)
    })

    it('CS-22 keeps its cookies to the host: a sibling cannot set the cookie of the token', async () => {
      const { context, pages: opened } = await openPages(true)
      const cookies = (await context.cookies()).filter(({ name }) => name.includes('auth.'))
      expect(cookies.map(({ domain }) => domain)).to.deep.equal(cookies.map(() => hosts.own))
      const { name, value } = cookies.find((cookie) => cookie.name.includes('csrf')) ?? { name: '', value: '' }
      expect(name).to.equal('__Host-auth.csrf-token')
      await opened.sibling.evaluate((line) => {
        Reflect.set(document, 'cookie', line)
      }, `${name}=planted; Domain=example.com; Path=/; Secure`)
      const after = (await context.cookies()).filter((cookie) => cookie.name === name)
      expect(after.map((cookie) => cookie.value)).to.deep.equal([value])
    })
  },
  { exampleHosts: true },
)
