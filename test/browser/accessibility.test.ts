/** axe-core on every built-in page in every state: both colour schemes, a phone and a desktop. */
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { overflow, violations, visualRules } from '../support/axe.js'
import { describeInBrowser } from '../support/browser.js'
import { inTurn, sample } from '../support/extent.js'
import type { LoopbackServer } from '../support/loopback-server.js'
import { languages, showStates, states } from './states.js'

const phone = { width: 360, height: 740 }
const desktop = { width: 1280, height: 800 }

/** Returns faults that axe does not look for: content that overflows the page, and targets that are too small. */
async function misfits(page: Page): Promise<string[]> {
  const small = await page.evaluate(() => {
    const found: string[] = []
    for (const element of document.querySelectorAll(
      'button, .button, input:not([type=hidden], [type=checkbox], .unseen)',
    )) {
      const { height } = element.getBoundingClientRect()
      if (element.checkVisibility() && height < 44) found.push(`${element.outerHTML.slice(0, 60)} is ${height} high`)
    }
    return found
  })
  return [...(await overflow(page)), ...small]
}

describeInBrowser('the built-in pages are accessible', (open) => {
  let server: LoopbackServer
  before(async () => {
    server = await showStates()
  })
  after(() => server?.close())

  it('on a phone and on a desktop, light and dark', async function () {
    this.timeout(180_000)
    // The policy of the pages would forbid the test's own script. With motion, colours are between two schemes for a while.
    const { page } = await open({ bypassCSP: true, reducedMotion: 'reduce' })
    const found: Record<string, string[]> = {}
    for (const name of Object.keys(states)) {
      await page.goto(`${server.origin}/${name}`)
      for (const [turn, [size, viewport]] of Object.entries({ phone, desktop }).entries()) {
        // Colours do not depend on the size: dark on a desktop.
        for (const colorScheme of inTurn(['light', 'dark'] as const, turn)) {
          await page.setViewportSize(viewport)
          await page.emulateMedia({ colorScheme })
          const isFirst = size === 'phone' && colorScheme === 'light'
          const all = [...(await violations(page, isFirst ? undefined : visualRules)), ...(await misfits(page))]
          if (all.length > 0) found[`${name}, ${size}, ${colorScheme}`] = all
        }
      }
    }
    expect(found).to.deep.equal({})
  })

  it('in languages that are written otherwise, and with long words on a narrow phone', async function () {
    this.timeout(180_000)
    const { page } = await open({ bypassCSP: true, reducedMotion: 'reduce', viewport: { width: 320, height: 640 } })
    const found: Record<string, string[]> = {}
    for (const [turn, { locale }] of languages.entries()) {
      for (const name of sample(Object.keys(states), turn)) {
        await page.goto(`${server.origin}/${name}?language=${locale}`)
        // The rules see the same elements as in English, with other words, so that a few pages are enough.
        const isAsked = ['sign-in-3-and-password', 'error-reference', 'sign-out'].includes(name)
        const all = [...(isAsked ? await violations(page) : []), ...(await misfits(page))]
        if (all.length > 0) found[`${name}, ${locale}`] = all
      }
    }
    expect(found).to.deep.equal({})
  })

  it('second factors, in each language, on a narrow phone', async function () {
    this.timeout(180_000)
    const { page } = await open({ bypassCSP: true, reducedMotion: 'reduce', viewport: { width: 320, height: 640 } })
    const found: Record<string, string[]> = {}
    const shown = Object.keys(states).filter((name) => name.startsWith('two-factor'))
    for (const [turn, locale] of ['en', 'ar', 'de'].entries()) {
      for (const [at, name] of shown.entries()) {
        await page.goto(`${server.origin}/${name}?language=${locale}`)
        // Axe has seen them in English, above.
        const isAsked = locale !== 'en'
        for (const colorScheme of inTurn(['light', 'dark'] as const, turn + at)) {
          await page.emulateMedia({ colorScheme })
          const all = [...(isAsked ? await violations(page) : []), ...(await misfits(page))]
          if (all.length > 0) found[`${name}, ${locale}, ${colorScheme}`] = all
        }
      }
    }
    expect(found).to.deep.equal({})
  })

  it('and axe reports a page that was made worse', async () => {
    const { page } = await open({ bypassCSP: true, viewport: phone })
    await page.goto(`${server.origin}/sign-in-password`)
    await page.evaluate(() => {
      document.querySelector('label')?.remove()
      document.querySelector('h1')?.setAttribute('style', 'color:#ccc;width:1000px')
    })
    const found = [...(await violations(page)), ...(await misfits(page))].map((line) => line.split(':')[0])
    expect(found).to.include.members(['color-contrast', 'label', 'the page is 1020 wide, the window 360'])
  })

  it('by keyboard alone: everything is reached in order, and the focus is visible', async () => {
    const { page, problems } = await open({ viewport: phone })
    await page.goto(`${server.origin}/sign-in-3-and-password`)
    const reached: string[] = []
    for (let step = 0; step < 7; step += 1) {
      await page.keyboard.press('Tab')
      const { text, outline } = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        const style = getComputedStyle(element)
        const name = element.textContent?.trim() || element.getAttribute('name') || element.getAttribute('aria-label')
        return { text: name ?? '', outline: `${style.outlineStyle} ${style.outlineWidth}` }
      })
      reached.push(text)
      expect(outline, text).to.equal('solid 2px')
    }
    expect(reached.map((text) => text.replace(/^.*?(Sign in with)/, '$1'))).to.deep.equal([
      'Sign in with Google',
      'Sign in with Microsoft',
      'Sign in with Apple',
      'username',
      'password',
      'Show password',
      'Sign in',
    ])
    expect(problems).to.deep.equal([])
  })
})
