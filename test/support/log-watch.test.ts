/** The search of the logs can fail: see `log-watch.ts`. */
import { expect } from 'chai'
import { createLog, startApp } from './app.js'
import { searchLogs, tellFields, tellSecret } from './log-watch.js'

describe('the search of what was logged', () => {
  const value = 'verifier-of-this-test'

  it('finds a secret in a message, in details, in an error and in what led to it', () => {
    const cases: ReadonlyArray<(logger: ReturnType<typeof createLog>['logger']) => void> = [
      (logger) => logger.debug(`asked with ${value}`),
      (logger) => logger.debug('asked', { deep: { list: [value] } }),
      (logger) => logger.error(new Error(`no ${value}`)),
      (logger) => logger.error(new Error('no', { cause: new Error(value) })),
      (logger) => logger.warn('debug-enabled', value),
    ]
    for (const log of cases) {
      tellSecret(value)
      log(createLog().logger)
      expect(searchLogs()).to.match(/secret of 21 characters/)
    }
  })

  it('does not repeat the secret', () => {
    tellFields({ code_verifier: value })
    createLog().logger.debug(value)
    expect(searchLogs()).to.be.a('string').that.does.not.include(value)
  })

  it('knows cookies, CSRF tokens, passwords and the secret of the site', async () => {
    const app = await startApp()
    const password = 'correct horse battery'
    const isSecret = ([name]: [string, string]) => !name.includes('callback-url')
    const cookie = (at: number) => (held: Map<string, string>) => [...held].filter(isSecret)[at]?.[1]
    const picks = [() => password, () => String(app.config.secret), cookie(0), cookie(1), cookie(2)]
    for (const pick of picks) {
      const browser = app.browser()
      await browser.submit('/auth/callback/credentials', { username: 'ann', password })
      await browser.signIn()
      expect(searchLogs(), 'as it is').to.equal(undefined)
      await browser.submit('/auth/callback/credentials', { username: 'ann', password })
      await browser.signIn()
      const found = pick(browser.cookies)
      expect(found).to.be.a('string')
      const { logger } = createLog()
      logger.debug('said', found)
      expect(searchLogs(), found).to.match(/secret of/)
    }
    await app.close()
  })

  it('lets pass what is none, and forgets', () => {
    tellSecret(value, 'short')
    createLog().logger.debug('a short word')
    expect(searchLogs()).to.equal(undefined)
    createLog().logger.debug(value)
    expect(searchLogs()).to.equal(undefined)
  })
})
