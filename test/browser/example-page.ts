/** The functions that tests of the example's pages share. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'

export const phone = { width: 360, height: 740 }

/** Saves a screenshot if `SCREENSHOTS=<folder>` is set. */
export async function picture(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
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
