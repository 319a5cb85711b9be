/** The functions that tests of the example's pages share. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

export const phone = { width: 360, height: 740 }

/** Saves a screenshot if `SCREENSHOTS=<folder>` is set. */
export async function picture(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
}

/** Returns the findings of axe in the page itself, and content that overflows it. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const options = { resultTypes: ['violations'], iframes: false }
  const results = await page.evaluate<Pick<AxeResults, 'violations'>>(`axe.run(${JSON.stringify(options)})`)
  const found = results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  return isWide ? [...found, 'wider than the window'] : found
}

/** Runs work and returns the errors printed by it. */
export async function withoutConsole(work: () => Promise<void>): Promise<string> {
  const { error } = console
  const said: unknown[] = []
  console.error = (...words: unknown[]) => void said.push(...words)
  try {
    await work()
  } finally {
    console.error = error
  }
  return said.join(' ')
}
