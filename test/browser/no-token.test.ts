/** Forms without a CSRF token, as a browser sends them: only a page of the site's own origin signs in. */

import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { startApp } from '../support/app.js'
import { describeInBrowser } from '../support/browser.js'
import { type LoopbackHost, startLoopbackServer } from '../support/loopback-server.js'
import { opened } from '../support/opened.js'

const formTo = (origin: string) => `<!doctype html><html lang="en"><title>Form</title><link rel="icon" href="data:,">
<form method="post" action="${origin}/auth/callback/credentials"><input type="hidden" name="username" value="ann">
<input type="hidden" name="password" value="right"><button>Sign in</button></form></html>`

const passingOn = `addEventListener('fetch', (event) => {
  if (event.request.method === 'POST') fetch('/passed-on')
  event.respondWith(fetch(event.request))
})
addEventListener('activate', (event) => event.waitUntil(clients.claim()))`

describeInBrowser('a form without a CSRF token', (open) => {
  let passedOn = 0
  const app = opened(() =>
    startApp(
      {},
      {
        before(on) {
          on.get('/form', (req, res) => {
            if (req.query.policy) res.set('referrer-policy', String(req.query.policy))
            res.send(formTo(''))
          })
          on.get('/frame', (_req, res) => {
            res.send('<!doctype html><iframe sandbox="allow-forms" src="/form"></iframe>')
          })
          on.get('/passed-on', (_req, res) => {
            passedOn += 1
            res.end()
          })
          on.get('/worker.js', (_req, res) => {
            res.type('js').send(passingOn)
          })
        },
      },
    ),
  )

  /** Submits the form and returns its target, its status and the session after it. */
  async function submit(page: Page, frame: Pick<Page, 'getByRole'> = page) {
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await frame.getByRole('button', { name: 'Sign in' }).click()
    const answer = await answered
    const location = (await answer.headerValue('location')) ?? ''
    const session = await (await page.request.get(`${app.origin}/auth/session`)).json()
    return { location: location.replace(app.origin, ''), name: session?.user?.name }
  }

  const refused = { location: '/auth/signin?error=MissingCSRF', name: undefined }

  it('signs in from a page of the site’s own origin', async () => {
    const { page } = await open()
    await page.goto(`${app.origin}/form`)
    expect(await submit(page)).to.deep.equal({ location: '/', name: 'ann' })
  })

  it('signs in by a script of the site’s own origin, whatever the referrer policy is', async () => {
    const { page } = await open()
    await page.goto(`${app.origin}/form?policy=no-referrer`)
    const status = await page.evaluate(async () => {
      const { status } = await fetch('/auth/callback/credentials', {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams({ username: 'ann', password: 'right' }),
      })
      return status
    })
    expect(status).to.equal(200)
  })

  it('is rejected from a page with `Referrer-Policy: no-referrer`, whose Origin is null', async () => {
    const { page } = await open()
    await page.goto(`${app.origin}/form?policy=no-referrer`)
    expect(await submit(page)).to.deep.equal(refused)
  })

  it('is rejected from a sandboxed frame of the site’s own origin', async () => {
    const { page } = await open()
    await page.goto(`${app.origin}/frame`)
    const [, frame] = page.frames()
    if (!frame) throw new Error('there is no frame')
    expect(await submit(page, frame)).to.deep.equal(refused)
  })

  for (const [where, host] of [
    ['another port of the host', '127.0.0.1'],
    ['another site', 'localhost'],
  ] as ReadonlyArray<[string, LoopbackHost]>) {
    describe(`on ${where}`, () => {
      const other = opened(() =>
        startLoopbackServer(
          (_request, response) => {
            response.setHeader('content-type', 'text/html')
            response.end(formTo(app.origin))
          },
          { host },
        ),
      )

      it('is rejected', async () => {
        const { page } = await open()
        await page.goto(other.origin)
        expect(await submit(page)).to.deep.equal(refused)
      })

      it('is rejected where a service worker of the site passes requests on', async () => {
        const { page } = await open()
        await page.goto(`${app.origin}/form`)
        await page.evaluate(async () => {
          await navigator.serviceWorker.register('/worker.js')
          await navigator.serviceWorker.ready
        })
        await page.goto(other.origin)
        const before = passedOn
        expect(await submit(page)).to.deep.equal(refused)
        // The worker had it indeed.
        while (passedOn === before) await page.waitForTimeout(20)
      })
    })
  }
})
