/** What tests of the example's pages share. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

export const phone = { width: 360, height: 740 }

/** A screenshot, for people, where `SCREENSHOTS=<folder>` asks for it. */
export async function picture(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
}

/** What axe finds in the page itself, and whether anything hangs over the edge. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const options = { resultTypes: ['violations'], iframes: false }
  const results = await page.evaluate<Pick<AxeResults, 'violations'>>(`axe.run(${JSON.stringify(options)})`)
  const found = results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  return isWide ? [...found, 'wider than the window'] : found
}

/** What is printed as an error meanwhile. */
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
