/** CD-01…03: no response shows whether a user has an account: not by a byte, a status, a header or a cookie's name. */

import { expect } from 'chai'
import { type Browser, target } from '../support/app.js'
import { crowd } from '../support/extent.js'
import type { Answer } from '../support/http-browser.js'
import { passwordsIn } from '../support/stores.js'
import { better, good, type Stage, startStage } from './stage.js'

/** Users of four kinds: with and without a password, some unverified. */
const count = crowd(200)

/** All that a stranger sees of an answer, without what is random in each. */
function seen({ status, text, headers, cookies }: Answer, browser: Browser): string {
  const { date: _date, 'set-cookie': _lines, etag: _etag, ...rest } = headers
  const names = cookies.map((line) => line.replace(/=[^;]*/, '=').replace(/Expires=[^;]*/, ''))
  const page = text.replace(/nonce="[^"]*"|'nonce-[^']*'|value="[0-9a-f]{64}"/g, '')
  const held = [...browser.cookies.keys()].sort()
  return JSON.stringify([status, page, withoutNonce(rest), names, held])
}

function withoutNonce(headers: Record<string, unknown>): string {
  return JSON.stringify(headers).replace(/'nonce-[^']*'/g, '')
}

describe(`the differences between a known and an unknown address, of ${count} each`, () => {
  let stage: Stage

  before(async () => {
    stage = await startStage({
      password: { mail: { ...silent, limit: false } },
      config: { rateLimit: false },
    })
    const passwords = passwordsIn(stage.adapter.store())
    const hash = await stage.hasher.hash(good)
    for (let at = 0; at < count; at += 1) {
      const [id, email] = [`user-${at}`, address('known', at)]
      await stage.adapter.createUser({ id, email, emailVerified: at % 4 === 3 ? null : new Date() })
      if (at % 2 === 0) await passwords.write({ userId: id, hash, changedAt: new Date() }, 0)
    }
    await stage.signIn(stage.browser(), 'warm@example.com')
  })
  after(() => stage.close())

  const steps: Record<string, (browser: Browser, email: string) => Promise<Answer>> = {
    'sign-up': (browser, email) => stage.signUp(browser, email, better),
    'sign-in': (browser, email) => stage.signIn(browser, email, better),
    forgot: (browser, email) => browser.submit('/auth/password/forgot', { email }),
    'sign-up, as JSON': (browser, email) =>
      browser.submit('/auth/signup/password', { email, password: better }, { accept: 'application/json' }),
    'forgot, as JSON': (browser, email) =>
      browser.submit('/auth/password/forgot', { email }, { accept: 'application/json' }),
  }

  for (const [name, step] of Object.entries(steps)) {
    it(name, async () => {
      const answers = new Set<string>()
      for (let at = 0; at < count; at += 1) {
        for (const kind of ['known', 'other']) {
          const browser = stage.browser()
          const answer = await step(browser, address(kind, at))
          answers.add(seen(answer, browser))
        }
      }
      expect([...answers]).to.have.lengthOf(1)
    })
  }

  it('the pages are the same for every visitor, and so is the page of the redirect', async () => {
    const browser = stage.browser()
    const page = await browser.get(target(await stage.signUp(browser, address('known', 1), better)))
    expect(page.text).to.include('Check your email').and.not.include('known')
  })
})

/** Returns an address of equal length in both cases, so that lengths of headers disclose nothing either. */
function address(kind: string, at: number): string {
  return `${kind}-${String(at).padStart(4, '0')}@example.com`
}

const silent = {
  ...{ id: 'mail', name: 'Mail', type: 'email' as const },
  sendVerificationRequest() {},
  sendNotice() {},
}
