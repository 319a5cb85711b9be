// Pictures of every built-in page in every state, and of the pages of the example, for review: `npm run screenshots`,
// then see `screenshots/`. `npm run screenshots -- mail` makes those named so, and `npm run screenshots -- mail ar` in
// Arabic (or `de`, `ja`).
import { mkdirSync, rmSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { showStates, states } from '../test/browser/states.ts'
import { startDemo } from '../test/examples/start-demo.ts'
import { findChromium } from '../test/support/browser.ts'

const folder = new URL('../screenshots/', import.meta.url).pathname
const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } }
const [only = '', language] = process.argv.slice(2)

const executablePath = findChromium()
if (!executablePath) throw new Error('no Chromium found; name one by CHROMIUM')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const server = await showStates()
const demo = (!language && 'example'.includes(only)) || only.startsWith('example') ? await startDemo() : undefined
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })

for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport, colorScheme })
    const page = await context.newPage()
    for (const name of Object.keys(states).filter((each) => each.includes(only))) {
      await page.goto(`${server.origin}/${name}${language ? `?language=${language}` : ''}`)
      await page.screenshot({
        path: `${folder}${name}${language ? `-${language}` : ''}-${size}-${colorScheme}.png`,
        fullPage: true,
      })
    }
    if (demo) await walkThroughDemo(page, demo.origin, `${size}-${colorScheme}`)
    await context.close()
  }
}
await browser.close()
await server.close()
await demo?.close()
console.log(`screenshots/: ${Object.keys(states).length} states, two sizes, two colour schemes`)

/** A sign-in by mail over the pages of the example. */
async function walkThroughDemo(page, origin, look) {
  const picture = (name) => page.screenshot({ path: `${folder}example-${name}-${look}.png`, fullPage: true })
  await page.goto(origin)
  await picture('home')
  await page.goto(`${origin}/dev/mailbox`)
  await picture('mailbox-empty')
  await page.goto(`${origin}/auth/signin?callbackUrl=/account`)
  await picture('sign-in')
  await page.getByLabel('Email address or username').fill(`${look}@example.com`)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await picture('sign-in-methods')
  await page.getByRole('button', { name: 'Send me a link' }).click()
  await page.waitForURL(`${origin}/dev/mail-sent**`)
  await picture('mail-sent')
  do await page.goto(`${origin}/dev/mailbox`)
  while (!(await page.content()).includes(`${look}@example.com`))
  await picture('mailbox')
  await page.frameLocator('iframe').getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${origin}/account`)
  await picture('account')
}
