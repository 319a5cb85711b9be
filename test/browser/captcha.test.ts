/** The captcha of the built-in sign-in page, with a widget from another origin. */
import { expect } from 'chai'
import type { ServerAuthConfig } from '../../lib/index.js'
import { describeInBrowser } from '../support/browser.js'
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.js'
import { useSite } from './site.js'

/** Behaves as the script of a captcha service: fills its elements with a frame and a hidden field. */
const script = `for (const place of document.querySelectorAll('.widget[data-sitekey="key"]')) {
  const origin = new URL(document.querySelector('script[src]').src).origin
  const frame = document.createElement('iframe')
  frame.src = origin + '/frame'; frame.title = 'Captcha'; frame.width = 300; frame.height = 65
  const field = document.createElement('input')
  field.type = 'hidden'; field.name = 'captcha'; field.value = 'solved'
  place.append(frame, field)
}`

describeInBrowser('the captcha of the sign-in page', (open) => {
  let service: LoopbackServer
  let asked: string[] = []
  before(async () => {
    service = await startLoopbackServer(
      (request, response) => {
        asked.push(request.url ?? '')
        const isFrame = request.url === '/frame'
        response.writeHead(200, {
          'content-type': isFrame ? 'text/html' : 'text/javascript',
          'cross-origin-resource-policy': 'cross-origin',
        })
        response.end(isFrame ? '<!doctype html><body>I am human' : script)
      },
      { host: 'localhost' },
    )
    Object.assign(captcha, { script: `${service.origin}/widget.js` })
  })
  after(() => service.close())
  const captcha = { verify: (token: string) => token === 'solved', siteKey: 'key', className: 'widget', after: 1 }
  const config: Partial<ServerAuthConfig> = { rateLimit: { captcha } }
  const site = useSite({ config })

  it('is loaded only when it is required, and lets the user sign in', async () => {
    const { page, problems } = await open()
    await page.goto(site.url('/auth/signin?callbackUrl=/page/1'))
    const send = async (password: string) => {
      await page.getByLabel('User name').fill('ann')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: /^Sign in with (?!Test)|^Sign in$/ }).click()
    }
    await send('wrong')
    await page.waitForURL(/error=CredentialsSignin/)
    expect(asked).to.deep.equal([])
    await send('right')
    await page.waitForURL(/error=CaptchaRequired/)
    await page.frameLocator('iframe[title=Captcha]').getByText('I am human').waitFor()
    expect(asked).to.deep.equal(['/widget.js', '/frame'])
    if (process.env.CAPTCHA_SHOT) await page.screenshot({ path: process.env.CAPTCHA_SHOT, fullPage: true })
    await send('wrong')
    await page.waitForURL(/captcha=1/)
    await page.frameLocator('iframe[title=Captcha]').getByText('I am human').waitFor()
    await send('right')
    await page.waitForURL(site.url('/page/1'))
    expect(problems).to.deep.equal([])
  })

  it('says without scripts that it needs them', async () => {
    asked = []
    const { page } = await open({ javaScriptEnabled: false })
    await page.goto(site.url('/auth/signin?error=CaptchaRequired'))
    expect(await page.locator('noscript p').textContent()).to.include('Please turn on JavaScript')
    expect(asked).to.deep.equal([])
  })
})
