/** The accessibility of a page in Chromium, by axe-core. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Rules whose outcome depends on colours and sizes. The other rules see the same document at each size and in the dark. */
export const visualRules = [
  'color-contrast',
  'target-size',
  'link-in-text-block',
  'meta-viewport',
  'scrollable-region-focusable',
]

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Returns the findings of axe in the page itself, one line each. The policy of the page must allow the script
 * (`bypassCSP`).
 *
 * @param rules The ids of the rules to use. Default: all, with best practices and the size of targets.
 */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The script is large: a page that is shown in several ways reads it once.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  const options = {
    resultTypes: ['violations'],
    iframes: false,
    rules: { 'target-size': { enabled: true } },
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  }
  const results = await page.evaluate<Pick<AxeResults, 'violations'>>(`axe.run(${JSON.stringify(options)})`)
  return results.violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}

/** Returns a line if the content is wider than the window. */
export async function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide, the window ${clientWidth}`] : []
  })
}
