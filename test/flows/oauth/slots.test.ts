/**
 * Attempts that begin at the same moment: each gets a cookie of its own, although their requests have the same cookies.
 */
import { expect } from 'chai'
import { setCookies, target } from '../../support/app.js'
import { advanceClock } from '../../support/clock.js'
import { useStage } from './stage.js'

describe('POST /auth/signin/:provider at once', () => {
  const stage = useStage()

  /** Begins `count` attempts with exactly the same cookies. Returns the names of their cookies, and their redirects. */
  async function beginAtOnce(count: number, cookie?: string) {
    const csrfToken = await stage.browser.csrf()
    const sent = cookie ?? stage.browser.cookieHeader('/auth/signin/test')
    const responses = await Promise.all(
      Array.from({ length: count }, () =>
        stage.app.browser().post('/auth/signin/test', { csrfToken, callbackUrl: '/welcome' }, { cookie: sent }),
      ),
    )
    return responses.map((response) => {
      const pairs = setCookies(response).map((line) => line.split('; ')[0]?.split('=') ?? [])
      const [name = '', value = ''] = pairs.find(([each]) => each?.startsWith('auth.transaction.')) ?? []
      const known = pairs.find(([each]) => each === 'auth.browser')?.[1]
      return { name, value, known, url: target(response) }
    })
  }

  for (const count of [2, 5]) {
    it(`gives ${count} tabs ${count} cookies, and all of them succeed`, async () => {
      const attempts = await beginAtOnce(count)
      expect(new Set(attempts.map(({ name }) => name)).size).to.equal(count)
      for (const { name, value, known = '' } of attempts) {
        stage.browser.cookies.set(name, value)
        stage.browser.cookies.set('auth.browser', known)
      }
      for (const { url } of attempts) await stage.expectSignedIn(await stage.browser.get(stage.provider.authorize(url)))
      expect(stage.transactions()).to.deep.equal([])
    })
  }

  it('ST-07 stays at five cookies with more', async () => {
    const names = (await beginAtOnce(8)).map(({ name }) => name)
    expect([...new Set(names)].sort()).to.deep.equal([0, 1, 2, 3, 4].map((slot) => `auth.transaction.${slot}`))
  })

  it('keeps apart the attempts that replace the oldest of five', async () => {
    for (let n = 0; n < 5; n += 1) {
      await stage.begin()
      advanceClock(20)
    }
    const names = (await beginAtOnce(2)).map(({ name }) => name)
    expect(names.sort()).to.deep.equal(['auth.transaction.0', 'auth.transaction.1'])
  })

  it('reuses a cookie that came back, or that was not used for a while', async () => {
    await stage.begin()
    await stage.browser.get(stage.provider.authorize(await stage.begin(), { error: 'access_denied', code: null }))
    expect(stage.transactions()).to.deep.equal(['auth.transaction.0'])
    await stage.begin()
    expect(stage.transactions()).to.deep.equal(['auth.transaction.0', 'auth.transaction.1'])
    stage.browser.cookies.delete('auth.transaction.0')
    advanceClock(11)
    await stage.begin()
    expect(stage.transactions()).to.have.members(['auth.transaction.0', 'auth.transaction.1'])
  })

  it('does not mix browsers', async () => {
    for (let n = 0; n < 3; n += 1) {
      stage.newBrowser()
      const [attempt] = await beginAtOnce(1)
      expect(attempt?.name).to.equal('auth.transaction.0')
    }
  })
})
