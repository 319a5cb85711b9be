/**
 * Tests of the sign-in page, which is prepared once for all visitors: no visitor receives the values of another one.
 */

import { expect } from 'chai'
import { type Browser, credentials, startApp, target } from '../support/app.js'
import type { Answer } from '../support/http-browser.js'
import { opened } from '../support/opened.js'
import { inputs } from './page.js'

const op = {
  id: 'op',
  name: 'Op',
  type: 'oauth' as const,
  clientId: 'client',
  clientSecret: 'client-secret',
  authorization: 'https://op.example/authorize',
  token: 'https://op.example/token',
  userinfo: 'https://op.example/userinfo',
}

const actionsOf = ({ text }: Answer) => [...text.matchAll(/ action="([^"]*)"/g)].map(([, action]) => action)
const nonceOf = ({ text }: Answer) => /<style nonce="([^"]*)"/.exec(text)?.[1] ?? ''

describe('the sign-in page, prepared', () => {
  const app = opened(() => startApp({ trustHost: true, providers: [credentials(), op] }), 'each')

  const from = (host: string): Browser => Object.assign(app.browser(), { headers: { host } })

  it('has the token, callback URL and nonce of each visitor', async () => {
    const pages = await Promise.all(
      ['/one', '/two', '/one'].map((path) => app.browser().get(`/auth/signin?callbackUrl=${path}`)),
    )
    expect(new Set(pages.flatMap((page) => inputs(page, 'csrfToken'))).size).to.equal(3)
    expect(pages.map((page) => inputs(page, 'callbackUrl')[0])).to.deep.equal(
      ['/one', '/two', '/one'].map((path) => `${app.origin}${path}`),
    )
    expect(new Set(pages.map(nonceOf)).size).to.equal(3)
    for (const page of pages) {
      expect(page.headers['content-security-policy']).to.include(`style-src 'nonce-${nonceOf(page)}'`)
      expect(page.text).to.not.match(/mark[0-9a-f]{32}/)
    }
  })

  it('leads to the host that each visitor used', async () => {
    for (const host of ['one.test', 'two.test', 'one.test']) {
      const page = await from(host).get('/auth/signin')
      expect(actionsOf(page)).to.deep.equal([
        `http://${host}/auth/callback/credentials`,
        `http://${host}/auth/signin/op`,
      ])
      expect(page.text).to.include(`<strong>${host}</strong>`)
    }
  })

  it('shows one provider to a visitor who asks for it, and all providers otherwise', async () => {
    const browser = app.browser()
    const counts = []
    for (const path of ['', '/op', '/credentials', '']) {
      counts.push(actionsOf(await browser.get(`/auth/signin${path}`)).length)
    }
    expect(counts).to.deep.equal([2, 1, 1, 2])
  })

  it('shows the error, the typed text and the signed-in user to one visitor only', async () => {
    await app.browser().get('/auth/signin')
    const person = app.browser()
    const refused = await person.submit('/auth/callback/credentials', {
      username: 'ann',
      password: 'wrong',
      navigation: 'form',
    })
    const again = await person.get(target(refused))
    expect(again.text).to.include('role="alert"').and.to.include('value="ann"')
    await person.signIn()
    expect((await person.get('/auth/signin')).text).to.include('already signed in')
    const other = await app.browser().get('/auth/signin')
    expect(other.text).to.not.match(/role="alert"|already signed in|ann/)
  })
})
