// Pictures of every built-in page in every state, for people to look at: `npm run screenshots`, then see `screenshots/`.
import { mkdirSync, rmSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { showStates, states } from '../test/browser/states.ts'
import { findChromium } from '../test/support/browser.ts'

const folder = new URL('../screenshots/', import.meta.url).pathname
const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } }
const [only = ''] = process.argv.slice(2)

const executablePath = findChromium()
if (!executablePath) throw new Error('no Chromium found; name one by CHROMIUM')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const server = await showStates()
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })

for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport, colorScheme })
    const page = await context.newPage()
    for (const name of Object.keys(states).filter((each) => each.includes(only))) {
      await page.goto(`${server.origin}/${name}`)
      await page.screenshot({ path: `${folder}${name}-${size}-${colorScheme}.png`, fullPage: true })
    }
    await context.close()
  }
}
await browser.close()
await server.close()
console.log(`screenshots/: ${Object.keys(states).length} states, two sizes, two colour schemes`)
