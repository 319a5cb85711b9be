/** The functions that tests of the example's pages share. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { overflow, violations, visualRules } from '../support/axe.js'

export const phone = { width: 360, height: 740 }

/** Saves a screenshot if `SCREENSHOTS=<folder>` is set. */
export async function picture(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
}

/**
 * Returns the findings on a desktop, on a phone and in the dark. Open the page with `reducedMotion: 'reduce'`, because colours are
 * otherwise between two schemes for a while. The page keeps its size and its colours.
 */
export async function violationsInEachForm(page: Page): Promise<string[]> {
  const desktop = page.viewportSize() ?? phone
  const found = [...(await violations(page)), ...(await overflow(page))]
  await page.setViewportSize(phone)
  found.push(...(await violations(page, visualRules)), ...(await overflow(page)))
  await page.setViewportSize(desktop)
  await page.emulateMedia({ colorScheme: 'dark' })
  found.push(...(await violations(page, visualRules)))
  await page.emulateMedia({ colorScheme: 'light' })
  return found
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
