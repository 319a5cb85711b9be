/** A browser that begins with the session of `createSession`. */
import { expect } from 'chai'
import { createSession } from '../../lib/testing/index.js'
import { describeInBrowser } from '../support/browser.js'
import { expectHello, useSite } from './site.js'

describeInBrowser('createSession of server-auth/testing', (open) => {
  const site = useSite()

  it('signs a browser in, which can sign out', async () => {
    const { storageState } = await createSession(site.app.config, {
      user: { id: '1', name: 'Ann of the tests' },
      url: site.url('/'),
    })
    const { page, problems } = await open({ storageState })
    await page.goto(site.url('/page/1'))
    await expectHello(page, 'Ann of the tests')
    await page.goto(site.url('/auth/signout'))
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(site.url('/'))
    await expectHello(page, 'nobody')
    expect(problems).to.deep.equal([])
    expect(site.faults()).to.deep.equal([])
  })
})
